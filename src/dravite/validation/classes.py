"""Rules about DeviceClass (2.2) and PriorityClass (3.1)."""

from __future__ import annotations

from typing import Final

from dravite.api.field import child
from dravite.api.names import why_not_label_key
from dravite.api.releases import Profile
from dravite.api.resource_v1 import DeviceClass, DeviceClassSpec
from dravite.api.scheduling_v1 import PriorityClass
from dravite.validation.alike import alike
from dravite.validation.declarations import IMMUTABLE
from dravite.validation.faults import (
    Faults,
    declared,
    forbidden,
    invalid,
    invalid_each,
    not_supported,
    required,
    too_many,
)
from dravite.validation.metadata import Kept, metadata
from dravite.validation.metadata_updates import metadata_update
from dravite.validation.opaque import opaque
from dravite.validation.selectors import selectors

MAX_CONFIG: Final = 32
MAX_USER_PRIORITY: Final = 1_000_000_000

_SYSTEM: Final = {"system-cluster-critical": 2_000_000_000, "system-node-critical": 2_000_001_000}
_POLICIES: Final = ("PreemptLowerPriority", "Never")


def device_class(item: DeviceClass, profile: Profile) -> Faults:
    """A DeviceClass that is created."""
    yield from metadata(item.metadata, profile, Kept.CLASS)
    yield from _spec(item.spec, None, profile)


def device_class_update(item: DeviceClass, old: DeviceClass, profile: Profile) -> Faults:
    """A DeviceClass that is updated."""
    yield from metadata_update(item.metadata, old.metadata, profile)
    yield from _spec(item.spec, old.spec, profile)


def _spec(spec: DeviceClassSpec, old: DeviceClassSpec | None, profile: Profile) -> Faults:
    """Selectors and configuration that are as they were count as stored, each list as a whole."""
    stored = old is not None and alike(spec.selectors, old.selectors)
    yield from selectors(spec.selectors, profile, "spec.selectors", stored=stored)
    stored = old is not None and alike(spec.config, old.config)
    if len(spec.config) > MAX_CONFIG:
        yield from declared((too_many("spec.config", len(spec.config), MAX_CONFIG),))
    else:
        for position, config in enumerate(spec.config):
            yield from opaque(config.opaque, profile, child("spec.config", position, "opaque"), stored=stored)
    if spec.extended_resource_name is not None:
        name, path = spec.extended_resource_name, "spec.extendedResourceName"
        found = _extended_resource(name, path)
        if not profile.is_at_least("1.37"):
            if next(found, None) is not None:
                yield invalid(path, name, "must be a valid extended resource name")
        elif old is None or name != old.extended_resource_name:
            yield from declared(found)


def _extended_resource(name: str, path: str) -> Faults:
    if "/" not in name:
        yield invalid(path, name, "a name must be a domain-prefixed path, such as 'example.com/my-prop'")
    if "kubernetes.io/" in name:
        yield invalid(path, name, 'must not have "kubernetes.io/" domain')
    if name.startswith("requests."):
        yield invalid(path, name, 'must not have "requests." prefix')
    yield from invalid_each(path, name, why_not_label_key(f"requests.{name}"))


def priority_class(item: PriorityClass, profile: Profile) -> Faults:
    """A PriorityClass that is created."""
    yield from metadata(item.metadata, profile, Kept.CLUSTER)
    name = item.metadata.name
    if name.startswith("system-"):
        reason = _why_no_system_class(item)
        if reason:
            prefix = "priority class names with 'system-' prefix are reserved for system use only. error: "
            yield forbidden("metadata.name", prefix + reason)
    elif item.value > MAX_USER_PRIORITY:
        yield forbidden("value", f"maximum allowed value of a user defined priority is {MAX_USER_PRIORITY}")
    policy = item.preemption_policy
    if policy is not None and not policy:
        yield required("preemptionPolicy")
    elif policy is not None and policy not in _POLICIES:
        yield not_supported("preemptionPolicy", policy, _POLICIES)


def priority_class_update(item: PriorityClass, old: PriorityClass, profile: Profile) -> Faults:
    """A PriorityClass that is updated."""
    yield from metadata_update(item.metadata, old.metadata, profile)
    if item.value != old.value:
        yield forbidden("value", "may not be changed in an update.")
    if item.preemption_policy != old.preemption_policy:
        yield invalid("preemptionPolicy", item.preemption_policy, IMMUTABLE)


def _why_no_system_class(item: PriorityClass) -> str | None:
    name = item.metadata.name
    if name not in _SYSTEM:
        return f"{name} is not a known system priority class"
    if item.value != _SYSTEM[name]:
        return f"value of {name} PriorityClass must be {_SYSTEM[name]}"
    return f"globalDefault of {name} PriorityClass must be false" if item.global_default else None
