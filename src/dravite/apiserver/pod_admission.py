"""What admission makes of a new pod: its priority class becomes a number, its runtime class overhead and placement."""

from __future__ import annotations

import json
from typing import Any, Final

from dravite.admission.priorities import Refusal, priorities
from dravite.admission.runtime_classes import of_class
from dravite.api.codec import encode, from_plain
from dravite.api.core_v1 import Pod, PodSpec
from dravite.apiserver import sight, statuses
from dravite.apiserver.backend import Backend
from dravite.apiserver.requests import Target

_OF_PRIORITY: Final = ("priority", "priorityClassName", "preemptionPolicy")
_OF_RUNTIME: Final = ("overhead", "nodeSelector", "tolerations")


def admit_pod(plain: dict[str, Any], backend: Backend, target: Target) -> None:
    """Fill in what the classes of a new pod say, in place.

    Raises:
        Refused: a class is not there, or says something else than the pod.
    """
    _give_priority(plain, backend, target)
    _give_runtime(plain, backend, target)


def _give_priority(plain: dict[str, Any], backend: Backend, target: Target) -> None:
    spec = plain["spec"]
    asked = from_plain({name: spec[name] for name in _OF_PRIORITY if spec.get(name) is not None}, PodSpec)
    if not isinstance(asked, PodSpec):
        return
    found = priorities(sight.priority_classes(backend)).resolve(Pod(spec=asked))
    if isinstance(found, Refusal):
        raise statuses.forbidden(target.kind, plain["metadata"].get("name", ""), found.message)
    spec["priority"] = found.spec.priority
    spec["preemptionPolicy"] = found.spec.preemption_policy
    if found.spec.priority_class_name:
        spec["priorityClassName"] = found.spec.priority_class_name


def _give_runtime(plain: dict[str, Any], backend: Backend, target: Target) -> None:
    spec = plain["spec"]
    name = spec.get("runtimeClassName")
    if not name or spec.get("nodeName"):
        return
    asked = from_plain({field: spec[field] for field in _OF_RUNTIME if spec.get(field) is not None}, PodSpec)
    known = sight.runtime_class(backend, str(name))
    found = (
        of_class(asked, known)
        if isinstance(asked, PodSpec) and known is not None
        else f'RuntimeClass "{name}" not found'
    )
    if isinstance(found, str):
        raise statuses.forbidden(target.kind, plain["metadata"].get("name", ""), f"pod rejected: {found}")
    written = json.loads(encode(found))
    spec.update({field: written[field] for field in _OF_RUNTIME if field in written})
