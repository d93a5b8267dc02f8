"""Lists and texts that are too long, and lists with an item twice, as 1.31 reports them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from dravite.api.field import ErrorType, FieldError, child
from dravite.api.meta import wire_name
from dravite.validation.faults import Faults, duplicate

T = TypeVar("T")


def longer_than(path: str, limit: int) -> FieldError:
    """A list over its limit, or a text whose limit counts what it is made of."""
    return FieldError(type=ErrorType.TOO_LONG, field=path, detail=f"may not be longer than {limit}")


def more_bytes_than(path: str, limit: int) -> FieldError:
    """A text over its limit in bytes."""
    return FieldError(type=ErrorType.TOO_LONG, field=path, detail=f"must have at most {limit} bytes")


def each(items: Sequence[T], limit: int, rule: Callable[[T, str], Faults], path: str) -> Faults:
    """Every item, however many there are, and whether there are too many."""
    for position, item in enumerate(items):
        yield from rule(item, child(path, position))
    if len(items) > limit:
        yield longer_than(path, limit)


def each_once(items: Sequence[T], limit: int, rule: Callable[[T, str], Faults], path: str, key: str = "") -> Faults:
    """The same for items of which no two are alike, or alike in the attribute `key`."""
    yield from each(items, limit, rule, path)
    seen = set()
    for position, item in enumerate(items):
        value = getattr(item, key) if key else item
        if value in seen:
            place = child(path, position)
            yield duplicate(child(place, wire_name(key)) if key else place, value)
        seen.add(value)
