"""Functions of quantities."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final

from dravite.api.quantity import MAX_INT64, MIN_INT64, Quantity, QuantityError
from dravite.cel.values import ComputedQuantity, Failure


def _quantity(text: str) -> object:
    try:
        return Quantity.parse(text)
    except QuantityError as error:
        return Failure(str(error))


def _is_quantity(text: str) -> bool:
    return not isinstance(_quantity(text), Failure)


def _integer(quantity: Quantity) -> int | None:
    """The amount, if it is held as a 64-bit number without a fraction: `1000m` is no integer to Kubernetes."""
    form = quantity.form
    if not form.small or form.power < 0:
        return None
    number = form.digits * 10**form.power
    return number if MIN_INT64 <= number <= MAX_INT64 else None


def _as_integer(quantity: Quantity) -> object:
    number = _integer(quantity)
    return Failure("cannot convert value to integer") if number is None else number


def _as_float(quantity: Quantity) -> float:
    """Two roundings, as Kubernetes does it: the digits, then their product with a power of ten."""
    digits, power = quantity.form.digits, quantity.form.power
    try:
        base = float(digits)
    except OverflowError:
        base = math.copysign(math.inf, digits)
    return base * _power_of_ten(power) if power else base


def _power_of_ten(power: int) -> float:
    if power > 308:
        return math.inf
    if power >= 0:
        return float(f"1e{power // 32 * 32}") * float(f"1e{power % 32}")
    return 0.0 if power < -323 else float(f"1e-{-power // 32 * 32}") / float(f"1e{-power % 32}")


def _computed(quantity: Quantity) -> ComputedQuantity:
    return ComputedQuantity.holding(quantity)


def _compare(left: Quantity, right: Quantity) -> int:
    return (left.nano > right.nano) - (left.nano < right.nano)


OVERLOADS: Final[Mapping[str, Callable[..., object]]] = {
    "string_to_quantity": _quantity,
    "is_quantity_string": _is_quantity,
    "quantity_sign": lambda quantity: (quantity.nano > 0) - (quantity.nano < 0),
    "quantity_is_greater_than": lambda left, right: left.nano > right.nano,
    "quantity_is_less_than": lambda left, right: left.nano < right.nano,
    "quantity_compare_to": _compare,
    "quantity_get_float": _as_float,
    "quantity_get_int": _as_integer,
    "quantity_is_integer": lambda quantity: _integer(quantity) is not None,
    "quantity_add": lambda left, right: _computed(left + right),
    "quantity_add_int": lambda left, right: _computed(left + Quantity.of(right, "DecimalExponent")),
    "quantity_sub": lambda left, right: _computed(left - right),
    "quantity_sub_int": lambda left, right: _computed(left - Quantity.of(right, "DecimalExponent")),
}
