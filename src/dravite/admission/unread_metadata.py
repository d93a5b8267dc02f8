"""What a body says in metadata that a server alone writes: it is read for its shape, and otherwise left alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from dravite.api.codec import decode_text
from dravite.api.exact_reading import exact_request
from dravite.api.field import FieldError
from dravite.api.meta import Model, Time
from dravite.api.shapes import Unknown, examine, shape_of


class _Entry(Model, frozen=True, kw_only=True):
    manager: str = ""
    operation: str = ""
    api_version: str = ""
    time: Time | None = None
    fields_type: str = ""
    fields_v1: msgspec.Raw | None = msgspec.field(default=None, name="fieldsV1")
    subresource: str = ""


class _Unread(Model, frozen=True, kw_only=True):
    self_link: str = ""
    managed_fields: tuple[_Entry, ...] = ()


NAMES: Final = ("selfLink", "managedFields")
_LISTS: Final = ("ownerReferences", "finalizers", "managedFields")


class Unread(msgspec.Struct, frozen=True):
    """What was passed over in metadata.

    Attributes:
        paths: where fields stand that are set and not read.
        empty: where lists stand that hold nothing. Who reads them takes them for missing.
        errors, unknown: what is wrong with the shape of fields that are not read.
    """

    paths: tuple[str, ...]
    empty: tuple[str, ...]
    errors: tuple[FieldError, ...]
    unknown: tuple[Unknown, ...]


def unread(plain: Mapping[str, Any]) -> Unread:
    """The fields of the object's metadata, and of those of a template in it."""
    paths: list[str] = []
    empty: list[str] = []
    errors: list[FieldError] = []
    unknown: list[Unknown] = []
    for path, meta in _places(plain):
        empty += (f"{path}.{name}" for name in _LISTS if meta.get(name) == [])
        if not any(name in meta for name in NAMES):
            continue
        found = examine({name: meta[name] for name in NAMES if name in meta}, shape_of(_Unread))
        paths += (f"{path}.{name}" for name in NAMES if meta.get(name))
        errors += (msgspec.structs.replace(error, field=f"{path}.{error.field}") for error in found.errors)
        unknown += (msgspec.structs.replace(field, path=f"{path}.{field.path}") for field in found.unknown)
    return Unread(tuple(paths), tuple(empty), tuple(errors), tuple(unknown))


def unread_in(twin: Any, release: str) -> tuple[str, ...] | None:
    """The paths of `unread` for an object of which `exact_reading` has a twin; None where that does not tell all."""
    inner = getattr(getattr(twin, "spec", None), "metadata", None)
    if inner is not None and inner.managedFields is not None:
        return None
    managed = None if twin.metadata is None else twin.metadata.managedFields
    if managed is None:
        return ()
    text = b'{"managedFields":%b}' % managed
    is_read = exact_request(text, _Unread, release) is not None and decode_text(text, _Unread) is not None
    return ("metadata.managedFields",) if is_read else None


def _places(plain: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    spec = plain.get("spec") if plain.get("kind") == "ResourceClaimTemplate" else None
    inner = spec.get("metadata") if isinstance(spec, dict) else None
    for path, meta in (("metadata", plain.get("metadata")), ("spec.metadata", inner)):
        if isinstance(meta, dict):
            yield path, meta
