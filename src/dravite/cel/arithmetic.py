"""`+ - * / %` and negation. Whole numbers do not wrap around: they overflow, and that is an error.

Every operation takes two values that are no failures. What its left side cannot do is answered with the name of the
operator, or without it where Kubernetes' evaluator asks strings and times for a method first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from dravite.cel.ast import Uint
from dravite.cel.equality import NO_OVERLOAD
from dravite.cel.values import (
    LISTS,
    MAX_INT,
    MAX_UINT,
    MIN_INT,
    Duration,
    Failure,
    GrowingList,
    Joined,
    Timestamp,
)

NANOS: Final = 10**9
INT_OVERFLOW: Final = "integer overflow"
UINT_OVERFLOW: Final = "unsigned integer overflow"
TIMESTAMP_OVERFLOW: Final = "timestamp overflow"
FIRST_NANO: Final = -62_135_596_800 * NANOS
LAST_NANO: Final = 253_402_300_799 * NANOS + NANOS - 1

Operation = Callable[..., object]


def _int(value: int) -> int | Failure:
    return value if MIN_INT <= value <= MAX_INT else Failure(INT_OVERFLOW)


def _uint(value: int) -> Uint | Failure:
    return Uint(value) if 0 <= value <= MAX_UINT else Failure(UINT_OVERFLOW)


def _duration(nanos: int) -> Duration | Failure:
    return Duration(nanos) if MIN_INT <= nanos <= MAX_INT else Failure(INT_OVERFLOW)


def _timestamp(nanos: int, zone: int) -> Timestamp | Failure:
    return Timestamp(nanos, zone) if FIRST_NANO <= nanos <= LAST_NANO else Failure(TIMESTAMP_OVERFLOW)


def _add_lists(left: Sequence[object], right: object) -> object:
    if not isinstance(right, LISTS):
        return Failure(NO_OVERLOAD)
    if type(left) is GrowingList:
        left.extend(right)
        return left
    if not left or not right:
        return left or right
    return Joined((*left, *right))


def _add_duration(left: Duration, right: object) -> object:
    if isinstance(right, Duration):
        return _duration(left.nanos + right.nanos)
    if isinstance(right, Timestamp):
        return _timestamp(right.nanos + left.nanos, right.zone)
    return Failure(NO_OVERLOAD)


def _add_timestamp(left: object, right: object) -> object:
    return _add_duration(right, left) if isinstance(right, Duration) else Failure(NO_OVERLOAD)


def _subtract_timestamp(left: Timestamp, right: object) -> object:
    if isinstance(right, Timestamp):
        return _span(left.nanos, right.nanos)
    if isinstance(right, Duration):
        return Failure(INT_OVERFLOW) if right.nanos == MIN_INT else _timestamp(left.nanos - right.nanos, left.zone)
    return Failure(NO_OVERLOAD)


def _span(end: int, start: int) -> Duration | Failure:
    """The time between two points. The seconds alone must fit, before the fractions are added."""
    seconds = end // NANOS - start // NANOS
    if not MIN_INT <= seconds * NANOS <= MAX_INT:
        return Failure(INT_OVERFLOW)
    return _duration(end - start)


def _same(kind: type, operation: Operation) -> Operation:
    """The operation, for two values of one kind."""

    def checked(left: object, right: object) -> object:
        return operation(left, right) if type(right) is kind else Failure(NO_OVERLOAD)

    return checked


def _divide_ints(left: int, right: int) -> object:
    if right == 0:
        return Failure("division by zero")
    quotient = abs(left) // abs(right)
    return _int(quotient if (left < 0) == (right < 0) else -quotient)


def _modulo_ints(left: int, right: int) -> object:
    if right == 0:
        return Failure("modulus by zero")
    if left == MIN_INT and right == -1:
        return Failure(INT_OVERFLOW)
    rest = abs(left) % abs(right)
    return -rest if left < 0 else rest


def _divide_uints(left: Uint, right: Uint) -> object:
    return Uint(left.value // right.value) if right.value else Failure("division by zero")


def _modulo_uints(left: Uint, right: Uint) -> object:
    return Uint(left.value % right.value) if right.value else Failure("modulus by zero")


def _divide_floats(left: float, right: float) -> float:
    if right != 0 or math.isnan(left):
        return left / right if right != 0 else math.nan
    if left == 0:
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1, right)


_ADD: Final[Mapping[type, Operation]] = {
    int: _same(int, lambda left, right: _int(left + right)),
    Uint: _same(Uint, lambda left, right: _uint(left.value + right.value)),
    float: _same(float, lambda left, right: left + right),
    str: _same(str, lambda left, right: left + right),
    bytes: _same(bytes, lambda left, right: left + right),
    tuple: _add_lists,
    Joined: _add_lists,
    GrowingList: _add_lists,
    Duration: _add_duration,
    Timestamp: _add_timestamp,
}
_SUBTRACT: Final[Mapping[type, Operation]] = {
    int: _same(int, lambda left, right: _int(left - right)),
    Uint: _same(Uint, lambda left, right: _uint(left.value - right.value)),
    float: _same(float, lambda left, right: left - right),
    Duration: _same(Duration, lambda left, right: _duration(left.nanos - right.nanos)),
    Timestamp: _subtract_timestamp,
}
_MULTIPLY: Final[Mapping[type, Operation]] = {
    int: _same(int, lambda left, right: _int(left * right)),
    Uint: _same(Uint, lambda left, right: _uint(left.value * right.value)),
    float: _same(float, lambda left, right: left * right),
}
_DIVIDE: Final[Mapping[type, Operation]] = {
    int: _same(int, _divide_ints),
    Uint: _same(Uint, _divide_uints),
    float: _same(float, _divide_floats),
}
_MODULO: Final[Mapping[type, Operation]] = {
    int: _same(int, _modulo_ints),
    Uint: _same(Uint, _modulo_uints),
}
_METHODICAL: Final = frozenset({str, Duration, Timestamp})


def unsupported(operator: str, left: object) -> Failure:
    """The failure of an operator that the left side's kind does not have."""
    return Failure(NO_OVERLOAD if type(left) in _METHODICAL else f"{NO_OVERLOAD}: {operator}")


def _operator(name: str, table: Mapping[type, Operation]) -> Operation:
    def operate(left: object, right: object) -> object:
        operation = table.get(type(left))
        return operation(left, right) if operation else unsupported(name, left)

    return operate


add: Final = _operator("_+_", _ADD)
subtract: Final = _operator("_-_", _SUBTRACT)
multiply: Final = _operator("_*_", _MULTIPLY)
divide: Final = _operator("_/_", _DIVIDE)
modulo: Final = _operator("_%_", _MODULO)


def negate(value: object) -> object:
    """`-value`."""
    kind = type(value)
    if kind is int:
        return _int(-value)  # type: ignore[operator]
    if kind is float:
        return -value  # type: ignore[operator]
    if kind is Duration:
        return _duration(-value.nanos)  # type: ignore[attr-defined]
    return Failure(NO_OVERLOAD) if kind is bool else unsupported("-_", value)
