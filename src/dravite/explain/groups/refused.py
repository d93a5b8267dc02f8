"""The pod of a group that did not find a place, as a case of its own: what it saw, and why each node refused it."""

from __future__ import annotations

import msgspec

from dravite.diagnosis.findings import PlacementFinding
from dravite.diagnosis.verdicts import GroupDecision, Unschedulable, Waiting
from dravite.explain.case import STEPS_PER_QUESTION, Case, case_in, case_of
from dravite.explain.groups.explanation import GroupExplanation
from dravite.planning.plan import Plan
from dravite.scheduler.gang import try_pod
from dravite.scheduler.node_choice import Limits
from dravite.snapshot.snapshot import Snapshot
from dravite.snapshot.topology import domains


def case_of_refused(plan: Plan, decision: GroupDecision, finding: PlacementFinding) -> Case | None:
    """The first pod that found no place in a domain; None where all did, or where it cannot be told what it saw."""
    told = plan.decision(finding.refused) if finding.refused is not None else None
    if told is None:
        return None
    first = bool(decision.placements) and decision.placements[0] is finding
    snapshot = plan.seen(told.pod) if first else _replayed(plan, decision, finding)
    if snapshot is None:
        return None
    refusal = Unschedulable(message=finding.message, nodes=finding.reasons)
    return case_in(plan, msgspec.structs.replace(told, decision=refusal), snapshot)


def case_in_the_way(plan: Plan, told: GroupExplanation) -> Case | None:
    """The pod that keeps the group back: one that waits for something of its own, or the next one to be placed."""
    if told.waits is None:
        nearest = told.domains[0].finding if told.domains else None
        return case_of_refused(plan, told.decision, nearest) if nearest is not None else None
    decisions = (plan.decision(pod) for pod in told.pods)
    for one in decisions:
        if one is not None and isinstance(one.decision, Waiting) and not one.decision.reason.startswith("group-"):
            return case_of(plan, one)
    return None


def _replayed(plan: Plan, decision: GroupDecision, finding: PlacementFinding) -> Snapshot | None:
    """The cluster as the first refused pod of a domain saw it; None for a group whose siblings were placed before."""
    if decision.root != decision.group or decision.topology_key is None:
        return None
    snapshot = plan.before[decision.group]
    nodes = domains(snapshot, decision.topology_key, snapshot.choices).get(finding.domain)
    if nodes is None:
        return None
    snapshot = msgspec.structs.replace(snapshot, placement=nodes)
    for pod, _ in finding.placed:
        _, snapshot = try_pod(snapshot, (pod.namespace, pod.name), Limits(budget=STEPS_PER_QUESTION))
    return snapshot
