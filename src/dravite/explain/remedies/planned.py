"""What could be done about a decision: advice is planned, and only what works is kept.

The pod is planned again in the cluster that its own attempt saw, with the changes made, and a pod of a group with its
whole group; pods that the changes concern as well are planned anew with all others. A bounded number of proposals is
tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from dravite.api.meta import ObjectRef
from dravite.diagnosis.verdicts import PodDecision, Scheduled
from dravite.explain.case import STEPS_PER_QUESTION, Case, case_of
from dravite.explain.devices.gains import on_node
from dravite.explain.diagnose import Diagnosis
from dravite.explain.groups.trials import alone, tree_of
from dravite.explain.notes import ToleratedButEvicted
from dravite.explain.placed import warnings_on
from dravite.explain.remedies import demands, nodes, objects, resources, selectors
from dravite.explain.remedies.advice import Advice, MatchAttribute, Outcome, Remedy, SetTolerationEffect
from dravite.explain.remedies.proposals import Proposal, Proposer
from dravite.planning.plan import Plan
from dravite.planning.planner import make_plan
from dravite.snapshot.changes import RemoveObject, with_changes
from dravite.snapshot.device_paths import DevicePath, find
from dravite.snapshot.snapshot import Snapshot

MOST_TRIED: Final = 24
NODES_TRIED: Final = 20_000
"""Nodes that are asked at most over all proposals: a large cluster gets fewer of them."""
MOST_KEPT: Final = 8
MOST_REPLANNED: Final = 200
"""Waiting pods up to which the whole plan is made again."""

PROPOSERS: Final[tuple[Proposer, ...]] = (
    selectors.after_errors,
    selectors.where_too_few_match,
    objects.use_existing,
    objects.copy_from_elsewhere,
    objects.share_a_claim,
    objects.claim_per_pod,
    objects.split_claim,
    resources.serve_resource,
    demands.set_effects,
    demands.match_attributes,
    demands.rename_attributes,
    demands.tolerate_device_taints,
    nodes.tolerate_node_taints,
    nodes.replace_old_pods,
    demands.lower_counts,
    demands.count_instead_of_all,
    demands.lower_amounts,
    nodes.pin_to_node,
    nodes.drop_node_selection,
    nodes.uncordon,
    resources.share_devices,
    demands.drop_constraints,
    nodes.free_devices,
    selectors.without_a_clause,
)
"""Best first: what mends a mistake, then what asks for less, then what takes from others or gives something up."""


def remedies(case: Case, found: Diagnosis) -> tuple[Remedy, ...]:
    """The advice that works, best first; at most `MOST_KEPT`."""
    kept: list[Remedy] = []
    mended: set[tuple[object, ...]] = set()
    for proposal in _tried(case, found):
        if proposal.family in mended or len(kept) == MOST_KEPT:
            continue
        remedy = _planned(case, proposal)
        if remedy is not None:
            mended.add(proposal.family)
            kept.append(remedy)
    return tuple(kept)


def _tried(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """The first proposals that change something."""
    most = min(MOST_TRIED, max(4, NODES_TRIED // max(1, len(case.snapshot.order))))
    number = 0
    for propose in PROPOSERS:
        for proposal in propose(case, found):
            if proposal.changes and number < most:
                number += 1
                yield proposal


def _planned(case: Case, proposal: Proposal) -> Remedy | None:
    plan = _plan(case, proposal)
    decision = plan.decision(case.ref) if plan is not None else None
    if plan is None or decision is None or not isinstance(decision.decision, Scheduled):
        return None
    advice = _borne_out(plan, decision, proposal.advice)
    if advice is None:
        return None
    outcome = Outcome(node=decision.decision.node, claims=decision.claims, displaced=_displaced(case, plan, proposal))
    return Remedy(advice=advice, outcome=outcome, changes=proposal.changes)


def _plan(case: Case, proposal: Proposal) -> Plan | None:
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
    return make_plan(_alone(with_changes(case.snapshot, proposal.changes), case.ref), settings)


def _alone(snapshot: Snapshot, pod: ObjectRef) -> Snapshot:
    """The snapshot with this pod as the only one that waits."""
    return msgspec.structs.replace(snapshot, pod_order=((pod.namespace, pod.name),))


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


def _displaced(case: Case, plan: Plan, proposal: Proposal) -> tuple[ObjectRef, ...]:
    """Pods that had a node before and have none now; those that the advice removes are no news."""
    removed = {change.object for change in proposal.changes if isinstance(change, RemoveObject)}
    before = {one.pod for one in case.plan.decisions if isinstance(one.decision, Scheduled)}
    without = (one.pod for one in plan.decisions if not isinstance(one.decision, Scheduled))
    return tuple(pod for pod in without if pod in before and pod not in removed)
