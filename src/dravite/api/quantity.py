"""Exact quantities: `40Gi`, `500m`, `12e6`.

A quantity is an exact number of nano units and the notation that it was written in. Both matter: numbers decide
what fits, and the notation decides how an amount that Kubernetes derives from another one is written.
Kubernetes keeps small amounts as a 64-bit number and a power of ten; a few of its answers (is this an integer? which
double is nearest?) depend on that form, so it is kept too. This module knows no limits and no policy.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from typing import Final, Literal

import msgspec

Notation = Literal["DecimalSI", "BinarySI", "DecimalExponent"]

NANO: Final = 10**9
MAX_INT64: Final = 2**63 - 1
MIN_INT64: Final = -(2**63)

# Nothing gives back what it has taken: that never helps, and on a thousand zeros it would be tried for minutes.
_SHAPE: Final = re.compile(r"([+-]?)(?:0*+([0-9]*+)(?:(\.)([0-9]*+))?)([eEinumkKMGTP]*+[-+]?[0-9]*+)", re.ASCII)
_DECIMAL_POWERS: Final = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_DECIMAL_SUFFIXES: Final = {power: suffix for suffix, power in _DECIMAL_POWERS.items()}
_BINARY_POWERS: Final = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_BINARY_SUFFIXES: Final = ("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei")
_EXPONENT: Final = re.compile(r"[eE]([+-]?[0-9]{1,18})", re.ASCII)
_FARTHEST_EXPONENT: Final = 10_000
_LONGEST: Final = 2_000

WRONG_SHAPE: Final = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
WRONG_SUFFIX: Final = "unable to parse quantity's suffix"
TOO_LONG: Final = f"no amount has more than {_LONGEST} digits"


class QuantityError(ValueError):
    """A text that is no quantity. `str(error)` is the sentence of Kubernetes, which only has none for endless ones."""


class Form(msgspec.Struct, frozen=True):
    """How Kubernetes holds an amount: `digits * 10**power`, in 64 bits (`small`) or with any number of digits."""

    digits: int
    power: int
    small: bool


class Quantity:
    """An exact amount and its notation.

    Attributes:
        nano: the amount in units of 1e-9, exact, of any size and sign.
        notation: how the amount is written: `DecimalSI`, `BinarySI` or `DecimalExponent`.

    Two quantities are equal when their amounts are, whatever the notation (`1Gi == 1073741824`); `text` tells
    them apart. Source: k8s.io/apimachinery `resource.Quantity`.
    """

    __slots__ = ("_form", "_text", "nano", "notation")

    nano: int
    notation: Notation
    _form: Form | None
    _text: str | None

    def __init__(self, nano: int, notation: Notation = "DecimalSI") -> None:
        object.__setattr__(self, "nano", nano)
        object.__setattr__(self, "notation", notation)
        object.__setattr__(self, "_text", None)
        object.__setattr__(self, "_form", None)

    @staticmethod
    def parse(text: str) -> Quantity:
        """Read a quantity as Kubernetes does; surrounding blanks are not part of one.

        Raises:
            QuantityError: the text has the wrong shape, number or suffix.
        """
        return _parse(text)

    @staticmethod
    def of(whole: int, notation: Notation = "DecimalSI") -> Quantity:
        """The quantity of a whole number."""
        return Quantity(whole * NANO, notation)

    def __setattr__(self, name: str, value: object) -> None:
        message = f"Quantity is immutable: cannot set {name}"
        raise AttributeError(message)

    @property
    def text(self) -> str:
        """The text that the API server writes: no fraction, largest suffix that keeps it whole.

        A text that was read and that has a fraction of three digits or a binary suffix may be kept as it was written.
        """
        text = self._text
        if text is None:
            text = _canonical(self.nano, self.notation)
            object.__setattr__(self, "_text", text)
        return text

    @property
    def form(self) -> Form:
        """The amount as Kubernetes holds it."""
        form = self._form
        if form is None:
            whole, rest = divmod(self.nano, NANO)
            small = not rest and MIN_INT64 <= whole <= MAX_INT64
            form = Form(whole, 0, small=True) if small else Form(self.nano, -9, small=False)
            object.__setattr__(self, "_form", form)
        return form

    @property
    def value(self) -> int:
        """The amount as a whole number, rounded up."""
        return -(-self.nano // NANO)

    @property
    def milli(self) -> int:
        """The amount in thousandths, rounded up."""
        return -(-self.nano // (NANO // 1000))

    @property
    def is_whole(self) -> bool:
        """Whether the amount is a whole number."""
        return self.nano % NANO == 0

    def __add__(self, other: Quantity) -> Quantity:
        """The sum, in this quantity's notation, or in the other's where this one is zero."""
        return _derived(self, other, self.nano + other.nano, _sum(self.form, other.form))

    def __sub__(self, other: Quantity) -> Quantity:
        """The difference, in this quantity's notation, or in the other's where this one is zero."""
        taken = Form(-other.form.digits, other.form.power, other.form.small)
        return _derived(self, other, self.nano - other.nano, _sum(self.form, taken))

    def __eq__(self, other: object) -> bool:
        return self.nano == other.nano if isinstance(other, Quantity) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.nano)

    def __lt__(self, other: Quantity) -> bool:
        return self.nano < other.nano

    def __le__(self, other: Quantity) -> bool:
        return self.nano <= other.nano

    def __gt__(self, other: Quantity) -> bool:
        return self.nano > other.nano

    def __ge__(self, other: Quantity) -> bool:
        return self.nano >= other.nano

    def __bool__(self) -> bool:
        return self.nano != 0

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Quantity({self.text!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (self.nano, self.notation, self._text, self._form)


def _restored(nano: int, notation: Notation, text: str | None, form: Form | None) -> Quantity:
    quantity = Quantity(nano, notation)
    object.__setattr__(quantity, "_text", text)
    object.__setattr__(quantity, "_form", form)
    return quantity


def _derived(left: Quantity, right: Quantity, nano: int, form: Form) -> Quantity:
    return _restored(nano, left.notation if left.nano else right.notation, None, form)


def _sum(left: Form, right: Form) -> Form:
    """The form of a sum: small while both sides are and nothing overflows on the way."""
    small = left.small and right.small
    if small and right.digits == 0:
        return left
    if small and left.digits == 0:
        return right
    power = min(left.power, right.power)
    one = left.digits * 10 ** (left.power - power)
    two = right.digits * 10 ** (right.power - power)
    fits = all(MIN_INT64 <= number <= MAX_INT64 for number in (one, two, one + two))
    return Form(one + two, power, small and fits)


ZERO: Final = Quantity(0)


@lru_cache(maxsize=65536)
def _parse(text: str) -> Quantity:
    if text == "0":
        return _restored(0, "DecimalSI", "0", Form(0, 0, small=True))
    if len(text) > _LONGEST:
        raise QuantityError(TOO_LONG)
    shape = _SHAPE.fullmatch(text) if text else None
    if shape is None:
        raise QuantityError(WRONG_SHAPE)
    sign, whole, _, fraction, suffix = shape.groups()
    whole, fraction = whole or "0", fraction or ""
    power2, power10, notation = _suffix(suffix)
    quantity = _small(text, whole, fraction, (power2, power10, notation))
    if quantity is None:
        digits = int(whole + fraction)
        return _large(-digits if sign == "-" else digits, len(fraction), (power2, power10, notation))
    return quantity


def _suffix(suffix: str) -> tuple[int, int, Notation]:
    """The suffix as powers of two and ten, and the notation that it stands for."""
    if suffix in _DECIMAL_POWERS:
        return 0, _DECIMAL_POWERS[suffix], "DecimalSI"
    if suffix in _BINARY_POWERS:
        return _BINARY_POWERS[suffix], 0, "BinarySI"
    exponent = _EXPONENT.fullmatch(suffix)
    if exponent is None:
        raise QuantityError(WRONG_SUFFIX)
    power = (int(exponent.group(1)) + 2**31) % 2**32 - 2**31  # 32 bits, as Kubernetes
    return 0, max(-_FARTHEST_EXPONENT, min(power, _FARTHEST_EXPONENT)), "DecimalExponent"


def _small(text: str, whole: str, fraction: str, suffix: tuple[int, int, Notation]) -> Quantity | None:
    """The amount in 64 bits, if it has few enough digits; the text is kept where it looks canonical."""
    power2, power10, notation = suffix
    digits = whole + fraction
    room = 18 - len(digits)
    if notation == "BinarySI":
        room = -1 if fraction else 14 - len(whole) - power2 * 3 // 10
    power = power10 - len(fraction)
    if room < 0 or power < -9:
        return None
    number = int(digits)
    amount = -(number << power2) if text[0] == "-" else number << power2
    if notation == "BinarySI":
        kept = number % 8 != 0
    else:
        kept = power % 3 == 0 and not digits.endswith("000") and digits[0] != "0"
    nano = amount * 10 ** (power + 9)
    return _restored(nano, notation, text if kept else None, Form(amount, power, small=True))


def _large(digits: int, fraction_length: int, suffix: tuple[int, int, Notation]) -> Quantity:
    """The amount with any number of digits: nano units, rounded away from zero, at most 2**63 - 1 if binary."""
    power2, power10, notation = suffix
    amount = abs(digits) << power2
    power = power10 - fraction_length + 9
    nano = amount * 10**power if power >= 0 else -(-amount // 10**-power)
    form = Form(-nano if digits < 0 else nano, -9, small=False)
    if notation == "BinarySI":
        if nano > MAX_INT64 * NANO:
            nano = MAX_INT64 * NANO
            form = Form(-MAX_INT64 if digits < 0 else MAX_INT64, 0, small=False)
        if 0 < nano < NANO:
            notation = "DecimalSI"
    return _restored(-nano if digits < 0 else nano, notation, None, form)


def _canonical(nano: int, notation: Notation) -> str:
    if nano == 0:
        return "0"
    sign, amount = ("-", -nano) if nano < 0 else ("", nano)
    if notation == "BinarySI" and amount % NANO == 0 and amount >= 1024 * NANO:
        return sign + _binary_text(amount // NANO)
    return sign + _decimal_text(amount, exponent=notation == "DecimalExponent")


def _binary_text(whole: int) -> str:
    step = 0
    while whole % 1024 == 0:
        whole //= 1024
        step += 1
    return f"{_digits(whole)}{_BINARY_SUFFIXES[step] if step < len(_BINARY_SUFFIXES) else ''}"


def _decimal_text(nano: int, *, exponent: bool) -> str:
    """Kubernetes has no suffix beyond `E` and then writes none at all."""
    power = -9
    while nano % 1000 == 0:
        nano //= 1000
        power += 3
    if exponent:
        return f"{_digits(nano)}e{power}" if power else _digits(nano)
    return f"{_digits(nano)}{_DECIMAL_SUFFIXES.get(power, '')}"


def _digits(number: int) -> str:
    """The decimal digits of a number of any size; Python by itself writes no more than some thousands."""
    return str(number) if number.bit_length() < _FARTHEST_EXPONENT else format(Decimal(number), "f")
