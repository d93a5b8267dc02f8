"""Rules about shared counters and their consumption (2.11)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from operator import attrgetter
from typing import Final

from dravite.api.field import child
from dravite.api.releases import Profile
from dravite.api.resource_v1 import Counter, CounterSet, DeviceCounterConsumption
from dravite.validation import name_rules
from dravite.validation.faults import Faults, declared, repeated, required, too_many
from dravite.validation.limits import limits
from dravite.validation.lists import each_once

MAX_SETS: Final = 8
MAX_CONSUMED_SETS: Final = 2
MAX_COUNTERS: Final = 32
MAX_GROUPS: Final = 2


def counter_sets(items: tuple[CounterSet, ...], profile: Profile, path: str) -> Faults:
    """The counter sets that a slice publishes."""
    if len(items) > MAX_SETS:
        yield from declared((too_many(path, len(items), MAX_SETS),))
        return
    yield from each_once(items, partial(_counter_set, profile=profile), path, profile, attrgetter("name"))


def _counter_set(item: CounterSet, path: str, profile: Profile) -> Faults:
    yield from declared(name_rules.required_label(child(path, "name"), item.name))
    yield from _counters(item.counters, profile, child(path, "counters"))


def consumption(items: tuple[DeviceCounterConsumption, ...], profile: Profile, path: str) -> Faults:
    """What a device consumes. Whether such sets exist, another slice may say."""
    if len(items) > MAX_CONSUMED_SETS:
        yield from declared((too_many(path, len(items), MAX_CONSUMED_SETS),))
        return
    yield from each_once(items, partial(_consumed, profile=profile), path, profile, attrgetter("counter_set"))


def _consumed(item: DeviceCounterConsumption, path: str, profile: Profile) -> Faults:
    yield from declared(name_rules.required_label(child(path, "counterSet"), item.counter_set))
    yield from _counters(item.counters, profile, child(path, "counters"))
    yield from declared(_groups(item.compatibility_groups, child(path, "compatibilityGroups")))


def _counters(items: Mapping[str, Counter], profile: Profile, path: str) -> Faults:
    if not items:
        yield from declared((required(path),))
        return
    if len(items) > MAX_COUNTERS:
        yield too_many(path, len(items), MAX_COUNTERS)
    if len(items) <= MAX_COUNTERS or profile.is_at_least("1.37"):
        for name in sorted(items):
            yield from declared(name_rules.label(path, name))


def _groups(items: tuple[str, ...], path: str) -> Faults:
    if len(items) > MAX_GROUPS:
        yield too_many(path, len(items), MAX_GROUPS)
        return
    for position, item in enumerate(items):
        yield from name_rules.label(child(path, position), item)
    yield from repeated(path, items)


def old_counter_limits(sets: tuple[CounterSet, ...], profile: Profile, path: str) -> Faults:
    """1.33 and 1.34 counted the counters of all sets together."""
    total, limit = sum(len(item.counters) for item in sets), limits(profile).counters
    if limit is not None and total > limit:
        yield too_many(path, total, limit)
