"""What one scheduling attempt comes to, for a pod of its own as for a whole tree of groups."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from dravite.diagnosis.verdicts import GroupDecision
from dravite.scheduler.cycle import Attempt
from dravite.scheduler.gang import Weighed
from dravite.scheduler.group_preempt import GroupPreemption
from dravite.snapshot.snapshot import Key, Snapshot


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
