"""The body of a request → an object of the version that it was sent in, as the decoder of an API server reads it.

What the server's release does not know is left out and told, like what nobody knows. Nothing is defaulted yet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from dravite.admission.unread_metadata import unread, unread_in
from dravite.api.codec import decode_text
from dravite.api.exact_reading import exact_request
from dravite.api.field_history import absent_fields, shape_in
from dravite.api.json_text import plain_json
from dravite.api.meta import Model
from dravite.api.registry import KindInfo
from dravite.api.releases import Profile
from dravite.api.shapes import Shape, Unknown, examine

_EMPTY: Final = re.compile(rb"\[\s*\]")
_KEY: Final = re.compile(r"\[([^\]]*)\]")
_PLAIN_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\Z")


class Body(msgspec.Struct, frozen=True):
    """A body that was read.

    Attributes:
        unknown: the fields that were passed over, as their warnings say.
        unread: fields inside of a template's metadata that a server knows and the types here do not.
        empty: lists in metadata that are there and hold nothing.
    """

    object: Model
    unknown: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()


class BadBody(msgspec.Struct, frozen=True):
    """A body that cannot be read, and why. `unknown` is as in `Body`."""

    message: str
    unknown: tuple[str, ...] = ()


def read_body(body: bytes, api_version: str, info: KindInfo, profile: Profile) -> Body | BadBody:
    """The object of a body that was sent to the endpoint of a kind in a version.

    Raises:
        LookupError: the kind does not exist in that version. Ask `registry.lookup` first.
    """
    model = info.type_of(api_version)
    if model is None:
        message = f"no type for {api_version} {info.kind}"
        raise LookupError(message)
    return _at_a_glance(body, model, (api_version, info), profile) or _walked(body, model, (api_version, info), profile)


def _at_a_glance(body: bytes, model: type[Model], endpoint: tuple[str, KindInfo], profile: Profile) -> Body | None:
    """The object of a body about which there is nothing to tell, as most are; None for all others."""
    twin = None if _EMPTY.search(body) else exact_request(body, model, profile.release)
    beside = None if twin is None else unread_in(twin, profile.release)
    obj: Any = None if beside is None else decode_text(body, model)
    if obj is None or (obj.api_version, obj.kind) != (endpoint[0], endpoint[1].kind):
        return None
    return Body(obj, unread=beside or ())


def _walked(body: bytes, model: type[Model], endpoint: tuple[str, KindInfo], profile: Profile) -> Body | BadBody:
    """The object of a body that is looked at field by field."""
    api_version, info = endpoint
    try:
        plain = plain_json(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        return _bad(info, api_version, str(error))
    if not isinstance(plain, dict):
        return _bad(info, api_version, "it is no object")
    said = tuple(plain.get(name) for name in ("apiVersion", "kind"))
    mistaken = _why_not_of_endpoint(body, said, endpoint, profile)
    if mistaken is not None:
        return mistaken
    plain = {**plain, "apiVersion": api_version, "kind": info.kind}
    shape = shape_in(model, profile.release)
    found, beside = examine(plain, shape), unread(plain)
    if found.errors or beside.errors:
        first = (*found.errors, *beside.errors)[0]
        return _bad(info, api_version, f"{first.field}: {first.detail}")
    try:
        value = _with_plain_times(found.value, shape) if found.has_times else found.value
    except ValueError as error:
        return _bad(info, api_version, str(error))
    as_sent = value is found.value and not any(_is_of_another_release(field, profile) for field in found.unknown)
    obj = decode_text(body, model) if as_sent else None
    if obj is None:  # nulls, and what this release does not have
        obj = decode_text(msgspec.json.encode(value), model)
    if obj is None:
        return _bad(info, api_version, "it does not fit the type")
    return Body(obj, tuple(_warnings((*found.unknown, *beside.unknown))), beside.paths, beside.empty)


def _why_not_of_endpoint(
    body: bytes, said: tuple[Any, ...], endpoint: tuple[str, KindInfo], profile: Profile
) -> BadBody | None:
    """Why a body that says to be of a version and kind was sent to the wrong place. A server reads it all the same."""
    api_version, info = endpoint
    if not all(isinstance(value, str | None) for value in said):
        return _bad(info, api_version, "apiVersion and kind must be strings")
    version, kind = said[0] or api_version, said[1] or info.kind
    if (kind, version) == (info.kind, api_version):
        return None
    if kind != info.kind or info.type_of(version) is None:
        return _bad(info, version, f'no kind "{kind}" is registered for version "{version}"', kind)
    read = read_body(body, version, info, profile)
    message = f"the API version in the data ({version}) does not match the expected API version ({api_version})"
    return read if isinstance(read, BadBody) else BadBody(message, read.unknown)


def _is_of_another_release(field: Unknown, profile: Profile) -> bool:
    owner = field.steps[-1][1].owner
    return owner is not None and field.name in absent_fields(profile.release).get(owner, ())


def _bad(info: KindInfo, api_version: str, reason: str, kind: str = "") -> BadBody:
    version = api_version.rpartition("/")[2]
    return BadBody(f'{kind or info.kind} in version "{version}" cannot be handled as a {info.kind}: {reason}')


def _warnings(unknown: Iterable[Unknown]) -> Iterable[str]:
    return (f'unknown field "{_KEY.sub(_step, field.path)}"' for field in unknown)


def _step(match: re.Match[str]) -> str:
    """List positions stay in brackets; a server writes the keys of maps like names."""
    return match.group() if match.group(1).isdigit() else f".{match.group(1)}"


def _with_plain_times(value: Any, shape: Shape) -> Any:
    """The value with every time in whole seconds of UTC, as a server keeps it; itself where all are so."""
    if shape.word == "time":
        return _plain_time(value)
    if shape.item is not None and isinstance(value, list):
        items = [_with_plain_times(item, shape.item) for item in value]
        return value if all(new is old for new, old in zip(items, value, strict=True)) else items
    if not isinstance(value, dict):
        return value
    item = shape.item
    changed = {
        name: new
        for name, inner in value.items()
        if (of := item or shape.fields.get(name)) is not None and (new := _with_plain_times(inner, of)) is not inner
    }
    return {**value, **changed} if changed else value


def _plain_time(text: str) -> str:
    if _PLAIN_TIME.fullmatch(text):
        return text
    moment = datetime.fromisoformat(text).astimezone(UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
