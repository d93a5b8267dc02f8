"""What follows for a pod of its own that fits nowhere: what Kubernetes says, and what is freed for it (F4)."""

from __future__ import annotations

import msgspec

from dravite.api.resource_v1 import ResourceClaim
from dravite.diagnosis import upstream
from dravite.diagnosis.upstream import DeallocationRemark
from dravite.diagnosis.verdicts import Unschedulable
from dravite.scheduler.devices import DeviceDemand
from dravite.scheduler.filters import Cycle
from dravite.scheduler.node_choice import Unfit
from dravite.scheduler.preempt import Candidate, Preemption, preemption, refused_outright
from dravite.scheduler.refusing_nodes import RefusingNodes
from dravite.scheduler.reserve import deallocated, is_idle_but_for
from dravite.snapshot.snapshot import Key, Snapshot, key_of

SILENT_SINCE = "1.37"
"""Since when nothing is said of a pod's claims where none is freed."""

VICTIMS_TOLD_SINCE = "1.37"
"""Since when a pod is told that others are preempted for it."""


class Freed(msgspec.Struct, frozen=True):
    """What goes for the sake of a pod: a claim that loses its devices, or one that is deleted."""

    deallocated: ResourceClaim | None = None
    deleted: Key | None = None

    def __bool__(self) -> bool:
        return self.deallocated is not None or self.deleted is not None

    def taken_from(self, snapshot: Snapshot) -> Snapshot:
        """The snapshot without what is freed."""
        if self.deallocated is not None:
            return snapshot.with_claims((self.deallocated,))
        return snapshot.without_claims((self.deleted,)) if self.deleted is not None else snapshot


class Refused(msgspec.Struct, frozen=True):
    """The answer, and what follows from it.

    Attributes:
        decision: the answer.
        freed: what goes for the sake of the pod.
        preempting: the node that is cleared of lower pods for it.
        keeps_nomination: whether it stays nominated for the node that it was nominated for.
    """

    decision: Unschedulable
    freed: Freed = Freed()
    preempting: Candidate | None = None
    keeps_nomination: bool = False


def refused(snapshot: Snapshot, unfit: Unfit, barred: str | None = None) -> Refused:
    """The whole answer for a pod that no node takes; `barred` says why it may not preempt, where it may not."""
    match unfit.stage:
        case "no-nodes":
            return Refused(Unschedulable(message=unfit.text))
        case "names":
            return _refused_for_names(snapshot, unfit)
        case "claims":
            outcome = Preemption(barred, barred=True) if barred else refused_outright(len(snapshot.choices))
            message = f"{unfit.text} {_after(snapshot, None, outcome)}"
            return Refused(Unschedulable(message=message, claim_problem=unfit.problem))
        case "nodes":
            assert unfit.cycle is not None  # noqa: S101 (nodes were asked)
            return _refused_everywhere(unfit, unfit.cycle, barred)


def freed_for(cycle: Cycle, refusing: RefusingNodes) -> Freed:
    """What is freed for a pod, given why each node refused it."""
    demand = cycle.devices.demand if cycle.devices is not None else None
    claim = _to_free(cycle, demand, refusing)
    if claim is not None:
        return Freed(deallocated=deallocated(claim))
    if demand is not None and demand.leftover is not None and refusing.stale:
        return Freed(deleted=key_of(demand.leftover.metadata))
    return Freed()


def _refused_for_names(snapshot: Snapshot, unfit: Unfit) -> Refused:
    """The answer for a pod whose node names contradict each other.

    The plugin for claims was not asked yet and fails when it is to free some, so preemption is not tried (observed on
    1.37.2).
    """
    if not snapshot.profile.enabled("DynamicResourceAllocation"):
        after = _after(snapshot, None, refused_outright(len(snapshot.choices)))
        return Refused(Unschedulable(message=f"{unfit.text} {after}"))
    return Refused(Unschedulable(message=f"{unfit.text} {upstream.NO_CLAIM_STATE}"), keeps_nomination=True)


def _refused_everywhere(unfit: Unfit, cycle: Cycle, barred: str | None) -> Refused:
    demand = cycle.devices.demand if cycle.devices is not None else None
    freed = freed_for(cycle, unfit.refusing)
    outcome = Preemption(barred, barred=True) if barred else preemption(cycle, unfit.refusing)
    remark: DeallocationRemark | None = "deallocated" if freed.deallocated else "deleted" if freed.deleted else None
    message = f"{unfit.text} {_after(cycle.snapshot, demand, outcome, remark)}"
    if outcome.chosen is not None and not cycle.snapshot.profile.is_at_least(VICTIMS_TOLD_SINCE):
        message = unfit.text
    return Refused(Unschedulable(message=message, nodes=unfit.findings), freed, outcome.chosen, outcome.barred)


def _after(
    snapshot: Snapshot, demand: DeviceDemand | None, outcome: Preemption, remark: DeallocationRemark | None = None
) -> str:
    return upstream.after_filters(remark or _remark(snapshot, demand, outcome), outcome.text)


def _remark(snapshot: Snapshot, demand: DeviceDemand | None, outcome: Preemption) -> DeallocationRemark:
    """What older releases say of the claims; nothing where preemption succeeds, or where there is no such plugin."""
    profile = snapshot.profile
    said = not profile.is_at_least(SILENT_SINCE) and profile.enabled("DynamicResourceAllocation")
    if not said or outcome.chosen is not None:
        return "none"
    return "nothing-to-deallocate" if demand is None else "still-not-schedulable"


def _to_free(cycle: Cycle, demand: DeviceDemand | None, refusing: RefusingNodes) -> ResourceClaim | None:
    """The first claim of the pod that was of no use on some node and that nobody else uses (F4.1).

    Kubernetes takes any of them; which one is left to chance.
    """
    claims = demand.allocated if demand is not None else ()
    idle = (
        one.claim
        for one in claims
        if one.claim.metadata.name in refusing.unavailable and is_idle_but_for(one.claim, cycle.pod.pod)
    )
    return next(idle, None)
