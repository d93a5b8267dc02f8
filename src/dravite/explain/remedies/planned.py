"""What could be done about a decision: advice is planned, and only what works is kept.

The pod is planned again in the cluster that its own attempt saw, with the changes made, and a pod of a group with its
whole group; pods that the changes concern as well are planned anew with all others. What nodes refuse that are asked
before is not planned. Where nothing helps by itself two things are tried together, the second for what the first one
leaves. A bounded number of proposals is tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

import msgspec

from dravite.api.meta import ObjectRef
from dravite.diagnosis.findings import NodeFinding
from dravite.diagnosis.verdicts import Aborted, PodDecision, Scheduled, Unschedulable
from dravite.explain.case import STEPS_PER_QUESTION, Case, case_of
from dravite.explain.devices.gains import on_node
from dravite.explain.diagnose import Diagnosis, diagnose
from dravite.explain.groups.trials import alone, tree_of
from dravite.explain.notes import ToleratedButEvicted
from dravite.explain.placed import warnings_on
from dravite.explain.remedies import (
    amounts,
    classes,
    demands,
    ending,
    holders,
    neighbours,
    nodes,
    objects,
    quotas,
    resources,
    room,
    selection,
    selectors,
)
from dravite.explain.remedies.advice import (
    AddNodes,
    Advice,
    MatchAttribute,
    Outcome,
    Remedy,
    SetTolerationEffect,
    Together,
)
from dravite.explain.remedies.asking import NODES_ASKED, answers, changed
from dravite.explain.remedies.proposals import Proposal, Proposer
from dravite.planning.plan import Plan
from dravite.planning.planner import make_plan, plan_pod
from dravite.scheduler.devices import DevicesFound
from dravite.scheduler.refusing_nodes import is_resolvable
from dravite.scheduler.victims import own_priority
from dravite.snapshot.changes import Change, RemoveObject, with_changes
from dravite.snapshot.device_paths import DevicePath, find

MOST_TRIED: Final = 24
NODES_TRIED: Final = 20_000
"""Nodes that are asked at most over all plans: a large cluster gets fewer of them."""
MOST_KEPT: Final = 8
PAIRS_KEPT: Final = 3
MOST_REPLANNED: Final = 200
"""Waiting pods up to which the whole plan is made again."""

PROPOSERS: Final[tuple[Proposer, ...]] = (
    selectors.after_errors,
    selectors.where_too_few_match,
    classes.other_classes,
    objects.use_existing,
    objects.name_other_source,
    objects.copy_from_elsewhere,
    objects.create_class,
    objects.share_a_claim,
    objects.claim_per_pod,
    objects.split_claim,
    resources.serve_resource,
    demands.set_effects,
    demands.match_attributes,
    demands.rename_attributes,
    selection.replace_node_selection,
    neighbours.mend_pod_rules,
    demands.tolerate_device_taints,
    nodes.tolerate_node_taints,
    nodes.replace_old_pods,
    demands.lower_counts,
    demands.count_instead_of_all,
    quotas.ask_for_what_a_quota_allows,
    amounts.lower_amounts,
    room.lower_resources,
    nodes.pin_to_node,
    selection.drop_node_selection,
    nodes.uncordon,
    nodes.lift_gates,
    neighbours.relax_spread,
    room.drop_host_ports,
    resources.share_devices,
    demands.drop_constraints,
    neighbours.drop_pod_rules,
    holders.free_devices,
    ending.end_pods,
    selectors.without_a_clause,
    nodes.add_a_node,
)
"""Best first: what mends a mistake, then what asks for less, then what takes from others or gives something up, then
what costs hardware. Of two things together the first is what comes first here."""

LAST_RESORTS: Final[tuple[Proposer, ...]] = (nodes.add_a_node_with_devices,)
"""What is proposed where nothing else helps."""


class Left(NamedTuple):
    """A proposal that is not enough, and what is left then: the case as the nodes that were asked would refuse it."""

    proposal: Proposal
    case: Case


class Done(NamedTuple):
    """What was planned: an advice, of two things perhaps, and all its changes."""

    advice: Advice
    changes: tuple[Change, ...]


class _Budget:
    """How much may still be tried. Alive only inside one call of `remedies`."""

    def __init__(self, case: Case) -> None:
        self.plans = min(MOST_TRIED, max(4, NODES_TRIED // max(1, len(case.snapshot.order))))
        self.asked = 2 * self.plans


def remedies(case: Case, found: Diagnosis) -> tuple[Remedy, ...]:
    """The advice that works, best first; at most `MOST_KEPT`."""
    budget = _Budget(case)
    kept, left = _singly(case, proposals(case, found), budget)
    if not kept and left:
        kept = _in_pairs(case, left, budget)
    if not kept and isinstance(case.decision.decision, Unschedulable):
        kept, _ = _singly(case, proposals(case, found, LAST_RESORTS), budget)
    return tuple(kept)


def proposals(case: Case, found: Diagnosis, proposers: Sequence[Proposer] = PROPOSERS) -> Iterator[Proposal]:
    """What might be done, best first, as far as it changes anything."""
    return (proposal for propose in proposers for proposal in propose(case, found) if proposal.changes)


def promising(case: Case, proposed: Iterator[Proposal]) -> Iterator[Proposal]:
    """The proposals that nodes do not rule out; not planned yet."""
    return (one for one in islice(proposed, MOST_TRIED) if not _heard(changed(case, one.changes), one).hopeless)


def _singly(case: Case, proposed: Iterator[Proposal], budget: _Budget) -> tuple[list[Remedy], list[Left]]:
    """What helps by itself, and what is left by the rest."""
    kept: list[Remedy] = []
    left: list[Left] = []
    mended: set[tuple[object, ...]] = set()
    for proposal in islice(proposed, MOST_TRIED):
        if len(kept) == MOST_KEPT or budget.plans <= 0 or budget.asked <= 0:
            break
        if proposal.family in mended:
            continue
        tried = _tried(case, proposal, proposal.advice, budget)
        if isinstance(tried, Remedy):
            mended.add(proposal.family)
            kept.append(tried)
        elif tried is not None and not isinstance(proposal.advice, AddNodes):
            left.append(Left(proposal, tried))
    return kept, left


def _in_pairs(case: Case, left: Sequence[Left], budget: _Budget) -> list[Remedy]:
    """Two things that help together: the second is proposed for what the first one leaves."""
    kept: list[Remedy] = []
    mended: set[frozenset[tuple[object, ...]]] = set()
    for first, after in left:
        for second in proposals(after, diagnose(after)):
            families = frozenset((first.family, second.family))
            if len(kept) == PAIRS_KEPT or budget.plans <= 0 or budget.asked <= 0:
                return kept
            if families in mended or len(families) == 1:
                continue
            both = Proposal(
                second.family,
                second.advice,
                (*first.changes, *second.changes),
                (*first.replanned, *second.replanned),
                second.nodes,
            )
            tried = _tried(case, both, Together((first.advice, second.advice)), budget)
            if isinstance(tried, Remedy):
                mended.add(families)
                kept.append(tried)
    return kept


def _tried(case: Case, proposal: Proposal, advice: Advice, budget: _Budget) -> Remedy | Case | None:
    """The remedy; or what is left after a proposal that is not enough, as nodes say it or the plan does."""
    budget.asked -= 1
    after = changed(case, proposal.changes)
    heard = _heard(after, proposal)
    if heard.hopeless:
        return heard.left
    budget.plans -= 1
    plan = _plan(case, after, proposal)
    decision = plan.decision(case.ref) if plan is not None else None
    if plan is None or decision is None:
        return heard.left
    if isinstance(decision.decision, Aborted) and not proposal.replanned:
        return msgspec.structs.replace(after, decision=decision)
    return _remedy(case, plan, decision, Done(advice, proposal.changes)) or heard.left


class _Heard(NamedTuple):
    """What nodes say after a proposal: whether no plan can help, and the case as they refuse it, if they do."""

    hopeless: bool = False
    left: Case | None = None


def _heard(after: Case, proposal: Proposal) -> _Heard:
    """Ask the nodes that a proposal is meant for, else all, up to a number. Where other pods move only a plan tells."""
    meant = () if proposal.replanned else proposal.nodes or after.snapshot.choices
    findings: list[NodeFinding] = []
    for name, answer in answers(after, meant[:NODES_ASKED]):
        if isinstance(answer, DevicesFound):
            return _Heard()
        if isinstance(answer, tuple):
            findings.append(NodeFinding(name, answer))
    if not findings:
        return _Heard()
    decision = Unschedulable(message="", nodes=tuple(findings))
    left = msgspec.structs.replace(after, decision=msgspec.structs.replace(after.decision, decision=decision))
    return _Heard(len(meant) <= NODES_ASKED and not any(_may_preempt(after, one) for one in findings), left)


def _may_preempt(after: Case, finding: NodeFinding) -> bool:
    """Whether the scheduler might make room on a node that refuses the pod."""
    least = own_priority(after.spec)
    lower = any(own_priority(pod.pod) < least for pod in after.snapshot.state(finding.node).pods)
    return lower and all(map(is_resolvable, finding.reasons))


def _remedy(case: Case, plan: Plan, decision: PodDecision, done: Done) -> Remedy | None:
    """The advice with what comes of it; None where the pod has no place, or what it was for did not come about."""
    borne_out = _borne_out(plan, decision, done.advice)
    if borne_out is None or not isinstance(decision.decision, Scheduled):
        return None
    displaced = _displaced(case, plan, done.changes)
    outcome = Outcome(node=decision.decision.node, claims=decision.claims, displaced=displaced)
    return Remedy(advice=borne_out, outcome=outcome, changes=done.changes)


def _plan(case: Case, after: Case, proposal: Proposal) -> Plan | None:
    settings = msgspec.structs.replace(case.plan.settings, budget=STEPS_PER_QUESTION, gangs=())
    if proposal.replanned:
        waiting = sum(1 for _ in case.plan.start.pending())
        return (
            make_plan(with_changes(case.plan.start, proposal.changes), settings) if waiting <= MOST_REPLANNED else None
        )
    tree = tree_of(case.plan, case.ref)
    if tree is not None:
        before, root = tree
        return make_plan(alone(with_changes(before, proposal.changes), root), settings)
    return plan_pod(after.snapshot, (case.ref.namespace, case.ref.name), settings)


def _borne_out(plan: Plan, decision: PodDecision, advice: Advice) -> Advice | None:
    """The advice as it came out; None where the pod is placed, and what it was for did not come about."""
    if not isinstance(decision.decision, Scheduled):
        return None
    if isinstance(advice, SetTolerationEffect):
        warnings = warnings_on(case_of(plan, decision), decision.decision.node)
        return None if any(isinstance(warning, ToleratedButEvicted) for warning in warnings) else advice
    if isinstance(advice, MatchAttribute):
        shared = _value_of(plan, decision, advice.attribute)
        return None if shared is None else msgspec.structs.replace(advice, value=shared)
    return advice


def _value_of(plan: Plan, decision: PodDecision, attribute: str) -> str | None:
    """The value of an attribute on the first device that the pod got and that has it."""
    if not isinstance(decision.decision, Scheduled):
        return None
    domain, _, name = attribute.partition("/")
    got = {
        (result.driver, result.pool, result.device)
        for claim in decision.claims
        if claim.allocation is not None
        for result in claim.allocation.devices.results
    }
    for seen in on_node(case_of(plan, decision), decision.decision.node):
        if (seen.id.driver, seen.id.pool, seen.id.device) in got:
            found = find(seen.id.driver, seen.device, DevicePath("attributes", domain, name))
            if found is not None:
                return found.text
    return None


def _displaced(case: Case, plan: Plan, changes: Sequence[Change]) -> tuple[ObjectRef, ...]:
    """Pods that had a node before and have none now; those that the advice removes are no news."""
    removed = {change.object for change in changes if isinstance(change, RemoveObject)}
    before = {one.pod for one in case.plan.decisions if isinstance(one.decision, Scheduled)}
    without = (one.pod for one in plan.decisions if not isinstance(one.decision, Scheduled))
    return tuple(pod for pod in without if pod in before and pod not in removed)
