"""The priority of a new pod: its class, or the default one, becomes a number and a policy."""

from __future__ import annotations

from typing import Any

from dravite.admission.priorities import Refusal, priorities
from dravite.api.codec import from_plain
from dravite.api.core_v1 import Pod, PodSpec
from dravite.apiserver import sight, statuses
from dravite.apiserver.backend import Backend
from dravite.apiserver.requests import Target

_FIELDS = ("priority", "priorityClassName", "preemptionPolicy")


def give_priority(plain: dict[str, Any], backend: Backend, target: Target) -> None:
    """Fill in the priority of a pod, in place.

    Raises:
        Refused: its class is not there, or it says something else than its class.
    """
    spec = plain["spec"]
    asked = from_plain({name: spec[name] for name in _FIELDS if spec.get(name) is not None}, PodSpec)
    if not isinstance(asked, PodSpec):
        return
    found = priorities(sight.priority_classes(backend)).resolve(Pod(spec=asked))
    if isinstance(found, Refusal):
        raise statuses.forbidden(target.kind, plain["metadata"].get("name", ""), found.message)
    spec["priority"] = found.spec.priority
    spec["preemptionPolicy"] = found.spec.preemption_policy
    if found.spec.priority_class_name:
        spec["priorityClassName"] = found.spec.priority_class_name
