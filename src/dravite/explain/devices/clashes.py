"""A minimal clash on one node, found by asking the allocator what still fails with fewer demands."""

from __future__ import annotations

from dravite.allocator.allocate import allocate
from dravite.allocator.outcomes import Allocation, Unallocatable
from dravite.allocator.problem import Problem
from dravite.api.core_v1 import Node
from dravite.diagnosis.findings import Clash
from dravite.diagnosis.reasons import ConstraintID
from dravite.explain.case import STEPS_PER_QUESTION
from dravite.explain.devices.core import Core, Judge, Verdict, minimal_core

"""Steps that one question may take; a clash that needs more is left with a demand too many."""


def clash_on(problem: Problem, node: Node, steps: int = STEPS_PER_QUESTION) -> Core | None:
    """A minimal set of the problem's demands that fails on the node; None where it does not fail, or it took too long.

    The core is in the order of the claims. Selectors of classes stand with the requests that name the class: they are
    not left out one by one.
    """
    demands = tuple(one for one in problem.constraint_ids() if one.object.kind != "DeviceClass")
    judge = _judge(problem, frozenset(demands), node, steps)
    core = minimal_core(_in_order(demands), judge)
    if core is None:
        return None
    helping = _helping(problem)
    while not helping <= set(core.clash.core):
        again = minimal_core(core.clash.core, judge)
        if again is None or again.clash == core.clash:
            break
        core = again
    return Core(Clash(tuple(one for one in demands if one in core.clash.core)), core.minimal)


def _helping(problem: Problem) -> frozenset[ConstraintID]:
    """Demands that can make others easier to meet, so that leaving them out may ask for a second look at the rest.

    A device that can be shared goes whole to a request that asks for no amount (CAP-8), and `All` takes more devices
    the fewer selectors it has (R-10).
    """
    demands = [one for claim in problem.claims for request in claim.requests for one in request.demands]
    amounts = (capacity.id for one in demands for capacity in one.capacity)
    selectors = (selector.id for one in demands if one.takes_all for selector in one.selectors)
    return frozenset(one for one in (*amounts, *selectors) if one.object.kind != "DeviceClass")


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
