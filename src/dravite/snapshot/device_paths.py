"""Places in a device as selectors name them, and what a device has there.

The rules for names are those of the selector language: a name without a domain belongs to the driver's domain, and
of two spellings of one name the qualified one counts (CEL-8, CEL-9).
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from dravite.api.resource_v1 import Device, DeviceAttribute
from dravite.snapshot.selector_verdicts import look_up


class DevicePath(msgspec.Struct, frozen=True, order=True):
    """A place in a device that a selector reads.

    `root` is `attributes`, `capacity`, `driver` or `allowMultipleAllocations`; the latter two have no domain and
    name. An empty `name` means the whole domain; a name without a domain is one that a capacity request spells.
    """

    root: str
    domain: str = ""
    name: str = ""

    def __str__(self) -> str:
        if not self.domain:
            return self.name or f"device.{self.root}"
        tail = f".{self.name}" if self.name else ""
        return f'device.{self.root}["{self.domain}"]{tail}'


class Found(msgspec.Struct, frozen=True):
    """A published value: `int`, `bool`, `string`, `version`, a list of these (`strings` …) or `quantity`."""

    kind: str
    text: str


def find(driver: str, device: Device, path: DevicePath) -> Found | None:
    """What the device has at the path; None where it has nothing (or where the path is no single value)."""
    match path.root:
        case "driver":
            return Found("string", driver)
        case "allowMultipleAllocations":
            return Found("bool", "true" if device.allow_multiple_allocations else "false")
        case "attributes":
            attribute = look_up(device.attributes, driver, path.domain, path.name)
            return None if attribute is None else _attribute_value(attribute)
        case "capacity":
            capacity = look_up(device.capacity, driver, path.domain, path.name)
            return None if capacity is None else Found("quantity", capacity.value.text)
    return None


def _attribute_value(attribute: DeviceAttribute) -> Found:
    """Kind and text of an attribute; lists as they would be written in a selector."""
    for kind in ("ints", "bools", "strings", "versions"):
        values = getattr(attribute, f"{kind[:-1]}_values")
        if values is not None:
            return Found(kind, "[" + ", ".join(_text(v) for v in values) + "]")
    for kind in ("int", "bool", "string", "version"):
        value = getattr(attribute, f"{kind}_value")
        if value is not None:
            return Found(kind, _text(value))
    return Found("none", "")


def _text(value: object) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def published(driver: str, device: Device) -> tuple[DevicePath, ...]:
    """Every attribute and capacity of the device, under its qualified name, in the order published."""
    return named(driver, device.attributes, device.capacity)


def named(driver: str, attributes: Iterable[str], capacity: Iterable[str]) -> tuple[DevicePath, ...]:
    """The places that names of attributes and capacities mean, each once."""
    places = [qualified("attributes", driver, name) for name in attributes]
    places += [qualified("capacity", driver, name) for name in capacity]
    return tuple(dict.fromkeys(places))


def qualified(root: str, driver: str, name: str) -> DevicePath:
    """The place that a name means in a slice of a driver: without a domain the driver's own."""
    domain, slash, rest = name.partition("/")
    return DevicePath(root, domain, rest) if slash else DevicePath(root, driver, name)
