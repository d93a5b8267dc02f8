"""When two values are equal, which of two comes first, and how lists and maps are searched.

Numbers compare across their three kinds, as the doubles nearest to them where a double takes part. A comparison may
fail: a version or a quantity has nothing to say to other kinds when it stands on the left (CEL-26).
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
    MAX_INT,
    NONE,
    UNHASHABLE,
    URL,
    ComputedQuantity,
    Duration,
    Failure,
    GrowingList,
    GrowingMap,
    Joined,
    Map,
    NamedFormat,
    Optional,
    Timestamp,
    key_of,
    key_value,
)

Number = int | Uint | float

NO_OVERLOAD: Final = "no such overload"
MISSING: Final = object()


def equal(left: object, right: object) -> bool | Failure:
    """`left == right`, for values that are no failures."""
    kind = type(left)
    if kind is type(right) and kind in _PLAIN:
        return left == right
    if left is None or right is None:
        return left is right
    rule = _EQUAL.get(kind)
    return rule(left, right) if rule else left == right if kind is type(right) else False


def _equal_numbers(left: Number, right: object) -> bool:
    if type(right) is bool or not isinstance(right, NUMBERS):
        return False
    return not (_is_nan(left) or _is_nan(right)) and compare_numbers(left, right) == 0


def _is_nan(value: object) -> bool:
    return type(value) is float and math.isnan(value)


def _equal_lists(left: Sequence[object], right: object) -> bool | Failure:
    """Element by element. A literal overlooks elements that cannot be compared; a sum of lists does not."""
    if not isinstance(right, LISTS) or len(left) != len(right):
        return False
    failed: Failure | None = None
    for mine, other in zip(left, right, strict=True):
        same = equal(mine, other)
        if same is False:
            return False
        if type(same) is Failure and failed is None:
            failed = same
    return failed if failed is not None and type(left) is Joined else True


def _equal_maps(left: Map, right: object) -> bool:
    if not isinstance(right, Map) or len(left.entries) != len(right.entries):
        return False
    for key, mine in left.entries.items():
        other = find(right, key_value(key))
        if other is MISSING or equal(mine, other) is False:
            return False
    return True


def _equal_optionals(left: Optional, right: object) -> bool | Failure:
    if not isinstance(right, Optional):
        return False
    if left is NONE or right is NONE:
        return left is right
    return equal_inside(left.value, right.value)


def equal_inside(left: object, right: object) -> bool | Failure:
    """Equality as containers ask for it. Null is no exception: it lets its own kind decide."""
    if left is None:
        return right is None
    return equal(left, right) if right is not None else _equal_to_null(left)


def _equal_to_null(left: object) -> bool | Failure:
    rule = _EQUAL.get(type(left))
    return rule(left, None) if rule else False


def _strict(kind: type) -> Callable[[object, object], bool | Failure]:
    def rule(left: object, right: object) -> bool | Failure:
        return left == right if type(right) is kind else Failure(NO_OVERLOAD)

    return rule


def _equal_formats(left: NamedFormat, right: object) -> bool | Failure:
    if not isinstance(right, NamedFormat):
        return Failure(NO_OVERLOAD)
    return left.name == right.name


def _equal_urls(left: URL, right: object) -> bool | Failure:
    if not isinstance(right, URL):
        return Failure(NO_OVERLOAD)
    return left.text == right.text


NUMBERS: Final = (int, Uint, float)
_PLAIN: Final = frozenset({str, int, bool, bytes, Uint, Quantity, Semver})

_EQUAL: Final[Mapping[type, Callable[..., bool | Failure]]] = {
    int: _equal_numbers,
    Uint: _equal_numbers,
    float: _equal_numbers,
    tuple: _equal_lists,
    GrowingList: _equal_lists,
    Joined: _equal_lists,
    Map: _equal_maps,
    GrowingMap: _equal_maps,
    Optional: _equal_optionals,
    Quantity: _strict(Quantity),
    ComputedQuantity: _strict(Quantity),
    Semver: _strict(Semver),
    IP: _strict(IP),
    CIDR: _strict(CIDR),
    URL: _equal_urls,
    NamedFormat: _equal_formats,
}


def compare(left: object, right: object) -> int | Failure:
    """-1, 0 or 1 as `left` comes before, with or after `right`; `left` is of a kind that has an order."""
    kind = type(left)
    if isinstance(left, NUMBERS) and kind is not bool:
        return _compare_any(left, right)
    if kind is not type(right):
        return Failure(NO_OVERLOAD)
    if isinstance(left, Timestamp | Duration) and isinstance(right, Timestamp | Duration):
        return (left.nanos > right.nanos) - (left.nanos < right.nanos)
    return (left > right) - (left < right)  # type: ignore[operator, no-any-return]


def _compare_any(left: Number, right: object) -> int | Failure:
    if _is_nan(left) or _is_nan(right):
        return Failure("NaN values cannot be ordered")
    if not isinstance(right, NUMBERS) or type(right) is bool:
        return Failure(NO_OVERLOAD)
    return compare_numbers(left, right)


def compare_numbers(left: Number, right: Number) -> int:
    """-1, 0 or 1, for two numbers of any of the three kinds that are not NaN."""
    one = left.value if isinstance(left, Uint) else left
    two = right.value if isinstance(right, Uint) else right
    if isinstance(one, float) == isinstance(two, float):
        return (one > two) - (one < two)
    if isinstance(one, float):
        return _compare_float(one, int(two), is_uint=isinstance(right, Uint))
    return -_compare_float(float(two), one, is_uint=isinstance(left, Uint))


def _compare_float(number: float, whole: int, *, is_uint: bool) -> int:
    lowest, highest = (0.0, 2.0**64) if is_uint else (-(2.0**63), 2.0**63)
    if number < lowest:
        return -1
    if number > highest:
        return 1
    return (number > float(whole)) - (number < float(whole))


def find(container: Map, key: object) -> object:
    """The value of a key, or MISSING. Whole numbers find each other whatever their kind; no fallback is used."""
    entries = container.entries
    if container.textual:
        return entries.get(key, MISSING) if type(key) is str else MISSING
    if not entries and type(key) in UNHASHABLE:
        return MISSING
    value = entries.get(key_of(key), MISSING)
    if value is MISSING:
        for other in _same_number(key):
            value = entries.get(other, MISSING)
            if value is not MISSING:
                return value
    return value


def _same_number(key: object) -> tuple[object, ...]:
    """The number as other kinds write it, where nothing is lost."""
    if type(key) is int:
        return (Uint(key),) if key >= 0 else ()
    if isinstance(key, Uint):
        return (key.value,) if key.value <= MAX_INT else ()
    if type(key) is float and key.is_integer():
        whole = int(key)
        kinds: list[object] = []
        if -(2**63) < whole <= MAX_INT:
            kinds.append(whole)
        if 0 <= whole < 2**64:
            kinds.append(Uint(whole))
        return tuple(kinds)
    return ()


def lookup(container: Map, key: object) -> object:
    """The value of a key, the map's fallback, or MISSING."""
    value = find(container, key)
    return container.fallback if value is MISSING and container.fallback is not None else value


def contains(container: object, wanted: object) -> bool | Failure:
    """`wanted in container`. Elements that cannot be compared are passed over."""
    if isinstance(container, Map):
        return find(container, wanted) is not MISSING
    if isinstance(container, LISTS):
        return any(equal_inside(wanted, element) is True for element in container)
    return Failure(NO_OVERLOAD)
