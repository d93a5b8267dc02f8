"""All faults at once of an object whose JSON does not fit its type: those of the type, and those of what is left.

A server stops at the first kind of fault. People who mend a file want to hear of the others in the same breath, but
not of those that only follow from the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from dravite.admission.internal import to_internal
from dravite.admission.problems import Subject
from dravite.api.codec import decode_rest
from dravite.api.defaults import default
from dravite.api.document import Problem
from dravite.api.field import FieldError
from dravite.api.gated_fields import drop_gated
from dravite.api.meta import Model, ObjectMeta
from dravite.api.registry import lookup
from dravite.api.releases import Profile
from dravite.validation import why_not_create
from dravite.validation.versions import as_written, at_version


def faults(
    plain: Any, model: type[Model], subject: Subject, errors: Sequence[FieldError], profile: Profile
) -> Iterator[Problem]:
    """The `errors` of the type, then unknown fields, then what the rules say of everything that could be read.

    Args:
        plain: the object as it was written, at the version of `model`.
    """
    yield from subject.errors(errors)
    rest = decode_rest(plain, model)
    if rest is None:
        return
    yield from subject.unknown(rest.unknown)
    judged, _ = drop_gated(to_internal(default(_placed(rest.object, subject), profile), profile), profile)
    version = plain["apiVersion"]
    places = frozenset(error.field for error in errors)
    around = frozenset(holder for place in places for holder in _holders(place))
    own = (
        error
        for error in why_not_create(judged, profile)
        if not _touches(as_written(error.field, version), places, around)
    )
    yield from subject.errors(at_version(own, version, profile))


def _placed(obj: Model, subject: Subject) -> Model:
    """The object in the namespace that it would have."""
    meta: ObjectMeta = obj.metadata  # type: ignore[attr-defined]
    info = lookup(obj.api_version, subject.ref.kind)  # type: ignore[attr-defined]
    space = "" if info is not None and info.scope == "Cluster" else subject.ref.namespace
    return msgspec.structs.replace(obj, metadata=msgspec.structs.replace(meta, namespace=space))


def _touches(path: str, places: frozenset[str], around: frozenset[str]) -> bool:
    """Whether a field is one of the places, holds one or stands in one: then its error may follow from theirs.

    `around` is what holds the places, and they themselves.
    """
    return path in around or not places.isdisjoint(_holders(path))


def _holders(path: str) -> Iterator[str]:
    """The field itself, and every field that it stands in."""
    yield from (path[:end] for end, letter in enumerate(path) if letter in ".[")
    yield path
