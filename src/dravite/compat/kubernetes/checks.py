"""Whether a value fits a field of the official client, and what the client makes of it.

Texts, numbers and truth values are taken as they are or refused; lists and dicts are copied; a dict becomes the
object that it says.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Set, ValuesView
from typing import Any, Final

from dravite.compat.family import ClientType
from dravite.compat.kubernetes.faults import Fault, Location
from dravite.compat.kubernetes.times import read_time

Check = Callable[[Any, Location, list[Fault]], Any]
"""Takes a value, where it is, and the faults so far; gives the value to keep, or adds faults."""

_LISTS: Final = (list, tuple, Set, deque, Iterator, ValuesView, range)


def check_of(kind: ClientType, object_check: Callable[[ClientType], Check]) -> Check:
    """The check of a type.

    Args:
        object_check: gives the check of a type that is a class.
    """
    match kind.word:
        case "text" | "quantity":
            return _single(str, "string_type")
        case "integer":
            return _single(int, "int_type")
        case "bool":
            return _single(bool, "bool_type")
        case "time":
            return _check_time
        case "list" if kind.item is not None:
            return _list_of(check_of(kind.item, object_check))
        case "map" if kind.item is not None:
            return _map_of(check_of(kind.item, object_check))
        case "object" if kind.name:
            return object_check(kind)
    return _map_of(_check_nothing)


def optional(check: Check) -> Check:
    """The check of a field that may be None."""

    def check_optional(value: Any, location: Location, faults: list[Fault]) -> Any:
        return None if value is None else check(value, location, faults)

    return check_optional


def _single(kind: type, fault: str) -> Check:
    def check(value: Any, location: Location, faults: list[Fault]) -> Any:
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            faults.append(Fault(fault, location, value))
            return None
        return str(value.value if hasattr(value, "value") else value) if kind is str else value

    return check


def _check_nothing(value: Any, location: Location, faults: list[Fault]) -> Any:
    return value


def _check_time(value: Any, location: Location, faults: list[Fault]) -> Any:
    time = read_time(value)
    if time is None:
        faults.append(Fault("datetime_type", location, value))
    elif isinstance(time, str):
        kind = "datetime_from_date_parsing" if isinstance(value, str | bytes) else "datetime_parsing"
        faults.append(Fault(kind, location, value, {"error": time}))
    return time


def _list_of(item: Check) -> Check:
    def check(value: Any, location: Location, faults: list[Fault]) -> Any:
        if not isinstance(value, _LISTS):
            faults.append(Fault("list_type", location, value))
            return None
        items: Iterable[Any] = value
        return [item(inner, (*location, index), faults) for index, inner in enumerate(items)]

    return check


def _map_of(item: Check) -> Check:
    def check(value: Any, location: Location, faults: list[Fault]) -> Any:
        if not isinstance(value, Mapping):
            faults.append(Fault("dict_type", location, value))
            return None
        copy = {}
        for key, inner in value.items():
            if not isinstance(key, str):
                faults.append(Fault("string_type", (*location, key, "[key]"), key))
            copy[key] = item(inner, (*location, key), faults)
        return copy

    return check
