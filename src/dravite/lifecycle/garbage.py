"""What goes because of its owners, and what holds or lets go of its dependents: Kubernetes' garbage collection.

An object goes when all its owners are gone. An owner that is deleted in the foreground waits for the dependents that
block it; one that is deleted as `Orphan` first leaves its dependents to themselves. Pure functions of what is known of
the objects; finding owners and dependents is for the caller. Source: the ownership rules of Kubernetes' documentation
and what its collector was seen to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from dravite.api.meta import ObjectMeta, OwnerReference

FOREGROUND: Final = "foregroundDeletion"
ORPHAN: Final = "orphan"

OwnerState: TypeAlias = Literal["there", "waits", "gone", "unknown"]
"""Whether an owner exists, exists but only waits for its dependents to go, is gone, or nobody can tell."""

Policy: TypeAlias = Literal["Background", "Foreground", "Orphan"]


class Owner(msgspec.Struct, frozen=True):
    """One owner of an object, and what has become of it."""

    reference: OwnerReference
    state: OwnerState


class Dependent(msgspec.Struct, frozen=True):
    """An object that names the one in question as its owner."""

    meta: ObjectMeta
    blocks: bool


class Remove(msgspec.Struct, frozen=True):
    """The object is to be deleted."""

    policy: Policy


class KeepOwners(msgspec.Struct, frozen=True):
    """The object stays, with these owners."""

    owners: tuple[OwnerReference, ...]


class Release(msgspec.Struct, frozen=True):
    """The object waits no longer: it keeps only these finalizers."""

    finalizers: tuple[str, ...]


Verdict: TypeAlias = Remove | KeepOwners | Release


def verdict(meta: ObjectMeta, owners: Sequence[Owner], dependents: Sequence[Dependent]) -> Verdict | None:
    """What is to become of an object, given its owners and those who depend on it; None where it is left alone."""
    if meta.deletion_timestamp is not None:
        return _release(meta, dependents)
    if not owners or any(owner.state == "unknown" for owner in owners):
        return None
    kept = tuple(owner.reference for owner in owners if owner.state == "there")
    if kept:
        return KeepOwners(kept) if len(kept) < len(owners) else None
    if dependents and any(owner.state == "waits" for owner in owners):
        return _unblocking(meta, dependents) or Remove("Foreground")
    return Remove(_own_policy(meta))


def without_owner(meta: ObjectMeta, uid: str) -> KeepOwners | None:
    """What becomes of the owners of a dependent whose owner leaves it to itself; None where it has let go already."""
    kept = tuple(one for one in meta.owner_references if one.uid != uid)
    return KeepOwners(kept) if len(kept) < len(meta.owner_references) else None


def is_waiting(meta: ObjectMeta) -> bool:
    """Whether an object is deleted in the foreground: it waits for its dependents."""
    return meta.deletion_timestamp is not None and FOREGROUND in meta.finalizers


def is_leaving(meta: ObjectMeta) -> bool:
    """Whether an object is deleted and leaves its dependents to themselves."""
    return meta.deletion_timestamp is not None and ORPHAN in meta.finalizers


def _release(meta: ObjectMeta, dependents: Sequence[Dependent]) -> Release | None:
    if is_leaving(meta) and not dependents:
        return Release(tuple(one for one in meta.finalizers if one != ORPHAN))
    if is_waiting(meta) and not any(one.blocks for one in dependents):
        return Release(tuple(one for one in meta.finalizers if one != FOREGROUND))
    return None


def _unblocking(meta: ObjectMeta, dependents: Sequence[Dependent]) -> KeepOwners | None:
    """Blocks no owner any more where the object's dependents wait for others: they might wait for each other."""
    if not any(is_waiting(one.meta) for one in dependents):
        return None
    free = tuple(msgspec.structs.replace(one, block_owner_deletion=False) for one in meta.owner_references)
    return KeepOwners(free) if any(one.block_owner_deletion for one in meta.owner_references) else None


def _own_policy(meta: ObjectMeta) -> Policy:
    """An object that somebody wanted to go in a certain way goes in that way."""
    if ORPHAN in meta.finalizers:
        return "Orphan"
    return "Foreground" if FOREGROUND in meta.finalizers else "Background"
