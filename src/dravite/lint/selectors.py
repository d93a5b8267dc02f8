"""Selectors that nothing passes or that fail, on the devices that were given; without devices nothing is said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from dravite.api.document import Problem
from dravite.api.resource_v1 import DeviceClass
from dravite.cel import slips
from dravite.lint import published
from dravite.lint.demands import Demand, Selector, class_selectors, demands
from dravite.lint.finding import finding
from dravite.lint.trials import Devices, Failure, Trials, places_read, value_at, values_read
from dravite.lint.world import Item, World
from dravite.snapshot.device_paths import Found

CLASS_EMPTY: Final = "class-matches-nothing"
EMPTY: Final = "selector-matches-nothing"
FAILS: Final = "selector-fails"
VALUES_SHOWN: Final = 3


def of_selectors(world: World) -> Iterator[Problem]:
    """Findings about classes, then about requests; each selector is told once, where it stands."""
    trials = Trials(world)
    for item in world.targets(DeviceClass):
        if item.good and trials.devices(item):
            yield from _of_class(item, trials)
            yield from published.of_class(item, trials)
    asked = [one for one in demands(world) if one.device_class is not None and trials.devices(one.item)]
    for demand in asked:
        yield from _of_demand(demand, trials)
        yield from published.of_demand(demand, trials)
    yield from _alternatives([one for one in asked if one.alternative], trials)
    yield from published.of_constraints(world, trials)


def _of_class(item: Item, trials: Trials) -> Iterator[Problem]:
    devices = trials.devices(item)
    tried = trials.run(class_selectors(item), devices)
    yield from map(_failing, tried.failures)
    if not tried.passed and not tried.failures and class_selectors(item):
        message = _class_empty(item.ref.name, class_selectors(item), devices)
        yield finding(item.subject, CLASS_EMPTY, message, "spec.selectors")


def _of_demand(demand: Demand, trials: Trials) -> Iterator[Problem]:
    tried = trials.run(demand.selectors, trials.devices(demand.item))
    yield from (_failing(failure) for failure in tried.failures if failure.selector.item is demand.item)
    if not demand.alternative and not tried.passed and not tried.failures:
        yield from _matching_nothing(demand, trials)


def _matching_nothing(demand: Demand, trials: Trials) -> Iterator[Problem]:
    """That a request finds no device at all, and whose selectors are to blame."""
    assert demand.device_class is not None  # noqa: S101 (others are not asked)
    devices, name = trials.devices(demand.item), demand.wanted.device_class_name
    of_class = trials.run(class_selectors(demand.device_class), devices).passed
    if not of_class:
        message = _class_empty(name, class_selectors(demand.device_class), devices)
        yield finding(demand.item.subject, CLASS_EMPTY, message, f"{demand.path}.deviceClassName")
    elif demand.wanted.selectors:
        refused = f"the selectors of request {demand.name} refuse {_all(len(of_class))} of class {name}"
        mine = [selector for selector in demand.selectors if selector.item is demand.item]
        message = f"{refused}{_seen(mine, of_class)}"
        yield finding(demand.item.subject, EMPTY, message, f"{demand.path}.selectors")


def _class_empty(name: str, selectors: Sequence[Selector], devices: Devices) -> str:
    refused = f"no device is of class {name}: its selectors refuse {_all(len(devices))} given"
    return f"{refused}{_seen(selectors, devices)}"


def _seen(selectors: Sequence[Selector], devices: Devices) -> str:
    """What the devices publish where selectors look, as far as it can be said in few words."""
    told = []
    for place in dict.fromkeys(place for selector in selectors for place in values_read(selector)):
        values = sorted({_shown(found) for device in devices if (found := value_at(device, place)) is not None})
        if 0 < len(values) <= VALUES_SHOWN:
            told.append(f"{place.name or place.root} is {' or '.join(values)}")
    return f", whose {' and '.join(told)}" if told else ""


def _shown(found: Found) -> str:
    return f'"{found.text}"' if found.kind in ("string", "version") else found.text


def _alternatives(asked: list[Demand], trials: Trials) -> Iterator[Problem]:
    """Requests of which no alternative finds a device; one that does not is what alternatives are for."""
    grouped: dict[tuple[int, str], list[Demand]] = {}
    for demand in asked:
        grouped.setdefault((id(demand.item), demand.path.rpartition("[")[0]), []).append(demand)
    for (_, path), alternatives in grouped.items():
        item = alternatives[0].item
        tried = [trials.run(demand.selectors, trials.devices(item)) for demand in alternatives]
        if not any(one.passed or one.failures for one in tried) and len(alternatives) == alternatives[0].siblings:
            name = alternatives[0].name.partition("/")[0]
            devices = _count(len(trials.devices(item)))
            message = f"no alternative of request {name} finds a device among the {devices} given"
            yield finding(item.subject, EMPTY, message, path)


def _failing(failure: Failure) -> Problem:
    error = failure.error.message.split("\n", 1)[0].partition(". consider using CEL")[0]
    kinds = _kinds(failure) if error.startswith("no such overload") else ""
    where = f"{failure.failing} of the {failure.tried} devices that reach it, first on {failure.first.id}"
    if failure.tried == 1:
        where = f"the only device that reaches it, {failure.first.id}"
    told = f"{error}{kinds and f' ({kinds})'}"
    message = f"the selector fails on {where}: {told}; one such device ends the attempt for every node"
    hint = None
    better = slips.with_domain(failure.selector.expression) or slips.with_constants(failure.selector.expression)
    if better is not None:
        hint = f"write {better}"
    elif error.startswith("no such key") and failure.failing < failure.tried:
        hint = "test for presence first, with `in`, has() or the optional `?` syntax"
    elif "version" in kinds:
        hint = 'versions are compared with compareTo(semver("1.0.0")), isGreaterThan(…) or isLessThan(…)'
    elif "quantity" in kinds:
        hint = 'quantities are compared with compareTo(quantity("1Gi")), isGreaterThan(…) or isLessThan(…)'
    return finding(failure.selector.item.subject, FAILS, message, failure.selector.path, hint)


def _kinds(failure: Failure) -> str:
    """Of which kind the values are that a selector reads on the device that it fails on."""
    found = ((place.name, value_at(failure.first, place)) for place in places_read(failure.selector))
    return ", ".join(f"{name} is a {value.kind}" for name, value in found if value is not None)


def _all(number: int) -> str:
    return "the only device" if number == 1 else f"all {number} devices"


def _count(number: int) -> str:
    return f"{number} device" if number == 1 else f"{number} devices"
