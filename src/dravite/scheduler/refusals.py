"""What a pod that fits nowhere is told: Kubernetes' text, the reasons behind it, and what is freed for it (F4)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from dravite.api.resource_v1 import ResourceClaim
from dravite.diagnosis import upstream
from dravite.diagnosis.findings import NodeFinding
from dravite.diagnosis.reasons import ClaimElsewhere, ClaimNotReady, ExtendedClaimStale
from dravite.diagnosis.upstream import DeallocationRemark
from dravite.diagnosis.verdicts import Unschedulable
from dravite.scheduler.claim_checks import Refusal
from dravite.scheduler.devices import DeviceDemand
from dravite.scheduler.filters import Cycle
from dravite.scheduler.preempt import Candidate, Preemption, preemption, refused_outright
from dravite.scheduler.reserve import deallocated, is_idle_but_for
from dravite.snapshot.snapshot import Key, Snapshot, key_of

SILENT_SINCE = "1.37"
"""Since when nothing is said of a pod's claims where none is freed."""


class Refused(msgspec.Struct, frozen=True):
    """The answer, and what the attempt brings about.

    Attributes:
        decision: the answer.
        freed: the claim that loses its devices for the pod's sake.
        deleted: the claim that is deleted for it.
        preempting: the node that would be cleared of lower pods, and which.
        next_start: where the next search begins; None where nodes were not asked.
    """

    decision: Unschedulable
    freed: ResourceClaim | None = None
    deleted: Key | None = None
    preempting: Candidate | None = None
    next_start: int | None = None


def no_nodes() -> Refused:
    """The answer of a cluster without nodes."""
    return Refused(Unschedulable(message=upstream.NO_NODES))


def refused_before_filters(snapshot: Snapshot, refusal: Refusal) -> Refused:
    """The answer for a pod that is refused on every node alike (PreFilter)."""
    nodes = len(snapshot.order)
    after = _after(snapshot, None, refused_outright(nodes))
    message = f"{upstream.refused_before_filters(nodes, refusal.text)} {after}"
    return Refused(Unschedulable(message=message, claim_problem=refusal.problem))


def refused_for_names(snapshot: Snapshot) -> Refused:
    """The answer for a pod whose node names contradict each other.

    The plugin for claims was not asked yet and fails when it is to free some, so preemption is not tried (observed on
    1.37.2).
    """
    if not snapshot.profile.enabled("DynamicResourceAllocation"):
        return refused_before_filters(snapshot, Refusal(upstream.NAMES_CONFLICT))
    text = upstream.refused_before_filters(len(snapshot.order), upstream.NAMES_CONFLICT)
    return Refused(Unschedulable(message=f"{text} {upstream.NO_CLAIM_STATE}"))


def refused_everywhere(cycle: Cycle, findings: Sequence[NodeFinding]) -> Refused:
    """The answer for a pod that every node refused, each for reasons of its own."""
    demand = cycle.devices.demand if cycle.devices is not None else None
    freed = _to_free(cycle, demand, findings)
    stale = any(isinstance(reason, ExtendedClaimStale) for finding in findings for reason in finding.reasons)
    deleted = key_of(demand.leftover.metadata) if demand and demand.leftover and stale and freed is None else None
    outcome = preemption(cycle, findings)
    remark: DeallocationRemark | None = "deallocated" if freed else "deleted" if deleted else None
    counts = upstream.counted(len(findings), map(upstream.node_texts, findings))
    after = _after(cycle.snapshot, demand, outcome, remark)
    decision = Unschedulable(message=f"{counts} {after}", nodes=tuple(findings))
    return Refused(decision, deallocated(freed) if freed else None, deleted, outcome.chosen)


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


def _to_free(cycle: Cycle, demand: DeviceDemand | None, findings: Sequence[NodeFinding]) -> ResourceClaim | None:
    """The first claim of the pod that was of no use on some node and that nobody else uses (F4.1).

    Kubernetes takes any of them; which one is left to chance.
    """
    unavailable = {
        reason.claim.name
        for finding in findings
        for reason in finding.reasons
        if isinstance(reason, ClaimElsewhere | ClaimNotReady)
    }
    claims = demand.allocated if demand is not None else ()
    idle = (
        one.claim
        for one in claims
        if one.claim.metadata.name in unavailable and is_idle_but_for(one.claim, cycle.pod.pod)
    )
    return next(idle, None)
