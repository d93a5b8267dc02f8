"""What a call costs at worst, and how large its result can be: one table of functions and overloads.

Costs are of the call alone; arguments are added by `cost`. Figures and formulas are those of Kubernetes 1.37, because
the API server refuses expressions by them (CEL-28 to CEL-30).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

import msgspec

from dravite.cel.ast import Constant, Expr
from dravite.cel.bounds import ONE, UNBOUNDED, UNKNOWN, Bounds, exactly
from dravite.cel.types import Type

TRAVERSAL: Final = 0.1
"""Cost of passing one character or byte."""
REGEX_LENGTH: Final = 0.25
LIST_BASE: Final = 10
_FORMAT_REGEX_LENGTH: Final = 128
_MAX_FORMAT_LENGTH: Final = 64
_AUTHORIZATION_CHECK: Final = 350_000
_REQUIREMENT: Final = 50.0


class Operand(msgspec.Struct, frozen=True):
    """A receiver or argument, as far as its cost matters."""

    node: Expr
    type: Type
    known_size: Bounds | None
    item_size: Bounds
    """The size of its elements, where it is a collection of the device."""

    @property
    def size(self) -> Bounds:
        return UNKNOWN if self.known_size is None else self.known_size


class Estimate(msgspec.Struct, frozen=True):
    """The cost of a call, and the size of its result where that is known."""

    cost: Bounds
    size: Bounds | None = None


Rule: TypeAlias = Callable[[str, Operand | None, tuple[Operand, ...]], Estimate | None]


def call_estimate(function: str, overload: str, target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    """The estimate of a library function, or None where the call is as cheap as any or belongs to the language."""
    rule = _BY_OVERLOAD.get(overload) or _BY_FUNCTION.get(function)
    return rule(overload, target, args) if rule is not None else None


def _fixed(cost: int) -> Rule:
    return lambda _overload, _target, _args: Estimate(exactly(cost))


def _traversal(*, factor: float = TRAVERSAL) -> Rule:
    """Passing the first argument once."""

    def rule(_: str, __: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
        return Estimate(args[0].size.scaled(factor)) if args else None

    return rule


def _url(_: str, __: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    size = args[0].size
    return Estimate(size.scaled(TRAVERSAL), size)


def _transformed(_: str, target: Operand | None, __: tuple[Operand, ...]) -> Estimate | None:
    """A string becomes another one that is not longer."""
    return None if target is None else Estimate(target.size.scaled(TRAVERSAL), target.size)


def _each_element(_: str, target: Operand | None, __: tuple[Operand, ...]) -> Estimate | None:
    """A look at every element of a list, or at every character of a string."""
    if target is None:
        return None
    if not target.type.params:
        return Estimate(target.size.scaled(TRAVERSAL))
    return Estimate(target.size.times(_comparison(target)))


def _includes(_: str, target: Operand | None, __: tuple[Operand, ...]) -> Estimate | None:
    return None if target is None else Estimate(target.size.times(_comparison(target)))


def _comparison(target: Operand) -> Bounds:
    """The cost of comparing one element."""
    texts = target.type.params and target.type.params[0].kind in ("string", "bytes")
    return ONE.plus(target.item_size.scaled(TRAVERSAL)) if texts else ONE


def _replace(_: str, target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    if target is None or len(args) < 2:
        return None
    size, old, new = target.size, args[0].size, args[1].size
    most_often, most_kept = _most_replaced(size.most, old.least, new.most)
    least_often, least_kept = _least_replaced(size.least, old.most, new.least)
    result = Bounds(least_often, most_often).times(new).plus(Bounds(least_kept, most_kept))
    return Estimate(size.scaled(2 * TRAVERSAL), result)


def _most_replaced(size: int, old: int, new: int) -> tuple[int, int]:
    """How often the longest text can have something replaced, and how much of it stays."""
    if old == 0:
        return min(size + 1, UNBOUNDED), size
    if new <= old:
        return 0, size
    return _quotient(size, old), 0


def _least_replaced(size: int, old: int, new: int) -> tuple[int, int]:
    if old == 0:
        return min(size + 1, UNBOUNDED), size
    if old <= new:
        return 0, size
    return _quotient(size, old), 0


def _quotient(size: int, part: int) -> int:
    return min(math.ceil(float(size) / float(part)), UNBOUNDED)


def _split(_: str, target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    if target is None:
        return None
    most = target.size.most
    if len(args) > 1:
        limit = _int_constant(args[1].node)
        most = most if limit is None else limit % 2**64
    return Estimate(target.size.scaled(2 * TRAVERSAL), Bounds(0, most))


def _join(_: str, target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    if target is None:
        return None
    count = target.size
    size = count.times(target.item_size) if target.type.params else Bounds(0, 0)
    if args:
        gaps = Bounds(max(count.least - 1, 0), max(count.most - 1, 0))
        size = size.plus(args[0].size.times(gaps))
    return Estimate(size.scaled(TRAVERSAL), size)


def _find(_: str, target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    if target is None or not args:
        return None
    cost = regex_cost(target.size, args[0].size)
    return Estimate(cost, Bounds(0, target.size.most))


def regex_cost(text: Bounds, pattern: Bounds) -> Bounds:
    """The cost of running a regular expression over a text; an empty text costs something, too."""
    return text.plus(ONE).scaled(TRAVERSAL).times(pattern.scaled(REGEX_LENGTH))


def _ip(overload: str, _: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    if overload == "cidr_ip":
        return Estimate(ONE)
    return Estimate(args[0].size.scaled(TRAVERSAL)) if args else None


_ADDRESS_BYTES: Final = Bounds(4, 16)


def _contains_ip(overload: str, _: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    cost = _ADDRESS_BYTES.plus(_ADDRESS_BYTES).scaled(TRAVERSAL)
    if overload == "cidr_contains_ip_string":
        cost = cost.plus(args[0].size.scaled(TRAVERSAL))
    return Estimate(cost)


def _contains_cidr(overload: str, _: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    cost = _ADDRESS_BYTES.plus(_ADDRESS_BYTES).scaled(TRAVERSAL)
    cost = cost.plus(_ADDRESS_BYTES.scaled(TRAVERSAL)).plus(ONE)
    if overload == "cidr_contains_cidr_string":
        cost = cost.plus(args[0].size.scaled(TRAVERSAL))
    return Estimate(cost)


def _validate(_: str, __: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    factor = _FORMAT_REGEX_LENGTH * REGEX_LENGTH
    return Estimate(args[0].size.scaled(TRAVERSAL).scaled(factor)) if args else None


def _selector(_: str, __: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    if len(args) != 1:
        return None
    size = args[0].size
    requirements = size.scaled(0.5).scaled(_REQUIREMENT)
    return Estimate(exactly(LIST_BASE).plus(size.scaled(TRAVERSAL)).plus(requirements))


def _equal_objects(_: str, __: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    """Kubernetes' own types compare at their own price."""
    if len(args) != 2 or args[0].type.name != args[1].type.name:
        return None
    name = args[0].type.name
    if name in _CHEAPLY_EQUAL:
        return Estimate(ONE)
    if name == "kubernetes.NamedFormat":
        return Estimate(Bounds(1, _MAX_FORMAT_LENGTH).scaled(TRAVERSAL))
    if name == "kubernetes.URL":
        right = args[1].known_size
        most = 1 if right is None else right.most
        return Estimate(Bounds(1, most).scaled(TRAVERSAL))
    return None


_CHEAPLY_EQUAL: Final = frozenset(
    {
        *("net.IP", "net.CIDR", "kubernetes.Quantity", "kubernetes.Semver"),
        *("kubernetes.authorization.Authorizer", "kubernetes.authorization.PathCheck"),
        *("kubernetes.authorization.GroupCheck", "kubernetes.authorization.ResourceCheck"),
        "kubernetes.authorization.Decision",
    }
)


def _new_list(factor: float, size: Bounds) -> Estimate:
    return Estimate(size.scaled(factor).plus(exactly(1 + LIST_BASE)), size)


def _slice(_: str, target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    if target is None or len(args) != 2:
        return None
    start, end = _constant_or(args[0].node, 0), _constant_or(args[1].node, target.size.most)
    return _new_list(1, exactly((end - start) % 2**64))


def _flatten(_: str, target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    depth = _constant_or(args[0].node, UNBOUNDED) if args else 1
    return None if target is None else _new_list(float(depth), target.size)


def _range(_: str, __: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    return _new_list(1, exactly(_constant_or(args[0].node, UNBOUNDED)))


def _reverse(_: str, target: Operand | None, __: tuple[Operand, ...]) -> Estimate | None:
    return None if target is None else _new_list(1, target.size)


def _distinct(_: str, target: Operand | None, __: tuple[Operand, ...]) -> Estimate | None:
    return None if target is None else _new_list(2, target.size.times(target.size))


def _sort(overload: str, target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    keys = args[0] if args else target
    if keys is None:
        return None
    texts = overload.startswith(("list_string_", "list_bytes_"))
    return _new_list(2 + TRAVERSAL if texts else 2, keys.size.times(keys.size))


def _sets(*, factor: int) -> Rule:
    def rule(_: str, __: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
        return Estimate(args[0].size.times(args[1].size).scaled(factor).plus(ONE))

    return rule


def _int_constant(node: Expr) -> int | None:
    value = node.value if isinstance(node, Constant) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _constant_or(node: Expr, default: int) -> int:
    """A whole number that is written in the source, never below zero."""
    value = _int_constant(node)
    return default if value is None else max(value, 0)


def _all(rule: Rule, *names: str) -> dict[str, Rule]:
    return dict.fromkeys(names, rule)


_SORTED: Final = ("int", "uint", "double", "bool", "string", "bytes")
_SORTED_NAMES: Final = (*_SORTED, "google.protobuf.Duration", "google.protobuf.Timestamp")

_BY_OVERLOAD: Final[Mapping[str, Rule]] = {
    "list_slice": _slice,
    "list_flatten": _flatten,
    "list_flatten_int": _flatten,
    "lists_range": _range,
    "list_reverse": _reverse,
    "list_distinct": _distinct,
    **_all(_sort, *(f"list_{name}_sort" for name in _SORTED_NAMES)),
    **_all(_sort, *(f"list_{name}_sortByAssociatedKeys" for name in _SORTED_NAMES)),
    **_all(_sets(factor=1), "list_sets_contains_list", "list_sets_intersects_list"),
    "list_sets_equivalent_list": _sets(factor=2),
}

_BY_FUNCTION: Final[Mapping[str, Rule]] = {
    "_==_": _equal_objects,
    "includes": _includes,
    **_all(_each_element, "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf"),
    **_all(_transformed, "lowerAscii", "upperAscii", "substring", "trim"),
    **_all(_traversal(), "cidr", "isIP", "isCIDR", "quantity", "isQuantity", "semver", "isSemver"),
    "ip.isCanonical": _traversal(factor=2 * TRAVERSAL),
    "url": _url,
    "replace": _replace,
    "split": _split,
    "join": _join,
    **_all(_find, "find", "findAll"),
    "ip": _ip,
    "containsIP": _contains_ip,
    "containsCIDR": _contains_cidr,
    "validate": _validate,
    "check": _fixed(_AUTHORIZATION_CHECK),
    **_all(_selector, "fieldSelector", "labelSelector"),
    **_all(_fixed(1), "masked", "prefixLength", "family", "isUnspecified", "isLoopback", "isLinkLocalMulticast"),
    **_all(_fixed(1), "isLinkLocalUnicast", "isGlobalUnicast", "format.named", "sign", "asInteger", "isInteger"),
    **_all(_fixed(1), "asApproximateFloat", "isGreaterThan", "isLessThan", "compareTo", "add", "sub", "major"),
    **_all(_fixed(1), "minor", "patch", "getScheme", "getHostname", "getHost", "getPort", "getEscapedPath"),
    **_all(_fixed(1), "getQuery", "serviceAccount", "path", "group", "resource", "subresource", "namespace"),
    **_all(_fixed(1), "name", "allowed", "reason", "error", "errored"),
}
