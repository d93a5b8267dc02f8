"""Places in a device as selectors name them, and what a device has there.

The rules for names are those of the selector language: a name without a domain belongs to the driver's domain, and
of two spellings of one name the qualified one counts (CEL-8, CEL-9).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeVar

import msgspec

from dravite.api.resource_v1 import Device, DeviceAttribute
from dravite.cel.ast import Call, Constant, Expr, Ident, Select
from dravite.explain.insights import DevicePath

_MAPS: Final = frozenset({"attributes", "capacity"})
_INDEX: Final = frozenset({"_[_]", "_[?_]", "_?._"})

Value = TypeVar("Value")


class Found(msgspec.Struct, frozen=True):
    """A published value: `int`, `bool`, `string`, `version`, a list of these (`strings` …) or `quantity`."""

    kind: str
    text: str


def path_of(expression: Expr) -> DevicePath | None:
    """The place that an expression reads, if reading one place is all it does; a default (`orValue`) is ignored."""
    match expression:
        case Call(function="orValue", target=target) if target is not None:
            return path_of(target)
        case Call(function="value", target=target, args=()) if target is not None:
            return path_of(target)
        case Select(operand=operand, field=field):
            return _step(operand, field)
        case Call(function=function, args=(operand, Constant(value=str(key)))) if function in _INDEX:
            return _step(operand, key)
    return None


def _step(operand: Expr, name: str) -> DevicePath | None:
    if isinstance(operand, Ident):
        return DevicePath(name) if operand.name == "device" else None
    outer = path_of(operand)
    if outer is None or outer.root not in _MAPS or outer.name:
        return None
    return DevicePath(outer.root, outer.domain, name) if outer.domain else DevicePath(outer.root, name)


def find(driver: str, device: Device, path: DevicePath) -> Found | None:
    """What the device has at the path; None where it has nothing (or where the path is no single value)."""
    match path.root:
        case "driver":
            return Found("string", driver)
        case "allowMultipleAllocations":
            return Found("bool", "true" if device.allow_multiple_allocations else "false")
        case "attributes":
            attribute = lookup(device.attributes, driver, path)
            return None if attribute is None else attribute_value(attribute)
        case "capacity":
            capacity = lookup(device.capacity, driver, path)
            return None if capacity is None else Found("quantity", capacity.value.text)
    return None


def lookup(published: Mapping[str, Value], driver: str, path: DevicePath) -> Value | None:
    """The entry of a map of qualified or bare names."""
    qualified = published.get(f"{path.domain}/{path.name}")
    if qualified is None and path.domain == driver:
        return published.get(path.name)
    return qualified


def attribute_value(attribute: DeviceAttribute) -> Found:
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
    places = [_qualified("attributes", driver, name) for name in attributes]
    places += [_qualified("capacity", driver, name) for name in capacity]
    return tuple(dict.fromkeys(places))


def _qualified(root: str, driver: str, name: str) -> DevicePath:
    domain, slash, rest = name.partition("/")
    return DevicePath(root, domain, rest) if slash else DevicePath(root, driver, name)
