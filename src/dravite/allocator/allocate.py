"""The door: a problem and a node make an outcome.

Nothing is taken or remembered that another question could notice: asking twice gives the same answer twice.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from dravite.allocator.attempt_errors import device_failure, pool_not_ready, too_many_devices
from dravite.allocator.claim_compiler import MAX_DEVICES
from dravite.allocator.demands import Collect, CountDevices, Demand
from dravite.allocator.eligibility import Eligibility, Failure
from dravite.allocator.outcomes import Allocation, Outcome, StepsSpent, Unallocatable
from dravite.allocator.problem import Problem
from dravite.allocator.results import allocation_results
from dravite.allocator.search import NoPicks, Picks, Search
from dravite.api.core_v1 import Node
from dravite.diagnosis.verdicts import AttemptError
from dravite.snapshot.node_use import NodeUse

DEFAULT_BUDGET: Final = 200_000
"""Steps after which a search is given up."""

Collected = dict[Collect, tuple[int, ...]]
Found: TypeAlias = Picks | NoPicks | AttemptError | StepsSpent


def allocate(problem: Problem, node: Node, budget: int | None = DEFAULT_BUDGET) -> Outcome:
    """Devices for all claims of the problem on one node, all or nothing.

    Args:
        budget: steps that the search may take; None for no limit.

    Returns:
        The allocation that Kubernetes would make; or that there is none; or the error that Kubernetes would end the
        attempt with; or that the budget did not suffice to tell.
    """
    use = problem.inventory.use(node)
    return use if isinstance(use, AttemptError) else conclude(problem, use, find_picks(problem, use, budget))


def find_picks(problem: Problem, use: NodeUse, budget: int | None = DEFAULT_BUDGET) -> Found:
    """The devices to be picked on a node, by their positions, or why there are none."""
    eligibility = Eligibility(problem.inventory, use.devices)
    collected = checked(problem, use, eligibility)
    if isinstance(collected, AttemptError):
        return collected
    return Search(problem, use, eligibility, collected).run(budget)


def conclude(problem: Problem, use: NodeUse, found: Found) -> Outcome:
    """What was found, in the words of the claims and the node."""
    if isinstance(found, AttemptError | StepsSpent):
        return found
    if isinstance(found, NoPicks):
        invalid = any(finding.state == "invalid" for finding in use.devices.findings)
        return Unallocatable("invalid-pools" if invalid else "none", found.steps)
    results = allocation_results(problem.claims, found, use.devices, problem.inventory)
    return results if isinstance(results, AttemptError) else Allocation(results, found.steps)


def checked(problem: Problem, use: NodeUse, eligibility: Eligibility) -> Collected | AttemptError:
    """What comes before any device is taken, in order; gives the devices of every All demand."""
    collected: Collected = {}
    counted: dict[int, int] = {}
    for check in problem.checks:
        if isinstance(check, AttemptError):
            return check
        if isinstance(check, Collect):
            listed = _collect(problem, use, eligibility, check)
            if isinstance(listed, AttemptError):
                return listed
            collected[check] = listed
        else:
            error = _count(problem, use.devices.node, check, collected, counted)
            if error is not None:
                return error
    return collected


def _collect(
    problem: Problem, use: NodeUse, eligibility: Eligibility, check: Collect
) -> tuple[int, ...] | AttemptError:
    """All devices of an All demand, pool by pool (R-9, R-10); the first allocator saw only what was free."""
    claim = problem.claims[check.claim]
    demand = claim.requests[check.request].demands[check.demand]
    spares = problem.inventory.is_first and not demand.admin
    listed: list[int] = []
    position = 0
    for pool in use.devices.pools:
        if pool.finding is not None:
            return pool_not_ready(claim, demand, pool, use.devices.node)
        for device in pool.devices:
            collects = eligibility.collects(demand, position)
            if isinstance(collects, Failure):
                return device_failure(collects, claim, demand, device.id, use.devices.node)
            if collects and not (spares and position in use.busy):
                listed.append(position)
            position += 1
    return tuple(listed)


def _count(
    problem: Problem, node: str, check: CountDevices, collected: Collected, counted: dict[int, int]
) -> AttemptError | None:
    """Whether the claim, up to this request, can be within its limit (R-4)."""
    claim = problem.claims[check.claim]
    request = claim.requests[check.request]

    def size(index: int, demand: Demand) -> int:
        return len(collected[Collect(check.claim, check.request, index)]) if demand.takes_all else demand.count

    least = min(size(index, demand) for index, demand in enumerate(request.demands))
    before = counted.get(check.claim, 0)
    if before + least > MAX_DEVICES:
        return too_many_devices(claim, request.demands[0], least, before, node)
    counted[check.claim] = before + least
    return None
