"""Names of attributes and capacities that no device has which is asked for them, and amounts that none has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from dravite.allocator.capacity import most_allowed
from dravite.api.document import Problem
from dravite.api.field import keyed
from dravite.api.near import near_names
from dravite.api.quantity import ZERO
from dravite.api.resource_v1 import DeviceConstraint, ResourceClaim, ResourceClaimTemplate
from dravite.lint.claims import spec_of
from dravite.lint.demands import Demand, class_selectors, demands_of
from dravite.lint.finding import finding
from dravite.lint.trials import Devices, Trials, places_read, published_by, value_at
from dravite.lint.world import Item, World
from dravite.snapshot.device_paths import DevicePath, qualified

UNPUBLISHED: Final = "attribute-not-published"
TOO_MUCH: Final = "capacity-too-large"
_OTHER: Final = {"attributes": ("capacity", "a capacity"), "capacity": ("attributes", "an attribute")}
_NOUN: Final = {"attributes": "attribute", "capacity": "capacity"}


def of_class(item: Item, trials: Trials) -> Iterator[Problem]:
    """Names in the selectors of a DeviceClass."""
    for selector, devices in trials.run(class_selectors(item), trials.devices(item)).reached:
        for place in places_read(selector):
            yield from _nobody_has(item, place, devices, selector.path)


def of_demand(demand: Demand, trials: Trials) -> Iterator[Problem]:
    """Names in the selectors of a request, and the amounts that it asks for."""
    tried = trials.run(demand.selectors, trials.devices(demand.item))
    for selector, devices in tried.reached:
        if selector.item is demand.item:
            for place in places_read(selector):
                yield from _nobody_has(demand.item, place, devices, selector.path)
    wanted = demand.wanted.capacity
    for name in sorted(wanted.requests) if wanted is not None and tried.passed else ():
        yield from _amount(demand, tried.passed, name)


def of_constraints(world: World, trials: Trials) -> Iterator[Problem]:
    """Constraints on an attribute that no device of one of their requests has."""
    for item in (*world.targets(ResourceClaim), *world.targets(ResourceClaimTemplate)):
        spec, path = spec_of(item)
        if not item.good or not spec.devices.constraints or not trials.devices(item):
            continue
        exact = [one for one in demands_of(world, item) if not one.alternative and one.device_class is not None]
        for position, constraint in enumerate(spec.devices.constraints):
            place = f"{path}.devices.constraints[{position}]"
            for demand in exact:
                yield from _constraint(demand, constraint, trials, place)


def _constraint(demand: Demand, constraint: DeviceConstraint, trials: Trials, path: str) -> Iterator[Problem]:
    matches = constraint.match_attribute is not None
    name = constraint.match_attribute or constraint.distinct_attribute or ""
    if constraint.requests and demand.name not in constraint.requests:
        return
    if any(one.name == name for one in demand.wanted.derived_attributes):
        return
    devices = trials.run(demand.selectors, trials.devices(demand.item)).passed
    place = qualified("attributes", "", name)
    where = f"{path}.{'matchAttribute' if matches else 'distinctAttribute'}"
    for found in _nobody_has(demand.item, place, devices, where, f"request {demand.name} can never keep this: "):
        yield msgspec.structs.replace(found, hint=_attribute_meant(place, devices))


def _nobody_has(item: Item, place: DevicePath, devices: Devices, path: str, lead: str = "") -> Iterator[Problem]:
    if devices and all(value_at(device, place) is None for device in devices):
        who = "the one device" if len(devices) == 1 else f"none of the {len(devices)} devices"
        verb = "lacks" if len(devices) == 1 else "has"
        message = f"{lead}{who} that can be meant {verb} the {_NOUN[place.root]} {place.domain}/{place.name}"
        yield finding(item.subject, UNPUBLISHED, message, path, _meant(place, devices))


def _meant(wanted: DevicePath, devices: Devices) -> str | None:
    """What the devices have instead: the other kind of value, another domain, or a name nearly like it."""
    known = published_by(devices)
    other, noun = _OTHER[wanted.root]
    if DevicePath(other, wanted.domain, wanted.name) in known:
        return f"{wanted.name} is {noun}: {DevicePath(other, wanted.domain, wanted.name)}"
    elsewhere = [place for place in known if place.name == wanted.name]
    if elsewhere:
        return f"it is published as {elsewhere[0]}"
    near = near_names(wanted.name, (place.name for place in known), 1)
    found = next((place for place in known if place.name in near), None)
    return None if found is None else f"did you mean {found}?"


def _attribute_meant(wanted: DevicePath, devices: Devices) -> str | None:
    """As `_meant`, in the way that constraints spell attributes: only an attribute can take the place of one."""
    known = [place for place in published_by(devices) if place.root == "attributes"]
    near = near_names(wanted.name, (place.name for place in known), 1)
    found = next((place for place in known if place.name == wanted.name or place.name in near), None)
    return None if found is None else f"did you mean {found.domain}/{found.name}?"


def _amount(demand: Demand, devices: Devices, name: str) -> Iterator[Problem]:
    """A capacity comes from one device (CAP-7), names compare as they are spelled (CAP-2), and policies have limits."""
    assert demand.wanted.capacity is not None  # noqa: S101 (the caller took the name from it)
    amount = demand.wanted.capacity.requests[name]
    path = keyed(f"{demand.path}.capacity.requests", name)
    offered = [device.device.capacity[name] for device in devices if name in device.device.capacity]
    if not offered:
        yield from _no_capacity(demand, devices, name, path)
        return
    largest = max(one.value for one in offered)
    possible = max((most for one in offered if (most := most_allowed(one, one.value)) is not None), default=ZERO)
    if possible < amount and not demand.alternative:
        limit = f"the largest device given has {largest.text}"
        if amount <= largest:
            limit = f"request policies allow at most {possible.text}"
        message = f"asks for {amount.text} {name} of one device, and {limit}"
        yield finding(demand.item.subject, TOO_MUCH, message, path, f"ask for at most {possible.text}")


def _no_capacity(demand: Demand, devices: Devices, name: str, path: str) -> Iterator[Problem]:
    """That no device has a capacity of the very name."""
    published = sorted({full for device in devices for full in device.device.capacity})
    near = [full for full in published if full.rpartition("/")[2] == name.rpartition("/")[2]]
    near += near_names(name, published, 1)
    who = "the one device" if len(devices) == 1 else f"none of the {len(devices)} devices"
    verb = "lacks" if len(devices) == 1 else "has"
    message = f"{who} that can be meant {verb} a capacity {name}"
    hint = f"did you mean {near[0]}?" if near else f"there is {' and '.join(published)}" if published else None
    yield finding(demand.item.subject, UNPUBLISHED, message, path, hint)
