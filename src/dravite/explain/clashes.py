"""A minimal clash on one node, found by asking the allocator what still fails with fewer demands."""

from __future__ import annotations

from dravite.allocator.allocate import allocate
from dravite.allocator.outcomes import Allocation, Unallocatable
from dravite.allocator.problem import Problem
from dravite.api.core_v1 import Node
from dravite.diagnosis.findings import Clash
from dravite.diagnosis.reasons import ConstraintID
from dravite.explain.core import Core, Judge, Verdict, minimal_core

STEPS = 50_000
"""Steps that one question may take; a clash that needs more is left with a demand too many."""


def clash_on(problem: Problem, node: Node, steps: int = STEPS) -> Core | None:
    """A minimal set of the problem's demands that fails on the node; None where it does not fail, or it took too long.

    The core is in the order of the claims. Selectors of classes stand with the requests that name the class: they are
    not left out one by one.
    """
    demands = tuple(one for one in problem.constraint_ids() if one.object.kind != "DeviceClass")
    core = minimal_core(_in_order(demands), _judge(problem, frozenset(demands), node, steps))
    if core is None:
        return None
    return core._replace(clash=Clash(tuple(one for one in demands if one in core.clash.core)))


def _in_order(demands: tuple[ConstraintID, ...]) -> tuple[ConstraintID, ...]:
    """Whole requests are left out before parts of them, the last ones first: what was asked first is told first."""
    depth = {one: one.path.count(".") + one.path.count("[") for one in demands}
    places = {one: place for place, one in enumerate(demands)}
    return tuple(sorted(demands, key=lambda one: (depth[one], -places[one])))


def _judge(problem: Problem, demands: frozenset[ConstraintID], node: Node, steps: int) -> Judge:
    def judge(kept: frozenset[ConstraintID]) -> Verdict:
        outcome = allocate(problem.without(demands - kept), node, steps)
        if isinstance(outcome, Allocation):
            return "holds"
        return "fails" if isinstance(outcome, Unallocatable) else "unknown"

    return judge
