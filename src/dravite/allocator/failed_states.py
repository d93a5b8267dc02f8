"""States from which a search found nothing, so that it never looks at the same state twice.

Devices that nothing still wanted can tell apart are interchangeable, and so are the values of a distinctAttribute.
Two states that differ only by such an exchange succeed or fail together, in whatever order devices are tried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Final, TypeAlias

from dravite.allocator.constraints import UNREADABLE
from dravite.allocator.demands import Collect, Constraint, Demand
from dravite.allocator.eligibility import Eligible
from dravite.allocator.ledger import Ledger
from dravite.allocator.readings import ClaimConstraints
from dravite.allocator.terrain import Terrain
from dravite.snapshot.node_use import NodeUse
from dravite.snapshot.pools import counter_uses

Key: TypeAlias = Hashable

_USELESS: Final = -1


class FailedStates:
    """The memory of one search. It reads the search's books and never changes them."""

    __slots__ = ("_constraints", "_failed", "_ledger", "_roles", "_terrain")

    def __init__(self, terrain: Terrain, ledger: Ledger, constraints: Sequence[ClaimConstraints]) -> None:
        self._terrain = terrain
        self._ledger = ledger
        self._constraints = constraints
        self._failed: set[Key] = set()
        self._roles: dict[tuple[int, int], _Roles] = {}

    def add(self, key: Key) -> None:
        """Remember that the search found nothing from a state on, having tried everything."""
        self._failed.add(key)

    def __contains__(self, key: Key) -> bool:
        return key in self._failed

    def key(self, place: tuple[int, int, int | None, int], start: int, held: int) -> Key:
        """All that decides whether a state leads to a solution.

        Args:
            place: claim, request, chosen demand, devices picked for it.
            start: position from which on the next device for it is looked for.
            held: devices that the claim has so far.
        """
        claim, request, _, picked = place
        roles = self._roles_from(claim, request)
        states = self._constraints[claim].signatures(roles.binding)
        used = self._constraints[claim].used(roles.renamed) if roles.renamed is not None else frozenset()
        left = self._left(roles, start if picked else 0, used)
        return (place, held, left, bool(used), self._ledger.books(), states)

    def likeness(self, claim: int, request: int, position: int) -> Key:
        """Equal for devices of which the first to be tried stands for all the others.

        What is found with a later one could be found with the first: they can be exchanged in any solution.
        """
        roles = self._roles_from(claim, request)
        return (roles.of[position], self._ledger.share_of(position), roles.value_of.get(position))

    def _left(self, roles: _Roles, behind: int, used: frozenset[object]) -> Key:
        """The devices that are left, as counts of those that are alike."""
        if roles.renamed is None:
            return frozenset(self._counts(roles, behind, range(len(roles.of))).items())
        alike = Counter(
            (value in used, frozenset(self._counts(roles, behind, positions).items()))
            for value, positions in roles.by_value.items()
        )
        return frozenset(alike.items())

    def _counts(self, roles: _Roles, behind: int, positions: Sequence[int]) -> Counter[Key]:
        ledger = self._ledger
        counts: Counter[Key] = Counter()
        for position in positions:
            role = roles.of[position]
            if role != _USELESS and not ledger.is_taken(position):
                counts[role, ledger.share_of(position), position >= behind] += 1
        return counts

    def _roles_from(self, claim: int, request: int) -> _Roles:
        known = self._roles.get((claim, request))
        if known is None:
            known = self._roles[claim, request] = _Roles(self._terrain, claim, request)
        return known


class _Roles:
    """Which devices are alike for all that is wanted from one request on.

    Attributes:
        of: the role of each device; devices of one role are interchangeable.
        binding: the constraints of the claim that still bind something and whose values count as they are.
        renamed: a distinctAttribute whose values are interchangeable, None if there is none.
        by_value: the devices by their value of that attribute.
        value_of: the same, the other way round.
    """

    __slots__ = ("binding", "by_value", "of", "renamed", "value_of")

    def __init__(self, terrain: Terrain, claim: int, request: int) -> None:
        demands = list(terrain.demands(claim, request))
        here = [demand for where, demand in demands if where.claim == claim]
        constraints = terrain.claims[claim].constraints
        binding = [i for i, one in enumerate(constraints) if any(one.applies_to(demand) for demand in here)]
        self.renamed = next((i for i in binding if _is_renamable(constraints[i], here, terrain)), None)
        self.binding = tuple(i for i in binding if i != self.renamed)
        self.by_value: dict[object, list[int]] = {}
        self.value_of: dict[int, object] = {}
        numbers: dict[Key, int] = {}
        self.of: list[int] = []
        for position in range(len(terrain.use.devices.devices)):
            role = _role(terrain, demands, position, None if self.renamed is None else constraints[self.renamed])
            self.of.append(_USELESS if role is None else numbers.setdefault(role, len(numbers)))
            if self.renamed is not None and role is not None:
                value = terrain.reading(constraints[self.renamed], here[0], position)
                self.by_value.setdefault(value, []).append(position)
                self.value_of[position] = value


def _is_renamable(constraint: Constraint, demands: Sequence[Demand], terrain: Terrain) -> bool:
    """Whether a value of the constraint means nothing but itself: it is compared for equality, and read one way."""
    return constraint.kind == "distinct" and not terrain.lists and not any(demand.derived for demand in demands)


def _role(
    terrain: Terrain, demands: Sequence[tuple[Collect, Demand]], position: int, renamed: Constraint | None
) -> Key | None:
    """All that can be told about a device by what is wanted; None if it serves nothing."""
    if position in terrain.use.busy:
        return None
    served: list[Key] = []
    is_useful = False
    for where, demand in demands:
        verdict = terrain.eligibility.verdict(demand, position)
        listed = demand.takes_all and position in terrain.collected[where]
        if not isinstance(verdict, Eligible):
            served.append(listed)
            is_useful = is_useful or listed
            continue
        is_useful = True
        amounts = tuple((amount.name, amount.taken.nano) for amount in verdict.amounts)
        readings = tuple(
            _told(terrain.reading(constraint, demand, position), renamed=constraint is renamed)
            for constraint in terrain.claims[where.claim].constraints
            if constraint.applies_to(demand)
        )
        served.append((listed, amounts, readings))
    return (tuple(served), _body(terrain.use, position)) if is_useful else None


def _told(reading: object, *, renamed: bool) -> Key:
    """A reading as far as roles tell it; one value of a renamed constraint is like any other."""
    return "value" if renamed and reading not in (None, UNREADABLE) else reading


def _body(use: NodeUse, position: int) -> Key:
    """What a device is and has left, apart from what is wanted of it."""
    device = use.devices.devices[position].device
    committed = use.committed.get(position, {})
    left = tuple((name, one.value.nano - committed.get(name, 0)) for name, one in sorted(device.capacity.items()))
    counters = (use.devices.pool_of[position], counter_uses(device)) if device.consumes_counters else None
    return (device.allow_multiple_allocations, position in use.shared, left, counters)
