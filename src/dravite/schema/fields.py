"""One field of a kind, found by its path: what it means, what it takes, and when it exists."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import Final

import msgspec

from dravite.api.gated_fields import GATED_FIELDS
from dravite.api.registry import KindInfo
from dravite.api.shapes import Shape, shape_of
from dravite.schema.maker import described_kinds, required_names
from dravite.schema.words import ENUMS, meaning

_POSITION: Final = re.compile(r"\[[^\]]*\]")
_NOUNS: Final = {
    "text": "text",
    "integer": "whole number",
    "bool": "true or false",
    "quantity": "quantity",
    "time": "time",
    "raw": "any object",
}


class InnerField(msgspec.Struct, frozen=True):
    """A field of an object: its name, what it takes, whether it must be given, and what it means."""

    name: str
    takes: str
    required: bool
    meaning: str


class FieldMeaning(msgspec.Struct, frozen=True, kw_only=True):
    """A field, or a whole kind.

    Attributes:
        path: the kind and the names down to the field.
        takes: what stands there, in words.
        words: the words that it takes, where there are only some.
        gates: feature gates that must be on for the field to exist.
        type_meaning: what the type is that stands there; empty where the field's meaning says it all.
        fields: what is in it.
    """

    path: str
    api_version: str
    takes: str
    meaning: str
    required: bool = False
    words: tuple[str, ...] = ()
    gates: tuple[str, ...] = ()
    type_meaning: str = ""
    fields: tuple[InnerField, ...] = ()


class NoField(msgspec.Struct, frozen=True):
    """A step of a path that does not exist: where, which, and the names that do."""

    holder: str
    name: str
    near: str | None
    known: tuple[str, ...]


def described_kind(text: str) -> KindInfo | str | None:
    """The kind that is meant: its name in any case, its plural, or a short name. Else the nearest kind, or None."""
    kinds = {info.kind: info for info, _ in described_kinds()}
    wanted = text.lower()
    for info in kinds.values():
        if wanted in (info.singular, info.plural, *info.short_names):
            return info
    near = difflib.get_close_matches(wanted, [info.singular for info in kinds.values()], n=1)
    return next((info.kind for info in kinds.values() if near and info.singular == near[0]), None)


def versions_of(info: KindInfo) -> tuple[str, ...]:
    """The versions of a kind that are described, the newest first."""
    return tuple(api_version for one, api_version in described_kinds() if one is info)


def find_field(info: KindInfo, api_version: str, path: Iterable[str]) -> FieldMeaning | NoField:
    """The field at a path below a kind; positions in lists and keys of maps may be left out."""
    model = info.type_of(api_version)
    assert model is not None  # noqa: S101 (the caller has looked)
    shape, owner, field = shape_of(model), info.kind, ""
    walked = info.kind
    required = False
    for step in path:
        name = _POSITION.sub("", step)
        holder = innermost(shape)
        if name not in holder.fields:
            known = tuple(holder.fields)
            near = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
            return NoField(walked, name, near[0] if near else None, known)
        owner, field = _owner(holder, info), name
        required = name in required_names(holder)
        walked, shape = f"{walked}.{name}", holder.fields[name]
    return FieldMeaning(
        path=walked,
        api_version=api_version,
        takes=takes(shape),
        meaning=meaning(owner, field),
        required=required,
        words=ENUMS.get((owner, field), ()),
        gates=_gates(owner, field),
        type_meaning=meaning(_owner(innermost(shape), info)) if field else "",
        fields=_fields(innermost(shape), info),
    )


def innermost(shape: Shape) -> Shape:
    """What a list or a map holds."""
    while shape.item is not None:
        shape = shape.item
    return shape


def takes(shape: Shape) -> str:
    """What stands in a field, in words: `list of DeviceRequest`, `map of quantity`, `text`."""
    if shape.item is not None:
        return f"{shape.word} of {takes(shape.item)}"
    return shape.owner.__name__ if shape.owner is not None else _NOUNS[shape.word]


def _owner(shape: Shape, info: KindInfo) -> str:
    return shape.owner.__name__ if shape.owner is not None else info.kind if shape.fields else ""


def _fields(shape: Shape, info: KindInfo) -> tuple[InnerField, ...]:
    required = required_names(shape)
    owner = _owner(shape, info)
    return tuple(
        InnerField(name, takes(inner), name in required, meaning(owner, name)) for name, inner in shape.fields.items()
    )


def _gates(owner: str, field: str) -> tuple[str, ...]:
    """The gates of a field by the name of its type: types of different versions share their gates."""
    found: dict[str, None] = {}
    for rule in GATED_FIELDS:
        wire = dict(zip(rule.owner.__struct_fields__, rule.owner.__struct_encode_fields__, strict=True))
        if rule.owner.__name__ == owner and field in (wire[name] for name in rule.names):
            found.update(dict.fromkeys(rule.gates))
    return tuple(found)
