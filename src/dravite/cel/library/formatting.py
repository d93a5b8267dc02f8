"""`"…%d…".format([x])`: clauses `%s %d %f %e %b %x %X %o` and `%%`, as Kubernetes writes them for English readers.

`%f` groups thousands. `%e` writes `1.5` and a power of ten with small digits, always with six digits of fraction: a
precision is its width.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from dravite.api.field_text import quoted
from dravite.cel.ast import Uint
from dravite.cel.show import float_text, seconds_text, show, timestamp_text
from dravite.cel.values import LISTS, Duration, Failure, Map, Timestamp, TypeValue, key_value, type_name

_DEFAULT_PRECISION: Final = 6
_SUPERSCRIPT: Final = str.maketrans("0123456789-+", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺")
_NOT_FINITE: Final[Mapping[str, float]] = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_PRECISION: Final = re.compile(r"\.([0-9]*)", re.ASCII)
_MAX_PRECISION: Final = 2**63 - 1

WRONG_KIND: Final[Mapping[str, str]] = {
    "string": "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, "
    "durations, and timestamps",
    "decimal": "decimal clause can only be used on integers",
    "fixed-point": "fixed-point clause can only be used on doubles",
    "scientific": "scientific clause can only be used on doubles",
    "binary": "only integers and bools can be formatted as binary",
    "hex": "only integers, byte buffers, and strings can be formatted as hex",
    "octal": "octal clause can only be used on integers",
}

Text = str | Failure
Clause = Callable[[object, int], Text]


def format_string(template: str, arguments: Sequence[object]) -> object:
    """The template with its clauses filled in, or why that is not possible."""
    parts: list[str] = []
    place = used = 0
    while (clause := template.find("%", place)) >= 0:
        parts.append(template[place:clause])
        if template.startswith("%%", clause):
            parts.append("%")
            place = clause + 2
            continue
        if used >= len(arguments):
            return Failure(f"index {used} out of range")
        filled = _fill(template, clause + 1, arguments[used])
        if isinstance(filled, Failure):
            return filled
        text, place = filled
        parts.append(text)
        used += 1
    parts.append(template[place:])
    return "".join(parts)


def _fill(template: str, place: int, argument: object) -> tuple[str, int] | Failure:
    """The text of the clause behind a `%`, and where the template goes on."""
    if place >= len(template):
        return Failure("unexpected end of string")
    read = read_clause(template, place)
    if isinstance(read, Failure):
        return Failure(f"could not parse formatting clause: {read.message}")
    letter, precision, place = read
    text = _CLAUSES[letter](argument, precision)
    if isinstance(text, Failure):
        return Failure(f"error during formatting: {text.message}")
    return text, place


def read_clause(template: str, place: int) -> tuple[str, int, int] | Failure:
    """The letter of the clause behind a `%`, its precision, and where the template goes on."""
    precision = _DEFAULT_PRECISION
    match = _PRECISION.match(template, place)
    if match:
        place = match.end()
        if place >= len(template):
            return Failure("error while parsing precision: could not find end of precision specifier")
        problem = "invalid syntax" if not match[1] else "value out of range" if _is_huge(match[1]) else None
        if problem:
            reason = f"strconv.Atoi: parsing {quoted(match[1])}: {problem}"
            return Failure(f"error while parsing precision: error while converting precision to integer: {reason}")
        precision = int(match[1])
    letter = template[place]
    if letter not in _CLAUSES:
        return Failure(f'unrecognized formatting clause "{chr(letter.encode()[0])}"')
    return letter, precision, place + 1


def _is_huge(digits: str) -> bool:
    return len(digits.lstrip("0")) > 19 or int(digits) > _MAX_PRECISION


def _wrong(clause: str, value: object) -> Failure:
    return Failure(f"{WRONG_KIND[clause]}, was given {type_name(value)}")


def _string(value: object, _precision: int) -> Text:
    if isinstance(value, LISTS):
        return _list(value)
    if isinstance(value, Map):
        return _map(value)
    text = _plain(value)
    return _wrong("string", value) if text is None else text


def _plain(value: object) -> Text | None:
    """The value as `string(value)` writes it; None for kinds that have no text."""
    match value:
        case bytes():
            try:
                return value.decode()
            except UnicodeDecodeError:
                reason = "invalid UTF-8 in bytes, cannot convert to string"
                return Failure(f"could not convert argument {quoted(reason)} to string")
        case None:
            return "null"
        case Timestamp():
            return timestamp_text(value)
        case Duration():
            return seconds_text(value.nanos)
        case bool() | int() | float() | str() | Uint() | TypeValue():
            return show(value)
    return None


def _list(elements: Sequence[object]) -> Text:
    texts: list[str] = []
    for element in elements:
        text = _nested(element)
        if isinstance(text, Failure):
            return text
        texts.append(text)
    return f"[{', '.join(texts)}]"


def _map(entries: Map) -> Text:
    pairs: list[tuple[str, str]] = []
    for key, value in entries.entries.items():
        shown = key_value(key)
        if type(shown) not in (str, bool, int, Uint):
            return Failure(f"no formatting function for map key of type {type_name(shown)}")
        name, text = _nested(shown), _nested(value)
        if isinstance(name, Failure) or isinstance(text, Failure):
            return name if isinstance(name, Failure) else text
        pairs.append((name, text))
    pairs.sort(key=lambda pair: pair[0])
    return "{" + ", ".join(f"{name}:{text}" for name, text in pairs) + "}"


def _nested(value: object) -> Text:
    """A value inside a list or map, quoted where it would be ambiguous."""
    match value:
        case float():
            return f"{value:.6f}" if math.isfinite(value) else quoted(float_text(value))
        case Timestamp():
            return f'timestamp("{timestamp_text(value)}")'
        case Duration():
            return f'duration("{seconds_text(value.nanos)}")'
        case str():
            return quoted(value)
    if isinstance(value, (*LISTS, Map)):
        return _string(value, 0)
    text = _plain(value)
    if text is None:
        return Failure(f"no formatting function for {type_name(value)}")
    return f"b{quoted(text)}" if type(value) is bytes and isinstance(text, str) else text


def _decimal(value: object, _precision: int) -> Text:
    return show(value) if type(value) in (int, Uint) else _wrong("decimal", value)


def _number(value: object) -> float | None:
    if type(value) is str:
        return _NOT_FINITE.get(value)
    return value if type(value) is float else None


def _fixed(value: object, precision: int) -> Text:
    number = _number(value)
    if number is None:
        return _wrong("fixed-point", value)
    return f"{number or 0.0:,.{precision}f}" if math.isfinite(number) else _not_finite(number)


def _scientific(value: object, width: int) -> Text:
    number = _number(value)
    if number is None:
        return _wrong("scientific", value)
    if not math.isfinite(number):
        return _not_finite(number).rjust(width)
    mantissa, _, exponent = f"{number or 0.0:.6e}".partition("e")
    return f"{mantissa}\u00d710{exponent.removeprefix('+').translate(_SUPERSCRIPT)}".rjust(width)


def _not_finite(number: float) -> str:
    return "NaN" if math.isnan(number) else "∞" if number > 0 else "-∞"


def _in_base(letter: str, clause: str) -> Clause:
    def write(value: object, _precision: int) -> Text:
        if type(value) is int:
            return format(value, letter)
        if isinstance(value, Uint):
            return format(value.value, letter)
        if type(value) is bool and clause == "binary":
            return "1" if value else "0"
        if isinstance(value, (str, bytes)) and clause == "hex":
            digits = (value.encode() if isinstance(value, str) else value).hex()
            return digits.upper() if letter == "X" else digits
        return _wrong(clause, value)

    return write


_CLAUSES: Final[Mapping[str, Clause]] = {
    "s": _string,
    "d": _decimal,
    "f": _fixed,
    "e": _scientific,
    "b": _in_base("b", "binary"),
    "x": _in_base("x", "hex"),
    "X": _in_base("X", "hex"),
    "o": _in_base("o", "octal"),
}
