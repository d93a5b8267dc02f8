"""Protobuf's well-known messages, as far as an expression can name or build them.

Every CEL environment knows them. Selectors hardly need more than `google.protobuf.Timestamp{seconds: …}`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dravite.cel.types import (
    ANY,
    BOOL,
    BYTES,
    CIDR,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    IP,
    NULL,
    STRING,
    TIMESTAMP,
    TYPE,
    UINT,
    Kind,
    Type,
    list_of,
    map_of,
    optional_of,
)

_EMPTY: Final = Type("struct", "google.protobuf.Empty")
_ENTRY: Final = Type("struct", "google.protobuf.Struct.FieldsEntry")
_STRUCT: Final = map_of(STRING, DYN)


def _wrapper(t: Type) -> Type:
    return Type(t.kind, t.name, t.params, nullable=True)


_SIMPLE_TYPES: Final = (BOOL, BYTES, DOUBLE, DURATION, INT, NULL, STRING, TIMESTAMP, TYPE, UINT, IP, CIDR)
TYPE_NAMES: Final[Mapping[str, Type]] = {
    **{t.name: t for t in _SIMPLE_TYPES},
    "list": list_of(DYN),
    "map": map_of(DYN, DYN),
    "optional_type": optional_of(DYN),
    "google.protobuf.Any": ANY,
    "google.protobuf.BoolValue": _wrapper(BOOL),
    "google.protobuf.BytesValue": _wrapper(BYTES),
    "google.protobuf.DoubleValue": _wrapper(DOUBLE),
    "google.protobuf.Empty": _EMPTY,
    "google.protobuf.FloatValue": _wrapper(DOUBLE),
    "google.protobuf.Int32Value": _wrapper(INT),
    "google.protobuf.Int64Value": _wrapper(INT),
    "google.protobuf.ListValue": list_of(DYN),
    "google.protobuf.StringValue": _wrapper(STRING),
    "google.protobuf.Struct": _STRUCT,
    "google.protobuf.Struct.FieldsEntry": _ENTRY,
    "google.protobuf.UInt32Value": _wrapper(UINT),
    "google.protobuf.UInt64Value": _wrapper(UINT),
    "google.protobuf.Value": DYN,
}
"""Names that stand for a type in every environment."""

VARIABLES: Final[Mapping[str, Type]] = {"duration": DURATION, "timestamp": TIMESTAMP}
"""Names that pass the type checker for types; they have no value, and no message can be built of them."""

ENUM_VALUES: Final[Mapping[str, int]] = {"google.protobuf.NullValue.NULL_VALUE": 0}

_SECONDS: Final = {"seconds": INT, "nanos": INT}
_NO_FIELDS: Final[Mapping[str, Type]] = {}
MESSAGE_FIELDS: Final[Mapping[str, Mapping[str, Type]]] = {
    **dict.fromkeys(("bool", "bytes", "double", "int", "string", "uint"), _NO_FIELDS),
    "google.protobuf.Any": {"type_url": STRING, "value": BYTES},
    "google.protobuf.BoolValue": {"value": BOOL},
    "google.protobuf.BytesValue": {"value": BYTES},
    "google.protobuf.DoubleValue": {"value": DOUBLE},
    "google.protobuf.Duration": _SECONDS,
    "google.protobuf.Empty": _NO_FIELDS,
    "google.protobuf.FloatValue": {"value": DOUBLE},
    "google.protobuf.Int32Value": {"value": INT},
    "google.protobuf.Int64Value": {"value": INT},
    "google.protobuf.ListValue": {"values": list_of(DYN)},
    "google.protobuf.StringValue": {"value": STRING},
    "google.protobuf.Struct": {"fields": _STRUCT},
    "google.protobuf.Struct.FieldsEntry": {"key": STRING, "value": DYN},
    "google.protobuf.Timestamp": _SECONDS,
    "google.protobuf.UInt32Value": {"value": UINT},
    "google.protobuf.UInt64Value": {"value": UINT},
    "google.protobuf.Value": {
        "null_value": INT,
        "number_value": DOUBLE,
        "string_value": STRING,
        "bool_value": BOOL,
        "struct_value": _STRUCT,
        "list_value": list_of(DYN),
    },
}
"""Message to field to type."""

_MESSAGE_OF_KIND: Final[Mapping[Kind, str]] = {
    "any": "google.protobuf.Any",
    "bool": "google.protobuf.BoolValue",
    "bytes": "google.protobuf.BytesValue",
    "double": "google.protobuf.DoubleValue",
    "duration": "google.protobuf.Duration",
    "dyn": "google.protobuf.Value",
    "int": "google.protobuf.Int64Value",
    "list": "google.protobuf.ListValue",
    "null": "google.protobuf.NullValue",
    "map": "google.protobuf.Struct",
    "string": "google.protobuf.StringValue",
    "timestamp": "google.protobuf.Timestamp",
    "uint": "google.protobuf.UInt64Value",
}


def message_of(t: Type) -> str | None:
    """The message that a literal `T{…}` of this type builds, or None where the type is no message."""
    if t.kind == "struct":
        return t.name
    is_message = t.nullable or t.kind in ("any", "timestamp", "duration", "dyn", "null") or t in (list_of(DYN), _STRUCT)
    return _MESSAGE_OF_KIND[t.kind] if is_message else None
