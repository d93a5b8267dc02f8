"""Whether an object of a kind that is kept as it comes fits its kind, by the table of protobuf fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from dravite.apiserver.bodies import go_type
from dravite.apiserver.protobuf import Field, fields_of, message_types, type_name

_METADATA: Final = "meta/v1.ObjectMeta"
_TYPE: Final = ("apiVersion", "kind")
_DEEPEST: Final = 80


class Fit(msgspec.Struct, frozen=True):
    """How an object fits.

    Attributes:
        fault: what Go's decoder says of the first value of a wrong type; empty where there is none.
        unknown: the fields that the kind does not have, as they are warned of.
    """

    fault: str = ""
    unknown: tuple[str, ...] = ()


def fit(value: Mapping[str, Any], api_version: str, kind: str) -> Fit:
    """How an object fits; of a kind that the table does not know only the metadata must."""
    walk = _Walk(kind)
    message = type_name(api_version, kind)
    if message in message_types():
        walk.message(value, message, "")
    else:
        walk.value(value.get("metadata"), Field("metadata", _METADATA, ""), "metadata")
        for name in ("spec", "status"):
            if value.get(name) is not None and not isinstance(value[name], dict):
                walk.wrong(value[name], name, "map[string]interface {}")
    return Fit(walk.fault, tuple(walk.unknown))


class _Walk:
    """One walk; alive only inside `fit`."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.fault = ""
        self.unknown: list[str] = []
        self.depth = 0

    def wrong(self, value: Any, path: str, wanted: str) -> None:
        place = f"{self.kind}.{path}" if path else self.kind
        what = f"json: cannot unmarshal {go_type(value)} into Go struct field"
        self.fault = self.fault or f"{what} {place} of type {wanted}"

    def message(self, value: Any, message: str, path: str) -> None:
        if not isinstance(value, dict) or self.depth > _DEEPEST:
            self.wrong(value, path, message.replace("/", ""))
            return
        fields = fields_of(message)
        self.depth += 1
        for name, inner in value.items():
            place = f"{path}.{name}" if path else name
            field = fields.get(name)
            if field is not None:
                self.value(inner, field, place)
            elif name not in _TYPE or "metadata" not in fields:
                self.unknown.append(f'unknown field "{place}"')
        self.depth -= 1

    def value(self, value: Any, field: Field, path: str) -> None:
        if value is None:
            return
        if field.many == "[":
            if not isinstance(value, list):
                self.wrong(value, path, f"[]{field.code}")
                return
            for position, item in enumerate(value):
                self.one(item, field.code, f"{path}[{position}]")
        elif field.many == "{":
            if not isinstance(value, dict):
                self.wrong(value, path, f"map[string]{field.code}")
                return
            for key, item in value.items():
                self.one(item, field.code, f"{path}.{key}")
        else:
            self.one(value, field.code, path)

    def one(self, value: Any, code: str, path: str) -> None:
        """A value that is no list."""
        known = _FITS.get(code)
        if known is None:
            self.message({} if value is None else value, code, path)
        elif value is not None and not known[1](value):
            self.wrong(value, path, known[0])


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_FITS: Final[Mapping[str, tuple[str, Callable[[Any], bool]]]] = {
    "s": ("string", lambda value: isinstance(value, str)),
    "b": ("bool", lambda value: isinstance(value, bool)),
    "i": ("int64", lambda value: _is_whole(value) and -(1 << 63) <= value < 1 << 63),
    "y": ("[]uint8", lambda value: isinstance(value, str)),
    "resource.Quantity": ("resource.Quantity", lambda value: isinstance(value, str | int | float)),
    "meta/v1.Time": ("string", lambda value: isinstance(value, str)),
    "meta/v1.MicroTime": ("string", lambda value: isinstance(value, str)),
    "intstr.IntOrString": ("intstr.IntOrString", lambda value: isinstance(value, str) or _is_whole(value)),
    "runtime.RawExtension": ("runtime.RawExtension", lambda value: True),
    "meta/v1.FieldsV1": ("v1.FieldsV1", lambda value: isinstance(value, dict)),
}
"""What Go calls a type, and which values are of it."""
