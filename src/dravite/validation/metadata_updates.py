"""Rules about metadata when an object is updated (2.1)."""

from __future__ import annotations

from typing import Final

from dravite.api.field import child
from dravite.api.meta import ObjectMeta
from dravite.api.names import why_not_path_segment
from dravite.api.releases import Profile
from dravite.validation.declarations import IMMUTABLE
from dravite.validation.faults import Faults, forbidden, invalid, invalid_each
from dravite.validation.metadata import annotations_of, finalizers, labels_of, owners

_FIXED: Final = (
    ("name", "name"),
    ("namespace", "namespace"),
    ("uid", "uid"),
    ("creationTimestamp", "creation_timestamp"),
    ("deletionTimestamp", "deletion_timestamp"),
    ("deletionGracePeriodSeconds", "deletion_grace_period_seconds"),
)


def metadata_update(meta: ObjectMeta, old: ObjectMeta, profile: Profile) -> Faults:
    """The metadata of an object that is updated. What a server fills in from the stored object is filled in."""
    path = "metadata"
    prefix = meta.generate_name
    if prefix not in (".", ".."):  # which no name may be
        yield from invalid_each(child(path, "generateName"), prefix, why_not_path_segment(prefix))
    if old.deletion_timestamp is not None:
        yield from _new_finalizers(meta, old, child(path, "finalizers"))
    if meta.generation < 0:
        yield invalid(child(path, "generation"), meta.generation, "must be greater than or equal to 0")
    if meta.generation < old.generation:
        yield invalid(child(path, "generation"), meta.generation, "must not be decremented")
    for wire_name, name in _FIXED:
        if getattr(meta, name) != getattr(old, name):
            yield invalid(child(path, wire_name), getattr(meta, name), IMMUTABLE)
    yield from labels_of(meta, path)
    yield from annotations_of(meta, path)
    yield from owners(meta.owner_references, profile, child(path, "ownerReferences"))
    yield from finalizers(meta.finalizers, child(path, "finalizers"))


def _new_finalizers(meta: ObjectMeta, old: ObjectMeta, path: str) -> Faults:
    added = sorted(set(meta.finalizers) - set(old.finalizers))
    if added:
        import json

        names = ", ".join(map(json.dumps, added))
        detail = "no new finalizers can be added if the object is being deleted, found new finalizers "
        yield forbidden(path, f"{detail}[]string{{{names}}}")
