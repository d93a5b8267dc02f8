"""From a function's name to what runs: operators by the kind of their left side.

Everything else is in `functions`, which is loaded when an expression first calls one: most selectors only compare.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from operator import ge, gt, le, lt
from typing import Any, Final

import msgspec

from dravite.cel import arithmetic
from dravite.cel.arithmetic import unsupported
from dravite.cel.ast import Uint
from dravite.cel.equality import NO_OVERLOAD, compare, contains
from dravite.cel.values import LISTS, Duration, Failure, Map, Timestamp, size_of

Apply = Callable[..., object]


class Routine(msgspec.Struct, frozen=True):
    """What a call runs.

    Attributes:
        apply: gets the values of the arguments, none of them a failure.
        lazy: the first failing argument ends the call: the rest is not evaluated, and nothing is charged.
    """

    apply: Apply
    lazy: bool


_PLAIN: Final = frozenset({bool, int, str, bytes})
_ORDERED: Final = frozenset({bool, int, Uint, float, str, bytes, Duration, Timestamp})
_PATTERN_FUNCTIONS: Final = frozenset({"matches", "find", "findAll"})


def _comparison(operator: str, test: Callable[[Any, Any], bool]) -> Apply:
    def apply(left: object, right: object) -> object:
        kind = type(left)
        if kind is type(right) and kind in _PLAIN:
            return test(left, right)
        if kind not in _ORDERED:
            return unsupported(operator, left)
        order = compare(left, right)
        return order if isinstance(order, Failure) else test(order, 0)

    return apply


def _not(value: object) -> object:
    return not value if type(value) is bool else Failure(NO_OVERLOAD)


def _size(value: object) -> object:
    if isinstance(value, (str, bytes, Map, *LISTS)):
        return size_of(value)
    return unsupported("size", value)


_OPERATORS: Final[Mapping[str, Apply]] = {
    "_+_": arithmetic.add,
    "_-_": arithmetic.subtract,
    "_*_": arithmetic.multiply,
    "_/_": arithmetic.divide,
    "_%_": arithmetic.modulo,
    "-_": arithmetic.negate,
    "!_": _not,
    "_<_": _comparison("_<_", lt),
    "_<=_": _comparison("_<=_", le),
    "_>_": _comparison("_>_", gt),
    "_>=_": _comparison("_>=_", ge),
    "@in": lambda wanted, container: contains(container, wanted),
    "size": _size,
}
"""What needs nothing but values: one implementation for all kinds."""


@cache
def routine(function: str, resolved: tuple[str, ...]) -> Routine:
    """What a call of a function runs, where the checker found that it may mean the `resolved` overloads."""
    operator = _OPERATORS.get(function)
    if operator is not None:
        return Routine(operator, lazy=False)
    from dravite.cel.functions import named_routine

    return named_routine(function, resolved)


def pattern_routine(function: str, pattern: str) -> Routine | None:
    """What `matches`, `find` or `findAll` with a constant pattern runs; None for any other function."""
    if function not in _PATTERN_FUNCTIONS:
        return None
    from dravite.cel.functions import search_routine

    return search_routine(function, pattern)
