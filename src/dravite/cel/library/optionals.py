"""Optional values, and the maps that two-variable comprehensions build."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from dravite.api.quantity import Quantity
from dravite.api.semver import Semver
from dravite.cel.ast import Uint
from dravite.cel.equality import MISSING, find
from dravite.cel.show import show
from dravite.cel.values import (
    CIDR,
    IP,
    NONE,
    URL,
    Duration,
    Failure,
    GrowingMap,
    Map,
    Message,
    NamedFormat,
    Optional,
    Timestamp,
    TypeValue,
    key_of,
    key_value,
)

_FIRST_SECOND: Final = -62_135_596_800 * 10**9
_NEVER_ZERO: Final = (Optional, TypeValue, Quantity, Semver, IP, CIDR, URL, NamedFormat)


def _of_non_zero(value: object) -> Optional:
    return NONE if _is_zero(value) else Optional(value)


def _is_zero(value: object) -> bool:
    """Whether the value is empty, zero, false or null; the kinds of Kubernetes' libraries never are."""
    if isinstance(value, _NEVER_ZERO):
        return False
    if isinstance(value, Duration):
        return value.nanos == 0
    if isinstance(value, Timestamp):
        return value.nanos == _FIRST_SECOND
    if isinstance(value, Map):
        return not value.entries
    if isinstance(value, Message):
        return True
    return not (value.value if isinstance(value, Uint) else value)


def value_of(optional: Optional) -> object:
    """What is inside, or the failure of looking there for nothing."""
    return Failure("optional.none() dereference") if optional is NONE else optional.value


def _unwrap(optionals: Sequence[object]) -> object:
    values: list[object] = []
    for optional in optionals:
        if not isinstance(optional, Optional):
            return Failure(f"value {show(optional)} is not optional")
        if optional is not NONE:
            values.append(optional.value)
    return tuple(values)


def _insert(target: Map, key: object, value: object) -> object:
    """The map with one entry more. An accumulator takes it in place."""
    if find(target, key) is not MISSING:
        return Failure(f"insert failed: key {show(key)} already exists")
    if isinstance(target, GrowingMap):
        target.growing[key_of(key)] = value
        return target
    return Map({**target.entries, key_of(key): value})


def _insert_all(target: Map, entries: Map) -> object:
    result: object = target
    for key, value in entries.entries.items():
        if not isinstance(result, Map):
            break
        result = _insert(result, key_value(key), value)
    return result


OVERLOADS: Final[Mapping[str, Callable[..., object]]] = {
    "optional_of": Optional,
    "optional_ofNonZeroValue": _of_non_zero,
    "optional_none": lambda: NONE,
    "optional_value": value_of,
    "optional_hasValue": lambda optional: optional is not NONE,
    "optional_unwrap": _unwrap,
    "optional_unwrapOpt": _unwrap,
    "@mapInsert_map_key_value": _insert,
    "@mapInsert_map_map": _insert_all,
}
