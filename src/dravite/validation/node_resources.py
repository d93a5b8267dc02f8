"""Rules about what a device takes from its node's resources (2.11, since 1.37)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dravite.api.field import child, keyed
from dravite.api.resource_v1 import Device, NodeAllocatableMapping, NodeAllocatableOverhead, NodeAllocatableResource
from dravite.validation.faults import Faults, declared, invalid, not_found, required

_PLAIN: Final = ("cpu", "memory")


def node_resources(device: Device, path: str) -> Faults:
    """The mappings and overheads of a device."""
    for name in sorted(device.node_allocatable_resources):
        place = keyed(path, name)
        if name not in _PLAIN and not name.startswith("hugepages-"):
            yield invalid(place, name, "must be a node allocatable resource name")
        yield from _resource(device.node_allocatable_resources[name], device.capacity, place)


def _resource(item: NodeAllocatableResource, capacity: Mapping[str, object], path: str) -> Faults:
    if item.mapping is None and item.overhead is None:
        yield required(path, "at least one of mapping or overhead must be set")
    if item.mapping is not None:
        yield from _mapping(item.mapping, capacity, child(path, "mapping"))
    if item.overhead is not None:
        yield from _overhead(item.overhead, child(path, "overhead"))


def _mapping(item: NodeAllocatableMapping, capacity: Mapping[str, object], path: str) -> Faults:
    key = child(path, "capacityKey")
    if item.capacity_key is not None:
        if not item.capacity_key:
            yield invalid(key, item.capacity_key, "capacityKey must not be an empty string")
        elif item.capacity_key not in capacity:
            yield not_found(key, item.capacity_key)
        if item.capacity_multiplier is None:
            yield required(child(path, "capacityMultiplier"), "capacityMultiplier is required when capacityKey is set")
    elif item.capacity_multiplier is not None:
        yield required(key, "capacityKey is required when capacityMultiplier is set")
    for name, amount in (
        ("capacityMultiplier", item.capacity_multiplier if item.capacity_key is not None else None),
        ("deviceMultiplier", item.device_multiplier),
    ):
        if amount is not None and amount.nano <= 0:
            yield invalid(child(path, name), amount.text, "must be positive")
    yield from declared(_union(item, path))


def _union(item: NodeAllocatableMapping, path: str) -> Faults:
    members = (("capacityKey", item.capacity_key), ("deviceMultiplier", item.device_multiplier))
    present = [name for name, value in members if value is not None]
    if not present:
        yield invalid(path, "", "must specify one of: `capacityKey`, `deviceMultiplier`")
    elif len(present) > 1:
        value = "{" + ", ".join(present) + "}"
        yield invalid(path, value, "must specify exactly one of: `capacityKey`, `deviceMultiplier`")


def _overhead(item: NodeAllocatableOverhead, path: str) -> Faults:
    if item.per_pod is None and item.per_container is None:
        yield invalid(path, "", "at least one of perPod or perContainer must be set")
    for name, amount in (("perPod", item.per_pod), ("perContainer", item.per_container)):
        if amount is not None and amount.nano < 0:
            yield invalid(child(path, name), amount.text, "must be non-negative")


def node_resource_mappings(device: Device, path: str) -> Faults:
    """What 1.36 had instead: one multiplier of a capacity, or of the device."""
    for name in sorted(device.node_allocatable_resource_mappings):
        place, item = keyed(path, name), device.node_allocatable_resource_mappings[name]
        if "/" in name and "kubernetes.io/" not in name:
            yield invalid(place, name, "must be a node allocatable resource name")
        if item.allocation_multiplier is not None and item.allocation_multiplier.nano <= 0:
            yield invalid(child(place, "allocationMultiplier"), item.allocation_multiplier.text, "must be positive")
        if item.capacity_key == "":
            yield invalid(child(place, "capacityKey"), "", "capacityKey must not be an empty string")
        elif item.capacity_key is not None and item.capacity_key not in device.capacity:
            yield not_found(child(place, "capacityKey"), item.capacity_key)
        if item.allocation_multiplier is None and item.capacity_key is None:
            yield invalid(place, "", "at least one of allocationMultiplier or capacityKey must be set")
