"""Configuration for drivers: a driver reads what is for it, and nobody reads what is for somebody else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from dravite.api.document import Problem
from dravite.api.field import child
from dravite.api.resource_v1 import DeviceClass, ResourceClaim, ResourceClaimTemplate
from dravite.lint.claims import spec_of
from dravite.lint.demands import Demand, class_selectors, demands_of
from dravite.lint.finding import did_you_mean, finding
from dravite.lint.trials import Devices, Trials
from dravite.lint.world import Item, World
from dravite.snapshot.pools import PoolDevice

NOBODYS: Final = "config-for-other-driver"


def of_configs(world: World) -> Iterator[Problem]:
    """Configuration in claims, templates and classes that no driver of the devices meant will read."""
    trials = Trials(world)
    for item in (*world.targets(ResourceClaim), *world.targets(ResourceClaimTemplate)):
        spec, path = spec_of(item)
        if not item.good or not spec.devices.config or not trials.devices(item):
            continue
        asked = tuple(demands_of(world, item))
        for position, config in enumerate(spec.devices.config):
            if config.opaque is not None:
                place = child(path, "devices", "config", position, "opaque", "driver")
                devices = [one for demand in _concerned(asked, config.requests) for one in _meant(demand, trials)]
                yield from _why_nobodys(item, config.opaque.driver, devices, place)
    for item in world.targets(DeviceClass):
        of_class = trials.run(class_selectors(item), trials.devices(item)).passed if item.good else ()
        for position, config in enumerate(item.object.spec.config):
            if config.opaque is not None:
                place = child("spec", "config", position, "opaque", "driver")
                yield from _why_nobodys(item, config.opaque.driver, of_class, place)


def _concerned(asked: Iterable[Demand], requests: Sequence[str]) -> Iterator[Demand]:
    """The demands that configuration is for: a request's name means its alternatives, too; no name means all."""
    for demand in asked:
        if not requests or demand.name in requests or demand.name.partition("/")[0] in requests:
            yield demand


def _meant(demand: Demand, trials: Trials) -> Devices:
    """The devices that could serve a demand; none where its class is not known."""
    return trials.run(demand.selectors, trials.devices(demand.item)).passed if demand.device_class is not None else ()


def _why_nobodys(item: Item, driver: str, devices: Iterable[PoolDevice], path: str) -> Iterator[Problem]:
    drivers = sorted({device.id.driver for device in devices})
    if drivers and driver not in drivers:
        theirs = " and ".join(drivers)
        message = f"this is for driver {driver}, and the devices that can be meant are of {theirs}: nobody reads it"
        hint = f"write driver: {theirs}" if len(drivers) == 1 else did_you_mean(driver, drivers)
        yield finding(item.subject, NOBODYS, message, path, hint)
