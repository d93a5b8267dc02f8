"""Rules about metadata, the same for every kind (2.1)."""

from __future__ import annotations

from enum import Enum
from typing import Final

from dravite.api.field import child
from dravite.api.meta import ObjectMeta, OwnerReference
from dravite.api.names import why_not_dns_subdomain, why_not_label_key, why_not_label_value
from dravite.api.releases import Profile
from dravite.validation.faults import Faults, declared, invalid, invalid_each, required, too_long

MAX_ANNOTATIONS: Final = 262_144
MAX_GENERATED: Final = 58
"""How much of `generateName` becomes part of a name."""
DRAWN: Final = "xxxxx"
"""Stands for the five characters that a server draws after `generateName`."""

_STANDARD_FINALIZERS: Final = frozenset({"orphan", "foregroundDeletion", "kubernetes"})


class Kept(Enum):
    """How the server treats metadata of a kind before it looks at it (5.1)."""

    CLUSTER = "no namespace; the generation is overwritten"
    UNCOUNTED = "no namespace; the generation as it was sent"
    CLASS = "the same, and nobody looks at generateName"
    NAMESPACED = "a namespace, and the generation as it was sent"


def metadata(meta: ObjectMeta, profile: Profile, kept: Kept, path: str = "metadata") -> Faults:
    """The metadata of an object that is created."""
    yield from _names(meta, profile, kept, path)
    if kept is Kept.NAMESPACED and not meta.namespace:
        yield required(child(path, "namespace"))
    if kept in (Kept.NAMESPACED, Kept.UNCOUNTED) and meta.generation < 0:
        yield invalid(child(path, "generation"), meta.generation, "must be greater than or equal to 0")
    yield from labels_of(meta, path)
    yield from annotations_of(meta, path)
    yield from owners(meta.owner_references, profile, child(path, "ownerReferences"))
    yield from finalizers(meta.finalizers, child(path, "finalizers"))


def labels_of(meta: ObjectMeta, path: str) -> Faults:
    """The labels of an object or of a template."""
    place = child(path, "labels")
    for key, value in sorted(meta.labels.items()):
        yield from invalid_each(place, key, why_not_label_key(key))
        yield from invalid_each(place, value, why_not_label_value(value))


def annotations_of(meta: ObjectMeta, path: str) -> Faults:
    """The annotations of an object or of a template."""
    place = child(path, "annotations")
    for key in sorted(meta.annotations):
        yield from invalid_each(place, key, why_not_label_key(key.lower()))
    if sum(len(key.encode()) + len(value.encode()) for key, value in meta.annotations.items()) > MAX_ANNOTATIONS:
        yield too_long(place, MAX_ANNOTATIONS)


def _names(meta: ObjectMeta, profile: Profile, kept: Kept, path: str) -> Faults:
    if kept is not Kept.CLASS:
        yield from prefix_of_name(meta, path)
    name = meta.name or (meta.generate_name and meta.generate_name[:MAX_GENERATED] + DRAWN)
    if not name:
        yield required(child(path, "name"), "name or generateName is required")
    elif kept is Kept.CLASS and profile.is_at_least("1.37"):
        yield from declared(invalid_each(child(path, "name"), name, why_not_dns_subdomain(name)))
    else:
        yield from invalid_each(child(path, "name"), name, why_not_dns_subdomain(name, "characters"))


def prefix_of_name(meta: ObjectMeta, path: str) -> Faults:
    """What a server puts before the characters that it draws."""
    prefix = meta.generate_name
    if prefix:
        checked = f"{prefix[:-2]}a" if len(prefix) > 1 and prefix.endswith("-") else prefix
        yield from invalid_each(child(path, "generateName"), prefix, why_not_dns_subdomain(checked, "characters"))


def owners(items: tuple[OwnerReference, ...], profile: Profile, path: str) -> Faults:
    """The owners of an object, of which one may control it."""
    for position, owner in enumerate(items):
        yield from _owner(owner, profile, path if not profile.is_at_least("1.37") else child(path, position))
    controllers = [owner for owner in items if owner.controller]
    if len(controllers) > 1:
        first, second = (f"{owner.kind}/{owner.name}" for owner in controllers[:2])
        detail = (
            f'Only one reference can have Controller set to true. Found "true" in references for {first} and {second}'
        )
        yield invalid(path, items, detail)


def _owner(owner: OwnerReference, profile: Profile, path: str) -> Faults:
    newer = profile.is_at_least("1.37")
    texts = {"apiVersion": owner.api_version, "kind": owner.kind, "name": owner.name, "uid": owner.uid}
    for name, value in texts.items():
        place = child(path, name)
        if not value and newer:
            yield required(place, "must not be empty")
        elif not value and name != "apiVersion":
            yield invalid(place, value, "must not be empty")
        elif name == "apiVersion" and (not value or value.count("/") > 1 or value.endswith("/")):
            detail = "must be <group>/<version> or <version>" if newer else "version must not be empty"
            yield invalid(place, value, detail)
    if (owner.api_version, owner.kind) == ("v1", "Event"):
        yield invalid(path, owner, "/v1, Kind=Event is disallowed from being an owner")


def finalizers(items: tuple[str, ...], path: str) -> Faults:
    """The finalizers of an object."""
    for name in items:
        yield from invalid_each(path, name, why_not_label_key(name))
    if {"orphan", "foregroundDeletion"} <= set(items):
        yield invalid(path, items, "finalizer orphan and foregroundDeletion cannot be both set")
    for position, name in enumerate(items):
        if "/" not in name and name not in _STANDARD_FINALIZERS:
            detail = "name is neither a standard finalizer name nor is it fully qualified"
            yield invalid(child(path, position), name, detail)
