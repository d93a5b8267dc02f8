"""Whether devices match CEL expressions, evaluated once per combination of the values that an expression reads.

A selector is pure: two devices that agree in what it reads get the same verdict, errors included. What is kept here
is a memory only. Nothing that is asked ever depends on what was asked before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import chain
from operator import attrgetter
from typing import Final, TypeAlias, TypeVar

from dravite.api.resource_v1 import Device, DeviceAttribute, DeviceCapacity
from dravite.cel import (
    CelError,
    Program,
    activate,
    compile_derived_attribute,
    compile_selector,
    evaluate_derived_attribute,
    evaluate_selector,
)
from dravite.snapshot.pools import PoolDevice

Verdict: TypeAlias = bool | CelError
"""An error is no refusal: it ends the attempt on every node (CEL-17, CEL-18)."""

_T = TypeVar("_T")
_Reader: TypeAlias = Callable[[str, Device], object]


@lru_cache(maxsize=4096)
def compiled_selector(expression: str) -> Program | CelError:
    """A selector as the scheduler compiles it (CEL-6), once per process."""
    return compile_selector(expression)


@lru_cache(maxsize=4096)
def compiled_derived_attribute(expression: str) -> Program | CelError:
    """The expression of a derived attribute, compiled once per process."""
    return compile_derived_attribute(expression)


def derived_value(program: Program, device: PoolDevice) -> object:
    """The value of a derived attribute on a device: a text, number, bool, version or list, or a CelError."""
    activation = activate(device.id.driver, device.device)
    return activation if isinstance(activation, CelError) else evaluate_derived_attribute(program, activation)


class SelectorVerdicts:
    """The verdicts of one set of slices."""

    __slots__ = ("_by_device", "_by_values", "_good_versions", "_sound")

    def __init__(self) -> None:
        self._by_values: dict[str, tuple[tuple[_Reader, ...] | None, dict[tuple[object, ...], Verdict]]] = {}
        self._by_device: dict[tuple[str, int], tuple[Device, Verdict]] = {}
        self._good_versions: set[str] = set()
        self._sound: dict[int, Device] = {}

    def verdict(self, program: Program, device: PoolDevice) -> Verdict:
        """Whether the device matches, or the error that the expression runs into on it."""
        remembered = self._by_values.get(program.expression)
        if remembered is None:
            readers = None if program.reads is None else _readers(program.reads)
            remembered = self._by_values[program.expression] = (readers, {})
        readers, known = remembered
        if readers is None or not self._is_sound(device.device):
            return self._of_device(program, device)
        driver, published = device.id.driver, device.device
        values = tuple([read(driver, published) for read in readers])
        verdict = known.get(values)
        if verdict is None:
            known[values] = verdict = self._evaluate(program, device)
        return verdict

    def _of_device(self, program: Program, device: PoolDevice) -> Verdict:
        """The verdict on this very device: what the expression reads cannot be told, or an attribute may be broken."""
        key = (program.expression, id(device.device))
        known = self._by_device.get(key)
        if known is None or known[0] is not device.device:
            known = (device.device, self._evaluate(program, device))
            self._by_device[key] = known
        return known[1]

    def _evaluate(self, program: Program, device: PoolDevice) -> Verdict:
        activation = activate(device.id.driver, device.device)
        if isinstance(activation, CelError):
            return activation
        self._good_versions.update(_versions(device.device))
        return evaluate_selector(program, activation)

    def _is_sound(self, device: Device) -> bool:
        """Whether all attributes of a device are known to convert: one that does not fails every selector (CEL-10)."""
        if self._sound.get(id(device)) is device:
            return True
        if _NO_VALUE in device.attributes.values() or not self._good_versions.issuperset(_versions(device)):
            return False
        self._sound[id(device)] = device
        return True


_NO_VALUE: Final = DeviceAttribute()


def _versions(device: Device) -> list[str]:
    attributes = device.attributes.values()
    single = [text for text in map(_version_of, attributes) if text is not None]
    return [*single, *chain.from_iterable(filter(None, map(_versions_of, attributes)))]


_version_of: Final = attrgetter("version_value")
_versions_of: Final = attrgetter("version_values")


@lru_cache(maxsize=4096)
def _readers(reads: frozenset[tuple[str, ...]]) -> tuple[_Reader, ...] | None:
    """One function per thing that an expression reads; None where one of them is more than a single value."""
    readers = [_reader(path) for path in sorted(reads)]
    return None if None in readers else tuple(reader for reader in readers if reader is not None)


def _reader(path: tuple[str, ...]) -> _Reader | None:
    match path:
        case ("driver",):
            return lambda driver, _: driver
        case ("allowMultipleAllocations",):
            return lambda _, device: bool(device.allow_multiple_allocations)
        case ("attributes", domain, name):
            return lambda driver, device: look_up(device.attributes, driver, domain, name)
        case ("capacity", domain, name):
            return lambda driver, device: _amount(look_up(device.capacity, driver, domain, name))
        case _:
            return None


def _amount(capacity: DeviceCapacity | None) -> object:
    return None if capacity is None else capacity.value


def look_up(values: Mapping[str, _T], driver: str, domain: str, name: str) -> _T | None:
    """An attribute or capacity by its full name; without a domain it is the driver's (CEL-8, CON-3)."""
    found = values.get(f"{domain}/{name}")
    return values.get(name) if found is None and domain == driver else found
