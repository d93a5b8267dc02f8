"""From the name of a function to what runs: by its overloads, where it has no operator's standing (`dispatch`).

An overload is taken when the values are of the kinds that it declares. Where none fits, the answer is a failure that
names the function and the kinds (CEL-26).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from dravite.cel.declarations import Overload, overloads
from dravite.cel.dispatch import Apply, Routine
from dravite.cel.equality import NO_OVERLOAD
from dravite.cel.library import implementation_of
from dravite.cel.types import Type
from dravite.cel.values import LISTS, Failure, Map, TypeValue, key_value, kinds_of, type_name

if TYPE_CHECKING:
    from dravite.cel.library.pattern_search import Pattern

Test = Callable[[object], bool]

_UNGUARDED: Final = frozenset(
    {"contains_string", "starts_with_string", "ends_with_string", "list_flatten", "list_flatten_int"}
)
_ALWAYS_LAZY: Final = frozenset({"string_format"})
_FOR_ALL_KINDS: Final = frozenset({"type", "dyn", "matches", "sort", "@sortByAssociatedKeys"})
"""Functions with one implementation for all kinds, found by their own names."""


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


def named_routine(function: str, resolved: tuple[str, ...]) -> Routine:
    """What a call of a function that is no operator runs, where it may mean the `resolved` overloads."""
    for_all = implementation_of(function) if function in _FOR_ALL_KINDS else None
    if for_all is not None:
        return Routine(for_all, lazy=False)
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
    implementation = implementation_of(overload.id)
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
    candidates = [
        (tuple([_test_of(t) for t in overload.args]), implementation)
        for overload in declared
        if (implementation := implementation_of(overload.id)) is not None
    ]

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


def search_routine(function: str, pattern: str) -> Routine:
    """What `matches`, `find` or `findAll` runs where the pattern is constant."""
    from dravite.cel.library.patterns import compile_pattern
    from dravite.cel.library.regexes import find, find_all

    if function == "matches":
        return Routine(_matching(compile_pattern(pattern)), lazy=True)
    search = find if function == "find" else find_all

    def apply(text: object, _: object, *limit: object) -> object:
        text = text.name if isinstance(text, TypeValue) else text
        if type(text) is not str or any(type(count) is not int for count in limit):
            return Failure(NO_OVERLOAD)
        return search(text, pattern, *limit)

    return Routine(apply, lazy=True)
