"""Bodies in protobuf, as typed clients of Kubernetes send them, become plain objects.

The wire format is read by the table in `protobuf_fields.txt`: which field of a type has which number, and what it
holds. Fields that the table does not have are passed over, as everybody's protobuf does.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

import msgspec

PREFIX: Final = b"k8s\0"

_TYPE_META, _RAW, _API_VERSION, _KIND = 1, 2, 1, 2
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_DEPTH: Final = 64
_OF_ALL_GROUPS: Final = ("APIGroup", "APIGroupList", "APIResourceList", "APIVersions", "DeleteOptions", "Status")

Wire = int | bytes


class ProtobufError(ValueError):
    """Bytes that are no message; the text says what was found."""


class Field(msgspec.Struct, frozen=True):
    """One field of a message.

    Attributes:
        name: its JSON name; empty where what is inside belongs to the message itself.
        code: `s`, `b`, `i`, `y`, or the name of a message.
        many: whether it is one value, a list or a map.
        keeps_zero: whether zero differs from nothing.
        is_always: whether JSON has it even if it holds nothing.
    """

    name: str
    code: str
    many: str
    keeps_zero: bool = False
    is_always: bool = False


def decode(data: bytes) -> dict[str, Any]:
    """The object in an envelope, with its kind and version.

    Raises:
        ProtobufError: the bytes are none, or of a kind that is not in the table.
    """
    if not data.startswith(PREFIX):
        message = "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]"
        raise ProtobufError(message)
    envelope = dict(_fields(data[len(PREFIX) :]))
    head = dict(_fields(_bytes(envelope.get(_TYPE_META, b""))))
    api_version, kind = (_bytes(head.get(number, b"")).decode() for number in (_API_VERSION, _KIND))
    name = type_name(api_version, kind)
    if name not in message_types():
        message = f'no kind "{kind}" is registered for version "{api_version}"'
        raise ProtobufError(message)
    return {"apiVersion": api_version, "kind": kind, **_message(_bytes(envelope.get(_RAW, b"")), name, 0)}


def type_name(api_version: str, kind: str) -> str:
    """What the table calls a kind."""
    group, _, version = api_version.rpartition("/")
    if kind in _OF_ALL_GROUPS:
        return f"meta/v1.{kind}"
    return f"{group.removesuffix('.k8s.io').removesuffix('.authorization') or 'core'}/{version}.{kind}"


@lru_cache(maxsize=1)
def message_types() -> Mapping[str, Mapping[int, Field]]:
    """The table: the fields of each message by their numbers."""
    text = files("dravite.apiserver").joinpath("protobuf_fields.txt").read_text()
    table = {}
    for line in text.splitlines():
        name, *fields = line.split()
        table[name] = dict(_field(field) for field in fields)
    return table


def _field(text: str) -> tuple[int, Field]:
    number, name, code = text.split(":", 2)
    is_always, code = code.endswith("!"), code.removesuffix("!")
    keeps_zero, code = code.endswith("?"), code.removesuffix("?")
    many = code[0] if code[0] in "[{" else ""
    return int(number), Field(name, code.removeprefix(many).strip("()"), many, keeps_zero, is_always)


@lru_cache(maxsize=2048)
def fields_of(name: str) -> Mapping[str, Field]:
    """The fields of a message by their JSON names, with those of messages that are a part of it."""
    found: dict[str, Field] = {}
    for field in message_types().get(name, {}).values():
        found |= {field.name: field} if field.name else fields_of(field.code)
    return found


def _message(data: bytes, name: str, depth: int) -> dict[str, Any]:
    if depth > _DEPTH:
        message = "too deeply nested"
        raise ProtobufError(message)
    fields = message_types().get(name, {})
    made: dict[str, Any] = {}
    for number, wire in _fields(data):
        field = fields.get(number)
        if field is not None:
            _put(made, field, wire, depth)
    return made


def _put(made: dict[str, Any], field: Field, wire: Wire, depth: int) -> None:
    if field.many == "{":
        entry = dict(_fields(_bytes(wire)))
        key = _bytes(entry.get(1, b"")).decode()
        value = _value(field.code, entry.get(2, b"" if field.code not in "bi" else 0), depth)
        made.setdefault(field.name, {})[key] = value
    elif field.many == "[":
        values = made.setdefault(field.name, [])
        packed = field.code in "bi" and isinstance(wire, bytes)
        values += _packed(wire, field.code) if packed and isinstance(wire, bytes) else [_value(field.code, wire, depth)]
    else:
        value = _value(field.code, wire, depth)
        if not field.name:
            made |= value
        elif value is not None and (field.keeps_zero or value not in ("", 0, False)):
            made[field.name] = value


def _value(code: str, wire: Wire, depth: int) -> Any:
    reader = _READERS.get(code)
    return reader(wire) if reader is not None else _message(_bytes(wire), code, depth + 1)


def _packed(data: bytes, code: str) -> list[Any]:
    values, position = [], 0
    while position < len(data):
        number, position = _varint(data, position)
        values.append(_value(code, number, 0))
    return values


def _fields(data: bytes) -> Iterator[tuple[int, Wire]]:
    """The fields of a message: number, and a number or bytes."""
    position = 0
    while position < len(data):
        key, position = _varint(data, position)
        number, wire = key >> 3, key & 7
        if wire == _VARINT:
            value, position = _varint(data, position)
            yield number, value
        elif wire in (_BYTES, _FIXED64, _FIXED32):
            size = {_FIXED64: 8, _FIXED32: 4}.get(wire, 0)
            if wire == _BYTES:
                size, position = _varint(data, position)
            if position + size > len(data):
                message = "unexpected end of a protobuf message"
                raise ProtobufError(message)
            yield number, data[position : position + size]
            position += size
        else:
            message = f"wire type {wire} is unknown"
            raise ProtobufError(message)


def _varint(data: bytes, position: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if position >= len(data) or shift > 63:
            message = "unexpected end of a protobuf number"
            raise ProtobufError(message)
        byte = data[position]
        value |= (byte & 0x7F) << shift
        position += 1
        if byte < 0x80:
            return value, position
        shift += 7


def _bytes(wire: Wire) -> bytes:
    if isinstance(wire, bytes):
        return wire
    message = "a number where bytes were expected"
    raise ProtobufError(message)


def _whole(wire: Wire) -> int:
    if isinstance(wire, bytes):
        message = "bytes where a number was expected"
        raise ProtobufError(message)
    return wire - (1 << 64) if wire >= 1 << 63 else wire


def _text(wire: Wire) -> str:
    try:
        return _bytes(wire).decode()
    except UnicodeDecodeError:
        message = "a text that is not UTF-8"
        raise ProtobufError(message) from None


def _moment(wire: Wire) -> datetime | None:
    found = dict(_fields(_bytes(wire)))
    if not found:
        return None
    seconds, nanos = _whole(found.get(1, 0)), _whole(found.get(2, 0))
    try:
        return datetime.fromtimestamp(seconds, UTC).replace(microsecond=nanos // 1000)
    except (ValueError, OverflowError, OSError):
        message = f"{seconds} is no time"
        raise ProtobufError(message) from None


def _time(wire: Wire) -> str | None:
    moment = _moment(wire)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ") if moment is not None else None


def _micro_time(wire: Wire) -> str | None:
    moment = _moment(wire)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ") if moment is not None else None


def _first_text(wire: Wire) -> str:
    return _text(dict(_fields(_bytes(wire))).get(1, b""))


def _int_or_string(wire: Wire) -> int | str:
    found = dict(_fields(_bytes(wire)))
    return _text(found.get(3, b"")) if found.get(1) == 1 else _whole(found.get(2, 0))


def _json(wire: Wire) -> Any:
    raw = _bytes(dict(_fields(_bytes(wire))).get(1, b"null")) or b"null"
    try:
        return msgspec.json.decode(raw)
    except msgspec.DecodeError:
        message = "a raw value that is no JSON"
        raise ProtobufError(message) from None


_READERS: Final[Mapping[str, Callable[[Wire], Any]]] = {
    "s": _text,
    "b": lambda wire: bool(_whole(wire)),
    "i": _whole,
    "y": lambda wire: base64.b64encode(_bytes(wire)).decode(),
    "resource.Quantity": _first_text,
    "meta/v1.Time": _time,
    "meta/v1.MicroTime": _micro_time,
    "intstr.IntOrString": _int_or_string,
    "runtime.RawExtension": _json,
    "meta/v1.FieldsV1": _json,
}
