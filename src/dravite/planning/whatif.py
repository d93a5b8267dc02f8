"""What would be different: plan the changed cluster, and compare."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from dravite.api.meta import ObjectRef
from dravite.diagnosis.verdicts import PodDecision, Scheduled
from dravite.planning.plan import Plan
from dravite.planning.planner import make_plan
from dravite.planning.settings import NO_SETTINGS, Settings
from dravite.snapshot.changes import Change, with_changes
from dravite.snapshot.snapshot import Snapshot


class PodDifference(msgspec.Struct, frozen=True):
    """One pod that two plans answer differently; None where a plan has no such pod."""

    pod: ObjectRef
    before: PodDecision | None
    after: PodDecision | None


class PlanDiff(msgspec.Struct, frozen=True):
    """How two plans differ, pod by pod, in the order of the second one; pods that only the first has come last."""

    pods: tuple[PodDifference, ...]

    @property
    def gained(self) -> tuple[ObjectRef, ...]:
        """The pods that have a node only in the second plan."""
        return tuple(one.pod for one in self.pods if _is_placed(one.after) and not _is_placed(one.before))

    @property
    def lost(self) -> tuple[ObjectRef, ...]:
        """The pods that have a node only in the first plan."""
        return tuple(one.pod for one in self.pods if _is_placed(one.before) and not _is_placed(one.after))


def plan_changed(snapshot: Snapshot, changes: Iterable[Change], settings: Settings = NO_SETTINGS) -> Plan:
    """The plan for the snapshot as it would be after the changes."""
    return make_plan(with_changes(snapshot, changes), settings)


def compare(before: Plan, after: Plan) -> PlanDiff:
    """What the second plan answers differently. Placed differently, or given other devices, is different."""
    old = {decision.pod: decision for decision in before.decisions}
    new = {decision.pod: decision for decision in after.decisions}
    pods = (*new, *(pod for pod in old if pod not in new))
    return PlanDiff(tuple(PodDifference(p, old.get(p), new.get(p)) for p in pods if old.get(p) != new.get(p)))


def _is_placed(decision: PodDecision | None) -> bool:
    return decision is not None and isinstance(decision.decision, Scheduled)
