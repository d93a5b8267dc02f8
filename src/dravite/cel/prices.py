"""What a call costs at run time, in CEL's units: one table, by overload and by function.

A price is a number, or it is counted from the arguments (failures included) and the result. Source: the cost
tracker of Kubernetes' CEL environment; the estimate before evaluation has its own rules.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from dravite.api.quantity import Quantity
from dravite.api.semver import Semver
from dravite.cel.ast import Uint
from dravite.cel.values import (
    CIDR,
    IP,
    LISTS,
    NONE,
    URL,
    ComputedQuantity,
    Duration,
    Halt,
    Map,
    NamedFormat,
    Optional,
    Timestamp,
    host_name,
    key_value,
    size_of,
)

SELECTION: Final = 1
LIST_LITERAL: Final = 10
MAP_LITERAL: Final = 30
STRUCT_LITERAL: Final = 40

Counted = Callable[[Sequence[object], object], int]
Price = int | Counted

_STRING_FACTOR: Final = 0.1
_PATTERN_FACTOR: Final = 0.25
_LIST_CALL: Final = 11
_AUTHORIZATION: Final = 350_000
_UNIT_EQUALITY: Final = frozenset({Quantity, ComputedQuantity, Semver, IP, CIDR, URL, NamedFormat})
_ADDABLE: Final = frozenset({int, Uint, float, str, bytes, Timestamp, Duration})


def _inner_size(value: object) -> int:
    """The size that operators are charged for: that of the value inside an optional."""
    while isinstance(value, Optional) and value is not NONE:
        value = value.value
    return size_of(value)


def _scan(size: int, factor: float = _STRING_FACTOR) -> int:
    return math.ceil(size * factor)


def _traversal(value: object) -> int:
    """Every scalar in a tree of lists and maps costs one unit; a text a tenth of its length in bytes."""
    if isinstance(value, str):
        return int(len(value.encode()) * _STRING_FACTOR)
    if isinstance(value, bytes):
        return int(len(value) * _STRING_FACTOR)
    if isinstance(value, LISTS):
        return sum(_traversal(element) for element in value)
    if isinstance(value, Map):
        return sum(_traversal(key_value(key)) + _traversal(inner) for key, inner in value.entries.items())
    return 1


def _of_operand(index: int, factor: float = _STRING_FACTOR, *, inner: bool = False) -> Counted:
    """A scan of one argument."""
    measure = _inner_size if inner else size_of
    return lambda args, _: _scan(measure(args[index]), factor)


def _shorter(args: Sequence[object], _: object) -> int:
    return _scan(min(_inner_size(args[0]), _inner_size(args[1])))


def _equality(args: Sequence[object], result: object) -> int:
    return 1 if type(args[0]) in _UNIT_EQUALITY else _shorter(args, result)


def _both(args: Sequence[object], _: object) -> int:
    return _scan(_inner_size(args[0]) + _inner_size(args[1]))


def _search(args: Sequence[object], _: object) -> int:
    return _scan(_inner_size(args[0])) * _scan(_inner_size(args[1]))


def _pattern(measure: Callable[[object], int]) -> Counted:
    return lambda args, _: _scan(1 + measure(args[0])) * _scan(measure(args[1]), _PATTERN_FACTOR)


def _walk(args: Sequence[object], _: object) -> int:
    return _traversal(args[0])


def _joined(_: Sequence[object], result: object) -> int:
    return _scan(size_of(result), 2 * _STRING_FACTOR)


def _contains_ip(args: Sequence[object], _: object) -> int:
    return _scan(2 * size_of(args[0]))


def _contains_ip_text(args: Sequence[object], result: object) -> int:
    return _contains_ip(args, result) + _scan(size_of(args[1]))


def _contains_cidr(args: Sequence[object], result: object) -> int:
    return _contains_ip(args, result) + _scan(size_of(args[0])) + 1


def _contains_cidr_text(args: Sequence[object], result: object) -> int:
    return _contains_cidr(args, result) + _scan(size_of(args[1]))


def _validation(args: Sequence[object], _: object) -> int:
    named = args[0]
    if not isinstance(named, NamedFormat):
        return 1
    return _scan(1 + size_of(args[1])) * _scan(named.cost_size, _PATTERN_FACTOR)


def _output(_: Sequence[object], result: object) -> int:
    return size_of(result) + _LIST_CALL


def _flattening(args: Sequence[object], _: object) -> int:
    depth: object = args[1] if len(args) == 2 else 1
    if type(depth) is not int:
        message = f"internal error: interface conversion: ref.Val is {host_name(depth)}, not types.Int"
        raise Halt(message)
    cost = size_of(args[0]) * float(depth if depth >= 0 else 1)
    return (int(cost) if cost < 2.0**64 else 2**63) + _LIST_CALL


def _self_comparison(index: int) -> Counted:
    def count(args: Sequence[object], _: object) -> int:
        elements = args[index]
        if not isinstance(elements, LISTS):
            method = "Contains" if type(elements) in _ADDABLE else "Add"
            kind = host_name(elements)
            message = f"internal error: interface conversion: {kind} is not traits.Lister: missing method {method}"
            raise Halt(message)
        size = len(elements)
        factor = 2.1 if size and isinstance(elements[0], str | bytes) else 2.0
        return int(size * size * factor) + _LIST_CALL

    return count


def _sets(factor: float) -> Counted:
    return lambda args, _: 1 + int(size_of(args[0]) * size_of(args[1]) * factor)


_KINDS: Final = (
    "int",
    "uint",
    "double",
    "bool",
    "google.protobuf.Duration",
    "google.protobuf.Timestamp",
    "string",
    "bytes",
)

_LIBRARY: Final[Mapping[str, Price]] = {
    "list_slice": _output,
    "list_flatten": _flattening,
    "list_flatten_int": _flattening,
    "lists_range": _output,
    "list_reverse": _output,
    "list_distinct": _self_comparison(0),
    "list_sets_contains_list": _sets(1),
    "list_sets_intersects_list": _sets(1),
    "list_sets_equivalent_list": _sets(2),
    **{f"list_{kind}_sort": _self_comparison(0) for kind in _KINDS},
    **{f"list_{kind}_sortByAssociatedKeys": _self_comparison(1) for kind in _KINDS},
    "cidr_ip": 1,
    "cidr_contains_ip_string": _contains_ip_text,
    "cidr_contains_cidr_string": _contains_cidr_text,
}
"""Overloads whose price is settled before that of their function."""

_BY_FUNCTION: Final[Mapping[str, Price]] = {
    **dict.fromkeys(("isSorted", "sum", "max", "min", "indexOf", "lastIndexOf", "includes"), _walk),
    **dict.fromkeys(("url", "lowerAscii", "upperAscii", "substring", "trim"), _of_operand(0)),
    **dict.fromkeys(("cidr", "ip", "isIP", "isCIDR"), _of_operand(0)),
    **dict.fromkeys(("quantity", "isQuantity", "semver", "isSemver"), _of_operand(0)),
    **dict.fromkeys(("replace", "split", "ip.isCanonical"), _of_operand(0, 2 * _STRING_FACTOR)),
    "join": _joined,
    **dict.fromkeys(("find", "findAll"), _pattern(size_of)),
    "containsIP": _contains_ip,
    "containsCIDR": _contains_cidr,
    "validate": _validation,
    "check": _AUTHORIZATION,
    "_==_": _equality,
}

_STANDARD: Final[Mapping[str, Price]] = {
    "starts_with_string": _of_operand(1, inner=True),
    "ends_with_string": _of_operand(1, inner=True),
    "string_to_bytes": _of_operand(0, inner=True),
    "bytes_to_string": _of_operand(0, inner=True),
    "strings_quote": _of_operand(0, inner=True),
    "string_format": _of_operand(0, inner=True),
    "in_list": lambda args, _: _inner_size(args[1]),
    **{f"{name}_{kind}": _shorter for kind in ("string", "bytes") for name in ("less", "less_equals", "greater")},
    "greater_equals_string": _shorter,
    "greater_equals_bytes": _shorter,
    "not_equals": _shorter,
    "add_string": _both,
    "add_bytes": _both,
    "matches": _pattern(_inner_size),
    "matches_string": _pattern(_inner_size),
    "contains_string": _search,
}
"""Overloads of the language itself."""


_UNTELLABLE: Final = frozenset({"list_flatten_int", "list_distinct", *(key for key in _LIBRARY if "sort" in key)})


def audit_of(overloads: tuple[str, ...]) -> Counted | None:
    """The price of a call whose price may end the evaluation, because a list is none; None for all others."""
    price = _LIBRARY[overloads[0]] if len(overloads) == 1 and overloads[0] in _UNTELLABLE else None
    return None if isinstance(price, int) else price


def price_of(function: str, overloads: tuple[str, ...]) -> Price:
    """The price of a call that may mean these overloads. Where it may mean several, only the function counts."""
    overload = overloads[0] if len(overloads) == 1 else ""
    for table, key in ((_LIBRARY, overload), (_BY_FUNCTION, function), (_STANDARD, overload)):
        price = table.get(key)
        if price is not None:
            return price
    return 1
