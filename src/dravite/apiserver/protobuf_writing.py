"""Answers in protobuf, for clients that take nothing else: the counterpart of `protobuf`, by the same table."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

import msgspec

from dravite.apiserver.protobuf import PREFIX, Field, message_types, type_name

_VARINT, _BYTES = 0, 2
_TYPE_META, _RAW, _CONTENT_TYPE = 1, 2, 4


@lru_cache(maxsize=1024)
def is_writable(api_version: str, kind: str) -> bool:
    """Whether the table knows the kind."""
    return type_name(api_version, kind) in message_types()


def encode(plain: Mapping[str, Any]) -> bytes:
    """The envelope of an object.

    Raises:
        LookupError: the table does not know its kind. Ask `is_writable` first.
    """
    api_version, kind = plain.get("apiVersion", "v1"), plain["kind"]
    fields = message_types()[type_name(api_version, kind)]
    head = _part(1, api_version.encode()) + _part(2, kind.encode())
    raw = _message(plain, fields)
    return PREFIX + _part(_TYPE_META, head) + _part(_RAW, raw) + _part(3, b"") + _part(_CONTENT_TYPE, b"")


def encode_event(kind: str, plain: Mapping[str, Any]) -> bytes:
    """An event of a watch: its length in four bytes, then the message, which holds the envelope of the object."""
    message = _part(1, kind.encode()) + _part(2, _part(1, encode(plain)))
    return len(message).to_bytes(4, "big") + message


def _message(plain: Mapping[str, Any], fields: Mapping[int, Field]) -> bytes:
    return b"".join(part for number in sorted(fields) for part in _parts(number, fields[number], plain))


def _parts(number: int, field: Field, plain: Mapping[str, Any]) -> Iterator[bytes]:
    if not field.name:
        yield _part(number, _value(field.code, plain))
        return
    value = plain.get(field.name)
    if value is None:
        return
    if field.many == "{":
        for name in sorted(value):
            yield _part(number, _part(1, name.encode()) + _part(2, _value(field.code, value[name])))
    elif field.many == "[":
        for item in value:
            yield _part(number, _value(field.code, item))
    else:
        yield _part(number, _value(field.code, value))


def _value(code: str, value: Any) -> int | bytes:
    if value is None:
        return 0 if code in "bi" else b""
    writer = _WRITERS.get(code)
    return writer(value) if writer is not None else _message(value, message_types().get(code, {}))


def _part(number: int, value: int | bytes) -> bytes:
    if isinstance(value, int):
        return _varint(number << 3 | _VARINT) + _varint(value & (1 << 64) - 1)
    return _varint(number << 3 | _BYTES) + _varint(len(value)) + value


def _varint(number: int) -> bytes:
    made = bytearray()
    while number > 0x7F:
        made.append(number & 0x7F | 0x80)
        number >>= 7
    made.append(number)
    return bytes(made)


def _moment(text: str) -> bytes:
    moment = datetime.fromisoformat(text)
    return _part(1, int(moment.timestamp())) + _part(2, moment.microsecond * 1000)


def _int_or_string(value: int | str) -> bytes:
    return _part(1, 0) + _part(2, value) if isinstance(value, int) else _part(1, 1) + _part(3, value.encode())


def _json(value: Any) -> bytes:
    return _part(1, msgspec.json.encode(value))


_WRITERS: Final[Mapping[str, Callable[[Any], int | bytes]]] = {
    "s": lambda text: text.encode(),
    "b": int,
    "i": int,
    "y": base64.b64decode,
    "resource.Quantity": lambda text: _part(1, str(text).encode()),
    "meta/v1.Time": _moment,
    "meta/v1.MicroTime": _moment,
    "intstr.IntOrString": _int_or_string,
    "runtime.RawExtension": _json,
    "meta/v1.FieldsV1": _json,
}
