"""Rules about one device of a slice (2.11, 2.11.1, 2.12)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import repeat
from operator import attrgetter, ne
from typing import Final

from dravite.api.field import child, keyed
from dravite.api.names import why_not_dns_subdomain
from dravite.api.releases import Profile
from dravite.api.resource_v1 import Device, DeviceAttribute
from dravite.validation import name_rules
from dravite.validation.alike import alike
from dravite.validation.binding import binding_conditions
from dravite.validation.capacity import request_policy
from dravite.validation.counters import consumption
from dravite.validation.faults import (
    Faults,
    declared,
    invalid,
    invalid_each,
    required,
    too_long,
)
from dravite.validation.limits import limits
from dravite.validation.node_resources import node_resource_mappings, node_resources
from dravite.validation.node_selectors import node_selector
from dravite.validation.taints import taint_effects, taints

MAX_ENTRIES: Final = 32
MAX_TEXT: Final = 64

_MEMBERS: Final = (
    ("int", "int_value"),
    ("bool", "bool_value"),
    ("string", "string_value"),
    ("version", "version_value"),
    ("ints", "int_values"),
    ("bools", "bool_values"),
    ("strings", "string_values"),
    ("versions", "version_values"),
)
_NUMBER = r"(?:0|[1-9][0-9]*)"
_WORD = r"(?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)"
_SEMVER: Final = re.compile(
    rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}(-{_WORD}(\.{_WORD})*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?"
)
_LISTS: Final = _MEMBERS[4:]
_ONE_OF: Final = ", ".join(f"`{name}`" for name, _ in _MEMBERS)
_NODES: Final = (
    "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` "
    "is set to true in the ResourceSlice spec"
)
_NO_NODES: Final = (
    "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` "
    "is set to true in the ResourceSlice spec"
)


def device(
    item: Device, profile: Profile, path: str, *, selects_nodes: bool = False, old: Device | None = None
) -> Faults:
    """One device. `selects_nodes` says whether each device of the slice has node rules of its own.

    `old` is the stored device of that name: taints, and since 1.37 capacities, that are as they were are not looked at.
    """
    if not _is_good_label(item.name):
        yield from name_rules.label(child(path, "name"), item.name, "characters")
    if not _is_plain(item):
        yield from _totals(item, profile, path)
        yield from _attributes(item, profile, child(path, "attributes"))
    if old is None or not profile.is_at_least("1.37") or not alike(item.capacity, old.capacity):
        yield from _capacities(item, profile, child(path, "capacity"))
    if item.taints and (old is None or not alike(item.taints, old.taints)):
        yield from taints(item.taints, profile, child(path, "taints"))
    if item.consumes_counters:
        yield from consumption(item.consumes_counters, profile, child(path, "consumesCounters"))
    if item.taints and profile.is_at_least("1.37"):
        yield from taint_effects(item.taints, profile, child(path, "taints"))
    yield from _nodes(item, path, selects_nodes=selects_nodes)
    if item.binding_conditions is not None or item.binding_failure_conditions is not None:
        yield from binding_conditions(item.binding_conditions, item.binding_failure_conditions, path)
    if item.node_allocatable_resources:
        yield from node_resources(item, child(path, "nodeAllocatableResources"))
    if item.node_allocatable_resource_mappings:
        yield from node_resource_mappings(item, child(path, "nodeAllocatableResourceMappings"))


def _totals(item: Device, profile: Profile, path: str) -> Faults:
    entries = len(item.attributes) + len(item.capacity)
    if entries > MAX_ENTRIES:
        yield invalid(path, entries, f"the total number of attributes and capacities must not exceed {MAX_ENTRIES}")
    limit = limits(profile).values
    values = sum(_count(value) for value in item.attributes.values())
    if limit is not None and values > limit:
        yield invalid(path, values, f"the total number of attribute values must not exceed {limit}")


def is_usual(item: Device) -> bool:
    """Whether `device` has nothing to say of a device of a slice without node rules: decided fast, as nearly all are.

    It says nothing else than `device` does; a device that is not usual may still be good.
    """
    return _rare(item) == _NOTHING_RARE and _is_good_label(item.name) and _is_plain(item) and _has_plain_capacity(item)


def _is_plain(item: Device) -> bool:
    """Whether all names and attributes are of the usual kind, and few."""
    values = item.attributes.values()
    return (
        len(item.attributes) + len(item.capacity) <= MAX_ENTRIES
        and all(map(_is_good_name, item.attributes))
        and not any(map(ne, map(_lists_of, values), repeat(_NO_LISTS)))
        and _are_plain_scalars(values)
    )


def _are_plain_scalars(values: Iterable[DeviceAttribute]) -> bool:
    """Whether each is one short ASCII text, version, number or bool."""
    for text, version, number, flag in map(_scalars_of, values):
        if text is not None:
            if not (version is number is flag is None and len(text) <= MAX_TEXT and text.isascii()):
                return False
        elif version is not None:
            if not (number is flag is None and len(version) <= MAX_TEXT and is_semver(version)):
                return False
        elif (number is None) == (flag is None):
            return False
    return True


def _count(value: DeviceAttribute) -> int:
    """How many values an attribute holds: the items of lists count each, everything else counts once."""
    lists = (getattr(value, name) or () for _, name in _LISTS)
    return sum(map(len, lists)) or 1


def _attributes(item: Device, profile: Profile, path: str) -> Faults:
    for name in sorted(item.attributes):
        if not _is_good_name(name):
            yield from name_rules.qualified(path, name)
        yield from _attribute(item.attributes[name], profile, keyed(path, name))


@lru_cache(maxsize=65536)
def _is_good_name(name: str) -> bool:
    return next(name_rules.qualified("", name), None) is None


def _attribute(value: DeviceAttribute, profile: Profile, path: str) -> Faults:
    if value.string_value is not None and len(value.string_value.encode()) > MAX_TEXT:
        yield too_long(child(path, "string"), MAX_TEXT)
    if value.version_value is not None:
        yield from _version(value.version_value, child(path, "version"))
    for name, attribute in _LISTS:
        if getattr(value, attribute) == ():
            yield invalid(child(path, name), (), "must not be empty if specified")
    for position, text in enumerate(value.string_values or ()):
        if len(text.encode()) > MAX_TEXT:
            yield too_long(child(path, "strings", position), MAX_TEXT)
    for position, text in enumerate(value.version_values or ()):
        yield from _version(text, child(path, "versions", position))
    yield from _union(value, path) if profile.is_at_least("1.37") else _old_union(value, profile, path)


def _old_union(value: DeviceAttribute, profile: Profile, path: str) -> Faults:
    """Before 1.37 an empty list was a value. 1.31 missed what 1.32 finds wrong."""
    count = sum(getattr(value, attribute) is not None for _, attribute in _MEMBERS)
    detail = "exactly one value must be specified"
    if count == 0 and not profile.is_at_least("1.32"):
        yield required(path, detail)
    elif count != 1:
        yield invalid(path, "" if count == 0 else value, detail)


def _union(value: DeviceAttribute, path: str) -> Faults:
    present = [name for name, attribute in _MEMBERS if getattr(value, attribute) not in (None, ())]
    if not present:
        yield from declared((invalid(path, "", f"must specify one of: {_ONE_OF}"),))
    elif len(present) > 1:
        shown = "{" + ", ".join(present) + "}"
        yield from declared((invalid(path, shown, f"must specify exactly one of: {_ONE_OF}"),))
    elif sum(getattr(value, attribute) is not None for _, attribute in _MEMBERS) > 1:
        yield invalid(path, value, "exactly one value must be specified")


def _version(text: str, path: str) -> Faults:
    if not is_semver(text):
        yield invalid(path, text, "must be a string compatible with semver.org spec 2.0.0")
    if len(text.encode()) > MAX_TEXT:
        yield too_long(path, MAX_TEXT)


@lru_cache(maxsize=4096)
def is_semver(text: str) -> bool:
    """The grammar of semver.org 2.0.0, with numbers of any size: only CEL minds how large they are."""
    return _SEMVER.fullmatch(text) is not None


@lru_cache(maxsize=65536)
def _is_good_label(name: str) -> bool:
    return next(name_rules.label("", name), None) is None


def _capacities(item: Device, profile: Profile, path: str) -> Faults:
    if _has_plain_capacity(item):
        return
    for name in sorted(item.capacity):
        yield from name_rules.qualified(path, name)
        yield from request_policy(item, name, profile, keyed(path, name))


def _has_plain_capacity(item: Device) -> bool:
    """Whether all names of capacities are good, and none has a policy."""
    return all(map(_is_good_name, item.capacity)) and not any(map(_policy_of, item.capacity.values()))


_policy_of: Final = attrgetter("request_policy")
_scalars_of: Final = attrgetter("string_value", "version_value", "int_value", "bool_value")
_lists_of: Final = attrgetter(*(attribute for _, attribute in _LISTS))
_NO_LISTS: Final = _lists_of(DeviceAttribute())
_rare: Final = attrgetter(
    *("taints", "consumes_counters", "node_name", "node_selector", "all_nodes"),
    *("binding_conditions", "binding_failure_conditions"),
    *("node_allocatable_resources", "node_allocatable_resource_mappings"),
)
_NOTHING_RARE: Final = _rare(Device())


def _nodes(item: Device, path: str, *, selects_nodes: bool) -> Faults:
    fields = (("nodeName", item.node_name), ("nodeSelector", item.node_selector), ("allNodes", item.all_nodes))
    if not selects_nodes:
        if any(value is not None for _, value in fields):
            yield invalid(path, None, _NO_NODES)
        return
    if item.node_name is not None:
        place = child(path, "nodeName")
        if not item.node_name:
            yield invalid(place, item.node_name, "must not be empty")
        else:
            yield from invalid_each(place, item.node_name, why_not_dns_subdomain(item.node_name, "characters"))
    if item.node_selector is not None:
        yield from node_selector(item.node_selector, child(path, "nodeSelector"))
    if item.all_nodes is False:
        yield invalid(child(path, "allNodes"), item.all_nodes, "must be either unset or set to true")
    present = [name for name, value in fields if value]
    if not present:
        yield required(path, _NODES)
    elif len(present) > 1:
        yield invalid(path, "{" + ", ".join(f"`{name}`" for name in present) + "}", _NODES)
