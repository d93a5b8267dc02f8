"""Two views of a pool: how many more partitions of each type fit, and what is left of devices that are shared (C3).

A view that cannot be worked out says why, in Kubernetes' words; the pool's counts are not touched by that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

import msgspec

from dravite.api.quantity import ZERO, Quantity
from dravite.api.resource_v1 import Device, DeviceRequestAllocationResult, ResourceSlice
from dravite.api.resource_v1alpha3 import PartitionTypeStatus, ShareableCapacityStatus, ShareableSummaryStatus
from dravite.diagnosis import upstream_controllers as words
from dravite.snapshot.pools import CounterKey, counter_uses

Result: TypeAlias = DeviceRequestAllocationResult

_MOST: Final = 32
"""How many entries a summary may have."""

_Cost = Mapping[CounterKey, int]
_Type = tuple[str, str]
"""The attribute that tells partitions apart, and its value."""


class Views(msgspec.Struct, frozen=True):
    """What can be told of a pool, and the first thing that keeps something from being told, if any."""

    partitions: tuple[PartitionTypeStatus, ...] = ()
    shareable: ShareableSummaryStatus | None = None
    error: str = ""


def views_of(slices: Sequence[ResourceSlice], results: Sequence[Result], fallback: str, pool: str) -> Views:
    """The views of a complete pool.

    Args:
        slices: those of the newest generation.
        results: what claims hold of the pool.
        fallback: the attribute that tells partitions apart if no slice names one; may be empty.
        pool: how the pool is called in messages.
    """
    partitions = _partitions(slices, results, fallback, pool)
    shareable = _shareable(slices, results, pool)
    error = next((one for one in (partitions, shareable) if isinstance(one, str)), "")
    return Views(
        partitions=() if error or isinstance(partitions, str) else partitions,
        shareable=None if isinstance(shareable, str) else shareable,
        error=error,
    )


def _partitions(
    slices: Sequence[ResourceSlice], results: Sequence[Result], fallback: str, pool: str
) -> tuple[PartitionTypeStatus, ...] | str:
    declares = any(one.spec.partition_type_attribute for one in slices)
    if not declares and not fallback:
        return ()
    if not any(one.spec.shared_counters for one in slices):
        return words.partitions_without_counters(pool)
    groups = _groups(slices, "" if declares else fallback, pool)
    if isinstance(groups, str):
        return groups
    if len(groups) > _MOST:
        return words.too_many_partitions(pool, len(groups), _MOST)
    used = frozenset(one.device for one in results if not one.admin_access)
    headroom = _headroom(slices, used)
    return tuple(_partition(kind, groups[kind], headroom, used) for kind in sorted(groups))


def _groups(slices: Sequence[ResourceSlice], fallback: str, pool: str) -> dict[_Type, list[Device]] | str:
    """The devices that use counters, by type; all of one type must cost the same."""
    groups: dict[_Type, list[Device]] = {}
    for one in slices:
        attribute = one.spec.partition_type_attribute or fallback
        for device in one.spec.devices or () if attribute else ():
            if not device.consumes_counters:
                continue
            value = _type_of(device, attribute, one.spec.driver)
            if not value:
                return words.partition_without_type(pool, device.name, attribute)
            groups.setdefault((attribute, value), []).append(device)
    for (_, value), devices in groups.items():
        if any(_cost(device) != _cost(devices[0]) for device in devices):
            return words.partition_costs_differ(pool, value)
    return groups


def _type_of(device: Device, attribute: str, driver: str) -> str | None:
    domain, _, name = attribute.partition("/")
    value = device.attributes.get(attribute)
    if value is None and domain == driver:
        value = device.attributes.get(name)
    return None if value is None else value.string_value


def _cost(device: Device) -> _Cost:
    uses = counter_uses(device)
    return {(use.counter_set, name): amount for use in uses for name, amount in use.amounts}


def _headroom(slices: Iterable[ResourceSlice], used: frozenset[str]) -> _Cost:
    """What is left of each counter."""
    left: dict[CounterKey, int] = {}
    for one in slices:
        for counters in one.spec.shared_counters or ():
            left.update({(counters.name, name): counter.value.nano for name, counter in counters.counters.items()})
    taken = {device.name: device for device in _devices(slices) if device.name in used}
    for device in taken.values():
        for key, amount in _cost(device).items():
            left[key] = left.get(key, 0) - amount
    return left


def _partition(kind: _Type, devices: Sequence[Device], headroom: _Cost, used: frozenset[str]) -> PartitionTypeStatus:
    """How many devices of a type fit yet: every type has all that is left to itself (C3.5)."""
    left = dict(headroom)
    fitting = 0
    for device in devices:
        cost = _cost(device)
        if device.name in used or any(left.get(key, -1) < amount for key, amount in cost.items()):
            continue
        fitting += 1
        for key, amount in cost.items():
            left[key] -= amount
    return PartitionTypeStatus(attribute=kind[0], type=kind[1], total=len(devices), allocatable=fitting)


def _shareable(
    slices: Sequence[ResourceSlice], results: Sequence[Result], pool: str
) -> ShareableSummaryStatus | str | None:
    devices = tuple(device for device in _devices(slices) if device.allow_multiple_allocations)
    if not devices:
        return None
    held = tuple(one for one in results if not one.admin_access)
    total = _summed((name, entry.value) for device in devices for name, entry in device.capacity.items())
    if len(total) > _MOST:
        return words.too_many_capacities(pool, len(total), _MOST)
    consumed = _summed(item for one in held for item in one.consumed_capacity.items())
    names = frozenset(one.device for one in held)
    partly = sum(1 for device in devices if device.name in names)
    return ShareableSummaryStatus(
        fully_available_devices=len(devices) - partly,
        partially_available_devices=partly,
        capacity=tuple(_capacity(name, total[name], consumed.get(name, ZERO)) for name in sorted(total)),
    )


def _capacity(name: str, total: Quantity, consumed: Quantity) -> ShareableCapacityStatus:
    available = total - consumed if consumed <= total else ZERO
    return ShareableCapacityStatus(name=name, total=total, consumed=consumed, available=available)


def _summed(amounts: Iterable[tuple[str, Quantity]]) -> Mapping[str, Quantity]:
    found: dict[str, Quantity] = {}
    for name, amount in amounts:
        found[name] = found.get(name, ZERO) + amount
    return found


def _devices(slices: Iterable[ResourceSlice]) -> Iterator[Device]:
    return (device for one in slices for device in one.spec.devices or ())
