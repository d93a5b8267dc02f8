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
from dravite.snapshot.device_paths import DevicePath, Found, find, published
from dravite.snapshot.pools import PoolDevice
from dravite.snapshot.selector_verdicts import SelectorVerdicts, compiled_selector

Devices: TypeAlias = tuple[PoolDevice, ...]


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


def places_read(selector: Selector) -> tuple[DevicePath, ...]:
    """The single attributes and capacities that an expression reads, sorted."""
    program = compiled_selector(selector.expression)
    reads = program.reads if isinstance(program, Program) else None
    return tuple(sorted(DevicePath(*path) for path in reads or () if len(path) == 3))


def values_read(selector: Selector) -> tuple[DevicePath, ...]:
    """The places of all single values that an expression reads: the driver, then attributes and capacities."""
    program = compiled_selector(selector.expression)
    driver = isinstance(program, Program) and ("driver",) in (program.reads or ())
    return (*([DevicePath("driver")] if driver else []), *places_read(selector))


def value_at(device: PoolDevice, place: DevicePath) -> Found | None:
    """What a device has at a place; None where it has nothing."""
    return find(device.id.driver, device.device, place)


def published_by(devices: Devices) -> tuple[DevicePath, ...]:
    """Every attribute and capacity that any of the devices has, sorted."""
    return tuple(sorted({place for device in devices for place in published(device.id.driver, device.device)}))
