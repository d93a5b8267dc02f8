"""What a literal of a Protobuf message becomes: `google.protobuf.Timestamp{seconds: 5}` is a timestamp.

Only the well-known messages exist here, and all of them are ordinary values but `Empty`.
"""

from __future__ import annotations

import base64
import math
import struct
from collections.abc import Callable, Mapping
from typing import Final

from dravite.cel.arithmetic import INT_OVERFLOW, NANOS, UINT_OVERFLOW
from dravite.cel.ast import Uint
from dravite.cel.messages import MESSAGE_FIELDS
from dravite.cel.results import unconvertible
from dravite.cel.show import seconds_text, timestamp_text
from dravite.cel.values import (
    LISTS,
    MAX_INT,
    MIN_INT,
    NONE,
    Duration,
    Failure,
    Map,
    Message,
    Optional,
    Timestamp,
    key_value,
)

_SAFE_INTEGER: Final = 2**53 - 1
_JSON: Final = "*structpb.Value"


class _Unfit(Exception):  # noqa: N818 - it never leaves this module
    """A value that a field cannot take."""


def build_message(type_name: str, fields: Mapping[str, object]) -> object:
    """The value of a message literal, or the failure of a field that does not take its value."""
    known = MESSAGE_FIELDS.get(type_name)
    if known is None:
        return Failure(f"unknown type '{type_name}'")
    read: dict[str, object] = {}
    for name, value in fields.items():
        try:
            read[name] = _READERS[known[name].name](type_name, value)
        except _Unfit as unfit:
            return Failure(_said(type_name, name, known[name].text, value, str(unfit)))
    return _BUILDERS[type_name](read)


def _said(type_name: str, name: str, field_type: str, value: object, reason: str) -> str:
    holds_many = field_type.startswith(("list", "map")) and not type_name.endswith(".Value")
    if holds_many and not isinstance(value, (*LISTS, Map)):
        return f"unsupported field type for {type_name}.{name}: {field_type}"
    return f"field type conversion error for {type_name}.{name} value type: {reason}"


def _inner(value: object) -> object:
    while isinstance(value, Optional) and value is not NONE:
        value = value.value
    return value


def _reader(kind: type, target: str) -> Callable[[str, object], object]:
    def read(_: str, value: object) -> object:
        inner = _inner(value)
        if type(inner) is not kind:
            raise _Unfit(unconvertible(value, target))
        return inner

    return read


def _read_int(type_name: str, value: object) -> object:
    small = type_name.endswith("Int32Value")
    number = _reader(int, "int32" if small else "int64")(type_name, value)
    if small and not -(2**31) <= number < 2**31:  # type: ignore[operator]
        raise _Unfit(INT_OVERFLOW)
    return number


def _read_uint(type_name: str, value: object) -> object:
    small = type_name.endswith("UInt32Value")
    number = _reader(Uint, "uint32" if small else "uint64")(type_name, value)
    if small and isinstance(number, Uint) and number.value >= 2**32:
        raise _Unfit(UINT_OVERFLOW)
    return number


def _read_null(_: str, value: object) -> object:
    return None if value is None or type(value) is int else _unfit(value, "structpb.NullValue")


def _unfit(value: object, target: str) -> object:
    raise _Unfit(unconvertible(value, target))


def _read_list(_: str, value: object) -> object:
    if not isinstance(value, LISTS):
        raise _Unfit(unconvertible(value, "*structpb.ListValue"))
    return tuple([_json(element) for element in value])


def _read_struct(_: str, value: object) -> object:
    if not isinstance(value, Map):
        raise _Unfit(unconvertible(value, "*structpb.Struct"))
    entries: dict[object, object] = {}
    for key, inner in value.entries.items():
        if type(key) is not str:
            raise _Unfit(unconvertible(key_value(key), "string"))
        entries[key] = _json(inner)
    return Map(entries)


def _json(value: object) -> object:
    """The value as JSON has it: numbers are doubles, what is exact beyond that is text."""
    inner = _inner(value)
    match inner:
        case None | bool() | float() | str():
            return inner
        case int():
            return float(inner) if abs(inner) <= _SAFE_INTEGER else str(inner)
        case Uint(value=number):
            return float(number) if number <= _SAFE_INTEGER else str(number)
        case bytes():
            return base64.b64encode(inner).decode()
        case Timestamp():
            return timestamp_text(inner)
        case Duration(nanos=nanos):
            return seconds_text(nanos)
    if isinstance(inner, LISTS):
        return _read_list("", inner)
    if isinstance(inner, Map):
        return _read_struct("", inner)
    raise _Unfit(unconvertible(value, _JSON))


_READERS: Final[Mapping[str, Callable[[str, object], object]]] = {
    "bool": _reader(bool, "bool"),
    "bytes": _reader(bytes, "[]uint8"),
    "double": _reader(float, "float64"),
    "int": _read_int,
    "uint": _read_uint,
    "string": _reader(str, "string"),
    "null_type": _read_null,
    "list": _read_list,
    "map": _read_struct,
}


def _single(default: object) -> Callable[[Mapping[str, object]], object]:
    return lambda fields: fields.get("value", default)


def _float(fields: Mapping[str, object]) -> object:
    number = fields.get("value", 0.0)
    try:
        return struct.unpack("f", struct.pack("f", number))[0]
    except OverflowError:
        return math.copysign(math.inf, number)  # type: ignore[arg-type]


def _nanos(fields: Mapping[str, object]) -> int:
    seconds, nanos = fields.get("seconds", 0), fields.get("nanos", 0)
    return seconds * NANOS + nanos  # type: ignore[operator]


def _duration(fields: Mapping[str, object]) -> Duration:
    """Too long ones end at what 64 bits hold."""
    return Duration(min(max(_nanos(fields), MIN_INT), MAX_INT))


def _any(fields: Mapping[str, object]) -> Failure:
    text = f'type_url:"{fields["type_url"]}"' if fields.get("type_url") else ""
    return Failure(f"unsupported conversion to ref.Val: (*dynamicpb.Message){text}")


def _last(fields: Mapping[str, object]) -> object:
    """Of the fields of which only one can be set, the last one written counts."""
    return list(fields.values())[-1] if fields else None


_BUILDERS: Final[Mapping[str, Callable[[Mapping[str, object]], object]]] = {
    "google.protobuf.Any": _any,
    "google.protobuf.BoolValue": _single(default=False),
    "google.protobuf.BytesValue": _single(b""),
    "google.protobuf.DoubleValue": _single(0.0),
    "google.protobuf.Duration": _duration,
    "google.protobuf.Empty": lambda _: Message("google.protobuf.Empty"),
    "google.protobuf.FloatValue": _float,
    "google.protobuf.Int32Value": _single(0),
    "google.protobuf.Int64Value": _single(0),
    "google.protobuf.ListValue": lambda fields: fields.get("values", ()),
    "google.protobuf.StringValue": _single(""),
    "google.protobuf.Struct": lambda fields: fields.get("fields", Map({})),
    "google.protobuf.Timestamp": lambda fields: Timestamp(_nanos(fields)),
    "google.protobuf.UInt32Value": _single(Uint(0)),
    "google.protobuf.UInt64Value": _single(Uint(0)),
    "google.protobuf.Value": _last,
}
