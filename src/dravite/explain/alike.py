"""Which pods of a plan have one answer for one reason, so that it is told once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import msgspec

from dravite.api.meta import ObjectRef
from dravite.diagnosis.findings import MissingObject
from dravite.diagnosis.verdicts import Aborted, BudgetSpent, Decision, PodDecision, Scheduled, Unschedulable, Waiting
from dravite.planning.plan import Plan
from dravite.scheduler.memory import pod_shape


def alike(plan: Plan, decisions: Iterable[PodDecision]) -> tuple[tuple[PodDecision, ...], ...]:
    """The decisions in groups, each in the order given: every placed pod by itself, pods with the same "no" together.

    The same are pods of one namespace and workload (or of none) that ask for the same, were refused alike and saw the
    same devices taken.
    """
    groups: dict[Hashable, list[PodDecision]] = {}
    for one in decisions:
        groups.setdefault(_key(plan, one), []).append(one)
    return tuple(tuple(members) for members in groups.values())


def like(plan: Plan, decision: PodDecision) -> tuple[PodDecision, ...]:
    """The decisions of the plan that are alike with this one, this one first."""
    key = _key(plan, decision)
    kind = (decision.pod.namespace, decision.owner, type(decision.decision))
    others = (one for one in plan.decisions if (one.pod.namespace, one.owner, type(one.decision)) == kind)
    return (decision, *(one for one in others if one.pod != decision.pod and _key(plan, one) == key))


def _key(plan: Plan, one: PodDecision) -> Hashable:
    snapshot = plan.attempts.get(one.pod)
    planned = None if snapshot is None else snapshot.pod(one.pod)
    if isinstance(one.decision, Scheduled) or snapshot is None or planned is None:
        return one.pod
    asked = tuple(
        (e.name, e.resource_claim_name, e.resource_claim_template_name) for e in planned.pod.spec.resource_claims
    )
    taken = id(snapshot.inventory.usage)
    return (one.pod.namespace, one.owner, pod_shape(planned.pod), asked, taken, _refusal(one.decision, one.pod))


def _refusal(decision: Decision, pod: ObjectRef) -> Hashable:
    """What a decision says, without the names that differ from pod to pod."""
    match decision:
        case Unschedulable(nodes=nodes, claim_problem=problem, held_back=held):
            missing = None if problem is None else problem.missing
            return ("unschedulable", nodes, missing, None if held is None else (held.group, held.node is None))
        case Aborted(error=error):
            return ("aborted", msgspec.structs.replace(error, message=""))
        case Waiting(reason=reason, missing=missing, detail=detail):
            return ("waiting", reason, tuple(_named(one, pod) for one in missing), detail)
        case BudgetSpent():
            return decision
        case _:
            return (pod, decision)


def _named(found: MissingObject, pod: ObjectRef) -> Hashable:
    return (found.named_by == pod, found.field, found.missing)
