"""Why a group gets what it gets, as values: what came of each domain, what cannot hold together, what would help."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from dravite.api.meta import ObjectRef
from dravite.diagnosis.findings import PlacementFinding
from dravite.diagnosis.verdicts import Certainty, GroupDecision, Waiting
from dravite.explain.explanation import NodeGroup
from dravite.explain.remedies.advice import AddNodes, Advice, EndPods
from dravite.planning.plan import Preempted
from dravite.snapshot.changes import Change

Demand: TypeAlias = Literal["min-count", "topology", "devices", "resources", "node-rules", "pod-rules"]
"""What a group asks: enough pods, one domain, its devices, cpu and memory and the like, certain nodes, certain
neighbours."""


class LowerMinCount(msgspec.Struct, frozen=True, tag=True):
    """Be content with fewer pods to start with: the most that fit."""

    group: ObjectRef
    asked: int
    possible: int


class DropTopology(msgspec.Struct, frozen=True, tag=True):
    """Let the pods lie in several domains."""

    group: ObjectRef
    key: str


class ScaleWorkload(msgspec.Struct, frozen=True, tag=True):
    """Let a workload have as many pods as its group waits for."""

    workload: ObjectRef
    present: int
    pods: int


class AskInOtherOrder(msgspec.Struct, frozen=True, tag=True):
    """Put the alternatives of a request in another order, so that the first pod leaves room for the others."""

    holder: ObjectRef
    request: str
    order: tuple[str, ...]


class PlaceByHand(msgspec.Struct, frozen=True, tag=True):
    """Tie the pods to nodes on which all of them fit: kube-scheduler does not find that by itself."""

    nodes: tuple[tuple[ObjectRef, str], ...]


class CreateInOrder(msgspec.Struct, frozen=True, tag=True):
    """Tie the pods to nodes, and create them in this order."""

    nodes: tuple[tuple[ObjectRef, str], ...]


GroupAdvice: TypeAlias = (
    LowerMinCount | DropTopology | AddNodes | EndPods | ScaleWorkload | AskInOtherOrder | PlaceByHand | CreateInOrder
)
"""What is for a group; what is for its pods may help it as well."""

OtherWays: TypeAlias = Literal["not-searched", "found", "none", "not-found", "given-up"]
"""What came of the search for any other way to place the pods: `none` is proven, `not-found` is not."""


class GroupRemedy(msgspec.Struct, frozen=True, kw_only=True):
    """An advice that was planned and works.

    Attributes:
        advice: what to do; what is for pods is done to all of the group that are alike.
        placed: how many pods of the group have a node then.
        domain: where, if the group has a topology constraint.
        displaced: pods that Kubernetes preempts for it.
        changes: the edits that it was planned with.
    """

    advice: GroupAdvice | Advice
    placed: int
    domain: str | None = None
    displaced: tuple[ObjectRef, ...] = ()
    changes: tuple[Change, ...] = ()


class DomainStory(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a group in one domain.

    Attributes:
        finding: which pods found a place, and which the first that did not.
        groups: why the nodes refuse that one, equal nodes together; worked out for the nearest domains only.
    """

    finding: PlacementFinding
    groups: tuple[NodeGroup, ...] = ()

    @property
    def fits(self) -> int:
        """How many pods found a place."""
        return len(self.finding.placed)


class GroupExplanation(msgspec.Struct, frozen=True, kw_only=True):
    """Why a group gets what it gets.

    Attributes:
        decision: the answer.
        pods: its pods that waited.
        running: how many of its pods run.
        waits: what it waits for, where the scheduler never looks at it.
        domains: what came of each domain, the nearest first.
        clash: demands of the group that cannot hold together: without any one of them the rest can.
        preempted: who goes for it.
        other_ways: whether its pods would fit in another way than kube-scheduler finds.
        remedies: what was planned and works, best first.
    """

    decision: GroupDecision
    pods: tuple[ObjectRef, ...] = ()
    running: int = 0
    waits: Waiting | None = None
    domains: tuple[DomainStory, ...] = ()
    clash: tuple[Demand, ...] = ()
    preempted: tuple[Preempted, ...] = ()
    other_ways: OtherWays = "not-searched"
    remedies: tuple[GroupRemedy, ...] = ()

    @property
    def certainty(self) -> Certainty:
        """How sure the answer is: the search for other ways may have proven what the plan did not."""
        return "proven" if self.other_ways == "none" else self.decision.certainty
