"""A quick look that tells whether JSON says exactly what a type can say: no unknown field, nothing missing or bent.

msgspec reads objects many times faster than a walk in Python, but it passes over fields that it does not know, and it
takes any text for a time. For each type a stricter twin is compiled from its shape: it knows the same fields, refuses
all others, and leaves values unread whose type the real decoder checks anyway. What a twin refuses may still be good;
then the walk of `surface` has the last word.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, Final, Literal, cast

import msgspec

from dravite.api.field_history import shape_in
from dravite.api.meta import Model, ObjectMeta
from dravite.api.required_fields import required_fields
from dravite.api.shapes import TIME_PATTERN, Shape, shape_of
from dravite.api.unread_fields import UNREAD

Source = Literal["text", "plain", "request"]
"""Where values come from: JSON text, dicts and lists, or the JSON text of a request to a server."""

_PLAIN_TIME: Final = r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\Z"

_IN_REQUESTS: Final[Mapping[type[Model], frozenset[str]]] = {ObjectMeta: frozenset({"managedFields"})}
"""Fields that are not read, of those that clients send back."""

_SOMETHING: Final[Any] = str | int | float | bool | list[Any] | dict[str, Any]
"""Any JSON but null."""

_LIST: Final[Any] = list
_DICT: Final[Any] = dict


def is_exact_text(text: str | bytes, model: type[Model]) -> bool:
    """Whether a JSON text has only fields of the type, and all that are required."""
    decoder = _text_decoder(model)
    if decoder is None:
        return False
    try:
        decoder.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return False
    return True


def is_exact_plain(value: Any, model: type[Model]) -> bool:
    """Whether dicts and lists, with names as on the wire, have only fields of the type, and all that are required."""
    twin = _twin(model, "plain")
    if twin is None:
        return False
    try:
        msgspec.convert(value, twin)
    except (msgspec.ValidationError, ValueError, RecursionError):  # ValueError: a Decimal that is no number
        return False
    return True


def exact_request(text: bytes, model: type[Model], release: str) -> Any:
    """The twin of a JSON text that has only fields that the type had in a release, and only times in whole seconds of
    UTC; None for all others. What is required may be missing: a server says so later. Metadata may have managed
    fields, which are handed back as they are.
    """
    decoder = _request_decoder(model, release)
    if decoder is None:
        return None
    try:
        return decoder.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return None


@lru_cache(maxsize=256)
def _text_decoder(model: type[Model]) -> msgspec.json.Decoder[Any] | None:
    twin = _twin(model, "text")
    return None if twin is None else msgspec.json.Decoder(twin)


@lru_cache(maxsize=256)
def _request_decoder(model: type[Model], release: str) -> msgspec.json.Decoder[Any] | None:
    twin = _made(_Twins("request"), shape_in(model, release))
    return None if twin is None else msgspec.json.Decoder(twin)


@lru_cache(maxsize=256)
def _twin(model: type[Model], source: Source) -> Any:
    return _made(_Twins(source), shape_of(model))


def _made(twins: _Twins, shape: Shape) -> Any:
    """The twin of a type; None for types that hold themselves, which have none."""
    twin = twins.of(shape)
    return None if twins.is_endless else twin


class _Twins:
    """Twins under construction. Alive only inside `_twin`."""

    __slots__ = ("is_endless", "is_request", "leaf", "made")

    def __init__(self, source: Source) -> None:
        self.leaf: Any = Any if source == "plain" else msgspec.Raw
        self.is_request = source == "request"
        self.made: dict[type[Model], Any] = {}
        self.is_endless = False

    def of(self, shape: Shape) -> Any:
        owner = cast("type[Model]", shape.owner)
        if owner not in self.made:
            self.made[owner] = None
            self.made[owner] = self._struct(shape, owner)
        elif self.made[owner] is None:
            self.is_endless = True
        return self.made[owner]

    def _struct(self, shape: Shape, owner: type[Model]) -> Any:
        required = frozenset[str]() if self.is_request else required_fields(owner)
        fields: list[Any] = []
        for field in msgspec.structs.fields(owner):
            if field.encode_name not in shape.fields:
                continue  # another release has it
            kind = self._type(shape.fields[field.encode_name])
            if field.name in required:
                fields.append(
                    (field.name, _SOMETHING if kind is self.leaf else kind, msgspec.field(name=field.encode_name))
                )
            else:
                fields.append((field.name, kind, msgspec.field(name=field.encode_name, default=None)))
        unread = _IN_REQUESTS.get(owner) if self.is_request else UNREAD.get(owner)
        fields += [(name, self.leaf, None) for name in sorted((unread or frozenset()) - set(shape.fields))]
        return msgspec.defstruct(
            owner.__name__, fields, kw_only=True, gc=False, forbid_unknown_fields=unread is None or bool(unread)
        )

    def _type(self, shape: Shape) -> Any:
        match shape.word:
            case "object":
                return self.of(shape)
            case "list" | "map":
                item = self._type(cast("Shape", shape.item))
                if item is self.leaf:
                    return item
                return _LIST[item] if shape.word == "list" else _DICT[str, item]
            case "time":
                return Annotated[str, msgspec.Meta(pattern=_PLAIN_TIME if self.is_request else TIME_PATTERN)]
            case "integer":
                return _whole_number(shape.bits)
            case "share":
                return _whole_number(32) | str
        return self.leaf


def _whole_number(bits: int) -> Any:
    limit = 1 << (bits - 1)
    return Annotated[int, msgspec.Meta(ge=-limit, le=limit - 1)]
