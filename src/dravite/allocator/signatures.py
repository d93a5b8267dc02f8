"""What a search can tell nodes apart by: what their devices are to the claims, and what is taken of them.

The kind of a node is made of its body, what its devices are to each demand, and what constraints read on them. Two
nodes with the same kind and the same wear get the same answer at the same positions. Names of nodes, pools and
devices are no part of either, nor are values that nobody asks for.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from dravite.allocator.constraints import UNREADABLE
from dravite.allocator.demands import ClaimDemand, Constraint, Demand
from dravite.allocator.eligibility import Eligible, Failure, Verdict, is_listed, judge
from dravite.allocator.problem import Problem
from dravite.allocator.readings import read_for
from dravite.diagnosis.verdicts import AttemptError
from dravite.snapshot.inventory import Inventory
from dravite.snapshot.node_devices import NodeDevices
from dravite.snapshot.node_use import NodeUse
from dravite.snapshot.pools import CounterUse, counter_uses


def shape_of(problem: Problem) -> Hashable | None:
    """All that a search reads of the claims: equal for claims stamped from one template.

    None where nodes cannot be compared: a fault in the claims is told of each node in its own words, and a derived
    attribute may read anything of a device.
    """
    if any(isinstance(check, AttemptError) for check in problem.checks):
        return None
    if any(demand.derived for demand in _demands(problem)):
        return None
    return (tuple(_claim_shape(claim) for claim in problem.claims), problem.checks)


def demands_of(problem: Problem) -> tuple[Demand, ...]:
    """One demand for all that every device meets alike, in order."""
    return tuple({demand.traits: demand for demand in _demands(problem)}.values())


def marks_of(inventory: Inventory, demand: Demand, devices: NodeDevices) -> Hashable:
    """What every device of a node is to a demand, whatever is allocated."""
    return tuple([_mark(judge(inventory, devices, demand, position)) for position in range(len(devices.devices))])


def readings_of(problem: Problem, devices: NodeDevices) -> Hashable:
    """What the constraints of a problem that has a shape read on the devices of a node."""
    return tuple(
        _readings(constraint, claim.requests[0].demands[0], devices, problem.inventory)
        for claim in problem.claims
        for constraint in claim.constraints
        if claim.requests
    )


def body_of(devices: NodeDevices, features: frozenset[str]) -> Hashable:
    """What devices are apart from what is wanted of them: pools, sharing, counters, and where they can be used."""
    shares = "ConsumableCapacity" in features
    shared: list[int] = []
    counters: list[tuple[int, tuple[CounterUse, ...]]] = []
    places: list[tuple[bool, int]] = []
    for position, one in enumerate(devices.devices):
        if shares and one.device.allow_multiple_allocations:
            shared.append(position)
        if one.device.consumes_counters:
            counters.append((position, counter_uses(one.device)))
        place = one.device if one.spec.per_device_node_selection else one.spec
        selector = place.node_selector
        terms = 1 if selector is None else len(selector.node_selector_terms)
        places.append((bool(place.node_name or one.device.binds_to_node), terms))
    unusable = tuple([pool.finding is not None for pool in devices.pools])
    invalid = any(finding.state == "invalid" for finding in devices.findings)
    spread = tuple(places) if any(terms != 1 for _, terms in places) else ()
    return (devices.pool_of, tuple(shared), tuple(counters), spread, unusable, invalid)


def wear_of(use: NodeUse) -> Hashable:
    """What is taken of the devices of a node."""
    committed = tuple((position, tuple(sums.items())) for position, sums in use.committed.items())
    counters = tuple(
        (tuple(one.left.items()), tuple(one.groups.items())) for one in use.counters if one.left or one.groups
    )
    return (use.busy, use.shared, committed, counters)


def _demands(problem: Problem) -> Iterator[Demand]:
    return (demand for claim in problem.claims for request in claim.requests for demand in request.demands)


def _claim_shape(claim: ClaimDemand) -> Hashable:
    requests = tuple(
        (request.prioritized, tuple(_demand_shape(demand) for demand in request.demands)) for request in claim.requests
    )
    constraints = tuple((one.kind, one.attribute, one.requests) for one in claim.constraints)
    return (requests, constraints)


def _demand_shape(demand: Demand) -> Hashable:
    return (demand.name, demand.parent, demand.takes_all, demand.count, demand.admin, demand.traits)


def _mark(verdict: Verdict) -> Hashable:
    """A verdict as far as a search reads it; why a device is refused is not."""
    if isinstance(verdict, Eligible):
        return tuple([(one.name, one.taken.text, one.total) for one in verdict.amounts])
    if isinstance(verdict, Failure):
        return "failure"
    return "listed" if is_listed(verdict) else "refused"


def _readings(constraint: Constraint, demand: Demand, devices: NodeDevices, inventory: Inventory) -> Hashable:
    """What a constraint reads on every device; scalars only count as equal or not, so they are numbered."""
    lists = "ListTypeAttributes" in inventory.features
    found = [read_for(constraint, demand, device, devices.node, lists=lists) for device in devices.devices]
    if lists:
        return tuple(found)
    numbers: dict[object, int] = {}
    return tuple(
        None if one is None else "unreadable" if one is UNREADABLE else numbers.setdefault(one, len(numbers))
        for one in found
    )
