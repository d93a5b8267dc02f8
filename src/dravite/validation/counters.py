"""Rules about shared counters and their consumption (2.11)."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import Final

from dravite.api.field import child
from dravite.api.releases import Profile
from dravite.api.resource_v1 import Counter, CounterSet, DeviceCounterConsumption
from dravite.validation import name_rules
from dravite.validation.faults import Faults, declared_lately, repeated, required, too_many
from dravite.validation.limits import limits

MAX_SETS: Final = 8
MAX_CONSUMED_SETS: Final = 2
MAX_COUNTERS: Final = 32
MAX_GROUPS: Final = 2


def counter_sets(items: tuple[CounterSet, ...], path: str) -> Faults:
    """The counter sets that a slice publishes."""
    if len(items) > MAX_SETS:
        yield from declared_lately((too_many(path, len(items), MAX_SETS),))
        return
    yield from declared_lately(repeated(path, items, attrgetter("name")))
    for position, item in enumerate(items):
        place = child(path, position)
        yield from declared_lately(name_rules.required_label(child(place, "name"), item.name))
        yield from _counters(item.counters, child(place, "counters"))


def consumption(items: tuple[DeviceCounterConsumption, ...], path: str) -> Faults:
    """What a device consumes. Whether such sets exist, another slice may say."""
    if len(items) > MAX_CONSUMED_SETS:
        yield from declared_lately((too_many(path, len(items), MAX_CONSUMED_SETS),))
        return
    yield from declared_lately(repeated(path, items, attrgetter("counter_set")))
    for position, item in enumerate(items):
        place = child(path, position)
        yield from declared_lately(name_rules.required_label(child(place, "counterSet"), item.counter_set))
        yield from _counters(item.counters, child(place, "counters"))
        yield from declared_lately(_groups(item.compatibility_groups, child(place, "compatibilityGroups")))


def _counters(items: Mapping[str, Counter], path: str) -> Faults:
    if not items:
        yield from declared_lately((required(path),))
    elif len(items) > MAX_COUNTERS:
        yield too_many(path, len(items), MAX_COUNTERS)
    else:
        for name in sorted(items):
            yield from declared_lately(name_rules.label(path, name))


def _groups(items: tuple[str, ...], path: str) -> Faults:
    if len(items) > MAX_GROUPS:
        yield too_many(path, len(items), MAX_GROUPS)
        return
    yield from repeated(path, items)
    for position, item in enumerate(items):
        yield from name_rules.label(child(path, position), item)


def old_counter_limits(sets: tuple[CounterSet, ...], profile: Profile, path: str) -> Faults:
    """1.33 and 1.34 counted the counters of all sets together."""
    total, limit = sum(len(item.counters) for item in sets), limits(profile).counters
    if limit is not None and total > limit:
        yield too_many(path, total, limit)
