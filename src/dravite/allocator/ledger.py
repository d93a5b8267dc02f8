"""What one search has taken so far: devices, capacity and counters, on top of what was taken before.

Only the search changes a ledger, and undoes exactly what it did, last in first out (CNT-8). `why_not` asks a fresh
one, so that both see the same shortage.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Final

import msgspec

from dravite.allocator.capacity import Amount
from dravite.snapshot.node_use import NO_GROUPS, GroupsInUse, NodeUse
from dravite.snapshot.pools import CounterKey, CounterUse, counter_uses

_NOTHING: Final[Mapping[str, int]] = {}


class CounterShort(msgspec.Struct, frozen=True):
    """A counter that does not suffice for a device; amounts in nano units. A counter it does not use may be below
    zero and stop it all the same (CNT-5), then it needs nothing of it."""

    counter_set: str
    counter: str
    needed: int
    left: int


class GroupsClash(msgspec.Struct, frozen=True):
    """A counter set on which devices of other compatibility groups are."""

    counter_set: str


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One device that was taken, with all that is needed to give it back."""

    claim: int
    position: int
    amounts: tuple[Amount, ...]
    shared: bool
    uses: tuple[CounterUse, ...]
    groups_before: tuple[GroupsInUse, ...]


class Ledger:
    """The books of one search on one node."""

    __slots__ = ("_consumed", "_counted", "_features", "_groups", "_in_run", "_shares", "_taken", "_use", "_uses")

    def __init__(self, use: NodeUse, features: frozenset[str], claims: int) -> None:
        self._use = use
        self._features = features
        self._taken: list[set[int]] = [set() for _ in range(claims)]
        self._in_run: dict[int, int] = {}
        self._shares: dict[int, int] = {}
        self._consumed: dict[int, dict[str, int]] = {}
        self._counted: dict[int, dict[CounterKey, int]] = {}
        self._groups: dict[tuple[int, str], GroupsInUse] = {}
        self._uses: dict[int, tuple[CounterUse, ...]] = {}

    def is_shared(self, position: int) -> bool:
        """Whether a device can be allocated several times (CAP-1)."""
        device = self._use.devices.devices[position].device
        return bool(device.allow_multiple_allocations) and "ConsumableCapacity" in self._features

    def is_in_use(self, claim: int, position: int, *, admin: bool) -> bool:
        """R-21; with admin access only a device that the same claim has taken is in use (R-24, R-25)."""
        if admin:
            return position in self._taken[claim]
        return position in self._use.busy or position in self._in_run

    def is_taken(self, position: int) -> bool:
        """Whether this search has taken the device as a whole."""
        return position in self._in_run

    def share_of(self, position: int) -> Hashable:
        """What this search has taken of a shared device: equal for devices of which the same is taken."""
        if position not in self._shares:
            return None
        return frozenset(self._consumed.get(position, _NOTHING).items())

    def books(self) -> Hashable:
        """What this search has taken of counters and counter sets: equal where it is the same."""
        counted = ((number, key, value) for number, sums in self._counted.items() for key, value in sums.items())
        groups = ((key, state.common, state.plain) for key, state in self._groups.items())
        return (frozenset(entry for entry in counted if entry[2]), frozenset(groups))

    def capacity_short(self, position: int, amounts: tuple[Amount, ...]) -> Amount | None:
        """The first amount that exceeds what is left of a device (CAP-7)."""
        committed = self._use.committed.get(position, _NOTHING)
        consumed = self._consumed.get(position, _NOTHING)
        for amount in amounts:
            name = amount.name
            if committed.get(name, 0) + consumed.get(name, 0) + amount.taken.nano > amount.total:
                return amount
        return None

    def counters_short(self, position: int) -> CounterShort | GroupsClash | None:
        """Why the counters of its pool do not admit a device; None if they do, or if it pays nothing (CNT-11)."""
        uses = self._charges(position)
        if not uses:
            return None
        number = self._use.devices.pool_of[position]
        counted = self._counted.get(number, {})
        needed = {(use.counter_set, name): amount for use in uses for name, amount in use.amounts}
        for key, left in self._use.counters[number].left.items():
            wanted = needed.get(key, 0)
            if counted.get(key, 0) + wanted > left:
                return CounterShort(*key, wanted, left - counted.get(key, 0))
        if "CompatibilityGroups" in self._features:
            for use in uses:
                if not self._groups_on(number, use.counter_set).admits(use.groups):
                    return GroupsClash(use.counter_set)
        return None

    def take(self, claim: int, position: int, amounts: tuple[Amount, ...]) -> Entry:
        """Book a device. What it needs must be there."""
        shared = self.is_shared(position)
        uses = self._charges(position)
        number = self._use.devices.pool_of[position]
        before = tuple(self._groups_on(number, use.counter_set) for use in uses)
        self._book_counters(number, uses, 1)
        for use in uses:
            self._groups[number, use.counter_set] = self._groups_on(number, use.counter_set).joined_by(use.groups)
        if shared:
            self._shares[position] = self._shares.get(position, 0) + 1
            self._book_capacity(position, amounts, 1)
        else:
            self._taken[claim].add(position)
            self._in_run[position] = self._in_run.get(position, 0) + 1
        return Entry(claim, position, amounts, shared, uses, before)

    def undo(self, entry: Entry) -> None:
        """Give back the device that was taken last."""
        position = entry.position
        if entry.shared:
            self._book_capacity(position, entry.amounts, -1)
            _lower(self._shares, position)
        else:
            self._taken[entry.claim].discard(position)
            _lower(self._in_run, position)
        number = self._use.devices.pool_of[position]
        for use, before in zip(entry.uses, entry.groups_before, strict=True):
            self._groups[number, use.counter_set] = before
        self._book_counters(number, entry.uses, -1)

    def _charges(self, position: int) -> tuple[CounterUse, ...]:
        """What a device takes of counters now: nothing if a share of it is already held (CNT-11)."""
        uses = self._uses.get(position)
        if uses is None:
            uses = self._uses[position] = counter_uses(self._use.devices.devices[position].device)
        if uses and self.is_shared(position) and (position in self._use.shared or position in self._shares):
            return ()
        return uses

    def _groups_on(self, number: int, counter_set: str) -> GroupsInUse:
        known = self._groups.get((number, counter_set))
        return self._use.counters[number].groups.get(counter_set, NO_GROUPS) if known is None else known

    def _book_counters(self, number: int, uses: tuple[CounterUse, ...], sign: int) -> None:
        for use in uses:
            counted = self._counted.setdefault(number, {})
            for name, amount in use.amounts:
                key = (use.counter_set, name)
                counted[key] = counted.get(key, 0) + sign * amount

    def _book_capacity(self, position: int, amounts: tuple[Amount, ...], sign: int) -> None:
        consumed = self._consumed.setdefault(position, {})
        for amount in amounts:
            consumed[amount.name] = consumed.get(amount.name, 0) + sign * amount.taken.nano


def _lower(counts: dict[int, int], key: int) -> None:
    """One less; nothing is left of a count of zero."""
    counts[key] -= 1
    if not counts[key]:
        del counts[key]
