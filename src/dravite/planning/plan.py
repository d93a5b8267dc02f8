"""The answer to "where would everything run": decisions in the order they were made, and the cluster afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from dravite.api.meta import DeviceID, ObjectRef
from dravite.diagnosis.verdicts import PodDecision, Scheduled
from dravite.snapshot.snapshot import Snapshot


class NodesInferred(msgspec.Struct, frozen=True, tag=True):
    """There were no nodes; those that slices name stand for them, and resources of nodes were not counted."""

    nodes: int


class PreemptionPossible(msgspec.Struct, frozen=True, tag=True):
    """Kubernetes would clear `node` of `victims` and place the pod there; this plan evicts nobody."""

    pod: ObjectRef
    node: str
    victims: tuple[ObjectRef, ...]


class ClaimFreed(msgspec.Struct, frozen=True, tag=True):
    """An idle claim lost its devices so that the pod could have others; `message` is what its first attempt said."""

    pod: ObjectRef
    message: str


class ResourceAllocationOff(msgspec.Struct, frozen=True, tag=True):
    """The release has DynamicResourceAllocation off by default; the plan takes it as on."""

    release: str


class PodOfOtherScheduler(msgspec.Struct, frozen=True, tag=True):
    """The pod names another scheduler."""

    pod: ObjectRef
    scheduler: str


class BindingAwaited(msgspec.Struct, frozen=True, tag=True):
    """The pod has its node and devices, and is bound only once their drivers report that they are ready (D3.4)."""

    pod: ObjectRef
    devices: tuple[DeviceID, ...]


class GroupsTakenApart(msgspec.Struct, frozen=True, tag=True):
    """Pods of groups were planned one by one: whether a group starts as a whole is not judged."""

    pods: int


Note: TypeAlias = (
    NodesInferred
    | PreemptionPossible
    | ClaimFreed
    | ResourceAllocationOff
    | PodOfOtherScheduler
    | BindingAwaited
    | GroupsTakenApart
)


class Plan(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Decisions for all waiting pods.

    Attributes:
        start: the cluster that was asked about, once its controllers have caught up.
        decisions: one per pod, in the order in which the pods were tried.
        final: the cluster with everything placed that could be.
        attempts: for each pod, the snapshot that its last attempt saw. They share nearly everything.
        notes: what a reader should know of how the answer came about.
        by_pod: the decisions by pod; the plan fills it in.
    """

    start: Snapshot
    decisions: tuple[PodDecision, ...]
    final: Snapshot
    attempts: Mapping[ObjectRef, Snapshot]
    notes: tuple[Note, ...] = ()
    by_pod: Mapping[ObjectRef, PodDecision] = {}

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "by_pod", {decision.pod: decision for decision in self.decisions})

    def seen(self, pod: ObjectRef) -> Snapshot:
        """The snapshot that the pod's last attempt saw; for a pod that did not wait the start of the plan."""
        return self.attempts.get(pod, self.start)

    def decision(self, pod: ObjectRef) -> PodDecision | None:
        """The decision for a pod, or None if it was not waiting."""
        return self.by_pod.get(pod)

    @property
    def unplaced(self) -> tuple[PodDecision, ...]:
        """The pods that have no node, in the order in which they were tried."""
        return tuple(decision for decision in self.decisions if not isinstance(decision.decision, Scheduled))
