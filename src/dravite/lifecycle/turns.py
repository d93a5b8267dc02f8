"""What a controller of workloads does in one turn, and what all of them ask of pods.

The turns themselves are pure functions of a workload and what it has; each is called again after every change until it
has nothing more to do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Literal, TypeAlias

import msgspec

from dravite.api.core_v1 import Pod
from dravite.api.meta import ObjectRef
from dravite.api.plain import PlainView
from dravite.snapshot.generated_names import seeded_name
from dravite.snapshot.snapshot import is_finished
from dravite.workloads.expansion import ExpandedPod
from dravite.workloads.raw_paths import look_up, mapping

REVISION_LABEL: Final = "controller-revision-hash"

Taken: TypeAlias = Callable[[str], bool]
"""Whether an object of the kind that is made has a name already."""


class Told(msgspec.Struct, frozen=True):
    """An event about the workload."""

    reason: str
    message: str
    type: Literal["Normal", "Warning"] = "Normal"


class Edit(msgspec.Struct, frozen=True):
    """A merge patch of an object that the workload has."""

    ref: ObjectRef
    patch: PlainView


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be done now, in this order.

    Attributes:
        make: objects to make, complete with their names.
        edit: objects to change.
        remove: objects to delete.
        status: what the status is to be; None for as it is.
        told: what is told of it.
        again: when to look again in any case.
    """

    make: tuple[PlainView, ...] = ()
    edit: tuple[Edit, ...] = ()
    remove: tuple[ObjectRef, ...] = ()
    status: PlainView | None = None
    told: tuple[Told, ...] = ()
    again: float | None = None


def is_active(pod: Pod) -> bool:
    """Whether a pod holds its place: it has neither ended nor is it being deleted."""
    return not is_finished(pod) and pod.metadata.deletion_timestamp is None


def revision_of(pod: Pod) -> str:
    """Of which version of its template a pod is; empty where nobody wrote it down."""
    return pod.metadata.labels.get(REVISION_LABEL, "")


def named(pods: Iterable[ExpandedPod], base: Callable[[ExpandedPod], str], seed: str, taken: Taken) -> list[PlainView]:
    """The pods with drawn names, all different."""
    made: dict[str, PlainView] = {}
    for item in pods:
        start = base(item)
        name = seeded_name(start, f"{seed}/{start}", lambda drawn: drawn in made or taken(drawn))
        metadata = {**item.pod["metadata"], "generateName": start, "name": name}
        made[name] = {**item.pod, "metadata": metadata}
    return list(made.values())


def seed_of(workload: PlainView, pods: Sequence[Pod]) -> str:
    """What names are drawn from: other ones whenever the workload or its pods have changed."""
    meta = workload["metadata"]
    return "/".join((str(meta.get("uid")), str(meta.get("resourceVersion")), *(pod.metadata.uid for pod in pods)))


def template_of(workload: PlainView) -> PlainView:
    """The pod template; empty where there is none."""
    return mapping(look_up(workload, ("spec", "template")))


def replicas_of(workload: PlainView) -> int:
    """How many pods are wanted; 1 where that is not said."""
    count = look_up(workload, ("spec", "replicas"))
    return count if isinstance(count, int) and count >= 0 else 1


def observed(workload: PlainView) -> dict[str, Any]:
    """The part of a status that says which version of the workload it is about."""
    generation = workload["metadata"].get("generation")
    return {"observedGeneration": generation} if generation else {}


def is_going(workload: PlainView) -> bool:
    return workload["metadata"].get("deletionTimestamp") is not None
