"""The garbage collector: deletes what has lost its owners, and lets go of owners that wait for their dependents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from dravite.api.meta import ObjectMeta, OwnerReference
from dravite.controllers.client import Resource
from dravite.controllers.commands import Command, Delete, Patch
from dravite.controllers.runner import NOTHING, Key, News, Outcome
from dravite.controllers.view import Item, View
from dravite.lifecycle.garbage import (
    Dependent,
    KeepOwners,
    Owner,
    OwnerState,
    Release,
    Remove,
    is_leaving,
    is_waiting,
    verdict,
    without_owner,
)


class GarbageCollector:
    """The controller. It knows every object by its uid, and who names whom as an owner."""

    name = "generic-garbage-collector"

    def __init__(self) -> None:
        self._items: dict[str, Item] = {}
        self._dependents: dict[str, dict[str, None]] = {}

    def keys(self, news: News, view: View) -> Iterable[Key]:
        before, now = news.before, news.now
        if before is not None and now is not None and before.uid == now.uid and _is_alike(before.meta, now.meta):
            self._items[now.uid] = now
            return ()
        if before is not None:
            self._forget(before)
        if now is not None:
            self._know(now)
        return tuple((uid,) for uid in dict.fromkeys(self._concerned(before, now)))

    def reconcile(self, key: Key, view: View, now: float) -> Outcome:
        item = self._items.get(key[0])
        if item is None:
            return NOTHING
        dependents = tuple(self._items[uid] for uid in self._dependents.get(item.uid, ()))
        if is_leaving(item.meta) and dependents:
            return Outcome(tuple(_left_alone(one, item.uid) for one in dependents))
        owners = tuple(Owner(one, self._state(one, item, view)) for one in item.meta.owner_references)
        match verdict(item.meta, owners, tuple(_dependent(one, item.uid) for one in dependents)):
            case Remove(policy):
                return Outcome((_deleted(item, policy),))
            case KeepOwners(kept):
                return Outcome((_with_owners(item, kept),))
            case Release(finalizers):
                return Outcome((_with_finalizers(item, finalizers),))
        return NOTHING

    def _know(self, item: Item) -> None:
        self._items[item.uid] = item
        for owner in item.meta.owner_references:
            self._dependents.setdefault(owner.uid, {})[item.uid] = None

    def _forget(self, item: Item) -> None:
        self._items.pop(item.uid, None)
        for owner in item.meta.owner_references:
            named = self._dependents.get(owner.uid, {})
            named.pop(item.uid, None)
            if not named:
                self._dependents.pop(owner.uid, None)

    def _concerned(self, before: Item | None, now: Item | None) -> Iterator[str]:
        """Who is to be looked at: the object, its owners, and its dependents once it goes."""
        for item in (before, now):
            if item is not None:
                yield item.uid
                yield from (owner.uid for owner in item.meta.owner_references)
        if before is not None and (now is None or now.meta.deletion_timestamp is not None):
            yield from self._dependents.get(before.uid, ())

    def _state(self, owner: OwnerReference, of: Item, view: View) -> OwnerState:
        found = self._items.get(owner.uid)
        if found is not None and found.namespace in ("", of.namespace):
            return "waits" if is_waiting(found.meta) else "there"
        group = owner.api_version.rpartition("/")[0]
        named = (one for one in view.resources() if (one.group, one.kind) == (group, owner.kind))
        return "gone" if any(_can_own(one, of) for one in named) else "unknown"


def _can_own(resource: Resource, item: Item) -> bool:
    """Whether an object of a kind can be found from where the other is."""
    return bool(item.namespace) or not resource.namespaced


def _is_alike(before: ObjectMeta, now: ObjectMeta) -> bool:
    return (
        before.owner_references == now.owner_references
        and before.finalizers == now.finalizers
        and before.deletion_timestamp == now.deletion_timestamp
    )


def _dependent(item: Item, owner: str) -> Dependent:
    return Dependent(
        item.meta, any(one.uid == owner and bool(one.block_owner_deletion) for one in item.meta.owner_references)
    )


def _deleted(item: Item, policy: str) -> Command:
    return Delete(resource=item.resource, namespace=item.namespace, name=item.name, uid=item.uid, policy=policy)


def _left_alone(item: Item, owner: str) -> Command:
    found = without_owner(item.meta, owner)
    return _with_owners(item, found.owners if found is not None else item.meta.owner_references)


def _with_owners(item: Item, owners: Iterable[OwnerReference]) -> Command:
    return _with_metadata(item, "ownerReferences", [msgspec.to_builtins(one) for one in owners])


def _with_finalizers(item: Item, finalizers: Iterable[str]) -> Command:
    return _with_metadata(item, "finalizers", list(finalizers))


def _with_metadata(item: Item, name: str, value: list[object]) -> Command:
    patch = {"metadata": {name: value or None}}
    return Patch(item.resource, item.namespace, item.name, patch, "", item.revision)
