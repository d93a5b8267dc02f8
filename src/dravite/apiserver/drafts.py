"""Objects in the versions of their requests and in the form that is kept: reading, showing, and what stays as it came.

What is kept is the form in which a server of the release works (`admission.internal`); any other version is shown
from it. Kinds without types are kept as they come.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import msgspec

from dravite.admission.bodies import BadBody, Body, read_body
from dravite.admission.internal import from_internal
from dravite.api.codec import Decoded, decode_plain, decode_text, encode
from dravite.api.defaults import default
from dravite.api.meta import Model, Time
from dravite.api.plain import Plain
from dravite.api.releases import Profile
from dravite.apiserver import plain_kinds, statuses
from dravite.apiserver.kinds import Kind
from dravite.apiserver.plain_shapes import fit
from dravite.apiserver.plain_writing import written
from dravite.apiserver.requests import Target
from dravite.apiserver.written import complete
from dravite.store import Record


class Draft(msgspec.Struct, frozen=True):
    """An object as it was sent, defaulted, as it would be written in the version of its request.

    Attributes:
        unknown: fields that the kind does not have, as they are warned of.
        body: the same as it was read, where the kind has types; nothing in it is unknown.
    """

    plain: Plain
    unknown: tuple[str, ...] = ()
    body: Body | None = None


class Kept(msgspec.Struct, frozen=True):
    """An object in the form that is kept. `plain` has its managed fields, `typed` does not."""

    typed: Model | None
    plain: Plain


def read_draft(value: Plain, target: Target, profile: Profile, now: Time) -> Draft:
    """The draft of a plain object of the target's version.

    Raises:
        Refused: values have the wrong type.
    """
    kind = target.kind
    if kind.info is None:
        found = fit(value, target.api_version, kind.kind)
        if found.fault:
            told = f'{kind.kind} in version "{target.version}" cannot be handled as a {kind.kind}: {found.fault}'
            raise statuses.bad_request(told)
        return Draft(plain_kinds.defaulted(value, (target.api_version, kind.kind), profile, now), found.unknown)
    body = read_body(msgspec.json.encode(value), target.api_version, kind.info, profile)
    if isinstance(body, BadBody):
        raise statuses.bad_request(body.message)
    typed = default(body.object, profile, now)
    plain = with_managed(write(typed, kind.kind, target.version), value)
    return Draft(plain, body.unknown, Body(typed, unread=body.unread, empty=body.empty))


def with_managed(plain: Plain, like: Plain) -> Plain:
    """The object with the managed fields of another one, in place."""
    meta = like.get("metadata")
    managed = meta.get("managedFields") if isinstance(meta, dict) else None
    if managed is not None:
        plain["metadata"]["managedFields"] = managed
    return plain


def write(typed: Model, kind: str, version: str) -> Plain:
    """A typed object as it stands in an answer, apart from managed fields."""
    plain: Plain = msgspec.json.decode(encode(typed))
    return complete(plain, kind, version)


@lru_cache(maxsize=4096)
def kept(record: Record, kind: Kind) -> Kept:
    """The object of a record. Callers must not change it."""
    plain: Plain = msgspec.json.decode(record.body)
    model = kind.types.get(kind.hub)
    return Kept(_typed(record.body, plain, model) if model is not None else None, plain)


def _typed(body: bytes, plain: Plain, model: type[Model]) -> Model | None:
    """The typed object of a stored one. Its nulls are more than the quick decoder takes."""
    found = decode_text(body, model)
    if found is not None:
        return found
    decoded = decode_plain(plain, model)
    return decoded.object if isinstance(decoded, Decoded) else None


@lru_cache(maxsize=8192)
def shown(record: Record, kind: Kind, version: str) -> Plain:
    """The object of a record in a version. Callers must not change it."""
    return show(kept(record, kind), kind, version)


def show(found: Kept, kind: Kind, version: str) -> Plain:
    """A kept object in another version."""
    if version == kind.hub:
        return found.plain
    if found.typed is None:
        return {**found.plain, "apiVersion": kind.api_version(version)}
    return with_managed(write(from_internal(found.typed, kind.api_version(version)), kind.kind, version), found.plain)


def views_of(old: Kept | None, draft: Plain, new: Kept, target: Target) -> Callable[[str], tuple[Plain, Plain]]:
    """The object before and after a write in any version; nothing before is an object in which nothing is set."""
    kind = target.kind

    def view(api_version: str) -> tuple[Plain, Plain]:
        version = check_has(kind, api_version)
        before = zero(kind, version) if old is None else show(old, kind, version)
        return before, draft if version == target.version else show(new, kind, version)

    return view


def check_has(kind: Kind, api_version: str) -> str:
    """The version that an apiVersion of a kind names.

    Raises:
        ValueError: the kind does not exist in it.
    """
    version = api_version.rpartition("/")[2]
    if kind.api_version(version) != api_version:
        message = f"{kind.kind} does not exist in {api_version}"
        raise ValueError(message)
    return version


@lru_cache(maxsize=256)
def zero(kind: Kind, version: str) -> Plain:
    """An object of a kind in which nothing is set. Callers must not change it."""
    model = kind.types.get(version)
    if model is None:
        api_version = kind.api_version(version)
        return written({"apiVersion": api_version, "kind": kind.kind}, api_version, kind.kind)
    return write(model(), kind.kind, version)
