"""matchAttribute and distinctAttribute while devices are picked one after the other.

A state grows by `add` and shrinks by `pop`, last in first out, so that giving up a device restores exactly what was
(CON-10, CON-11). Where a value comes from, published or derived, is not known here; how it reads, is.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final, Literal, Protocol, TypeAlias

from dravite.api.resource_v1 import Device, DeviceAttribute
from dravite.api.semver import Semver

Reading: TypeAlias = tuple[str, object]
"""Type and value of an attribute: one scalar, or where attributes may be lists, the set of all elements."""

UNREADABLE: Final[Reading] = ("", None)
"""An attribute that is there and has no scalar value: a list while lists are off, or nothing at all."""

_SCALARS: Final = (
    ("string", "string_value"),
    ("int", "int_value"),
    ("bool", "bool_value"),
    ("version", "version_value"),
)
_LISTS: Final = (
    ("int", "int_values"),
    ("bool", "bool_values"),
    ("string", "string_values"),
    ("version", "version_values"),
)


def published(device: Device, driver: str, attribute: str) -> DeviceAttribute | None:
    """The attribute of that full name; one without domain is the driver's own (CON-3)."""
    found = device.attributes.get(attribute)
    domain, slash, name = attribute.partition("/")
    if found is None and slash and domain == driver:
        return device.attributes.get(name)
    return found


def read_scalar(attribute: DeviceAttribute) -> Reading:
    """How constraints see an attribute while lists are off (CON-5): versions compare as texts."""
    for kind, field in _SCALARS:
        value = getattr(attribute, field)
        if value is not None:
            return (kind, value)
    return UNREADABLE


def read_set(attribute: DeviceAttribute) -> Reading | None:
    """How constraints see an attribute where it may be a list (CON-7); None for one without any value."""
    for kind, field in _LISTS:
        values = getattr(attribute, field)
        if values:
            return (kind, frozenset(values))
    kind, value = read_scalar(attribute)
    return (kind, frozenset((value,))) if kind else None


def read_derived(value: object, *, lists: bool) -> Reading | None:
    """How constraints see the value of a derived attribute: as a published one; None for one without any value."""
    if isinstance(value, tuple | list):
        if not lists:
            return UNREADABLE
        if not value:
            return None
        kinds = [_derived_scalar(element) for element in value]
        return (kinds[0][0], frozenset(element for _, element in kinds))
    kind, scalar = _derived_scalar(value)
    return (kind, frozenset((scalar,))) if lists else (kind, scalar)


def _derived_scalar(value: object) -> Reading:
    match value:
        case bool():
            return ("bool", value)
        case int():
            return ("int", value)
        case Semver():
            return ("version", value.text)
        case _:
            return ("string", value)


class ConstraintState(Protocol):
    """The devices under one constraint so far."""

    def add(self, reading: Reading) -> bool:
        """Take one more device in; False, and nothing changed, if the constraint would not hold."""
        ...

    def pop(self) -> None:
        """Give up the device that was taken in last."""
        ...

    def signature(self) -> Hashable:
        """What was taken in, as far as it matters: equal for states that decide alike from now on."""
        ...


class ScalarMatch:
    """All values are the same. The first one sets it, even one that cannot be read (CON-5)."""

    __slots__ = ("_readings",)

    def __init__(self) -> None:
        self._readings: list[Reading] = []

    def add(self, reading: Reading) -> bool:
        if self._readings and (reading is UNREADABLE or reading != self._readings[0]):
            return False
        self._readings.append(reading)
        return True

    def pop(self) -> None:
        self._readings.pop()

    def signature(self) -> Hashable:
        return self._readings[0] if self._readings else None


class ScalarDistinct:
    """No value comes twice. One that cannot be read is fine only as the first (CON-6)."""

    __slots__ = ("_readings",)

    def __init__(self) -> None:
        self._readings: list[Reading] = []

    def add(self, reading: Reading) -> bool:
        if self._readings and (reading is UNREADABLE or reading in self._readings):
            return False
        self._readings.append(reading)
        return True

    def pop(self) -> None:
        self._readings.pop()

    def signature(self) -> Hashable:
        return frozenset(self._readings)


class SetMatch:
    """All sets have an element in common (CON-8)."""

    __slots__ = ("_common",)

    def __init__(self) -> None:
        self._common: list[Reading] = []

    def add(self, reading: Reading) -> bool:
        if self._common:
            kind, common = self._common[-1]
            reading = (kind, common & reading[1]) if kind == reading[0] else UNREADABLE  # type: ignore[operator]
        if not reading[1]:
            return False
        self._common.append(reading)
        return True

    def pop(self) -> None:
        self._common.pop()

    def signature(self) -> Hashable:
        return self._common[-1] if self._common else None


class SetDistinct:
    """No two sets have an element in common; sets of different types never do (CON-9)."""

    __slots__ = ("_readings",)

    def __init__(self) -> None:
        self._readings: list[Reading] = []

    def add(self, reading: Reading) -> bool:
        kind, values = reading
        if any(kind == other and values & taken for other, taken in self._readings):  # type: ignore[operator]
            return False
        self._readings.append(reading)
        return True

    def pop(self) -> None:
        self._readings.pop()

    def signature(self) -> Hashable:
        return frozenset(self._readings)


def constraint_state(kind: Literal["match", "distinct"], *, lists: bool) -> ConstraintState:
    """The state of a constraint before any device is picked."""
    if lists:
        return SetMatch() if kind == "match" else SetDistinct()
    return ScalarMatch() if kind == "match" else ScalarDistinct()
