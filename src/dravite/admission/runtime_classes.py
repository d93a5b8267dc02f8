"""What the RuntimeClass admission plugin does: a pod gets the overhead and the node selection of its runtime."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal

import msgspec

from dravite.admission.pods import Candidate
from dravite.admission.priorities import FORBIDDEN
from dravite.api.core_v1 import PodSpec
from dravite.api.node_v1 import RuntimeClass, Scheduling

UNKNOWN: Final = "runtime-class-unknown"

_FIELD: Final = "spec.runtimeClassName"


def with_runtime_class(candidate: Candidate, classes: Mapping[str, RuntimeClass]) -> Candidate:
    """The pod as a server stores it, or with the reason why it is refused. Bound pods have been through this.

    A class that is not in the input is no fault: clusters have classes that no file tells of. It is said.
    """
    pod = candidate.planned.pod
    name = pod.spec.runtime_class_name
    if not name or pod.spec.node_name:
        return candidate
    if name not in classes:
        message = f"RuntimeClass {name} is not in the input; if it has overhead or node selection, neither is counted"
        return _told(candidate, "info", UNKNOWN, message)
    spec = of_class(pod.spec, classes[name])
    if isinstance(spec, str):
        return _told(candidate, "error", FORBIDDEN, f"pod rejected: {spec}")
    stored = msgspec.structs.replace(pod, spec=spec)
    return msgspec.structs.replace(candidate, planned=msgspec.structs.replace(candidate.planned, pod=stored))


def by_name(classes: Iterable[RuntimeClass]) -> Mapping[str, RuntimeClass]:
    return {item.metadata.name: item for item in classes}


def of_class(spec: PodSpec, known: RuntimeClass) -> PodSpec | str:
    """What a pod asks for once it is of a class, or why it cannot be."""
    refusal = _why_refused(spec, known)
    return _with(spec, known) if refusal is None else refusal


def _why_refused(spec: PodSpec, known: RuntimeClass) -> str | None:
    fixed = known.overhead.pod_fixed if known.overhead else {}
    if spec.overhead and spec.overhead != fixed:
        return "Pod's Overhead doesn't match RuntimeClass's defined Overhead"
    wanted = known.scheduling.node_selector if known.scheduling else {}
    if any(spec.node_selector.get(key, value) != value for key, value in wanted.items()):
        return "conflict: cannot merge the node selectors of the pod and of its RuntimeClass"
    return None


def _with(spec: PodSpec, known: RuntimeClass) -> PodSpec:
    scheduling = known.scheduling or Scheduling()
    added = tuple(item for item in scheduling.tolerations if item not in spec.tolerations)
    return msgspec.structs.replace(
        spec,
        overhead=known.overhead.pod_fixed if known.overhead else spec.overhead,
        node_selector={**spec.node_selector, **scheduling.node_selector},
        tolerations=(*spec.tolerations, *added),
    )


def _told(candidate: Candidate, severity: Literal["error", "info"], kind: str, message: str) -> Candidate:
    problem = candidate.subject.problem(severity, kind, message, _FIELD)
    return msgspec.structs.replace(candidate, problems=(*candidate.problems, problem))
