"""Who owns which fields: `metadata.managedFields` after a write, and what server-side apply makes of an object.

Owners are keyed by manager, operation, version and subresource. An update takes what it changes; an apply owns what
it says, and must not change what others own unless it is forced to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Literal, NamedTuple

import msgspec

from dravite.api.meta import Time
from dravite.api.plain import Plain
from dravite.apiserver.field_sets import Difference, FieldSet, Path, decode, difference, encode, shown, without

Views = Callable[[str], tuple[Plain, Plain]]
"""The object before and after a write, in any version."""

Changes = Callable[[str], Difference]
"""What a write changes, in any version."""

_MOST_UPDATERS: Final = 10
_FIELDS_TYPE: Final = "FieldsV1"
_UNKNOWN: Final = "before-first-apply"
"""Who owns what was there before anybody was written down."""

_ANCIENT: Final = "ancient-changes"

_NO_VERSION: Final = Difference(frozenset(), frozenset(), frozenset())
"""What a write changes in a version that the kind does not have. Whoever owns something there is forgotten."""


class Owner(NamedTuple):
    """Who wrote, how, in which version, and to which part of an object."""

    manager: str
    operation: Literal["Apply", "Update"]
    api_version: str
    subresource: str


class Owned(msgspec.Struct, frozen=True):
    """What an owner has, and since when."""

    fields: FieldSet
    time: Time


Owners = Mapping[Owner, Owned]


class Conflict(msgspec.Struct, frozen=True):
    """Fields that an apply would change and that others own."""

    owner: Owner
    paths: tuple[Path, ...]


def read_owners(managed: Any) -> Owners:
    """The owners that an object lists; nobody where one entry is no such thing."""
    found = {}
    for entry in managed if isinstance(managed, list) else ():
        if not isinstance(entry, dict) or entry.get("operation") not in ("Apply", "Update"):
            return {}
        if entry.get("fieldsType") != _FIELDS_TYPE:
            return {}
        names = ("manager", "operation", "apiVersion", "subresource")
        owner = Owner(*(str(entry.get(name) or "") for name in names))  # type: ignore[arg-type]
        found[owner] = Owned(decode(entry.get("fieldsV1")), str(entry.get("time") or ""))
    return found


def write_owners(owners: Owners) -> list[Plain]:
    """The owners as an object lists them: those who applied first, then by time and name."""
    order = sorted(owners.items(), key=lambda item: (item[0].operation, item[1].time, item[0]))
    return [_entry(owner, owned) for owner, owned in order]


def after_update(owners: Owners, views: Views, owner: Owner, scope: tuple[str, tuple[str, ...]], now: Time) -> Owners:
    """Who owns what after an update by `owner`; the scope is a kind, and the root fields that stay as they were."""
    kind, ignored = scope
    changes = _in_versions(views, kind, ignored)
    change = changes(owner.api_version)
    kept = _without_changes(owners, owner, changes)
    own = owners[owner].fields if owner in owners else frozenset[Path]()
    fields = without((own - change.removed) | change.modified | change.added, ignored)
    if fields:
        old = owners.get(owner)
        kept[owner] = old if old is not None and old.fields == fields else Owned(fields, now)
    else:
        kept.pop(owner, None)
    return _capped(kept)


def before_apply(owners: Owners, views: Views, owner: Owner, scope: tuple[str, tuple[str, ...]], now: Time) -> Owners:
    """Who owns what before an apply: where nobody is written down, somebody unknown.

    `views` are of an object in which nothing is set, and of what is there; the scope is as for an update.
    """
    if owners:
        return owners
    return after_update({}, views, owner._replace(manager=_UNKNOWN, operation="Update"), scope, now)


def after_apply(owners: Owners, views: Views, owner: Owner, kind: str, owned: Owned) -> Owners:
    """Who owns what after an apply; `owned` is what the configuration says. One that changes nothing has no time."""
    changes = _in_versions(views, kind)
    kept = _without_changes(owners, owner, changes)
    old = owners.get(owner)
    if changes(owner.api_version).is_empty:
        owned = Owned(owned.fields, old.time if old is not None else "")
    kept[owner] = old if old is not None and old.fields == owned.fields else owned
    return {other: what for other, what in kept.items() if what.fields}


def conflicts(owners: Owners, views: Views, owner: Owner, kind: str) -> tuple[Conflict, ...]:
    """The owners whose fields a write would change, in the order of their names."""
    found = []
    changes = _in_versions(views, kind)
    for other, owned in sorted(owners.items()):
        if other == owner:
            continue
        change = changes(other.api_version)
        paths = tuple(sorted(owned.fields & (change.modified | change.added)))
        if paths:
            found.append(Conflict(other, paths))
    return tuple(found)


def conflict_status(found: Iterable[Conflict]) -> tuple[str, list[dict[str, str]]]:
    """The message and the causes of a Status that tells of conflicts."""
    lines, causes = [], []
    for conflict in found:
        for path in conflict.paths:
            who = _who(conflict.owner)
            lines.append((who, shown(path)))
            causes.append({"reason": "FieldManagerConflict", "message": f"conflict with {who}", "field": shown(path)})
    count = f"{len(lines)} conflict" + ("s" if len(lines) > 1 else "")
    names = tuple(dict.fromkeys(who for who, _ in lines))
    if len(lines) == 1:
        return f"Apply failed with {count}: conflict with {lines[0][0]}: {lines[0][1]}", causes
    parts = [f"conflicts with {who}:\n" + "\n".join(f"- {path}" for by, path in lines if by == who) for who in names]
    return f"Apply failed with {count}: " + "\n".join(parts), causes


def _who(owner: Owner) -> str:
    name = f'"{owner.manager}"'
    if owner.subresource:
        name += f' with subresource "{owner.subresource}"'
    return name if owner.operation == "Apply" else f"{name} using {owner.api_version}"


def _in_versions(views: Views, kind: str, ignored: tuple[str, ...] = ()) -> Changes:
    """What a write changes outside of some fields at the root, in any version; nothing where the kind has no such."""

    known: dict[str, Difference] = {}

    def changes(api_version: str) -> Difference:
        if api_version not in known:
            known[api_version] = _change(views, api_version, kind, ignored)
        return known[api_version]

    return changes


def _change(views: Views, api_version: str, kind: str, ignored: tuple[str, ...]) -> Difference:
    try:
        old, new = views(api_version)
    except ValueError:
        return _NO_VERSION
    return difference(old, new, kind, ignored)


def _without_changes(owners: Owners, owner: Owner, changes: Changes) -> dict[Owner, Owned]:
    """What others keep after a write: not what it changed, and not what is gone."""
    kept = {}
    for other, owned in owners.items():
        change = _NO_VERSION if other == owner else changes(other.api_version)
        fields = owned.fields - change.removed - change.modified - change.added
        if fields and change is not _NO_VERSION:
            kept[other] = owned if fields == owned.fields else Owned(fields, owned.time)
    return kept


def _capped(owners: dict[Owner, Owned]) -> Owners:
    """The oldest updaters become one when there are too many."""
    if len(owners) <= _MOST_UPDATERS:
        return owners
    updaters = sorted((owned.time, owner) for owner, owned in owners.items() if owner.operation == "Update")
    if len(updaters) <= _MOST_UPDATERS:
        return owners
    for _, owner in updaters[: len(updaters) - _MOST_UPDATERS + 1]:
        owned = owners.pop(owner)
        ancient = owner._replace(manager=_ANCIENT)
        before = owners.get(ancient)
        owners[ancient] = Owned(owned.fields | (before.fields if before else frozenset()), owned.time)
    return owners


def _entry(owner: Owner, owned: Owned) -> Plain:
    entry: Plain = {
        "manager": owner.manager,
        "operation": owner.operation,
        "apiVersion": owner.api_version,
        **({"time": owned.time} if owned.time else {}),
        "fieldsType": _FIELDS_TYPE,
        "fieldsV1": encode(owned.fields),
    }
    return {**entry, "subresource": owner.subresource} if owner.subresource else entry
