"""Rules about device taints, tolerations (2.13), and DeviceTaintRule (2.16)."""

from __future__ import annotations

from typing import Final

from dravite.api.field import child
from dravite.api.names import why_not_label_key, why_not_label_value
from dravite.api.releases import Profile
from dravite.api.resource_v1 import DeviceTaint, DeviceTaintRule, DeviceTaintSelector, DeviceToleration
from dravite.validation import name_rules
from dravite.validation.conditions import conditions
from dravite.validation.faults import (
    Faults,
    declared,
    invalid,
    invalid_each,
    not_supported,
    required,
    too_many,
)
from dravite.validation.limits import limits
from dravite.validation.metadata import Kept, metadata
from dravite.validation.metadata_updates import metadata_update

MAX_CONDITIONS: Final = 8

_EQUAL: Final = "Equal"
_EXISTS: Final = "Exists"
_OPERATORS: Final = (_EQUAL, _EXISTS)


def effects(profile: Profile) -> tuple[str, ...]:
    """The effects that a release knows."""
    return ("NoExecute", "NoSchedule", "None") if profile.is_at_least("1.35") else ("NoExecute", "NoSchedule")


def taints(items: tuple[DeviceTaint, ...], profile: Profile, path: str) -> Faults:
    """The taints of a device. Their effects are left to `taint_effects` where that rule is declared."""
    limit = limits(profile).taints
    if len(items) > limit:
        yield too_many(path, len(items), limit)
        return
    for position, item in enumerate(items):
        yield from taint(item, child(path, position))
        if not profile.is_at_least("1.37"):
            yield from taint_effect(item, profile, child(path, position, "effect"))


def taint_effects(items: tuple[DeviceTaint, ...], profile: Profile, path: str) -> Faults:
    """The effects of taints, however many there are: a rule that is declared since 1.37."""
    for position, item in enumerate(items):
        yield from taint_effect(item, profile, child(path, position, "effect"))


def taint(item: DeviceTaint, path: str) -> Faults:
    """One taint, but for its effect."""
    yield from invalid_each(child(path, "key"), item.key, why_not_label_key(item.key))
    yield from invalid_each(child(path, "value"), item.value, why_not_label_value(item.value))


def taint_effect(item: DeviceTaint, profile: Profile, path: str) -> Faults:
    """The effect of one taint."""
    if not item.effect:
        yield from declared((required(path),))
    elif item.effect not in effects(profile):
        yield from declared((not_supported(path, item.effect, effects(profile)),))


def tolerations(items: tuple[DeviceToleration, ...], profile: Profile, path: str) -> Faults:
    """The tolerations of a request, of any number."""
    for position, item in enumerate(items):
        yield from _toleration(item, profile, child(path, position))


def _toleration(item: DeviceToleration, profile: Profile, path: str) -> Faults:
    if item.key:
        yield from declared(invalid_each(child(path, "key"), item.key, why_not_label_key(item.key)))
    place = child(path, "operator")
    if not item.operator:
        yield required(place)
    elif item.operator not in _OPERATORS:
        yield from declared((not_supported(place, item.operator, _OPERATORS),))
    place = child(path, "value")
    if item.operator == _EXISTS and item.value:
        yield invalid(place, item.value, "must be empty for operator `Exists`")
    elif item.operator == _EQUAL:
        yield from invalid_each(place, item.value, why_not_label_value(item.value))
    if item.effect and item.effect not in effects(profile):
        yield from declared((not_supported(child(path, "effect"), item.effect, effects(profile)),))


def taint_rule(rule: DeviceTaintRule, profile: Profile) -> Faults:
    """A DeviceTaintRule that is created."""
    yield from metadata(rule.metadata, profile, Kept.CLUSTER)
    if rule.spec.device_selector is not None:
        yield from _device_selector(rule.spec.device_selector, "spec.deviceSelector")
    yield from taint(rule.spec.taint, "spec.taint")
    yield from taint_effect(rule.spec.taint, profile, "spec.taint.effect")


def taint_rule_update(rule: DeviceTaintRule, old: DeviceTaintRule, profile: Profile) -> Faults:
    """A DeviceTaintRule that is updated. An effect that stays is not looked at."""
    yield from metadata_update(rule.metadata, old.metadata, profile)
    if rule.spec.device_selector is not None:
        yield from _device_selector(rule.spec.device_selector, "spec.deviceSelector")
    yield from taint(rule.spec.taint, "spec.taint")
    if rule.spec.taint.effect != old.spec.taint.effect:
        yield from taint_effect(rule.spec.taint, profile, "spec.taint.effect")


def taint_rule_status(rule: DeviceTaintRule, old: DeviceTaintRule, profile: Profile) -> Faults:
    """A DeviceTaintRule whose status is updated."""
    place = "status.conditions"
    yield from conditions(rule.status.conditions, profile, place)
    if len(rule.status.conditions) > MAX_CONDITIONS:
        yield too_many(place, len(rule.status.conditions), MAX_CONDITIONS)


def _device_selector(selector: DeviceTaintSelector, path: str) -> Faults:
    if selector.driver is not None:
        yield from name_rules.driver(child(path, "driver"), selector.driver)
    if selector.pool is not None:
        yield from name_rules.pool(child(path, "pool"), selector.pool)
    if selector.device is not None:
        yield from name_rules.label(child(path, "device"), selector.device, "characters")
