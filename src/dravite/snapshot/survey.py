"""What there is, pool by pool: devices, who holds them, and what is left of counters and shared capacity.

A survey looks at the whole cluster, not at what one node sees. It decides nothing about requests: whether a free
device serves one is the allocator's business.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from dravite.api.meta import DeviceID
from dravite.api.quantity import Quantity
from dravite.api.resource_v1 import Device, DeviceCapacity, DeviceTaint, ResourceSlice
from dravite.diagnosis.findings import PoolFinding
from dravite.snapshot.pools import CounterKey, Pool, SeenSlice, counter_uses, usable_pool
from dravite.snapshot.usage import AllocatedState, Holding, PoolUsage

MODEL_NAMES: Final = ("productName", "model", "deviceModel", "product", "profile")
"""Attributes in which drivers say what a device is, the most telling first."""

DeviceState: TypeAlias = Literal["free", "shared", "in-use", "blocked", "unusable"]


class CapacityLeft(msgspec.Struct, frozen=True):
    """One capacity of a device: canonical texts of all of it and of what is left."""

    name: str
    total: str
    left: str


class DeviceSurvey(msgspec.Struct, frozen=True, kw_only=True):
    """One device.

    Attributes:
        state: `free`, `shared` (some of it is allocated and more can be), `in-use`, `blocked` (free, but the counters
            it needs are taken by its neighbours) or `unusable` (its pool is).
        model: what it is, as far as an attribute with one of the usual names says it.
        shareable: whether several claims can have it at once.
        holdings: who has it.
        taints: all taints, with those of DeviceTaintRules last.
        capacity: how much there is of what, and what is left of it.
        blocked_by: the counter that is short, `set/counter`.
    """

    id: DeviceID
    state: DeviceState
    model: str | None = None
    shareable: bool = False
    holdings: tuple[Holding, ...] = ()
    taints: tuple[DeviceTaint, ...] = ()
    capacity: tuple[CapacityLeft, ...] = ()
    blocked_by: str | None = None


class CounterLeft(msgspec.Struct, frozen=True):
    """One counter of one set: canonical texts of all of it and of what is left."""

    counter_set: str
    counter: str
    total: str
    left: str


class PoolSurvey(msgspec.Struct, frozen=True, kw_only=True):
    """One pool at its newest generation.

    Attributes:
        nodes: the nodes that its slices name; empty for pools that select nodes by label or reach all.
        reach: `node`, `selected`, `all` or `per-device`.
        finding: why nothing can be taken; None for a usable pool.
        obsolete_slices: slices of older generations that are still there.
        vanished: devices that claims hold and that no slice publishes any more, with their holders.
    """

    driver: str
    pool: str
    generation: int
    nodes: tuple[str, ...] = ()
    reach: Literal["node", "selected", "all", "per-device"] = "node"
    finding: PoolFinding | None = None
    obsolete_slices: int = 0
    devices: tuple[DeviceSurvey, ...] = ()
    counters: tuple[CounterLeft, ...] = ()
    vanished: tuple[tuple[DeviceID, tuple[Holding, ...]], ...] = ()

    def in_state(self, state: DeviceState) -> int:
        """How many devices are in a state; the counts of all states sum to the devices."""
        return sum(1 for device in self.devices if device.state == state)


def survey(slices: Iterable[ResourceSlice], usage: AllocatedState) -> tuple[PoolSurvey, ...]:
    """All pools by driver and name, with what `usage` says is allocated. The slices carry the taints of all rules."""
    by_pool: dict[tuple[str, str], list[ResourceSlice]] = {}
    for one in slices:
        by_pool.setdefault((one.spec.driver, one.spec.pool.name), []).append(one)
    for key, _ in usage.pools.items():
        by_pool.setdefault(key, [])
    return tuple(_pool(key, by_pool[key], usage.of_pool(key)) for key in sorted(by_pool))


def _pool(key: tuple[str, str], slices: Sequence[ResourceSlice], usage: PoolUsage) -> PoolSurvey:
    newest = max((one.spec.pool.generation for one in slices), default=0)
    current = sorted((one for one in slices if one.spec.pool.generation == newest), key=lambda one: one.metadata.name)
    finding, pool = _usable(key, current)
    published = [device for one in current for device in one.spec.devices or ()]
    left = _left(pool, usage) if pool else {}
    devices = tuple(_device(DeviceID(*key, one.name), one, usage, (finding is None, left)) for one in published)
    names = {one.name for one in published}
    return PoolSurvey(
        driver=key[0],
        pool=key[1],
        generation=newest,
        nodes=tuple(dict.fromkeys(one.spec.node_name for one in current if one.spec.node_name)),
        reach=_reach(current),
        finding=finding,
        obsolete_slices=len(slices) - len(current),
        devices=devices,
        counters=tuple(_counters(current, left)) if pool else (),
        vanished=tuple((DeviceID(*key, name), held) for name, held in usage.holdings.items() if name not in names),
    )


def _usable(key: tuple[str, str], current: Sequence[ResourceSlice]) -> tuple[PoolFinding | None, Pool | None]:
    if not current:
        return None, None
    expected = current[0].spec.pool.resource_slice_count
    if len(current) != expected:
        finding = PoolFinding(*key, current[0].spec.pool.generation, "incomplete", len(current), expected)
        return finding, None
    pool = usable_pool([SeenSlice(one.metadata.name, one.spec) for one in current], counters=True)
    return pool.finding, (pool if pool.finding is None else None)


def _reach(slices: Sequence[ResourceSlice]) -> Literal["node", "selected", "all", "per-device"]:
    for one in slices:
        if one.spec.all_nodes:
            return "all"
        if one.spec.per_device_node_selection:
            return "per-device"
        if one.spec.node_selector is not None:
            return "selected"
    return "node"


def _left(pool: Pool, usage: PoolUsage) -> Mapping[CounterKey, int]:
    """What is left of every counter; a device is charged once, however many shares of it are held (CNT-5)."""
    left = dict(pool.totals)
    for name, uses in pool.consumers:
        if name in usage.holdings:
            for use in uses:
                for counter, amount in use.amounts:
                    left[use.counter_set, counter] -= amount
    return left


def _device(
    one: DeviceID, device: Device, usage: PoolUsage, pool: tuple[bool, Mapping[CounterKey, int]]
) -> DeviceSurvey:
    usable, left = pool
    holdings = usage.holdings.get(one.device, ())
    shareable = bool(device.allow_multiple_allocations)
    blocked_by = None if holdings or not usable else _blocked(device, left)
    state: DeviceState = "free"
    if holdings:
        state = "shared" if shareable and not _is_spent(device, usage) else "in-use"
    elif not usable:
        state = "unusable"
    elif blocked_by:
        state = "blocked"
    return DeviceSurvey(
        id=one,
        state=state,
        model=_model(device),
        shareable=shareable,
        holdings=holdings,
        taints=device.taints,
        capacity=tuple(_capacity(device, usage)),
        blocked_by=blocked_by,
    )


def _blocked(device: Device, left: Mapping[CounterKey, int]) -> str | None:
    for use in counter_uses(device):
        for counter, amount in use.amounts:
            if amount > left.get((use.counter_set, counter), 0):
                return f"{use.counter_set}/{counter}"
    return None


def _model(device: Device) -> str | None:
    texts = {name.rpartition("/")[2]: value.string_value for name, value in device.attributes.items()}
    return next((text for name in MODEL_NAMES if (text := texts.get(name))), None)


def _capacity(device: Device, usage: PoolUsage) -> Iterator[CapacityLeft]:
    """Nothing is left of a device that is held as a whole."""
    committed = usage.committed.get(device.name, {})
    for name, capacity in device.capacity.items():
        rest = 0 if device.name in usage.exclusive else capacity.value.nano - committed.get(name, 0)
        left = Quantity(rest, capacity.value.notation)
        yield CapacityLeft(name, str(capacity.value), str(left))


def _is_spent(device: Device, usage: PoolUsage) -> bool:
    """Whether nobody can have a part of the device any more: somebody has all of it, or too little is left."""
    committed = usage.committed.get(device.name, {})
    return device.name in usage.exclusive or any(
        capacity.value.nano - committed.get(name, 0) < _least(capacity) for name, capacity in device.capacity.items()
    )


def _least(capacity: DeviceCapacity) -> int:
    """The least that a request takes of a capacity, in nano units: what the policy says, or any amount."""
    policy = capacity.request_policy
    if policy is None:
        return min(capacity.value.nano, 1)
    if policy.valid_values:
        return min(value.nano for value in policy.valid_values)
    if policy.valid_range is not None and policy.valid_range.min is not None:
        return policy.valid_range.min.nano
    usual = capacity.value if policy.default is None else policy.default
    return min(usual.nano, 1)


def _counters(slices: Sequence[ResourceSlice], left: Mapping[CounterKey, int]) -> Iterator[CounterLeft]:
    for one in slices:
        for counters in one.spec.shared_counters or ():
            for name, counter in counters.counters.items():
                rest = Quantity(left[counters.name, name], counter.value.notation)
                yield CounterLeft(counters.name, name, str(counter.value), str(rest))


def free_devices(pools: Iterable[PoolSurvey]) -> int:
    """Devices that a claim could have, whole or in part, as far as the pool is concerned."""
    return sum(pool.in_state("free") + pool.in_state("shared") for pool in pools)
