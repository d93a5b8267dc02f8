"""Exact quantities: `40Gi`, `500m`, `12e6`.

A quantity is an exact number of nano units and the notation that it was written in. Both matter: numbers decide
what fits, and the notation decides how an amount that Kubernetes derives from another one is written.
This module knows no limits and no policy; it never uses floats.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal

Notation = Literal["DecimalSI", "BinarySI", "DecimalExponent"]

NANO: Final = 10**9
MAX_INT64: Final = 2**63 - 1

_SHAPE: Final = re.compile(r"([+-]?)([0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)\Z")
_DECIMAL_POWERS: Final = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_DECIMAL_SUFFIXES: Final = {power: suffix for suffix, power in _DECIMAL_POWERS.items()}
_BINARY_POWERS: Final = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_BINARY_SUFFIXES: Final = ("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei")
_EXPONENT: Final = re.compile(r"[eE]([+-]?[0-9]+)\Z")

WRONG_SHAPE: Final = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
WRONG_NUMBER: Final = "unable to parse numeric part of quantity"
WRONG_SUFFIX: Final = "unable to parse quantity's suffix"


class QuantityError(ValueError):
    """A text that is no quantity. `str(error)` is the sentence of Kubernetes."""


class Quantity:
    """An exact amount and its notation.

    Attributes:
        nano: the amount in units of 1e-9, exact, of any size and sign.
        notation: how the amount is written: `DecimalSI`, `BinarySI` or `DecimalExponent`.

    Two quantities are equal when their amounts are, whatever the notation (`1Gi == 1073741824`); `text` tells
    them apart. Source: k8s.io/apimachinery `resource.Quantity`.
    """

    __slots__ = ("_text", "nano", "notation")

    nano: int
    notation: Notation
    _text: str | None

    def __init__(self, nano: int, notation: Notation = "DecimalSI") -> None:
        object.__setattr__(self, "nano", nano)
        object.__setattr__(self, "notation", notation)
        object.__setattr__(self, "_text", None)

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
        """The canonical text, as the API server writes it: no fraction, largest suffix that keeps it whole."""
        text = self._text
        if text is None:
            text = _canonical(self.nano, self.notation)
            object.__setattr__(self, "_text", text)
        return text

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
        return Quantity(self.nano + other.nano, self.notation if self.nano else other.notation)

    def __sub__(self, other: Quantity) -> Quantity:
        """The difference, in this quantity's notation, or in the other's where this one is zero."""
        return Quantity(self.nano - other.nano, self.notation if self.nano else other.notation)

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

    def __reduce__(self) -> tuple[type[Quantity], tuple[int, Notation]]:
        return Quantity, (self.nano, self.notation)


ZERO: Final = Quantity(0)


@lru_cache(maxsize=65536)
def _parse(text: str) -> Quantity:
    shape = _SHAPE.match(text)
    if shape is None:
        raise QuantityError(WRONG_SHAPE)
    sign, number, suffix = shape.groups()
    digits, fraction_length = _digits(number)
    power2, power10, notation = _suffix(suffix)
    nano = _scaled(digits, power2, power10 - fraction_length)
    if notation == "BinarySI":
        nano = min(nano, MAX_INT64 * NANO)
        if 0 < nano < NANO:
            notation = "DecimalSI"
    return Quantity(-nano if sign == "-" else nano, notation)


def _digits(number: str) -> tuple[int, int]:
    whole, _, fraction = number.partition(".")
    if "." in fraction or not (whole or fraction):
        raise QuantityError(WRONG_NUMBER if "." in fraction else WRONG_SHAPE)
    return int(whole + fraction), len(fraction)


def _suffix(suffix: str) -> tuple[int, int, Notation]:
    """The suffix as powers of two and ten, and the notation that it stands for."""
    if suffix in _DECIMAL_POWERS:
        return 0, _DECIMAL_POWERS[suffix], "DecimalSI"
    if suffix in _BINARY_POWERS:
        return _BINARY_POWERS[suffix], 0, "BinarySI"
    exponent = _EXPONENT.match(suffix)
    if exponent is None:
        raise QuantityError(WRONG_SUFFIX)
    return 0, int(exponent.group(1)), "DecimalExponent"


def _scaled(digits: int, power2: int, power10: int) -> int:
    """Whole nano units, rounded away from zero (the sign is applied later)."""
    amount = digits << power2
    power = power10 + 9
    scale: int = 10 ** abs(power)
    return amount * scale if power >= 0 else -(-amount // scale)


def _canonical(nano: int, notation: Notation) -> str:
    if nano == 0:
        return "0"
    sign, amount = ("-", -nano) if nano < 0 else ("", nano)
    if notation == "BinarySI" and amount % NANO == 0 and amount >= 1024 * NANO:
        return sign + _binary_text(amount // NANO)
    return sign + _decimal_text(amount, exponent=notation == "DecimalExponent")


def _binary_text(whole: int) -> str:
    step = 0
    while step < len(_BINARY_SUFFIXES) - 1 and whole % 1024 == 0:
        whole //= 1024
        step += 1
    return f"{whole}{_BINARY_SUFFIXES[step]}"


def _decimal_text(nano: int, *, exponent: bool) -> str:
    power = -9
    while nano % 1000 == 0 and (exponent or power < 18):
        nano //= 1000
        power += 3
    if exponent:
        return f"{nano}e{power}" if power else str(nano)
    return f"{nano}{_DECIMAL_SUFFIXES[power]}"
