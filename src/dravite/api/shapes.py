"""What JSON a type can be read from: every fault of a raw object at once, with its path.

msgspec stops at the first fault and knows nothing of Go's habits. This walk compares plain JSON with the types and
treats it as Kubernetes' decoder does: null is as good as missing, a number may stand for a quantity, nothing else is
bent. It also meets the fields that no type has. It does not know what a field means.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, Literal, cast

import msgspec
from msgspec import inspect

from dravite.api.field import ErrorType, FieldError, child, keyed
from dravite.api.field_types import struct_info
from dravite.api.meta import Model
from dravite.api.quantity import Quantity, QuantityError
from dravite.api.unread_fields import UNREAD

Word = Literal["text", "integer", "share", "bool", "quantity", "time", "raw", "object", "list", "map"]

_INT64: Final = frozenset(
    {
        "generation",
        "deletionGracePeriodSeconds",
        "observedGeneration",
        "count",
        "tolerationSeconds",
        "resourceSliceCount",
        "int",
        "ints",
        "sizeBytes",
    }
)
"""Whole numbers of 64 bits, by name; all others of the API have 32."""

_INT32: Final = frozenset({("PoolStatus", "resourceSliceCount")})
"""Those of the names above that have 32 bits in one type."""

_TIME_NAME: Final = re.compile(r".*(Timestamp|Time)\Z|timeAdded\Z|time\Z")
TIME_PATTERN: Final = r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)\Z"
"""A time as JSON has it, whether or not there is such a day."""

_NUMERAL: Final = re.compile(r"-?[0-9]{1,19}\Z", re.ASCII)
_TIME: Final = re.compile(TIME_PATTERN)
_NUMBER_TYPES: Final = (int, float)


class Shape(msgspec.Struct):
    """What one value may look like. Fields are filled after creation, since types may hold themselves.

    Attributes:
        word: the kind of value; a `share` is a whole number or a text like `50%`.
        bits: of an integer.
        item: of a list or a map.
        fields: of an object, by wire name.
        owner: the type of an object.
    """

    word: Word
    bits: int = 64
    item: Shape | None = None
    fields: Mapping[str, Shape] = {}
    owner: type[Model] | None = None


class Unknown(msgspec.Struct, frozen=True):
    """A field that the type has not.

    Attributes:
        path: where it stands.
        steps: the shapes from the root to the object that holds it, with the name of each step.
        value: what it says.
    """

    path: str
    name: str
    steps: tuple[tuple[str, Shape], ...]
    value: Any = None


class Examined(msgspec.Struct, frozen=True):
    """A raw object after the walk: without what is null or unknown, and what was found on the way.

    Where there are errors, a wrong value is replaced by what it was probably meant to be, or else left out; in a list
    an empty value takes its place, so that paths stay true. `has_times` tells whether any value is a time.
    """

    value: Any
    errors: tuple[FieldError, ...]
    unknown: tuple[Unknown, ...]
    has_times: bool = False


def examine(value: Any, shape: Shape) -> Examined:
    """Walk a raw object, as decoded from JSON, along its shape."""
    walk = _Walk()
    cleaned = walk.value(value, shape, "")
    return Examined(cleaned, tuple(walk.errors), tuple(walk.unknown), walk.has_times)


def shape_of(model: type[Model]) -> Shape:
    """The shape of a type. Made once per type."""
    shape = _SHAPES.get(model)
    if shape is None:
        shape = _SHAPES[model] = Shape("object", owner=model)
        fields = struct_info(model).fields
        shape.fields = {field.encode_name: _shape(field.type, field.encode_name) for field in fields}
        for name in (name for owner, name in _INT32 if owner == model.__name__):
            shape.fields[name].bits = 32
    return shape


_SHAPES: Final[dict[type[Model], Shape]] = {}


def _shape(info: inspect.Type, name: str) -> Shape:
    match info:
        case inspect.UnionType(types=types):
            if {type(kind) for kind in types} >= {inspect.IntType, inspect.StrType}:
                return Shape("share")
            return _shape(next(kind for kind in types if not isinstance(kind, inspect.NoneType)), name)
        case inspect.StructType(cls=model):
            return shape_of(cast("type[Model]", model))
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            return Shape("list", item=_shape(item, name))
        case inspect.DictType(value_type=item):
            return Shape("map", item=_shape(item, ""))
        case inspect.StrType():
            return Shape("time" if _TIME_NAME.match(name) else "text")
        case inspect.IntType():
            return Shape("integer", bits=64 if name in _INT64 else 32)
        case inspect.BoolType():
            return Shape("bool")
        case inspect.CustomType(cls=cls) if cls is Quantity:
            return Shape("quantity")
        case inspect.LiteralType():
            return Shape("text")
    return Shape("raw")


_MISSING: Final = object()


_DEEPEST: Final = 80
"""Fields inside fields; no object that a server takes comes near."""


class _Walk:
    """One walk; alive only inside `examine`."""

    __slots__ = ("errors", "has_times", "steps", "unknown")

    def __init__(self) -> None:
        self.has_times = False
        self.errors: list[FieldError] = []
        self.unknown: list[Unknown] = []
        self.steps: list[tuple[str, Shape]] = []

    def value(self, value: Any, shape: Shape, path: str) -> Any:
        """The value as the type wants it; where it is wrong, what was meant, or `_MISSING`."""
        word = shape.word
        if word == "object":
            return self._object(value, shape, path)
        if word == "list":
            return self._list(value, shape, path)
        if word == "map":
            return self._map(value, shape, path)
        fault = why_not(value, shape)
        if fault is None:
            self.has_times = self.has_times or word == "time"
            return value
        self._wrong(path, value, fault)
        return _meant(value, shape)

    def _wrong(self, path: str, value: Any, fault: tuple[ErrorType, str]) -> None:
        kind, detail = fault
        self.errors.append(FieldError(type=kind, field=path, value=value, detail=detail, origin="decode"))

    def _object(self, value: Any, shape: Shape, path: str) -> Any:
        if not isinstance(value, dict):
            self._wrong(path, value, _mismatch("an object", value))
            return _MISSING
        if len(self.steps) > _DEEPEST:
            self._wrong(path, None, (ErrorType.INVALID, "nested too deep"))
            return _MISSING
        cleaned = {}
        fields = shape.fields
        for name, inner in value.items():
            field = fields.get(name)
            if field is None:
                if not is_known_elsewhere(shape, name):
                    self.unknown.append(Unknown(child(path, name), name, (*self.steps, ("", shape)), inner))
            elif inner is not None:
                self.steps.append((name, shape))
                result = self.value(inner, field, f"{path}.{name}" if path else name)
                self.steps.pop()
                if result is not _MISSING:
                    cleaned[name] = result
        return cleaned

    def _list(self, value: Any, shape: Shape, path: str) -> Any:
        if not isinstance(value, list):
            self._wrong(path, value, _mismatch("a list", value))
            return _MISSING
        item = cast("Shape", shape.item)
        results = [
            _zero(item) if inner is None else self.value(inner, item, f"{path}[{index}]")
            for index, inner in enumerate(value)
        ]
        return [_zero(item) if result is _MISSING else result for result in results]

    def _map(self, value: Any, shape: Shape, path: str) -> Any:
        if not isinstance(value, dict):
            self._wrong(path, value, _mismatch("a map", value))
            return _MISSING
        item = cast("Shape", shape.item)
        cleaned = {}
        for key, inner in value.items():
            result = _zero(item) if inner is None else self.value(inner, item, keyed(path, key))
            if result is not _MISSING:
                cleaned[key] = result
        return cleaned


def why_not(value: Any, shape: Shape) -> tuple[ErrorType, str] | None:
    """Why a single value cannot be read as the shape wants it, or None."""
    match shape.word:
        case "text":
            return None if isinstance(value, str) else _mismatch("a string", value)
        case "bool":
            return None if isinstance(value, bool) else _mismatch("true or false", value)
        case "integer":
            return _why_no_integer(value, shape.bits)
        case "share":
            return None if isinstance(value, str) else _why_no_integer(value, 32)
        case "quantity":
            return _why_no_quantity(value)
        case "time":
            if not isinstance(value, str):
                return _mismatch("a time", value)
            good = _TIME.match(value)
            return None if good else (ErrorType.INVALID, "must be a time as in RFC 3339: 2026-01-31T12:00:00Z")
    return None


def _why_no_integer(value: Any, bits: int) -> tuple[ErrorType, str] | None:
    if isinstance(value, bool) or not isinstance(value, int):
        return _mismatch("a whole number", value)
    limit = 1 << (bits - 1)
    return None if -limit <= value < limit else (ErrorType.INVALID, f"must be a whole number of {bits} bits")


def _why_no_quantity(value: Any) -> tuple[ErrorType, str] | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return _mismatch("a quantity", value)
    try:
        Quantity.parse(str(value).strip())
    except QuantityError as error:
        return ErrorType.INVALID, str(error)
    return None


def _mismatch(wanted: str, value: Any) -> tuple[ErrorType, str]:
    return ErrorType.TYPE_INVALID, f"must be {wanted}, not {_noun(value)}"


def _noun(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    return "a number" if isinstance(value, _NUMBER_TYPES) else "a string"


def _meant(value: Any, shape: Shape) -> Any:
    """A scalar of the wrong type as the right one, where that is no guess; `_MISSING` else."""
    if shape.word == "text" and isinstance(value, bool | int | float):
        return msgspec.json.encode(value).decode()
    if isinstance(value, str):
        if shape.word == "integer" and _NUMERAL.match(value) and why_not(int(value), shape) is None:
            return int(value)
        if shape.word == "bool" and value.lower() in ("true", "false"):
            return value.lower() == "true"
    return _MISSING


def _zero(shape: Shape) -> Any:
    """What null stands for inside a list or a map: Go's zero value."""
    zeros = {"text": "", "time": "", "integer": 0, "share": 0, "bool": False, "quantity": "0", "list": [], "raw": None}
    return zeros.get(shape.word, {})


def is_known_elsewhere(shape: Shape, name: str) -> bool:
    """Whether Kubernetes has the field although our type leaves it out."""
    names = UNREAD.get(shape.owner) if shape.owner is not None else None
    return names is not None and (name in names or not names)
