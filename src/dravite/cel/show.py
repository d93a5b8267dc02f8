"""How values look inside messages and converted strings: Kubernetes' notation, to the letter.

Numbers follow the notation of the language that Kubernetes is written in, because users see it: `1e+06`, `+Inf`,
`"a\\tb"`. Nothing is decided here.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
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
    Duration,
    Map,
    NamedFormat,
    Optional,
    Timestamp,
    TypeValue,
    key_value,
)

NANOS: Final = 10**9

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def show(value: object) -> str:
    """The value as messages quote it."""
    kind = type(value)
    if kind is str:
        return str(value)
    if kind is bool:
        return "true" if value else "false"
    if kind is float:
        return float_text(value)  # type: ignore[arg-type]
    if isinstance(value, bytes):
        return "[" + " ".join(str(byte) for byte in value) + "]"
    if value is None:
        return "0"
    if isinstance(value, LISTS):
        return "[" + ", ".join(show(element) for element in value) + "]"
    if isinstance(value, Map):
        return "{" + ", ".join(f"{show(key_value(k))}: {show(v)}" for k, v in value.entries.items()) + "}"
    return _show_object(value)


def _show_object(value: object) -> str:
    match value:
        case Uint():
            return str(value.value)
        case Optional():
            return "optional.none()" if value is NONE else f"optional({show(value.value)})"
        case Duration():
            return duration_text(value.nanos)
        case Timestamp():
            return _clock_text(value)
        case TypeValue(name=name):
            return name
        case Quantity() | Semver() | URL():
            return value.text
        case IP():
            return ip_text(value)
        case CIDR():
            return cidr_text(value)
        case NamedFormat():
            return f"{{{value.name} {value.cost_size}}}"
    return str(value)


def _digits(number: float) -> tuple[str, int]:
    """The shortest digits that stand for the number, and where the decimal point goes: 12.5 → ("125", 2)."""
    mantissa, _, exponent = repr(abs(number)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    digits = (whole + fraction).lstrip("0")
    point = len(whole.lstrip("0")) + int(exponent or 0)
    if not whole.strip("0"):
        point = int(exponent or 0) - (len(fraction) - len(fraction.lstrip("0")))
    return digits.rstrip("0") or "0", point if digits else 1


def _not_finite(number: float) -> str:
    return "NaN" if math.isnan(number) else "+Inf" if number > 0 else "-Inf"


def float_text(number: float) -> str:
    """The shortest text, with an exponent below 1e-4 and from 1e6 on."""
    if not math.isfinite(number):
        return _not_finite(number)
    digits, point = _digits(number)
    sign = "-" if math.copysign(1, number) < 0 else ""
    exponent = point - 1
    if -4 <= exponent < 6:
        return sign + _positional(digits, point)
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{fraction}e{'-' if exponent < 0 else '+'}{abs(exponent):02d}"


def plain_float_text(number: float) -> str:
    """The shortest text without an exponent."""
    if not math.isfinite(number):
        return _not_finite(number)
    digits, point = _digits(number)
    return ("-" if math.copysign(1, number) < 0 else "") + _positional(digits, point)


def _positional(digits: str, point: int) -> str:
    if point <= 0:
        return "0." + "0" * -point + digits
    if len(digits) <= point:
        return digits + "0" * (point - len(digits))
    return digits[:point] + "." + digits[point:]


def seconds_text(nanos: int) -> str:
    """A duration in seconds, `1.5s`: as exact as a double can be."""
    whole, rest = divmod(abs(nanos), NANOS)
    seconds = whole + rest / 1e9
    return plain_float_text(-seconds if nanos < 0 else seconds) + "s"


def duration_text(nanos: int) -> str:
    """A duration in hours, minutes and seconds, `1h2m0.5s`."""
    if nanos == 0:
        return "0s"
    sign, amount = ("-", -nanos) if nanos < 0 else ("", nanos)
    if amount < NANOS:
        for unit, size in (("ns", 1), ("µs", 1000), ("ms", 10**6)):
            if amount < size * 1000:
                return f"{sign}{_decimal(amount, size)}{unit}"
    minutes, rest = divmod(amount, 60 * NANOS)
    hours, minutes = divmod(minutes, 60)
    text = f"{_decimal(rest, NANOS)}s"
    if hours or minutes:
        text = f"{minutes}m{text}"
    return f"{sign}{hours}h{text}" if hours else sign + text


def _decimal(amount: int, size: int) -> str:
    whole, rest = divmod(amount, size)
    digits = len(str(size)) - 1
    fraction = f"{rest:0{digits}d}".rstrip("0") if rest else ""
    return f"{whole}.{fraction}" if fraction else str(whole)


def civil(nanos: int, zone: int) -> datetime:
    """Date and time of day, to the second, at an offset of `zone` seconds."""
    return _EPOCH + timedelta(seconds=nanos // NANOS + zone)


def timestamp_text(moment: Timestamp) -> str:
    """RFC 3339 with as many fraction digits as are needed, at the offset that it was written with."""
    local = civil(moment.nanos, moment.zone)
    fraction = f"{moment.nanos % NANOS:09d}".rstrip("0")
    zone = "Z" if moment.zone == 0 else _offset(moment.zone, ":")
    date = f"{local.year:04d}-{local.month:02d}-{local.day:02d}"
    return f"{date}T{local.hour:02d}:{local.minute:02d}:{local.second:02d}{'.' if fraction else ''}{fraction}{zone}"


def _clock_text(moment: Timestamp) -> str:
    text = timestamp_text(Timestamp(moment.nanos, moment.zone)).replace("T", " ")[:19]
    fraction = f"{moment.nanos % NANOS:09d}".rstrip("0")
    zone = "+0000 UTC" if moment.zone == 0 else f"{_offset(moment.zone, '')} {_offset(moment.zone, '')}"
    return f"{text}{'.' if fraction else ''}{fraction} {zone}"


def _offset(zone: int, between: str) -> str:
    hours, minutes = divmod(abs(zone) // 60, 60)
    return f"{'-' if zone < 0 else '+'}{hours:02d}{between}{minutes:02d}"


def ip_text(address: IP) -> str:
    """Dotted or, with the longest run of zeros left out, hexadecimal groups."""
    if address.bits == 32:
        return ".".join(str(address.number >> shift & 255) for shift in (24, 16, 8, 0))
    groups = [address.number >> shift & 0xFFFF for shift in range(112, -1, -16)]
    start, length = _longest_zeros(groups)
    if length < 2:
        return ":".join(f"{group:x}" for group in groups)
    head = ":".join(f"{group:x}" for group in groups[:start])
    tail = ":".join(f"{group:x}" for group in groups[start + length :])
    return f"{head}::{tail}"


def _longest_zeros(groups: list[int]) -> tuple[int, int]:
    best = (0, 0)
    start = 0
    for index, group in enumerate([*groups, 1]):
        if group:
            best = max(best, (start, index - start), key=lambda run: run[1])
            start = index + 1
    return best


def cidr_text(network: CIDR) -> str:
    return f"{ip_text(network.address)}/{network.prefix}"
