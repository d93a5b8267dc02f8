"""What a plain YAML scalar means to Kubernetes: `no` is false, `010` is eight, `1e3` is a thousand.

Kubernetes turns YAML into JSON before it looks at any type, with the rules of YAML 1.1 as Go's library applies them.
This module knows those rules and nothing about documents or types. Times and `1:30` stay text, as they do there.
"""

from __future__ import annotations

import re
from typing import Final

Scalar = str | int | float | bool | None

_WORDS: Final[dict[str, Scalar]] = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
}
_INTEGER: Final = re.compile(r"([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|[1-9][0-9]*|0)\Z")
_FLOAT: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_BASES: Final = {"x": 16, "b": 2, "o": 8}
_WHOLE_BELOW: Final = 1e21
_LONGEST: Final = 66
"""How long 64 bits are: in base two, with its prefix."""
_FIRST: Final = frozenset("0123456789+-.")


def resolve(text: str) -> Scalar:
    """The value of an unquoted scalar. A number without a fraction is an `int`, as JSON writes it."""
    if text[:1] in _FIRST:
        number = _number(text)
        return number if number is not None else _WORDS.get(text, text)
    return _WORDS.get(text, text)


def _number(text: str) -> int | float | None:
    plain = text.replace("_", "") if "_" in text and text[0] != "_" else text
    integer = _INTEGER.match(plain)
    whole = _whole(integer.group(1), integer.group(2)) if integer is not None else None
    if whole is not None:
        return whole
    if _FLOAT.match(plain) is None:
        return None
    number = float(plain)
    if number in (float("inf"), float("-inf")):
        return None  # out of range: Go keeps the text
    return int(number) if number.is_integer() and abs(number) < _WHOLE_BELOW else number


def _whole(sign: str, digits: str) -> int | None:
    """The number; None where it has more than 64 bits: Go then looks whether it is a float, and else keeps the text."""
    if len(digits) > _LONGEST:
        return None
    base = _BASES.get(digits[1:2].lower(), 8 if digits.startswith("0") else 10)
    value = int(digits[2:] if base != 10 and not digits[1:2].isdigit() else digits, base) if digits != "0" else 0
    number = -value if sign == "-" else value
    return number if -(1 << 63) <= number < 1 << 64 else None
