"""One scheduling attempt for one pod: filter, score, choose, reserve. Nothing else changes a snapshot by scheduling.

An attempt that frees a claim of the pod (F4) is followed by the next one at once, since that is what happens to the
pod. What the claim controller does comes before, elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from dravite.diagnosis import upstream
from dravite.diagnosis.verdicts import (
    Aborted,
    AttemptError,
    BudgetSpent,
    ClaimAllocation,
    Decision,
    Scheduled,
    Unschedulable,
    Waiting,
)
from dravite.scheduler.binding import NotBound, bind, claims_told
from dravite.scheduler.choice import choose, tied
from dravite.scheduler.claim_checks import Refusal
from dravite.scheduler.devices import DeviceDemand, alternatives_worth, device_demand
from dravite.scheduler.filters import Cycle, cycle_of
from dravite.scheduler.memory import images_of, memory_of
from dravite.scheduler.node_search import Breadth, FeasibleNode, Search, search_nodes
from dravite.scheduler.preempt import Candidate as PreemptionCandidate
from dravite.scheduler.refusals import Refused, no_nodes, refused_before_filters, refused_everywhere, refused_for_names
from dravite.scheduler.scores import Candidate, NodeScore, ScoreView, score_nodes
from dravite.scheduler.spread_score import spread_wish
from dravite.scheduler.waiting import claims_or_waiting
from dravite.snapshot.manifests import PlannedPod
from dravite.snapshot.node_state import node_pod
from dravite.snapshot.snapshot import Snapshot, pod_level


class Limits(msgspec.Struct, frozen=True):
    """How hard an attempt tries.

    Attributes:
        budget: steps of the device search on one node; None for the allocator's own limit.
        breadth: whether large clusters are searched only until enough nodes are found.
    """

    budget: int | None = None
    breadth: Breadth = "as-kubernetes"


class Attempt(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """What came of one pod.

    Attributes:
        decision: the answer.
        seen: the snapshot that the last attempt saw.
        after: the snapshot afterwards.
        claims: what each entry of the pod gets.
        scores: of the feasible nodes, where there was a choice.
        earlier: the answers of attempts before, each of which freed a claim.
        preempting: the node that Kubernetes would clear of lower pods for it.
    """

    decision: Decision
    seen: Snapshot
    after: Snapshot
    claims: tuple[ClaimAllocation, ...] = ()
    scores: tuple[NodeScore, ...] = ()
    earlier: tuple[Unschedulable, ...] = ()
    preempting: PreemptionCandidate | None = None


def schedule_pod(snapshot: Snapshot, planned: PlannedPod, limits: Limits) -> Attempt:
    """Try a pod until it has a node, an error, or nothing more can be freed for it."""
    earlier: list[Unschedulable] = []
    while True:
        result = _attempt(snapshot, planned, limits)
        if isinstance(result, Attempt):
            return msgspec.structs.replace(result, earlier=tuple(earlier))
        after = snapshot
        if result.next_start is not None:
            after = msgspec.structs.replace(snapshot, search_start=result.next_start)
        if result.freed is not None:
            after = after.with_claims((result.freed,))
        elif result.deleted is not None:
            after = after.without_claims((result.deleted,))
        else:
            attempt = _ended(snapshot, planned, result.decision)
            return msgspec.structs.replace(attempt, after=after, earlier=tuple(earlier), preempting=result.preempting)
        earlier.append(result.decision)
        snapshot = after


def _attempt(snapshot: Snapshot, planned: PlannedPod, limits: Limits) -> Attempt | Refused:
    claims = claims_or_waiting(snapshot, planned.pod)
    if isinstance(claims, Waiting):
        return _ended(snapshot, planned, claims)
    if not snapshot.order:
        return no_nodes()
    pod = node_pod(planned.pod, pod_level(snapshot.profile))
    demand = device_demand(snapshot, pod, claims)
    cycle = cycle_of(snapshot, pod, demand if isinstance(demand, DeviceDemand) else None, limits.budget)
    if cycle.named == "conflict":
        return refused_for_names(snapshot)
    if isinstance(demand, Refusal):
        return refused_before_filters(snapshot, demand)
    if isinstance(demand, AttemptError):
        return _ended(snapshot, planned, Aborted(message=upstream.pre_filter_error(demand.message), error=demand))
    return _conclude(cycle, planned, search_nodes(cycle, limits.breadth))


def _conclude(cycle: Cycle, planned: PlannedPod, found: Search) -> Attempt | Refused:
    """What a search comes to. A node on which the budget ran out counts only if no other takes the pod."""
    snapshot = msgspec.structs.replace(cycle.snapshot, search_start=found.next_start)
    if found.error is not None:
        decision = Aborted(message=upstream.filter_error(found.error.message), error=found.error)
        return _ended(snapshot, planned, decision)
    if found.feasible:
        return _place(cycle, planned, found.feasible, snapshot)
    if found.spent is not None:
        node, steps = found.spent
        return _ended(snapshot, planned, BudgetSpent(steps=steps, node=node))
    return msgspec.structs.replace(refused_everywhere(cycle, found.findings), next_start=found.next_start)


def _place(cycle: Cycle, planned: PlannedPod, feasible: Sequence[FeasibleNode], snapshot: Snapshot) -> Attempt:
    scores = _scores(cycle, feasible) if len(feasible) > 1 else ()
    node = choose(scores).node if scores else feasible[0].state.name
    devices = next(one.devices for one in feasible if one.state.name == node)
    demand = cycle.devices.demand if cycle.devices is not None else None
    binding = bind(snapshot, planned.pod, node, demand, devices)
    if isinstance(binding, NotBound):
        decision = Aborted(message=upstream.pre_bind_error(binding.error.message), error=binding.error)
        return _ended(snapshot.with_allocated_claims(binding.claims), planned, decision, scores)
    total = next((score.total for score in scores if score.node == node), 0)
    return Attempt(
        decision=Scheduled(node=node, score=total, tied=tied(scores) if scores else ()),
        seen=cycle.snapshot,
        after=snapshot.assume(binding),
        claims=claims_told(snapshot, planned.pod, demand, devices),
        scores=scores,
    )


def _scores(cycle: Cycle, feasible: Sequence[FeasibleNode]) -> tuple[NodeScore, ...]:
    snapshot = cycle.snapshot
    view = ScoreView(
        states=snapshot.states_in_order() if spread_wish(cycle.pod.pod) is not None else (),
        around=cycle.around,
        nodes=len(snapshot.nodes),
        image_spread=images_of(snapshot),
        comparisons=cycle.comparisons,
        known=memory_of(snapshot).scores.of_shape(cycle.shape),
    )
    demand = cycle.devices.demand if cycle.devices is not None else None
    if demand is None or not demand.has_alternatives:
        return score_nodes(cycle.pod, [Candidate(one.state) for one in feasible], view)
    candidates = [Candidate(one.state, _alternatives(demand, one)) for one in feasible]
    return score_nodes(cycle.pod, candidates, view)


def _alternatives(demand: DeviceDemand, node: FeasibleNode) -> int:
    """What the alternatives chosen for the pod's claims are worth on the node; old allocations count as well (SC-4)."""
    if not node.devices.results:
        return 0
    fresh = sum(alternatives_worth(o.claim, r) for o, r in zip(demand.fresh, node.devices.results, strict=False))
    allocated = (one.claim for one in demand.allocated)
    return fresh + sum(alternatives_worth(c, c.status.allocation) for c in allocated if c.status.allocation)


def _ended(snapshot: Snapshot, planned: PlannedPod, decision: Decision, scores: tuple[NodeScore, ...] = ()) -> Attempt:
    return Attempt(
        decision=decision, seen=snapshot, after=snapshot, claims=claims_told(snapshot, planned.pod), scores=scores
    )
