"""Selectors tried on the devices that were given, in the order in which the allocator asks them.

Every verdict is that of the evaluation which the allocator uses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import msgspec

from dravite.api.meta import DeviceID
from dravite.api.resource_v1 import Device, ResourceSlice
from dravite.cel import CelError, Program
from dravite.lint.demands import Selector
from dravite.lint.pools import devices_of
from dravite.lint.world import Item, World, folder_of
from dravite.snapshot.pools import PoolDevice
from dravite.snapshot.selector_verdicts import SelectorVerdicts, compiled_selector, look_up

Devices: TypeAlias = tuple[PoolDevice, ...]


class DevicePlace(msgspec.Struct, frozen=True, order=True):
    """An attribute or a capacity by its full name: `root` is `attributes` or `capacity`."""

    root: str
    domain: str
    name: str

    @property
    def text(self) -> str:
        """As a selector names it."""
        return f'device.{self.root}["{self.domain}"].{self.name}'


class Failure(msgspec.Struct, frozen=True):
    """A selector that runs into an error: on how many of the devices that reach it, and on which first."""

    selector: Selector
    error: CelError
    first: PoolDevice
    failing: int
    tried: int


class Tried(msgspec.Struct, frozen=True):
    """What became of devices in a chain of selectors.

    Attributes:
        reached: per selector, the devices that passed the ones before it.
        passed: the devices that passed them all.
    """

    reached: tuple[tuple[Selector, Devices], ...]
    passed: Devices
    failures: tuple[Failure, ...]


class Trials:
    """The devices of each folder and the verdicts on them. A memory only: no answer depends on it."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._verdicts = SelectorVerdicts()
        self._devices: dict[str, Devices] = {}

    def devices(self, near: Item) -> Devices:
        """The devices that are given for something: those of the surroundings and of its folder."""
        folder = folder_of(near.file)
        if folder not in self._devices:
            slices = self.world.beside(ResourceSlice, near)
            self._devices[folder] = tuple(_pooled(item, device) for item, _, device in devices_of(slices))
        return self._devices[folder]

    def run(self, chain: Sequence[Selector], devices: Devices) -> Tried:
        """Send devices through selectors. One that does not compile ends the chain: a server refuses it."""
        reached: list[tuple[Selector, Devices]] = []
        failures: list[Failure] = []
        for selector in chain:
            program = compiled_selector(selector.expression)
            if isinstance(program, CelError):
                break
            reached.append((selector, devices))
            verdicts = [(device, self._verdicts.verdict(program, device)) for device in devices]
            failed = [(device, verdict) for device, verdict in verdicts if isinstance(verdict, CelError)]
            if failed:
                failures.append(Failure(selector, failed[0][1], failed[0][0], len(failed), len(devices)))
            devices = tuple(device for device, verdict in verdicts if verdict is True)
        return Tried(tuple(reached), devices, tuple(failures))


def _pooled(item: Item, device: Device) -> PoolDevice:
    spec = item.object.spec
    return PoolDevice(DeviceID(spec.driver, spec.pool.name, device.name), device, spec)


def places_read(selector: Selector) -> tuple[DevicePlace, ...]:
    """The single attributes and capacities that an expression reads, sorted."""
    program = compiled_selector(selector.expression)
    reads = program.reads if isinstance(program, Program) else None
    return tuple(sorted(DevicePlace(*path) for path in reads or () if len(path) == 3))


def value_at(device: PoolDevice, place: DevicePlace) -> tuple[str, str] | None:
    """What a device has at a place: the kind of value and its text as JSON; None where it has nothing."""
    if place.root == "capacity":
        capacity = look_up(device.device.capacity, device.id.driver, place.domain, place.name)
        return None if capacity is None else ("quantity", capacity.value.text)
    attribute = look_up(device.device.attributes, device.id.driver, place.domain, place.name)
    if attribute is None:
        return None
    found: dict[str, object] = msgspec.to_builtins(attribute)
    return next(((kind, msgspec.json.encode(value).decode()) for kind, value in found.items()), ("none", ""))


def place_of(root: str, name: str, driver: str) -> DevicePlace:
    """The place of a name as slices and requests write it: without a domain it is the driver's."""
    domain, slash, rest = name.partition("/")
    return DevicePlace(root, domain, rest) if slash else DevicePlace(root, driver, name)


def published(devices: Devices) -> tuple[DevicePlace, ...]:
    """Every attribute and capacity that any of the devices has, sorted."""
    found = {
        place_of(root, name, device.id.driver)
        for device in devices
        for root, names in (("attributes", device.device.attributes), ("capacity", device.device.capacity))
        for name in names
    }
    return tuple(sorted(found))
