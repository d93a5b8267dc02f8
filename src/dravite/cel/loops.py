"""Loops: what the macros `all`, `exists`, `map`, `cel.bind` … run as.

A loop costs nothing itself; its parts are charged each time they are evaluated. Its accumulator is worked out when
it is first asked for, and an empty list or map grows in place.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from dravite.cel.steps import Frame, Step
from dravite.cel.values import LISTS, Failure, GrowingList, GrowingMap, Map, host_name, key_value, size_of

UNSET: Final = object()


class LoopSlots(msgspec.Struct, frozen=True):
    """Where a loop keeps its variables. `second` is -1 for a loop with one variable."""

    accumulator: int
    first: int
    second: int


class Body(msgspec.Struct, frozen=True):
    """The parts that are evaluated again and again, and the result."""

    condition: Step
    advance: Step
    result: Step


def slot(index: int) -> Step:
    """A variable of a loop."""
    return lambda frame: frame[index]


def accumulator(index: int, start: Step) -> Step:
    """The accumulator of a loop."""

    def run(frame: Frame) -> object:
        value = frame[index]
        if value is UNSET:
            value = frame[index] = _growing(start(frame))
        return value

    return run


def _growing(value: object) -> object:
    if isinstance(value, LISTS) and not value:
        return GrowingList()
    return GrowingMap() if isinstance(value, Map) and size_of(value) == 0 else value


def loop(source: Step, slots: LoopSlots, body: Body, node: int) -> Step:
    """A comprehension over elements of a list or keys of a map; with two variables also over indices and values."""
    condition, advance, result = body.condition, body.advance, body.result
    gathered, first, second = slots.accumulator, slots.first, slots.second

    def run(frame: Frame) -> object:
        values = source(frame)
        entries = _entries(values) if second < 0 else _pairs(values)
        if entries is None:
            return values if type(values) is Failure else _not_iterable(values, slots, node)
        frame[gathered] = UNSET
        for entry in entries:
            if second < 0:
                frame[first] = entry
            else:
                frame[first], frame[second] = entry  # type: ignore[misc]
            if condition(frame) is False:
                break
            frame[gathered] = advance(frame)
        return _settled(result(frame))

    return run


def _entries(values: object) -> Iterable[object] | None:
    """What one variable runs through, as it is now: a growing list may change on the way."""
    if isinstance(values, LISTS):
        return tuple(values)
    return [key_value(key) for key in values.entries] if isinstance(values, Map) else None


def _pairs(values: object) -> Iterable[tuple[object, object]] | None:
    if isinstance(values, LISTS):
        return tuple(enumerate(values))
    return [(key_value(key), value) for key, value in values.entries.items()] if isinstance(values, Map) else None


def _not_iterable(values: object, slots: LoopSlots, node: int) -> Failure:
    kind = host_name(values)
    if slots.second >= 0:
        return Failure(f"unsupported comprehension range type: {kind}", node)
    return Failure(f"got '{kind}', expected iterable type", node)


def _settled(value: object) -> object:
    """A finished accumulator no longer grows."""
    if type(value) is GrowingList:
        return tuple(value)
    return Map(value.growing) if isinstance(value, GrowingMap) else value
