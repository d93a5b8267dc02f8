"""Rules of 1.31 about ResourceSlice (2.11)."""

from __future__ import annotations

from typing import Final

from dravite.api.field import child, keyed
from dravite.api.names import why_not_dns_label, why_not_dns_subdomain
from dravite.api.releases import Profile
from dravite.api.resource_v1 import DeviceAttribute
from dravite.api.resource_v1alpha3 import BasicDevice, Device, ResourceSlice, ResourceSliceSpec
from dravite.validation.classic import names
from dravite.validation.classic.lists import each_once, longer_than
from dravite.validation.declarations import IMMUTABLE
from dravite.validation.devices import is_semver
from dravite.validation.faults import Faults, invalid, invalid_each, required
from dravite.validation.metadata import Kept, metadata
from dravite.validation.metadata_updates import metadata_update
from dravite.validation.node_selectors import node_selector

MAX_DEVICES: Final = 128
MAX_ENTRIES: Final = 32
MAX_TEXT: Final = 64

_NODES: Final = "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required"


def resource_slice(item: ResourceSlice, profile: Profile) -> Faults:
    """A ResourceSlice that is created."""
    yield from metadata(item.metadata, profile, Kept.CLUSTER)
    yield from _spec(item.spec, None)


def resource_slice_update(item: ResourceSlice, old: ResourceSlice, profile: Profile) -> Faults:
    """A ResourceSlice that is updated."""
    yield from metadata_update(item.metadata, old.metadata, profile)
    yield from _spec(item.spec, old.spec)


def _spec(spec: ResourceSliceSpec, old: ResourceSliceSpec | None) -> Faults:
    yield from names.driver("spec.driver", spec.driver)
    yield from names.pool("spec.pool.name", spec.pool.name)
    if spec.pool.resource_slice_count <= 0:
        yield invalid("spec.pool.resourceSliceCount", spec.pool.resource_slice_count, "must be greater than zero")
    if spec.pool.generation < 0:
        yield invalid("spec.pool.generation", spec.pool.generation, "must be greater than or equal to zero")
    if old is not None:
        yield from _fixed(spec, old)
    yield from _nodes(spec, "spec")
    yield from each_once(spec.devices or (), MAX_DEVICES, _device, "spec.devices", "name")


def _fixed(spec: ResourceSliceSpec, old: ResourceSliceSpec) -> Faults:
    for path, value, before in (
        ("spec.pool.name", spec.pool.name, old.pool.name),
        ("spec.driver", spec.driver, old.driver),
        ("spec.nodeName", spec.node_name, old.node_name),
    ):
        if value != before:
            yield invalid(path, value, IMMUTABLE)


def _nodes(spec: ResourceSliceSpec, path: str) -> Faults:
    if spec.node_name:
        yield from invalid_each(child(path, "nodeName"), spec.node_name, why_not_dns_subdomain(spec.node_name))
    if spec.node_selector is not None:
        place = child(path, "nodeSelector")
        yield from node_selector(spec.node_selector, place, reads_values=False)
        terms = spec.node_selector.node_selector_terms
        if len(terms) != 1:
            yield invalid(child(place, "nodeSelectorTerms"), terms, "must have exactly one selector term")
    ways = sum((bool(spec.node_name), spec.node_selector is not None, spec.all_nodes))
    if ways == 0:
        yield required(path, _NODES)
    elif ways > 1:
        yield invalid(path, spec, _NODES)


def _device(item: Device, path: str) -> Faults:
    yield from invalid_each(child(path, "name"), item.name, why_not_dns_label(item.name))
    place = child(path, "basic")
    if item.basic is None:
        yield required(place)
    else:
        yield from _basic(item.basic, place)


def _basic(item: BasicDevice, path: str) -> Faults:
    place = child(path, "attributes")
    for name in sorted(item.attributes):
        yield from names.qualified(place, name)
        yield from _attribute(item.attributes[name], keyed(place, name))
    for name in sorted(item.capacity):
        yield from names.qualified(child(path, "capacity"), name)
    entries = len(item.attributes) + len(item.capacity)
    if entries > MAX_ENTRIES:
        yield invalid(path, entries, f"the total number of attributes and capacities must not exceed {MAX_ENTRIES}")


def _attribute(value: DeviceAttribute, path: str) -> Faults:
    if value.string_value is not None and len(value.string_value.encode()) > MAX_TEXT:
        yield longer_than(child(path, "string"), MAX_TEXT)
    if value.version_value is not None:
        place = child(path, "version")
        if not is_semver(value.version_value):
            yield invalid(place, value.version_value, "must be a string compatible with semver.org spec 2.0.0")
        if len(value.version_value.encode()) > MAX_TEXT:
            yield longer_than(place, MAX_TEXT)
    members = (value.bool_value, value.int_value, value.string_value, value.version_value)
    present = sum(member is not None for member in members)
    if present == 0:
        yield required(path, "exactly one value must be specified")
    elif present > 1:
        yield invalid(path, value, "exactly one field must be specified")
