"""Functions of lists and sets. Elements that cannot be compared are unequal here, never an error."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cmp_to_key
from typing import Final

from dravite.cel.arithmetic import add, unsupported
from dravite.cel.ast import Uint
from dravite.cel.equality import NO_OVERLOAD, compare, contains, equal_inside
from dravite.cel.values import LISTS, NONE, Duration, Failure, Optional, Timestamp, type_name

_MAX_RANGE: Final = 1_000_000
_PARAMETERS: Final[Mapping[str, str]] = {"list": "dyn", "map": "dyn, dyn", "optional_type": "dyn"}
_ORDERED_KINDS: Final = frozenset({int, Uint, float, bool, str, bytes, Duration, Timestamp})

List = Sequence[object]


def _slice(elements: List, start: int, end: int) -> object:
    call = f"cannot slice({start}, {end})"
    if start < 0 or end < 0:
        return Failure(f"{call}, negative indexes not supported")
    if start > end:
        return Failure(f"{call}, start index must be less than or equal to end index")
    if end > len(elements):
        return Failure(f"{call}, list is length {len(elements)}")
    return tuple(elements[start:end])


def _flatten(value: object) -> object:
    if not isinstance(value, LISTS):
        return Failure(f"no such overload: {_whole_type(value)}.flatten()")
    return tuple(_flat(value, 1))


def _flatten_to(value: object, depth: object) -> object:
    if not isinstance(value, LISTS) or type(depth) is not int:
        return Failure(f"no such overload: {_whole_type(value)}.flatten({_whole_type(depth)})")
    if depth < 0:
        return Failure("level must be non-negative")
    return tuple(_flat(value, depth))


def _whole_type(value: object) -> str:
    """The type of a value with the parameters of its kind."""
    name = type_name(value)
    return f"{name}({_PARAMETERS[name]})" if name in _PARAMETERS else name


def _flat(elements: List, depth: int) -> list[object]:
    flat: list[object] = []
    for element in elements:
        if depth and isinstance(element, LISTS):
            flat.extend(_flat(element, depth - 1))
        else:
            flat.append(element)
    return flat


def sort(elements: object) -> object:
    """`list.sort()`: the elements in ascending order."""
    return _sort_by(elements, elements) if isinstance(elements, LISTS) else unsupported("sort", elements)


def sort_by_keys(elements: object, keys: object) -> object:
    """What `list.sortBy(e, key)` becomes: the elements in ascending order of their keys."""
    if isinstance(elements, LISTS) and isinstance(keys, LISTS):
        return _sort_by(elements, keys)
    return unsupported("@sortByAssociatedKeys", elements)


def _sort_by(elements: List, keys: List) -> object:
    if len(elements) != len(keys):
        counts = f"{len(elements)} and {len(keys)} elements respectively"
        return Failure(
            f"@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got {counts}"
        )
    if not elements:
        return elements
    kind = type(keys[0])
    if kind not in _ORDERED_KINDS:
        return Failure("list elements must be comparable")
    if any(type(key) is not kind for key in keys):
        return Failure("list elements must have the same type")
    pairs = sorted(zip(keys, elements, strict=True), key=cmp_to_key(_order))
    return tuple([element for _, element in pairs])


def _order(left: tuple[object, object], right: tuple[object, object]) -> int:
    order = compare(left[0], right[0])
    return order if isinstance(order, int) else 0


def _range(size: int) -> object:
    if size < 0:
        return Failure(f"lists.range: size must be non-negative, got {size}")
    if size > _MAX_RANGE:
        return Failure(f"lists.range: size {size} exceeds maximum allowed ({_MAX_RANGE})")
    return tuple(range(size))


def _distinct(elements: List) -> object:
    unique: list[object] = []
    for element in elements:
        if not any(equal_inside(element, other) is True for other in unique):
            unique.append(element)
    return tuple(unique)


def _is_sorted(elements: List) -> object:
    for index, element in enumerate(elements):
        if type(element) not in _ORDERED_KINDS:
            return Failure(NO_OVERLOAD)
        if index and compare(elements[index - 1], element) == 1:
            return False
    return True


def _sum_from(zero: object) -> Callable[[List], object]:
    def total(elements: List) -> object:
        result = zero
        for element in elements:
            result = add(result, element)
            if isinstance(result, Failure):
                return result
        return result

    return total


def _extreme(name: str, sign: int) -> Callable[[List], object]:
    """The last of the elements that nothing goes beyond in the direction of `sign`."""

    def find(elements: List) -> object:
        if not elements:
            return Failure(f"{name} called on empty list")
        best = elements[0]
        for element in elements:
            if type(element) not in _ORDERED_KINDS:
                return Failure(NO_OVERLOAD)
            if compare(best, element) == -sign:
                best = element
        return best

    return find


def _index_of(elements: List, wanted: object) -> int:
    for index, element in enumerate(elements):
        if equal_inside(element, wanted) is True:
            return index
    return -1


def _last_index_of(elements: List, wanted: object) -> int:
    for index in range(len(elements) - 1, -1, -1):
        if equal_inside(elements[index], wanted) is True:
            return index
    return -1


def _includes(target: object, wanted: object) -> bool:
    if isinstance(target, LISTS):
        return any(equal_inside(element, wanted) is True for element in target)
    return equal_inside(target, wanted) is True


def _set_contains(elements: List, others: List) -> bool:
    return all(contains(elements, other) is True for other in others)


def _set_equivalent(elements: List, others: List) -> bool:
    return _set_contains(elements, others) and _set_contains(others, elements)


def _set_intersects(elements: List, others: List) -> bool:
    return any(contains(others, element) is True for element in elements)


def _first(elements: List) -> Optional:
    return Optional(elements[0]) if elements else NONE


def _last(elements: List) -> Optional:
    return Optional(elements[-1]) if elements else NONE


_ORDERED: Final = ("int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes")
_ZEROS: Final = {"int": 0, "uint": Uint(0), "double": 0.0, "duration": Duration(0)}

OVERLOADS: Final[Mapping[str, Callable[..., object]]] = {
    "sort": sort,
    "@sortByAssociatedKeys": sort_by_keys,
    "list_slice": _slice,
    "list_flatten": _flatten,
    "list_flatten_int": _flatten_to,
    "lists_range": _range,
    "list_reverse": lambda elements: tuple(reversed(elements)),
    "list_distinct": _distinct,
    "list_a_index_of_int": _index_of,
    "list_a_last_index_of_int": _last_index_of,
    "list_includes_dyn_dyn": _includes,
    "list_first": _first,
    "list_last": _last,
    "list_sets_contains_list": _set_contains,
    "list_sets_equivalent_list": _set_equivalent,
    "list_sets_intersects_list": _set_intersects,
    **{f"list_{kind}_is_sorted_bool": _is_sorted for kind in _ORDERED},
    **{f"list_{kind}_min_{kind}": _extreme("min", -1) for kind in _ORDERED},
    **{f"list_{kind}_max_{kind}": _extreme("max", 1) for kind in _ORDERED},
    **{f"list_{kind}_sum_{kind}": _sum_from(zero) for kind, zero in _ZEROS.items()},
}
