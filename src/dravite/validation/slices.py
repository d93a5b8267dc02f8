"""Rules about ResourceSlice (2.11)."""

from __future__ import annotations

from typing import Final

from dravite.api.field import child, keyed
from dravite.api.names import why_not_dns_subdomain
from dravite.api.releases import Profile
from dravite.api.resource_v1 import Device, DeviceAttribute, ResourceSlice, ResourceSliceSpec
from dravite.validation import name_rules
from dravite.validation.counters import counter_sets, old_counter_limits
from dravite.validation.declarations import IMMUTABLE
from dravite.validation.devices import device, is_usual
from dravite.validation.faults import (
    Faults,
    declared,
    forbidden,
    invalid,
    invalid_each,
    is_declared,
    not_supported,
    repeated,
    required,
    too_many,
)
from dravite.validation.limits import Limits, limits
from dravite.validation.metadata import Kept, metadata
from dravite.validation.metadata_updates import metadata_update
from dravite.validation.node_selectors import node_selector

MAX_DEVICES: Final = 128

_NODES: Final = "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required"
_UNSET_OR_TRUE: Final = "must be either unset or set to true"
_PREPARE: Final = "NodePrepareResources"
_UNPREPARE: Final = "NodeUnprepareResources"
_OPERATIONS: Final = ("*", _PREPARE, _UNPREPARE)


def resource_slice(item: ResourceSlice, profile: Profile) -> Faults:
    """A ResourceSlice that is created."""
    yield from metadata(item.metadata, profile, Kept.CLUSTER)
    yield from _spec(item.spec, None, profile)


def resource_slice_update(item: ResourceSlice, old: ResourceSlice, profile: Profile) -> Faults:
    """A ResourceSlice that is updated: what its devices are and who can reach them may change, whose they are not."""
    yield from metadata_update(item.metadata, old.metadata, profile)
    yield from _spec(item.spec, old.spec, profile)


def _spec(spec: ResourceSliceSpec, old: ResourceSliceSpec | None, profile: Profile) -> Faults:
    yield from name_rules.driver("spec.driver", spec.driver)
    yield from _pool(spec, "spec.pool")
    if old is not None:
        yield from _fixed(spec, old)
    yield from _nodes(spec, "spec")
    if spec.shared_counters is not None and spec.devices is not None and profile.is_at_least("1.35"):
        yield invalid("spec", "", "only one of `sharedCounters` or `devices` is allowed")
    yield from _devices(spec, old, profile, "spec.devices")
    if spec.shared_counters:
        yield from old_counter_limits(spec.shared_counters, profile, "spec.sharedCounters")
        yield from counter_sets(spec.shared_counters, profile, "spec.sharedCounters")
    if spec.partition_type_attribute is not None:
        yield from _partition_type(spec, spec.partition_type_attribute, profile)
        if old is None or spec.partition_type_attribute != old.partition_type_attribute:
            yield from declared(_new_partition_type(spec.partition_type_attribute, profile))
    yield from skipped_operations(spec.skip_node_operations, "spec.skipNodeOperations")


def _new_partition_type(name: str, profile: Profile) -> Faults:
    """What is declared of the name: only with the gate on may it change at all."""
    if profile.enabled("DRAPartitionableDevicesType"):
        yield from _partition_name(name, profile)
    else:
        yield forbidden("spec.partitionTypeAttribute", "")


def _fixed(spec: ResourceSliceSpec, old: ResourceSliceSpec) -> Faults:
    for path, value, before in (
        ("spec.pool.name", spec.pool.name, old.pool.name),
        ("spec.driver", spec.driver, old.driver),
        ("spec.nodeName", spec.node_name, old.node_name),
    ):
        if value != before:
            yield invalid(path, value, IMMUTABLE)


def _pool(spec: ResourceSliceSpec, path: str) -> Faults:
    yield from name_rules.pool(child(path, "name"), spec.pool.name)
    count = spec.pool.resource_slice_count
    if count <= 0:
        yield invalid(child(path, "resourceSliceCount"), count, "must be greater than zero")
    if spec.pool.generation < 0:
        yield invalid(child(path, "generation"), spec.pool.generation, "must be greater than or equal to zero")


def _nodes(spec: ResourceSliceSpec, path: str) -> Faults:
    """Which nodes can reach the devices: said in exactly one way."""
    if spec.node_name is not None:
        place = child(path, "nodeName")
        if not spec.node_name:
            yield invalid(place, spec.node_name, "must be either unset or set to a non-empty string")
        else:
            yield from invalid_each(place, spec.node_name, why_not_dns_subdomain(spec.node_name, "characters"))
    if spec.node_selector is not None:
        place = child(path, "nodeSelector")
        yield from node_selector(spec.node_selector, place)
        terms = spec.node_selector.node_selector_terms
        if len(terms) != 1:
            yield invalid(child(place, "nodeSelectorTerms"), terms, "must have exactly one node selector term")
    if spec.all_nodes is False:
        yield invalid(child(path, "allNodes"), spec.all_nodes, _UNSET_OR_TRUE)
    if spec.per_device_node_selection is False:
        yield invalid(child(path, "perDeviceNodeSelection"), spec.per_device_node_selection, _UNSET_OR_TRUE)
    ways = (
        ("nodeName", spec.node_name),
        ("nodeSelector", spec.node_selector),
        ("allNodes", spec.all_nodes),
        ("perDeviceNodeSelection", spec.per_device_node_selection),
    )
    present = [name for name, value in ways if value]
    if not present:
        yield required(path, _NODES)
    elif len(present) > 1:
        value = "{" + ", ".join(f"`{name}`" for name in present) + "}"
        yield invalid(path, value, f"{_NODES}, but multiple fields are set")


def _devices(spec: ResourceSliceSpec, old: ResourceSliceSpec | None, profile: Profile, path: str) -> Faults:
    devices = spec.devices or ()
    before = {item.name: item for item in reversed(old.devices or ())} if old is not None else {}
    selects_nodes = bool(spec.per_device_node_selection)
    limit = _most_devices(devices, limits(profile))
    if len(devices) > limit:
        yield too_many(path, len(devices), limit)
    for position, item in enumerate(devices):
        if not selects_nodes and is_usual(item):
            continue
        place = child(path, position)
        found = device(item, profile, place, selects_nodes=selects_nodes, old=before.get(item.name))
        yield from found if len(devices) <= limit else (error for error in found if is_declared(error, profile))
    if len(devices) > limit:
        return
    names = [item.name for item in devices]
    if len(set(names)) < len(names):
        yield from repeated(path, names)


def _most_devices(devices: tuple[Device, ...], limit: Limits) -> int:
    """How many devices a slice may have: fewer when any of them says much."""
    if len(devices) > limit.rich_devices and any(item.taints or item.consumes_counters for item in devices):
        return limit.rich_devices
    if len(devices) > limit.list_devices and any(any(map(_is_list, item.attributes.values())) for item in devices):
        return limit.list_devices
    return MAX_DEVICES


def _is_list(value: DeviceAttribute) -> bool:
    """Whether an attribute is a list, be it empty."""
    return (
        value.int_values is not None
        or value.bool_values is not None
        or value.string_values is not None
        or value.version_values is not None
    )


_PARTITION: Final = "spec.partitionTypeAttribute"


def _partition_name(name: str, profile: Profile) -> Faults:
    return name_rules.fully_qualified(_PARTITION, name, profile)


def _partition_type(spec: ResourceSliceSpec, name: str, profile: Profile) -> Faults:
    consumers = [(position, item) for position, item in enumerate(spec.devices or ()) if item.consumes_counters]
    if not consumers:
        yield invalid(_PARTITION, name, "may only be set on a slice which declares devices that consume counters")
    if next(_partition_name(name, profile), None) is not None:
        return
    domain, _, bare = name.partition("/")
    for position, item in consumers:
        value = item.attributes.get(name)
        if value is None and domain == spec.driver:
            value = item.attributes.get(bare)
        place = keyed(child("spec.devices", position, "attributes"), name)
        if value is None:
            detail = "device consumes counters and `partitionTypeAttribute` names this attribute, so it must be set"
            yield required(place, detail)
        elif value.string_value is None:
            yield invalid(place, value, "must be a string value because `partitionTypeAttribute` names this attribute")


def skipped_operations(items: tuple[str, ...], path: str) -> Faults:
    """Operations that a node may skip for a device."""
    yield from declared(repeated(path, items))
    for position, item in enumerate(items):
        if item not in _OPERATIONS:
            yield from declared((not_supported(child(path, position), item, _OPERATIONS),))
    if _PREPARE in items and _UNPREPARE not in items and "*" not in items:
        yield invalid(path, items, f"{_PREPARE} cannot be skipped unless {_UNPREPARE} is also skipped")
