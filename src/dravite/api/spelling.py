"""Values as people write them in Python become values as they stand on the wire.

Names may be Python's or the wire's, lists may be tuples or sets, and typed values may stand for what they are written
as: models, quantities, times. What is required must be there, and `apiVersion` and `kind` must be those of the type.
Whether values have the right type, and which names are unknown, is for `shapes` to say.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from enum import Enum
from functools import lru_cache
from typing import Any, Final

import msgspec

from dravite.api.codec import encode
from dravite.api.field import ErrorType, FieldError, child, keyed
from dravite.api.meta import Model
from dravite.api.quantity import Quantity
from dravite.api.required_fields import own_type, required_fields
from dravite.api.shapes import Shape, is_known_elsewhere

_PLAIN: Final = (str, int, float, bool)


class Spelled(msgspec.Struct, frozen=True):
    """A value with names as on the wire, and what is wrong with it so far."""

    value: Any
    errors: tuple[FieldError, ...]


class _Names(msgspec.Struct, frozen=True):
    """How the fields of a type are called.

    Attributes:
        wire: the wire name of each Python name that differs from it.
        required: wire names.
        fixed: wire names of fields that can have one value, and that value.
    """

    wire: Mapping[str, str]
    required: tuple[str, ...]
    fixed: Mapping[str, str]


def spell(value: Any, shape: Shape) -> Spelled:
    """The value with names as on the wire. Raises RecursionError where values are nested too deeply."""
    speller = _Speller()
    return Spelled(speller.value(value, shape, ""), tuple(speller.errors))


@lru_cache(maxsize=512)
def python_names(model: type[Model]) -> Mapping[str, str]:
    """The Python name of each field, by its wire name, in the order of the type."""
    return {field.encode_name: field.name for field in msgspec.structs.fields(model)}


@lru_cache(maxsize=512)
def _names(model: type[Model]) -> _Names:
    fields = msgspec.structs.fields(model)
    required = required_fields(model)
    fixed = {field.encode_name: own_type(field) for field in fields}
    return _Names(
        wire={field.name: field.encode_name for field in fields if field.name != field.encode_name},
        required=tuple(field.encode_name for field in fields if field.name in required),
        fixed={name: text for name, text in fixed.items() if text is not None},
    )


class _Speller:
    """One walk; alive only inside `spell`."""

    __slots__ = ("errors", "wrong")

    def __init__(self) -> None:
        self.errors: list[FieldError] = []
        self.wrong: set[str] = set()

    def value(self, value: Any, shape: Shape | None, path: str) -> Any:
        """The value in wire names; where the shape is unknown or does not fit, only what JSON cannot hold is named."""
        if shape is not None and shape.word == "quantity" and type(value) is int:
            return str(value)  # of any size
        if value is None or type(value) in _PLAIN:
            fault = _why_no_json(value)
            if fault is None:
                return value
            self._wrong(ErrorType.INVALID, path, fault)
            return None
        if isinstance(value, Model):
            return self._model(value, shape, path)
        if isinstance(value, Mapping):
            return self._mapping(value, shape, path)
        if isinstance(value, list | tuple | set | frozenset):
            item = shape.item if shape is not None and shape.word == "list" else None
            return [self.value(inner, item, f"{path}[{index}]") for index, inner in enumerate(value)]
        return self._single(value, shape, path)

    def _single(self, value: Any, shape: Shape | None, path: str) -> Any:
        match value:
            case Quantity():
                return value.text
            case datetime():
                return _time(value)
            case msgspec.Raw():
                return msgspec.json.decode(value)
            case Enum():
                return self.value(value.value, shape, path)
            case str():
                return self.value(str.__str__(value), shape, path)
            case int() | float():
                return self.value(int(value) if isinstance(value, int) else float(value), shape, path)
        self._wrong(ErrorType.TYPE_INVALID, path, f"cannot be read: {type(value).__name__}")
        return None

    def _model(self, value: Model, shape: Shape | None, path: str) -> Any:
        owner = shape.owner if shape is not None else None
        if owner is not None and not isinstance(value, owner):
            self._wrong(ErrorType.TYPE_INVALID, path, f"must be {_a(owner)}, not {_a(type(value))}")
            return None
        plain: Any = msgspec.json.decode(encode(value))
        return plain if owner is None else self._mapping(plain, shape, path)

    def _mapping(self, value: Mapping[Any, Any], shape: Shape | None, path: str) -> dict[str, Any]:
        owner = shape.owner if shape is not None else None
        if shape is not None and owner is not None:
            return self._object(value, shape, owner, path)
        item = shape.item if shape is not None and shape.word == "map" else None
        spelled = {}
        for key, inner in value.items():
            if not isinstance(key, str):
                self._wrong(ErrorType.TYPE_INVALID, path, f"must have texts as keys, not {key!r}")
            else:
                spelled[key] = self.value(inner, item, keyed(path, key))
        return spelled

    def _object(self, value: Mapping[Any, Any], shape: Shape, owner: type[Model], path: str) -> dict[str, Any]:
        names = _names(owner)
        spelled: dict[str, Any] = {}
        for key, inner in value.items():
            if not isinstance(key, str):
                self._wrong(ErrorType.TYPE_INVALID, path, f"must have names as keys, not {key!r}")
                continue
            name = key if key in shape.fields else names.wire.get(key, key)
            if name not in shape.fields and is_known_elsewhere(shape, name):
                continue
            if name in spelled:
                self._wrong(ErrorType.DUPLICATE, child(path, name), f"given twice, as {name} and under its Python name")
            spelled[name] = self.value(inner, shape.fields.get(name), f"{path}.{name}" if path else name)
        for name in names.required:
            if spelled.get(name) is None and child(path, name) not in self.wrong:
                self._wrong(ErrorType.REQUIRED, child(path, name), "is required")
        for name, text in names.fixed.items():
            if spelled.get(name) not in (None, text):
                self._wrong(ErrorType.NOT_SUPPORTED, child(path, name), f"must be {text}, not {spelled[name]}")
                spelled[name] = text
        return spelled

    def _wrong(self, kind: ErrorType, path: str, detail: str) -> None:
        self.wrong.add(path)
        self.errors.append(FieldError(type=kind, field=path, detail=detail, origin="surface"))


def _why_no_json(value: Any) -> str | None:
    """Why a text or number cannot be written as JSON that others can read, or None."""
    if isinstance(value, str):
        return None if value.isascii() or _is_unicode(value) else "must be Unicode: it has half of a surrogate pair"
    if isinstance(value, float) and not math.isfinite(value):
        return f"must be a number, not {value}"
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 64:
        return "must be a whole number of 64 bits"
    return None


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _time(value: datetime) -> str:
    """As API servers write times; a time without a zone is one of UTC."""
    text = value.astimezone(UTC) if value.tzinfo is not None else value
    return text.replace(tzinfo=None).isoformat() + "Z"


def _a(model: type[Model]) -> str:
    name = model.__name__
    return f"an {name}" if name[0] in "AEIOU" else f"a {name}"
