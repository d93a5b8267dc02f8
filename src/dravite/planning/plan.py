"""The answer to "where would everything run": decisions in the order they were made, and the cluster afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec

from dravite.api.meta import DeviceID, ObjectRef
from dravite.diagnosis.verdicts import GroupDecision, PodDecision, Scheduled
from dravite.planning.settings import NO_SETTINGS, Settings
from dravite.snapshot.snapshot import Snapshot


class NodesInferred(msgspec.Struct, frozen=True, tag=True):
    """There were no nodes; those that slices name stand for them, and resources of nodes were not counted."""

    nodes: int


class Victim(msgspec.Struct, frozen=True, kw_only=True):
    """A pod that goes for another.

    Attributes:
        pod: which pod.
        node: where it ran, or would have.
        priority: what counts for it, its own or that of the groups above it.
        goes_with: the group all of whose pods go at once with it.
    """

    pod: ObjectRef
    node: str
    priority: int
    goes_with: ObjectRef | None = None


class SparedNode(msgspec.Struct, frozen=True, kw_only=True):
    """A node on which other pods could have gone instead, and what speaks against it.

    `because` is `budgets` (more disruption budgets would be broken), `priority` (a more important pod would have to
    go), `pods` (more of them), `priorities` (more important ones in all), or `order` (they matter as much: those that
    started last go, then those that come first).
    """

    node: str
    because: Literal["budgets", "priority", "pods", "priorities", "order"]


class Preempted(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """Pods of lower priority go to make room, and the plan goes on without them.

    Attributes:
        preemptor: the pod for which they go, or the root of its groups.
        victims: who goes, the most important first.
        nodes: where the room is made.
        message: what kube-scheduler says of it.
        in_vain: whether the preemptor has no node even so.
        facts: the victims with what made them go.
        spared: how many pods of lower priority stay.
        instead_of: the nodes on which others could have gone, for a pod without a group.
    """

    preemptor: ObjectRef
    victims: tuple[ObjectRef, ...]
    nodes: tuple[str, ...]
    message: str
    in_vain: bool = False
    facts: tuple[Victim, ...] = ()
    spared: int = 0
    instead_of: tuple[SparedNode, ...] = ()


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


class TakenAsGangs(msgspec.Struct, frozen=True, tag=True):
    """Workloads of these kinds were planned as gangs because the question says so; Kubernetes does not know them."""

    kinds: tuple[str, ...]
    gangs: tuple[ObjectRef, ...]


class Interrupted(msgspec.Struct, frozen=True, tag=True):
    """Somebody lost patience: so many pods were not looked at, and what was decided before stands."""

    pods: int


Note: TypeAlias = (
    NodesInferred
    | Preempted
    | ClaimFreed
    | ResourceAllocationOff
    | PodOfOtherScheduler
    | BindingAwaited
    | TakenAsGangs
    | Interrupted
)


class Plan(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Decisions for all waiting pods.

    Attributes:
        start: the cluster that was asked about, once its controllers have caught up.
        decisions: one per pod, in the order in which the pods were tried first.
        groups: one per PodGroup with waiting pods, in the same order.
        final: the cluster with everything placed that could be.
        attempts: for each pod, the snapshot that its last attempt saw. They share nearly everything.
        before: for each PodGroup, the snapshot before the last attempt of its tree.
        settings: how it was made.
        notes: what a reader should know of how the answer came about.
        by_pod: the decisions by pod; the plan fills it in.
    """

    start: Snapshot
    decisions: tuple[PodDecision, ...]
    final: Snapshot
    attempts: Mapping[ObjectRef, Snapshot]
    before: Mapping[ObjectRef, Snapshot] = {}
    groups: tuple[GroupDecision, ...] = ()
    settings: Settings = NO_SETTINGS
    notes: tuple[Note, ...] = ()
    by_pod: Mapping[ObjectRef, PodDecision] = {}

    @property
    def interrupted(self) -> bool:
        """Whether pods are missing from it because somebody lost patience."""
        return any(isinstance(note, Interrupted) for note in self.notes)

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "by_pod", {decision.pod: decision for decision in self.decisions})

    def seen(self, pod: ObjectRef) -> Snapshot:
        """The snapshot that the pod's last attempt saw; for a pod that did not wait the start of the plan."""
        return self.attempts.get(pod, self.start)

    def decision(self, pod: ObjectRef) -> PodDecision | None:
        """The decision for a pod, or None if it was not waiting."""
        return self.by_pod.get(pod)

    def group(self, ref: ObjectRef) -> GroupDecision | None:
        """The decision for a PodGroup, or None if none of its pods was waiting."""
        return next((decision for decision in self.groups if decision.group == ref), None)

    @property
    def unplaced(self) -> tuple[PodDecision, ...]:
        """The pods that have no node, in the order in which they were tried."""
        return tuple(decision for decision in self.decisions if not isinstance(decision.decision, Scheduled))
