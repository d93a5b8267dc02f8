"""Amounts as whole numbers of 64 bits, in the way in which a server makes them: what is too large becomes another.

Nothing is rounded or cut off here that a server would not; its rules about ranges depend on it.
"""

from __future__ import annotations

from typing import Final

from dravite.api.quantity import MAX_INT64, Quantity

MIN_INT64: Final = -MAX_INT64 - 1
_AT_ONCE: Final = frozenset({0, 1, 2, 3, 6, 9})
"""Powers of ten that a small amount is multiplied by in one step, which may pass the end unseen."""
_FAST: Final = 19


def wrapped(number: int) -> int:
    """A number as 64 bits hold it."""
    return (number + MAX_INT64 + 1) % (2 * MAX_INT64 + 2) - MAX_INT64 - 1


def scaled(amount: Quantity, power: int) -> int:
    """The amount in units of `10**power`, away from zero where it lies between two."""
    form = amount.form
    shift = form.power - power
    return _shifted_small(form.digits, shift) if form.small else _shifted_large(form.digits, shift)


def decimal_text(amount: Quantity) -> str:
    """The amount as a decimal number, with as many places as it is held with: the same amount may have several."""
    digits, power = amount.form.digits, amount.form.power
    if power >= 0:
        return str(digits * _power(power))
    padded = str(abs(digits)).zfill(1 - power)
    return f"{'-' if digits < 0 else ''}{padded[:power]}.{padded[power:]}"


def _shifted_small(digits: int, shift: int) -> int:
    if shift < 0:
        whole = -(-abs(digits) // _power(-shift))
        return whole if digits > 0 else -whole
    found = digits * _power(shift)
    if MIN_INT64 <= found <= MAX_INT64:
        return found
    return wrapped(found) if shift in _AT_ONCE and digits != MIN_INT64 else 0


def _shifted_large(digits: int, shift: int) -> int:
    if shift == 0:
        return wrapped(digits)
    if shift > 0:
        return wrapped(wrapped(digits) * (_power(shift) if shift < _FAST else MIN_INT64))
    if digits < MAX_INT64 and -shift < _FAST:
        return _cut(wrapped(digits), _power(-shift))
    whole, rest = divmod(digits, _power(-shift))
    return wrapped(wrapped(whole) + bool(rest))


def _power(exponent: int) -> int:
    return int(10**exponent)


def _cut(digits: int, divisor: int) -> int:
    whole = abs(digits) // divisor
    return (whole if digits >= 0 else -whole) + bool(digits % divisor)
