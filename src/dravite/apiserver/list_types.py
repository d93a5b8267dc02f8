"""Which lists are maps or sets to Kubernetes, and which objects are one value: what merging and ownership go by.

A path is the names from the object's root, without positions. `list_types.txt` says it by type, the table of protobuf
fields which type is where. Lists that are not named are replaced as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Final

import msgspec

from dravite.apiserver.protobuf import Field, fields_of, message_types

Names = tuple[str, ...]

SET: Final[tuple[str, ...]] = ()
"""The keys of a list that is a set."""

_METADATA: Final = "meta/v1.ObjectMeta"
_WHOLE: Final = "."
_RAW: Final = "runtime.RawExtension"
_KNOWN: Final = 8192


class Traits(msgspec.Struct, frozen=True):
    """How a field is merged.

    Attributes:
        keys: of a list that is a map, `SET` of one that is a set, None of all else.
        is_atomic: whether it is one value.
        merge_key: what a strategic merge knows items by; an empty text where items are known by themselves, None
            where it replaces the list.
        is_replaced: whether a strategic merge replaces the object.
    """

    keys: tuple[str, ...] | None = None
    is_atomic: bool = False
    merge_key: str | None = None
    is_replaced: bool = False


_PLAIN: Final = Traits()


def list_keys(kind: str, path: Names) -> tuple[str, ...] | None:
    """The keys of a list that is a map, `SET` for a set, None for a list that is one value."""
    return traits(kind, path).keys


def is_atomic(kind: str, path: Names) -> bool:
    """Whether an object is one value, with no fields to own or to merge; of a list, whether its items are."""
    return traits(kind, path).is_atomic


@lru_cache(maxsize=_KNOWN)
def traits(kind: str, path: Names) -> Traits:
    """How the field at a path is merged, in the first version of the kind that has it."""
    for message in _messages(kind):
        found = _found(message, path)
        if found is not None:
            return found
    return _PLAIN


def _found(message: str, path: Names) -> Traits | None:
    field, owner, in_map = None, message, False
    for name in path:
        if in_map:  # the key of a map of objects
            in_map = False
            continue
        owner = message
        field = _fields(message).get(name)
        if field is None:
            return None
        message, in_map = field.code, field.many == "{"
    if field is None:
        return None
    own = _table().get(owner, {}).get(field.name, _PLAIN)
    is_one = field.code == _RAW or (not in_map and _WHOLE in _table().get(field.code, {}))
    return msgspec.structs.replace(own, is_atomic=True) if is_one else own


@lru_cache(maxsize=_KNOWN)
def _messages(kind: str) -> tuple[str, ...]:
    """The types that are called so, and for kinds that nobody knows one that has metadata."""
    found = (name for name in message_types() if name.endswith(f".{kind}") and "metadata" in _fields(name))
    return (*found, _UNKNOWN)


_UNKNOWN: Final = ""
"""The type of kinds that users define."""

_OF_UNKNOWN: Final = {"metadata": Field("metadata", _METADATA, "")}


def _fields(message: str) -> Mapping[str, Field]:
    return _OF_UNKNOWN if message == _UNKNOWN else fields_of(message)


@lru_cache(maxsize=1)
def _table() -> Mapping[str, Mapping[str, Traits]]:
    text = files("dravite.apiserver").joinpath("list_types.txt").read_text()
    return {name: dict(map(_read, fields)) for name, *fields in map(str.split, text.splitlines())}


def _read(text: str) -> tuple[str, Traits]:
    name, _, words = text.partition(":")
    given = dict(_words(words))
    keys = given.get("map")
    return name, Traits(
        keys=tuple(keys.split("+")) if keys else SET if "set" in given else None,
        is_atomic="atomic" in given,
        merge_key=given.get("merge"),
        is_replaced="replace" in given,
    )


def _words(text: str) -> Iterator[tuple[str, str]]:
    for word in text.split(","):
        name, _, value = word.partition("=")
        yield name, value
