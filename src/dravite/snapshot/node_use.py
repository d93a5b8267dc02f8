"""What of a node's devices is taken before anything is asked: busy devices, shares, capacity and counters left."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from dravite.snapshot.node_devices import NodeDevices
from dravite.snapshot.pools import CounterKey, CounterUse, Pool
from dravite.snapshot.usage import UNUSED, AllocatedState, PoolUsage


class GroupsInUse(msgspec.Struct, frozen=True):
    """Which compatibility groups hold a counter set.

    Attributes:
        common: the groups that all devices on the set share; None while no device with groups is on it.
        plain: whether a device without groups is on it.
    """

    common: frozenset[str] | None = None
    plain: bool = False

    def admits(self, groups: frozenset[str]) -> bool:
        """Whether a device with these groups can join: devices without groups only mix with each other."""
        if not groups:
            return self.common is None
        return not self.plain if self.common is None else bool(self.common & groups)

    def joined_by(self, groups: frozenset[str]) -> GroupsInUse:
        """The state once a device with these groups is on the set."""
        if not groups:
            return GroupsInUse(self.common, plain=True)
        return GroupsInUse(groups if self.common is None else self.common & groups, self.plain)


NO_GROUPS: Final = GroupsInUse()


class CountersLeft(msgspec.Struct, frozen=True):
    """What is left of a pool's counters, in nano units (below zero is possible, CNT-5), and who may join each set."""

    left: Mapping[CounterKey, int] = {}
    groups: Mapping[str, GroupsInUse] = {}


class NodeUse(msgspec.Struct, frozen=True):
    """The devices of a node with what is allocated of them. Positions are those of `devices.devices`.

    Attributes:
        devices: what the node offers.
        usages: what is allocated of each of its pools.
        busy: devices that are held as a whole.
        shared: devices of which at least one share is held.
        committed: capacity that shares hold, per device, in nano units.
        counters: per pool.
    """

    devices: NodeDevices
    usages: tuple[PoolUsage, ...]
    busy: frozenset[int]
    shared: frozenset[int]
    committed: Mapping[int, Mapping[str, int]]
    counters: tuple[CountersLeft, ...]


def node_use(devices: NodeDevices, usages: tuple[PoolUsage, ...]) -> NodeUse:
    """What the usage of each pool leaves of a node's devices."""
    busy: list[int] = []
    shared: list[int] = []
    committed: dict[int, Mapping[str, int]] = {}
    for position, (device, number) in enumerate(zip(devices.devices, devices.pool_of, strict=True)):
        usage, name = usages[number], device.id.device
        if usage is UNUSED or name not in usage.holdings:
            continue
        if name in usage.exclusive:
            busy.append(position)
        if name in usage.shared:
            shared.append(position)
        if name in usage.committed:
            committed[position] = usage.committed[name]
    counters = tuple(counters_left(pool, usage) for pool, usage in zip(devices.pools, usages, strict=True))
    return NodeUse(devices, usages, frozenset(busy), frozenset(shared), committed, counters)


def pool_usages(devices: NodeDevices, state: AllocatedState) -> tuple[PoolUsage, ...]:
    """What is allocated of each pool of a node."""
    return tuple(state.of_pool(key) for key in devices.keys)


def counters_left(pool: Pool, usage: PoolUsage) -> CountersLeft:
    """The pool's counters less what its allocated devices take; each device counts once (CNT-4).

    Every node counts what it sees. Kubernetes keeps what the first node of an attempt saw for all others (CNT-10),
    which only shows while nodes see different generations of one pool.
    """
    if not pool.consumers or usage is UNUSED:
        return CountersLeft(pool.totals)
    left = dict(pool.totals)
    groups: dict[str, GroupsInUse] = {}
    for _, uses in allocated_consumers(pool, usage):
        for use in uses:
            groups[use.counter_set] = groups.get(use.counter_set, NO_GROUPS).joined_by(use.groups)
            for counter, amount in use.amounts:
                key = (use.counter_set, counter)
                left[key] = left.get(key, 0) - amount
    return CountersLeft(left, groups)


def allocated_consumers(pool: Pool, usage: PoolUsage) -> Iterable[tuple[str, tuple[CounterUse, ...]]]:
    """The allocated devices of a pool that take counters, also those that the node does not see."""
    return ((name, uses) for name, uses in pool.consumers if name in usage.holdings)
