"""What one scheduling attempt comes to, for a pod of its own as for a whole tree of groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

import msgspec

from dravite.api.meta import ObjectRef
from dravite.diagnosis.verdicts import GroupDecision
from dravite.scheduler.cycle import Attempt
from dravite.scheduler.preempt import Candidate
from dravite.scheduler.scores import NodeScores
from dravite.snapshot.node_state import NodePod
from dravite.snapshot.snapshot import Key, Snapshot

if TYPE_CHECKING:  # most plans have no groups
    from dravite.scheduler.placements import PlacementScore


class Weighed(msgspec.Struct, frozen=True, eq=False):
    """The scores of nodes and placements wherever there was a choice; of several the last, of placements all."""

    nodes: Mapping[Key, NodeScores] = {}
    placements: Mapping[ObjectRef, tuple[PlacementScore, ...]] = {}

    def with_more(self, later: Weighed) -> Weighed:
        """Both together."""
        if not later.nodes and not later.placements:
            return self
        placements = dict(self.placements)
        for group, scores in later.placements.items():
            placements[group] = tuple({one.domain: one for one in (*placements.get(group, ()), *scores)}.values())
        return Weighed({**self.nodes, **later.nodes}, placements)


class GroupPreemption(msgspec.Struct, frozen=True, eq=False):
    """What preemption comes to.

    Attributes:
        outcome: `possible`, `ongoing` (victims of before are still there), `no` or `error`.
        text: what the scheduler says of it.
        alone: whether nothing else is said then.
        victims: who has to go, the most important first.
        nominated: the nodes for which the pods of the group are nominated.
        looked: what was weighed when the group was tried without its victims.
        chosen: the node that is cleared, for a pod without a group.
    """

    outcome: Literal["possible", "ongoing", "no", "error"]
    text: str
    alone: bool = False
    victims: tuple[NodePod, ...] = ()
    nominated: Mapping[Key, str] = {}
    looked: Weighed = Weighed()
    chosen: Candidate | None = None


class UnitAttempt(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """What came of the pods that are scheduled together.

    Attributes:
        pods: what came of each waiting pod, in the order in which they are tried.
        groups: what came of each PodGroup; nothing for a pod of its own.
        after: the snapshot afterwards; nobody is evicted in it.
        preempting: who has to go for them, if that was found out, and the nodes for which they are nominated.
        looked: the scores of nodes and placements, wherever there was a choice.
        awakened: whether pods of a gang that waited for others have had those tried again (1.36).
        freed: whether claims were freed for them, so that another attempt may go differently.
    """

    pods: Mapping[Key, Attempt]
    after: Snapshot
    groups: tuple[GroupDecision, ...] = ()
    preempting: GroupPreemption | None = None
    looked: Weighed = Weighed()
    awakened: bool = False
    freed: bool = False
