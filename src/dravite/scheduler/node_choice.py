"""Finding a node for one pod: filter, score, choose. Nothing is reserved, nothing is freed, and nobody is evicted.

What follows from a "no" differs between a pod of its own and a pod of a group, and is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import msgspec

from dravite.diagnosis import upstream
from dravite.diagnosis.findings import MissingObject, NodeFinding
from dravite.diagnosis.verdicts import Aborted, AttemptError, BudgetSpent, Waiting
from dravite.scheduler.board import FeasibleNode
from dravite.scheduler.choice import choose, tied
from dravite.scheduler.claim_checks import Refusal
from dravite.scheduler.devices import DeviceDemand, DevicesFound, alternatives_worth, device_demand
from dravite.scheduler.filters import Cycle, cycle_of, states_beside
from dravite.scheduler.memory import images_of, memory_of
from dravite.scheduler.node_search import Breadth, Search, search_nodes
from dravite.scheduler.refusing_nodes import NOBODY_ASKED, RefusingNodes
from dravite.scheduler.scores import NO_SCORES, NodeScores, ScoreView, score_nodes
from dravite.scheduler.spread_score import spread_wish
from dravite.scheduler.waiting import claims_or_waiting
from dravite.snapshot.manifests import PlannedPod
from dravite.snapshot.node_state import node_pod
from dravite.snapshot.snapshot import Snapshot, pod_level

Stage = Literal["no-nodes", "names", "claims", "nodes"]


class Limits(msgspec.Struct, frozen=True):
    """How hard an attempt tries.

    Attributes:
        budget: steps of the device search on one node; None for the allocator's own limit.
        breadth: whether large clusters are searched only until enough nodes are found.
        seed: which of equally good nodes and domains is taken; 0 for the first.
    """

    budget: int | None = None
    breadth: Breadth = "as-kubernetes"
    seed: int = 0


class Chosen(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The node for a pod, with the devices that it would get there.

    Attributes:
        cycle: what was asked.
        node: the node.
        devices: the devices found on it.
        total: its score.
        tied: the nodes with the same score, where there was a choice.
        scores: of all feasible nodes, where there was a choice.
        next_start: where the next search begins.
    """

    cycle: Cycle
    node: str
    devices: DevicesFound
    total: int = 0
    tied: tuple[str, ...] = ()
    scores: NodeScores = NO_SCORES
    next_start: int = 0

    @property
    def demand(self) -> DeviceDemand | None:
        """What the pod needs of the allocator."""
        return self.cycle.devices.demand if self.cycle.devices is not None else None


class Unfit(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """No node will do.

    Attributes:
        text: what kube-scheduler says of the nodes, without what it says of preemption.
        stage: where the pod was refused.
        refusing: why each node refused it.
        problem: what ruled the pod out before any node was looked at.
        cycle: what was asked; None where it did not come to that.
        next_start: where the next search begins.
    """

    text: str
    stage: Stage
    refusing: RefusingNodes = NOBODY_ASKED
    problem: MissingObject | None = None
    cycle: Cycle | None = None
    next_start: int = 0

    @property
    def findings(self) -> tuple[NodeFinding, ...]:
        """Why each node refused it, node by node."""
        return self.refusing.findings


class Ended(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The attempt ended without an answer of the nodes."""

    decision: Aborted | BudgetSpent | Waiting
    next_start: int = 0


NodeChoice: TypeAlias = Chosen | Unfit | Ended


def choose_node(snapshot: Snapshot, planned: PlannedPod, limits: Limits) -> NodeChoice:
    """The node that kube-scheduler would take for a pod among those that it may choose from, or why there is none."""
    start = snapshot.search_start
    claims = claims_or_waiting(snapshot, planned.pod)
    if isinstance(claims, Waiting):
        return Ended(decision=claims, next_start=start)
    nodes = len(snapshot.choices)
    if not nodes:
        return Unfit(text=upstream.NO_NODES, stage="no-nodes", next_start=start)
    pod = node_pod(planned.pod, pod_level(snapshot.profile))
    demand = device_demand(snapshot, pod, claims)
    cycle = cycle_of(snapshot, pod, demand if isinstance(demand, DeviceDemand) else None, limits.budget)
    if cycle.named == "conflict":
        text = upstream.refused_before_filters(nodes, upstream.NAMES_CONFLICT)
        return Unfit(text=text, stage="names", cycle=cycle, next_start=start)
    if isinstance(demand, Refusal):
        text = upstream.refused_before_filters(nodes, demand.text)
        return Unfit(text=text, stage="claims", problem=demand.problem, cycle=cycle, next_start=start)
    if isinstance(demand, AttemptError):
        decision = Aborted(message=upstream.pre_filter_error(demand.message), error=demand)
        return Ended(decision=decision, next_start=start)
    return _concluded(cycle, search_nodes(cycle, limits.breadth), limits.seed)


def _concluded(cycle: Cycle, found: Search, seed: int) -> NodeChoice:
    """What a search comes to. A node on which the budget ran out counts only if no other takes the pod."""
    if found.error is not None:
        decision = Aborted(message=upstream.filter_error(_text_of(cycle, found.error)), error=found.error)
        return Ended(decision=decision, next_start=found.next_start)
    if found.feasible:
        return _chosen(cycle, found, seed)
    if found.spent is not None:
        node, steps = found.spent
        return Ended(decision=BudgetSpent(steps=steps, node=node), next_start=found.next_start)
    refusing = found.refusing
    return Unfit(text=refusing.text, stage="nodes", refusing=refusing, cycle=cycle, next_start=found.next_start)


def _text_of(cycle: Cycle, error: AttemptError) -> str:
    """The error in the words of the release."""
    if error.kind != "selector-runtime" or cycle.snapshot.profile.is_at_least("1.37"):
        return error.message
    return upstream.selector_error_of_1_36(error.message, error.device or "")


def _chosen(cycle: Cycle, found: Search, seed: int) -> Chosen:
    feasible = found.feasible
    scores = _scores(cycle, feasible) if len(feasible) > 1 else NO_SCORES
    place = choose(scores, seed) if scores else 0
    return Chosen(
        cycle=cycle,
        node=feasible[place].state.name,
        devices=feasible[place].devices,
        total=scores.points[place].total if scores else 0,
        tied=tied(scores) if scores else (),
        scores=scores,
        next_start=found.next_start,
    )


def _scores(cycle: Cycle, feasible: Sequence[FeasibleNode]) -> NodeScores:
    snapshot = cycle.snapshot
    demand = cycle.devices.demand if cycle.devices is not None else None
    view = ScoreView(
        states=states_beside(snapshot) if spread_wish(cycle.pod.pod) is not None else (),
        around=cycle.around,
        nodes=len(snapshot.nodes),
        image_spread=images_of(snapshot),
        comparisons=cycle.comparisons,
        alternatives=[_worth(demand, one) for one in feasible] if demand and demand.has_alternatives else (),
        known=memory_of(snapshot).scores.of_shape(cycle.shape),
    )
    return score_nodes(cycle.pod, [one.state for one in feasible], view)


def _worth(demand: DeviceDemand, node: FeasibleNode) -> int:
    """What the alternatives chosen for the pod's claims are worth on the node; old allocations count as well (SC-4)."""
    if not node.devices.results:
        return 0
    fresh = sum(alternatives_worth(o.claim, r) for o, r in zip(demand.fresh, node.devices.results, strict=False))
    allocated = (one.claim for one in demand.allocated)
    return fresh + sum(alternatives_worth(c, c.status.allocation) for c in allocated if c.status.allocation)
