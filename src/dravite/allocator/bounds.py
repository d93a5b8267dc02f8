"""Counting arguments that show, without a search, that there is no solution at all.

Each looks at a part of what is wanted and ignores the rest, so it may miss that something is impossible, but never
calls impossible what is not. They are asked once, when a search turns out to be long.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

import msgspec

from dravite.allocator.constraints import UNREADABLE
from dravite.allocator.demands import ClaimDemand, Constraint, Demand, Request
from dravite.allocator.eligibility import Eligible
from dravite.allocator.terrain import Terrain
from dravite.snapshot.pools import counter_uses


class _Want(msgspec.Struct, frozen=True):
    """A request at its least: so many devices, out of those that any of its demands can use."""

    devices: int
    usable: tuple[tuple[Demand, int], ...]


def is_hopeless(terrain: Terrain) -> bool:
    """Whether devices, values of constraints or counters cannot suffice, however they are dealt out."""
    wants = [want for claim in terrain.claims for want in _wants(terrain, claim.requests)]
    return (
        not _can_be_filled(list(_device_places(terrain, wants)))
        or any(_breaks(terrain, claim, one) for claim in terrain.claims for one in claim.constraints)
        or _counters_run_out(terrain, wants)
    )


def _wants(terrain: Terrain, requests: Sequence[Request]) -> list[_Want]:
    """Requests for exact counts; All takes what is there, and is left out."""
    return [
        _Want(
            max(0, min(demand.count for demand in request.demands)),
            tuple((demand, position) for demand in request.demands for position in _usable(terrain, demand)),
        )
        for request in requests
        if not any(demand.takes_all for demand in request.demands)
    ]


def _usable(terrain: Terrain, demand: Demand) -> Iterator[int]:
    for position in range(len(terrain.use.devices.devices)):
        if position not in terrain.use.busy and isinstance(terrain.eligibility.verdict(demand, position), Eligible):
            yield position


def _device_places(terrain: Terrain, wants: Sequence[_Want]) -> Iterator[list[Hashable]]:
    """For every device that is wanted, the devices that will do; a shared one can fill any number of places."""
    for number, want in enumerate(wants):
        for place in range(want.devices):
            positions = dict.fromkeys(position for _, position in want.usable)
            yield [(p, number, place) if terrain.shares(p) else p for p in positions]


def _can_be_filled(places: Sequence[Sequence[Hashable]]) -> bool:
    """Whether every place gets something of its own: a matching, grown along augmenting paths."""
    held: dict[Hashable, int] = {}
    return all(_fill(places, place, held) for place in range(len(places)))


def _fill(places: Sequence[Sequence[Hashable]], place: int, held: dict[Hashable, int]) -> bool:
    """Fill one place, moving others to something else where needed."""
    came_from: dict[Hashable, tuple[int, Hashable | None]] = {}
    waiting: list[tuple[int, Hashable | None]] = [(place, None)]
    while waiting:
        current, through = waiting.pop()
        for filler in places[current]:
            if filler in came_from:
                continue
            came_from[filler] = (current, through)
            if filler not in held:
                _move(filler, came_from, held)
                return True
            waiting.append((held[filler], filler))
    return False


def _move(filler: Hashable, came_from: dict[Hashable, tuple[int, Hashable | None]], held: dict[Hashable, int]) -> None:
    """Give a free filler to the place that led to it, and what that place had to the one before."""
    step: Hashable | None = filler
    while step is not None:
        place, through = came_from[step]
        held[step] = place
        step = through


def _breaks(terrain: Terrain, claim: ClaimDemand, constraint: Constraint) -> bool:
    """Whether no choice of devices keeps a constraint, as far as scalar values tell."""
    bound = [r for r in claim.requests if all(constraint.applies_to(demand) for demand in r.demands)]
    wants = _wants(terrain, bound)
    if terrain.lists or sum(want.devices for want in wants) < 2:
        return False
    readings = [
        [(terrain.reading(constraint, demand, position), position) for demand, position in want.usable]
        for want in wants
    ]
    if constraint.kind == "distinct":
        values = [list(dict.fromkeys(value for value, _ in some if value is not None)) for some in readings]
        return not _can_be_filled([some for want, some in zip(wants, values, strict=True) for _ in range(want.devices)])
    known = dict.fromkeys(value for some in readings for value, _ in some if value not in (None, UNREADABLE))
    return not any(_suffices(terrain, wants, value, readings) for value in known)


def _suffices(
    terrain: Terrain, wants: Sequence[_Want], value: object, readings: Sequence[Sequence[tuple[object, int]]]
) -> bool:
    """Whether the devices of one value are enough for everything that has to match."""
    narrowed = [
        _Want(want.devices, tuple(pair for pair, (read, _) in zip(want.usable, some, strict=True) if read == value))
        for want, some in zip(wants, readings, strict=True)
    ]
    return _can_be_filled(list(_device_places(terrain, narrowed)))


def _counters_run_out(terrain: Terrain, wants: Sequence[_Want]) -> bool:
    """Whether even the most modest devices take more of a counter than is left."""
    least: dict[Hashable, int] = {}
    for want in wants:
        costs = [_cost(terrain, position) for position in dict.fromkeys(position for _, position in want.usable)]
        for key in {key for cost in costs for key in cost}:
            modest = sorted(cost.get(key, 0) for cost in costs)[: want.devices]
            least[key] = least.get(key, 0) + sum(modest)
    return any(
        least.get((number, *key), 0) > max(0, left)
        for number, counters in enumerate(terrain.use.counters)
        for key, left in counters.left.items()
    )


def _cost(terrain: Terrain, position: int) -> dict[Hashable, int]:
    """What a device takes of counters, by pool, set and counter; a shared one may have paid already."""
    if terrain.shares(position):
        return {}
    number = terrain.use.devices.pool_of[position]
    uses = counter_uses(terrain.use.devices.devices[position].device)
    return {(number, use.counter_set, name): amount for use in uses for name, amount in use.amounts}
