"""From a function's name to what runs: operators by the kind of their left side, other functions by their overloads.

An overload is taken when the values are of the kinds that it declares. Where none fits, the answer is a failure that
names the function and the kinds (CEL-26).
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
from dravite.cel.declarations import Overload, overloads
from dravite.cel.equality import NO_OVERLOAD, compare, contains
from dravite.cel.library import IMPLEMENTATIONS
from dravite.cel.library.conversions import same, type_of
from dravite.cel.library.lists import sort, sort_by_keys
from dravite.cel.library.pattern_search import Pattern
from dravite.cel.library.patterns import compile_pattern
from dravite.cel.library.regexes import find, find_all, matches
from dravite.cel.types import Type
from dravite.cel.values import (
    LISTS,
    Duration,
    Failure,
    Map,
    Timestamp,
    TypeValue,
    key_value,
    kinds_of,
    size_of,
    type_name,
)

Apply = Callable[..., object]
Test = Callable[[object], bool]


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
_UNGUARDED: Final = frozenset(
    {"contains_string", "starts_with_string", "ends_with_string", "list_flatten", "list_flatten_int"}
)
_ALWAYS_LAZY: Final = frozenset({"string_format"})


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


def _matches(text: object, pattern: object) -> object:
    return matches(text, pattern) if type(text) is str else unsupported("matches", text)


def _sort(elements: object) -> object:
    return sort(elements) if isinstance(elements, LISTS) else unsupported("sort", elements)


def _sort_by_keys(elements: object, keys: object) -> object:
    if isinstance(elements, LISTS) and isinstance(keys, LISTS):
        return sort_by_keys(elements, keys)
    return unsupported("@sortByAssociatedKeys", elements)


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
    "type": type_of,
    "dyn": same,
    "matches": _matches,
    "sort": _sort,
    "@sortByAssociatedKeys": _sort_by_keys,
}
"""Functions with one implementation for all kinds."""


def is_of_type(value: object, t: Type) -> bool:
    """Whether a value can be passed for a declared type. Lists and maps are judged by their first entry."""
    if t.kind in ("dyn", "any", "param"):
        return True
    if t.name != type_name(value):
        return False
    if isinstance(value, LISTS):
        return not value or is_of_type(value[0], t.params[0])
    if isinstance(value, Map):
        for key, first in value.entries.items():
            return is_of_type(key_value(key), t.params[0]) and is_of_type(first, t.params[1])
    return True


@cache
def routine(function: str, resolved: tuple[str, ...]) -> Routine:
    """What a call of a function runs, where the checker found that it may mean the `resolved` overloads."""
    operator = _OPERATORS.get(function)
    if operator is not None:
        return Routine(operator, lazy=False)
    declared = overloads(function) or ()
    if len(resolved) == 1 or len(declared) == 1:
        only = next(overload for overload in declared if overload.id == (resolved or (declared[0].id,))[0])
        lazy = len(only.args) > 2 or only.id in _ALWAYS_LAZY
        return Routine(_one(function, only), lazy)
    return Routine(_any_of(function, declared), lazy=True)


def _no_overload(function: str, values: tuple[object, ...]) -> Failure:
    kinds = ", ".join([type_name(value) for value in values])
    return Failure(f"{NO_OVERLOAD}: {function}({kinds})")


def _one(function: str, overload: Overload) -> Apply:
    """The overload, if the values are of its types."""
    implementation = IMPLEMENTATIONS.get(overload.id)
    if implementation is None:
        return lambda *values: _no_overload(function, values)
    if overload.id in _UNGUARDED or not overload.args:
        return implementation
    tests = tuple([_test_of(t) for t in overload.args])
    if len(tests) == 1:
        return _unary(function, implementation, tests[0])
    return _binary(function, implementation, tests) if len(tests) == 2 else _general(function, implementation, tests)


def _test_of(t: Type) -> Test:
    """Whether a value is of a type. Most types are told by the value's Python type alone."""
    if t.kind in ("dyn", "any", "param"):
        return lambda _: True
    if t.kind in ("list", "map"):
        return lambda value: is_of_type(value, t)
    kinds = kinds_of(t.name)
    return lambda value: type(value) in kinds


def _unary(function: str, implementation: Apply, test: Test) -> Apply:
    def apply(value: object) -> object:
        return implementation(value) if test(value) else _no_overload(function, (value,))

    return apply


def _binary(function: str, implementation: Apply, tests: tuple[Test, ...]) -> Apply:
    fits_first, fits_second = tests

    def apply(first: object, second: object) -> object:
        if fits_first(first) and fits_second(second):
            return implementation(first, second)
        return _no_overload(function, (first, second))

    return apply


def _passes(test: Test, value: object) -> bool:
    return test(value)


def _general(function: str, implementation: Apply, tests: tuple[Test, ...]) -> Apply:
    def apply(*values: object) -> object:
        if all(map(_passes, tests, values)):
            return implementation(*values)
        return _no_overload(function, values)

    return apply


def _any_of(function: str, declared: tuple[Overload, ...]) -> Apply:
    """The first overload whose types the values are of."""
    known = [overload for overload in declared if overload.id in IMPLEMENTATIONS]
    candidates = [(tuple([_test_of(t) for t in overload.args]), IMPLEMENTATIONS[overload.id]) for overload in known]

    def apply(*values: object) -> object:
        for tests, implementation in candidates:
            if len(tests) == len(values) and all(map(_passes, tests, values)):
                return implementation(*values)
        return _no_overload(function, values)

    return apply


def _matching(pattern: Pattern) -> Apply:
    def apply(text: object, _: object) -> object:
        text = text.name if isinstance(text, TypeValue) else text
        return pattern.is_in(text) if type(text) is str else Failure(NO_OVERLOAD)

    return apply


def pattern_routine(function: str, pattern: str) -> Routine | None:
    """What `matches`, `find` or `findAll` with a constant pattern runs; None for any other function."""
    search: Apply | None = {"matches": matches, "find": find, "findAll": find_all}.get(function)
    if search is None:
        return None
    if function == "matches":
        return Routine(_matching(compile_pattern(pattern)), lazy=True)

    def apply(text: object, _: object, *limit: object) -> object:
        text = text.name if isinstance(text, TypeValue) else text
        if type(text) is not str or any(type(count) is not int for count in limit):
            return Failure(NO_OVERLOAD)
        return search(text, pattern, *limit)

    return Routine(apply, lazy=True)
