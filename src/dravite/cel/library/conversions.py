"""`int(x)`, `string(x)` and the other conversions between kinds, one function per pair that Kubernetes allows."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Final

from dravite.cel.arithmetic import FIRST_NANO, INT_OVERFLOW, LAST_NANO, NANOS, TIMESTAMP_OVERFLOW, UINT_OVERFLOW
from dravite.cel.ast import Uint
from dravite.cel.library.times import parse_duration, parse_timestamp
from dravite.cel.show import cidr_text, float_text, ip_text, seconds_text, timestamp_text
from dravite.cel.values import CIDR, IP, MAX_INT, MAX_UINT, MIN_INT, Duration, Failure, Timestamp, TypeValue, type_name

_INT: Final = re.compile(r"[+-]?[0-9]+", re.ASCII)
_UINT: Final = re.compile(r"[0-9]+", re.ASCII)
_DECIMAL: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII)
_HEXADECIMAL: Final = re.compile(r"[+-]?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+", re.ASCII)
_LOOSE_UNDERSCORE: Final = re.compile(r"(?<![0-9])_|_(?![0-9])")
_LOOSE_HEXADECIMAL: Final = re.compile(r"(?<![0-9a-fA-FxX])_|_(?![0-9a-fA-F])")
_INFINITE: Final = re.compile(r"([+-]?)inf(?:inity)?", re.IGNORECASE | re.ASCII)
_BOOLS: Final[Mapping[str, bool]] = dict.fromkeys(("1", "t", "T", "TRUE", "true", "True"), True) | dict.fromkeys(
    ("0", "f", "F", "FALSE", "false", "False"), False
)


def _unconvertible(target: str) -> Failure:
    return Failure(f"type conversion error from 'string' to '{target}'")


def same(value: object) -> object:
    return value


def type_of(value: object) -> TypeValue:
    return TypeValue(type_name(value))


def _parse_int(text: str) -> object:
    if _INT.fullmatch(text) and len(text) < 5000 and MIN_INT <= (number := int(text)) <= MAX_INT:
        return number
    return _unconvertible("int")


def _parse_uint(text: str) -> object:
    if _UINT.fullmatch(text) and len(text) < 4000 and (number := int(text)) <= MAX_UINT:
        return Uint(number)
    return _unconvertible("uint")


def _parse_double(text: str) -> object:
    infinite = _INFINITE.fullmatch(text)
    if infinite:
        return -math.inf if infinite.group(1) == "-" else math.inf
    if text.lower() == "nan":
        return math.nan
    number = _parse_finite(text)
    return number if math.isfinite(number) else _unconvertible("double")


def _parse_finite(text: str) -> float:
    """The number; an infinite one for a text that is none, or that is too large. Underscores stand between digits."""
    digits = text.replace("_", "")
    if _DECIMAL.fullmatch(digits) and not _LOOSE_UNDERSCORE.search(text):
        return float(digits)
    if _HEXADECIMAL.fullmatch(digits) and not _LOOSE_HEXADECIMAL.search(text):
        try:
            return float.fromhex(digits)
        except OverflowError:
            return math.inf
    return math.inf


def _parse_bool(text: str) -> object:
    value = _BOOLS.get(text)
    return _unconvertible("bool") if value is None else value


def _double_to_int(number: float) -> object:
    return int(number) if -(2.0**63) < number < 2.0**63 else Failure(INT_OVERFLOW)


def _double_to_uint(number: float) -> object:
    return Uint(int(number)) if 0 <= number < 2.0**64 else Failure(UINT_OVERFLOW)


def _int_to_uint(number: int) -> object:
    return Uint(number) if number >= 0 else Failure(UINT_OVERFLOW)


def _uint_to_int(number: Uint) -> object:
    return number.value if number.value <= MAX_INT else Failure(INT_OVERFLOW)


def _int_to_timestamp(seconds: int) -> object:
    nanos = seconds * NANOS
    return Timestamp(nanos) if FIRST_NANO <= nanos <= LAST_NANO else Failure(TIMESTAMP_OVERFLOW)


def _string_to_timestamp(text: str) -> object:
    moment = parse_timestamp(text)
    if moment is None:
        return _unconvertible("google.protobuf.Timestamp")
    return moment if FIRST_NANO <= moment.nanos <= LAST_NANO else Failure(TIMESTAMP_OVERFLOW)


def _string_to_duration(text: str) -> object:
    nanos = parse_duration(text)
    return _unconvertible("google.protobuf.Duration") if nanos is None else Duration(nanos)


def _bytes_to_string(data: bytes) -> object:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return Failure("invalid UTF-8 in bytes, cannot convert to string")


def _bool_to_string(value: bool) -> str:  # noqa: FBT001 - the value that is converted, not a switch
    return "true" if value else "false"


def _uint_to_string(number: Uint) -> str:
    return str(number.value)


def _duration_to_string(duration: Duration) -> str:
    return seconds_text(duration.nanos)


def _ip_to_string(address: IP) -> str:
    return ip_text(address)


def _cidr_to_string(network: CIDR) -> str:
    return cidr_text(network)


OVERLOADS: Final[Mapping[str, Callable[..., object]]] = {
    "dyn": same,
    "type": type_of,
    "bool_to_bool": same,
    "string_to_bool": _parse_bool,
    "bytes_to_bytes": same,
    "string_to_bytes": str.encode,
    "double_to_double": same,
    "int64_to_double": float,
    "uint64_to_double": lambda number: float(number.value),
    "string_to_double": _parse_double,
    "duration_to_duration": same,
    "string_to_duration": _string_to_duration,
    "int64_to_int64": same,
    "double_to_int64": _double_to_int,
    "duration_to_int64": lambda duration: duration.nanos,
    "string_to_int64": _parse_int,
    "timestamp_to_int64": lambda moment: moment.nanos // NANOS,
    "uint64_to_int64": _uint_to_int,
    "string_to_string": same,
    "bool_to_string": _bool_to_string,
    "bytes_to_string": _bytes_to_string,
    "double_to_string": float_text,
    "duration_to_string": _duration_to_string,
    "int64_to_string": str,
    "timestamp_to_string": timestamp_text,
    "uint64_to_string": _uint_to_string,
    "ip_to_string": _ip_to_string,
    "cidr_to_string": _cidr_to_string,
    "timestamp_to_timestamp": same,
    "int64_to_timestamp": _int_to_timestamp,
    "string_to_timestamp": _string_to_timestamp,
    "uint64_to_uint64": same,
    "double_to_uint64": _double_to_uint,
    "int64_to_uint64": _int_to_uint,
    "string_to_uint64": _parse_uint,
}
