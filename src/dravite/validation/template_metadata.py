"""Rules about the metadata of a template: what claims made from it get, and nothing else (2.3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from dravite.api.field import FieldError, child
from dravite.api.meta import ObjectMeta
from dravite.validation.faults import Faults, forbidden
from dravite.validation.metadata import annotations_of, labels_of

_NEVER_SET: Final = {
    "name": "name",
    "generateName": "generate_name",
    "namespace": "namespace",
    "selfLink": "",
    "uID": "uid",
    "resourceVersion": "resource_version",
    "generation": "generation",
    "creationTimestamp": "creation_timestamp",
    "deletionTimestamp": "deletion_timestamp",
    "deletionGracePeriodSeconds": "deletion_grace_period_seconds",
    "ownerReferences": "owner_references",
    "finalizers": "finalizers",
    "managedFields": "",
}
"""The fields by the names that a server calls them, in its order; two of them are not read."""
_NOTHING_SET: Final = ObjectMeta()


def template_metadata(meta: ObjectMeta, path: str) -> Faults:
    """Labels and annotations, and that nothing else is set."""
    yield from annotations_of(meta, path)
    yield from labels_of(meta, path)
    for name, attribute in _NEVER_SET.items():
        if attribute and getattr(meta, attribute) != getattr(_NOTHING_SET, attribute):
            yield never_set(child(path, name))


def never_set(path: str) -> FieldError:
    """The error of a field of a template's metadata that nobody may set."""
    return forbidden(path, "cannot be set")


def with_unread(errors: Iterable[FieldError], unread: Iterable[str]) -> tuple[FieldError, ...]:
    """The errors about a template, and those of fields that were set and not read, in the server's order."""
    found, others = tuple(errors), [never_set(path) for path in unread if path.startswith(_PLACE)]
    before = tuple(error for error in found if error.field.startswith(("metadata", *_LABELLED)))
    about = sorted((*others, *(error for error in found if _is_never_set(error))), key=_rank)
    after = (error for error in found if error not in before and not _is_never_set(error))
    return (*before, *about, *after)


_PLACE: Final = "spec.metadata."
_LABELLED: Final = (f"{_PLACE}labels", f"{_PLACE}annotations")


def _is_never_set(error: FieldError) -> bool:
    return error.field.startswith(_PLACE) and not error.field.startswith(_LABELLED)


def _rank(error: FieldError) -> int:
    return tuple(_NEVER_SET).index(error.field.removeprefix(_PLACE))
