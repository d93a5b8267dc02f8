"""A plan as rows and sums: what runs where and with which devices, what does not, and what to ask next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, assert_never

import msgspec

from dravite.api.document import Problem
from dravite.api.meta import DeviceID, ObjectRef
from dravite.api.resource_v1 import DeviceRequestAllocationResult
from dravite.diagnosis import verdicts as v
from dravite.planning.plan import (
    BindingAwaited,
    ClaimFreed,
    Interrupted,
    NodesInferred,
    Note,
    PodOfOtherScheduler,
    Preempted,
    ResourceAllocationOff,
    TakenAsGangs,
    Victim,
)
from dravite.render import words
from dravite.render.report import GroupRow, PlanReport, PodReport, Row, State
from dravite.render.view.headlines import state
from dravite.render.view.sight import device, full

NODES_NAMED = 4
PODS_SHOWN = 16

_WORST: Sequence[State] = ("scheduled", "waiting", "no-answer", "unschedulable", "aborted")


class Totals(msgspec.Struct, frozen=True):
    """How large the cluster is that was planned for."""

    nodes: int
    pools: int


def plan_report(
    answers: Sequence[PodReport],
    totals: Totals,
    problems: Iterable[Problem],
    notes: Iterable[str],
    next_step: str | None,
) -> PlanReport:
    """What `plan` prints. `answers` hold every pod that was decided, in the order in which they were handled."""
    decisions = [decision for answer in answers for decision in answer.decisions]
    rows = tuple(_row(group) for group in grouped(decisions))
    return PlanReport(
        rows=rows,
        answers=tuple(answers),
        order=tuple(decision.pod for decision in decisions),
        summary=summary(rows, decisions, totals),
        next_step=next_step,
        notes=tuple(notes),
        problems=tuple(problems),
    )


def grouped(decisions: Sequence[v.PodDecision]) -> list[list[v.PodDecision]]:
    """Pods of one workload together, where the first of them was handled."""
    groups: dict[tuple[str, ObjectRef], list[v.PodDecision]] = {}
    for one in decisions:
        groups.setdefault((one.pod.namespace, one.owner or one.pod), []).append(one)
    return list(groups.values())


def _row(group: Sequence[v.PodDecision]) -> GroupRow:
    first = group[0]
    whole = first.owner or first.pod
    placed = [one for one in group if isinstance(one.decision, v.Scheduled)]
    nodes = list(dict.fromkeys(_node(one) for one in placed))
    single = first.owner is None
    return GroupRow(
        name=full(whole) if whole.namespace else f"{first.pod.namespace}/{whole.name}",
        kind=whole.kind,
        placed=len(placed),
        total=len(group),
        state=max((state(one.decision) for one in group), key=_WORST.index),
        where="" if not nodes else words.folded(nodes, NODES_NAMED),
        devices=_devices(first) if single else "",
        pods=() if single else tuple(_pod_row(one) for one in placed),
    )


def _pod_row(one: v.PodDecision) -> Row:
    cells = (one.pod.name, _node(one), _devices(one))
    return Row(tuple(cell for cell in cells if cell))


def _node(one: v.PodDecision) -> str:
    return one.decision.node if isinstance(one.decision, v.Scheduled) else ""


def _devices(one: v.PodDecision) -> str:
    """What all claims of a placed pod got."""
    node = _node(one)
    return claims_text(one.claims, node) if node else ""


def claims_text(claims: Iterable[v.ClaimAllocation], node: str) -> str:
    """What claims hold, for a pod on a node."""
    return "; ".join(text for claim in claims if (text := claim_text(claim, node)))


def claim_text(claim: v.ClaimAllocation, node: str) -> str:
    """`gpus: gpu-0, gpu-1`; requests are named where an entry has several or got an alternative."""
    if claim.allocation is None:
        return ""
    if not claim.allocation.devices.results:
        return f"{claim.entry}: no devices"
    by_request: dict[str, list[DeviceRequestAllocationResult]] = {}
    for one in claim.allocation.devices.results:
        by_request.setdefault(one.request, []).append(one)
    parts = {request: words.folded([_device(one, node) for one in many], 8) for request, many in by_request.items()}
    if len(parts) == 1 and "/" not in next(iter(parts)):
        return f"{claim.entry}: {next(iter(parts.values()))}"
    return f"{claim.entry}: " + ", ".join(f"{request} = {got}" for request, got in parts.items())


def _device(one: DeviceRequestAllocationResult, node: str) -> str:
    name = device(DeviceID(one.driver, one.pool, one.device), node)
    share = ", ".join(f"{capacity} {amount}" for capacity, amount in one.consumed_capacity.items())
    admin = "admin access" if one.admin_access else ""
    extra = ", ".join(text for text in (share, admin) if text)
    return f"{name} ({extra})" if extra else name


def summary(rows: Sequence[GroupRow], decisions: Sequence[v.PodDecision], totals: Totals) -> str:
    """Counts that add up, and how many pods are not placed."""
    workloads = sum(1 for row in rows if row.kind != "Pod")
    sizes = [
        words.count(len(decisions), "pod"),
        words.count(totals.nodes, "node"),
        words.count(totals.pools, "pool"),
    ]
    if workloads:
        sizes.insert(0, words.count(workloads, "workload"))
    left = sum(1 for one in decisions if not isinstance(one.decision, v.Scheduled))
    if not decisions:
        verdict = "There is no pod to plan."
    elif not left:
        verdict = "All pods are placed." if len(decisions) > 1 else "The pod is placed."
    else:
        total = len(decisions)
        verdict = f"{left} of {total} {words.bent(total, 'pod')} {words.bent(left, 'is')} not placed."
        if left == total:
            verdict = "The pod is not placed." if total == 1 else f"None of {total} pods is placed."
        verdict = _unanswered(verdict, decisions, left)
    return f"{', '.join(sizes)}. {verdict}"


def _unanswered(verdict: str, decisions: Iterable[v.PodDecision], left: int) -> str:
    """What is not placed, and for how many of it nobody knows whether there is a place."""
    spent = sum(1 for one in decisions if isinstance(one.decision, v.BudgetSpent))
    if not spent:
        return verdict
    which = f"{spent} of them" if spent < left else ("it" if left == 1 else "any of them")
    return f"{verdict[:-1]}; there is no answer for {which}."


def plan_note(one: Note) -> str:
    """What a reader should know of how the answer came about."""
    match one:
        case NodesInferred():
            made = f"{words.count(one.nodes, 'node')} {words.bent(one.nodes, 'was')} made up from the ResourceSlices"
            return f"There are no Node objects: {made}, with room for everything but devices."
        case Preempted():
            return _preempted(one)
        case ClaimFreed():
            return f"{full(one.pod)} was tried again after an idle claim had lost its devices; before: {one.message}"
        case ResourceAllocationOff():
            return f"Kubernetes {one.release} has DynamicResourceAllocation off by default; this answer takes it as on."
        case PodOfOtherScheduler():
            return f"{full(one.pod)} is for another scheduler ({one.scheduler}) and is not planned."
        case TakenAsGangs():
            number = len(one.gangs)
            gangs = f"{words.count(number, 'workload')} of kind {words.listed(one.kinds, 'or')}"
            return (
                f"{gangs} {words.bent(number, 'is')} taken as a gang, as --gang says: all pods start together or none."
                " Kubernetes places them one by one."
            )
        case Interrupted():
            return f"Interrupted: {words.count(one.pods, 'pod')} {words.bent(one.pods, 'was')} not looked at any more."
        case BindingAwaited():
            devices = words.listed(str(device) for device in one.devices)
            return f"{full(one.pod)} is bound once the driver reports {devices} ready; no earlier."
        case unreachable:
            assert_never(unreachable)


def _preempted(one: Preempted) -> str:
    """Who goes for whom, and whether it helps."""
    victims = words.listed(map(victim, one.facts))
    where = f" on {words.listed(one.nodes)}" if one.nodes else ""
    told = f"Kubernetes preempts {victims} to make room for {full(one.preemptor)}{where}"
    if one.in_vain:
        return f"{told}, and that is in vain: it is not placed even so."
    passed = f" It passes over {passed_over(one)}." if one.instead_of else ""
    return f"{told}; the plan goes on without {'it' if len(one.victims) == 1 else 'them'}.{passed}"


def victim(one: Victim) -> str:
    """A pod that goes, with what made it go."""
    whole = f", with all pods of {full(one.goes_with)}" if one.goes_with is not None else ""
    return f"{full(one.pod)} (priority {one.priority}{whole})"


_AGAINST: Final[Mapping[str, str]] = MappingProxyType(
    {
        "budgets": "more disruption budgets would be broken",
        "priority": "a more important pod would have to go",
        "pods": "more pods would have to go",
        "priorities": "more important pods would have to go",
        "order": "the pods there matter as much, but run longer or come later",
    }
)


def passed_over(one: Preempted) -> str:
    """The nodes on which others could have gone, with what speaks against each."""
    by_reason: dict[str, list[str]] = {}
    for node in one.instead_of:
        by_reason.setdefault(node.because, []).append(node.node)
    return "; ".join(f"{words.folded(nodes, 4)}, where {_AGAINST[because]}" for because, nodes in by_reason.items())
