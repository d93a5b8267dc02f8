"""One pool: a driver's devices under one name at one generation, as a node sees them.

Decides whether a pool can be used (complete, valid) and in which order its devices are tried (P-9 to P-20).
Which slices a node sees is decided elsewhere; what is allocated is not known here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import msgspec

from dravite.api.meta import DeviceID
from dravite.api.names import SelectorFault
from dravite.api.quantity import Notation
from dravite.api.resource_v1 import CounterSet, Device, DeviceCounterConsumption, ResourceSliceSpec
from dravite.diagnosis.findings import PoolFinding

CounterKey: TypeAlias = tuple[str, str]
"""Counter set and counter."""


class PoolDevice(msgspec.Struct, frozen=True, gc=False):
    """A device that can be picked on a node.

    Attributes:
        id: its identity.
        device: the device with all its taints.
        spec: the slice that it stands in.
        reach: whether the node is within the device's own node selection; a fault where that cannot be told.
        taint_rules: names of the DeviceTaintRules that added its last taints.
    """

    id: DeviceID
    device: Device
    spec: ResourceSliceSpec
    reach: bool | SelectorFault = True
    taint_rules: tuple[str, ...] = ()


class CounterUse(msgspec.Struct, frozen=True, gc=False):
    """What one device takes of one counter set, in nano units, and the groups it can share the set with."""

    counter_set: str
    amounts: tuple[tuple[str, int], ...]
    groups: frozenset[str] = frozenset()


class Pool(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One pool on one node.

    Attributes:
        devices: in the order in which they are tried; empty where none can be taken.
        finding: why no device can be taken; None for a usable pool.
        totals: the value of every counter of every set, in nano units.
        sets: the counter sets as they are published.
        consumers: all devices of the pool that use counters, also those that the node does not see (CNT-4).
        late: whether the pool is tried after all pools without binding conditions (P-17, P-18).
    """

    driver: str
    name: str
    generation: int
    devices: tuple[PoolDevice, ...] = ()
    finding: PoolFinding | None = None
    totals: Mapping[CounterKey, int] = {}
    sets: tuple[CounterSet, ...] = ()
    consumers: tuple[tuple[str, tuple[CounterUse, ...]], ...] = ()
    late: bool = False

    @property
    def key(self) -> tuple[str, str]:
        return (self.driver, self.name)

    def notation(self, key: CounterKey) -> Notation:
        """How the amount of a counter is written where it is published."""
        found = (one.counters[key[1]] for one in self.sets if one.name == key[0] and key[1] in one.counters)
        return next((counter.value.notation for counter in found), "DecimalSI")


class SeenSlice(msgspec.Struct, frozen=True, gc=False):
    """A slice of a pool with what a node makes of it.

    Attributes:
        name: the name of the slice object, which orders the slices of a pool (P-19).
        targets: whether the node sees it. The others only tell what their devices take of counters.
        reach: per device, for slices whose devices select their nodes.
        rules: per device, the rules that added taints.
    """

    name: str
    spec: ResourceSliceSpec
    targets: bool = True
    reach: tuple[bool | SelectorFault, ...] = ()
    rules: Mapping[int, tuple[str, ...]] = {}


def incomplete_pool(spec: ResourceSliceSpec, seen: int) -> Pool:
    """The pool of `spec` while slices of it are missing, or too many (P-10, P-11)."""
    return _unusable(spec, "incomplete", seen=seen)


def usable_pool(slices: Sequence[SeenSlice], *, counters: bool) -> Pool:
    """The pool of these slices; invalid where they contradict each other (P-13, P-14).

    Args:
        slices: all slices of one generation, in the order in which their devices are tried.
        counters: whether shared counters are looked at (feature PartitionableDevices).
    """
    spec = slices[0].spec
    detail = _duplicate_device(slices) or (_counter_fault(slices) if counters else "")
    if detail:
        return _unusable(spec, "invalid", detail=detail)
    offered = [s for s in slices if s.targets and not s.spec.shared_counters]
    return Pool(
        driver=spec.driver,
        name=spec.pool.name,
        generation=spec.pool.generation,
        devices=tuple(device for s in offered for device in _pool_devices(s)),
        totals=_totals(slices) if counters else {},
        sets=tuple(one for s in slices for one in s.spec.shared_counters or ()) if counters else (),
        consumers=tuple(_consumers(slices)) if counters else (),
        late=any(device.binding_conditions is not None for s in offered for device in s.spec.devices or ()),
    )


def pool_order(pool: Pool) -> tuple[bool, bytes, bytes]:
    """Kubernetes' order: pools with binding conditions last, then by driver and pool name, byte by byte (P-17)."""
    return (pool.late, pool.driver.encode(), pool.name.encode())


def counter_uses(device: Device) -> tuple[CounterUse, ...]:
    """What a device takes of counters while it is allocated."""
    return tuple(_counter_use(entry) for entry in device.consumes_counters)


def _counter_use(entry: DeviceCounterConsumption) -> CounterUse:
    amounts = tuple((name, counter.value.nano) for name, counter in entry.counters.items())
    return CounterUse(entry.counter_set, amounts, frozenset(entry.compatibility_groups))


def _unusable(spec: ResourceSliceSpec, state: str, seen: int = 0, detail: str = "") -> Pool:
    finding = PoolFinding(
        driver=spec.driver,
        pool=spec.pool.name,
        generation=spec.pool.generation,
        state="invalid" if state == "invalid" else "incomplete",
        slices_seen=seen,
        slices_expected=0 if detail else spec.pool.resource_slice_count,
        detail=detail,
    )
    return Pool(driver=spec.driver, name=spec.pool.name, generation=spec.pool.generation, finding=finding)


def _pool_devices(seen: SeenSlice) -> Iterable[PoolDevice]:
    spec = seen.spec
    for index, device in enumerate(spec.devices or ()):
        yield PoolDevice(
            DeviceID(spec.driver, spec.pool.name, device.name),
            device,
            spec,
            seen.reach[index] if seen.reach else True,
            seen.rules.get(index, ()),
        )


def _duplicate_device(slices: Sequence[SeenSlice]) -> str:
    names: set[str] = set()
    for seen in slices:
        if not seen.targets or seen.spec.shared_counters:
            continue
        for device in seen.spec.devices or ():
            if device.name in names:
                return f"duplicate-device:{device.name}"
            names.add(device.name)
    return ""


def _counter_fault(slices: Sequence[SeenSlice]) -> str:
    known: dict[str, frozenset[str]] = {}
    for seen in slices:
        for counter_set in seen.spec.shared_counters or ():
            if counter_set.name in known:
                return f"duplicate-counter-set:{counter_set.name}"
            known[counter_set.name] = frozenset(counter_set.counters)
    for seen in sorted(slices, key=lambda s: not s.targets):
        if not seen.spec.shared_counters:
            for device in seen.spec.devices or ():
                fault = _unknown_counter(device, known)
                if fault:
                    return fault
    return ""


def _unknown_counter(device: Device, known: Mapping[str, frozenset[str]]) -> str:
    for entry in device.consumes_counters:
        if entry.counter_set not in known:
            return f"unknown-counter-set:{device.name}:{entry.counter_set}"
        for counter in sorted(entry.counters):
            if counter not in known[entry.counter_set]:
                return f"unknown-counter:{device.name}:{entry.counter_set}:{counter}"
    return ""


def _totals(slices: Sequence[SeenSlice]) -> dict[CounterKey, int]:
    return {
        (counter_set.name, name): counter.value.nano
        for seen in slices
        for counter_set in seen.spec.shared_counters or ()
        for name, counter in counter_set.counters.items()
    }


def _consumers(slices: Sequence[SeenSlice]) -> Iterable[tuple[str, tuple[CounterUse, ...]]]:
    for seen in slices:
        if not seen.spec.shared_counters:
            for device in seen.spec.devices or ():
                if device.consumes_counters:
                    yield device.name, counter_uses(device)
