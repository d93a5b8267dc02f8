"""Sets of fields: which an object has, which differ between two, and how managed fields write them down.

A path is a tuple of steps as in FieldsV1: `f:name` for a field, `k:{…}` for an item of a list that is a map, `v:…`
for one of a set. A set of fields is a frozenset of paths; it may hold a field without what is inside, and the
other way round.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Iterator
from functools import lru_cache
from typing import Any, Final

import msgspec

from dravite.api.plain import Plain
from dravite.apiserver.list_types import SET, Names, is_atomic, list_keys

Path = tuple[str, ...]
FieldSet = frozenset[Path]

NOTHING: Final = msgspec.UNSET
"""Where there is no value, not even null."""

_UNTRACKED: Final = frozenset(
    {
        ("f:apiVersion",),
        ("f:kind",),
        ("f:metadata",),
        *(
            ("f:metadata", f"f:{name}")
            for name in (
                *("name", "namespace", "creationTimestamp", "selfLink", "uid"),
                *("clusterName", "generation", "managedFields", "resourceVersion"),
            )
        ),
    }
)


class Difference(msgspec.Struct, frozen=True):
    """How one object became another, field by field; objects that came or went are named with all inside."""

    added: FieldSet
    modified: FieldSet
    removed: FieldSet

    @property
    def is_empty(self) -> bool:
        return not (self.added or self.modified or self.removed)


def without(fields: FieldSet, roots: tuple[str, ...]) -> FieldSet:
    """The set without some fields at the root and all that is inside them."""
    steps = {f"f:{root}" for root in roots}
    return frozenset(path for path in fields if path[0] not in steps)


def fields_of(value: Any, kind: str) -> FieldSet:
    """What an applied configuration says: its leaves, and the items of its lists."""
    return frozenset(_leaves(value, kind, (), ())) - _UNTRACKED


def difference(old: Plain, new: Plain, kind: str, ignored: tuple[str, ...] = ()) -> Difference:
    """The difference of two objects of a kind, both in one version, outside of some fields at the root."""
    walk = _Comparison(kind)
    walk.fields(old, new, (), (), {"apiVersion", "kind", *ignored})
    return Difference(*(frozenset(found) - _UNTRACKED for found in (walk.added, walk.modified, walk.removed)))


@lru_cache(maxsize=1024)
def encode(fields: FieldSet) -> Plain:
    """The set as FieldsV1. Objects of one shape have one set: callers share the answer and must not change it."""
    root: Plain = {}
    for path in sorted(fields):
        node = root
        for step in path:
            node = node.setdefault(step, {})
        node["."] = {}
    return _tidied(root)


def decode(tree: Any) -> FieldSet:
    """The set that FieldsV1 writes down; faults are passed over."""
    return frozenset(_paths(tree, ())) if isinstance(tree, dict) else frozenset()


def shown(path: Path) -> str:
    """A path as messages write it: `.spec.containers[name="a"].image`."""
    return "".join(_shown_step(step) for step in path)


def items(value: list[Any], keys: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """The items of a list that is a map or a set, each with its step."""
    for item in value:
        if keys is SET:
            yield f"v:{_json(item)}", item
        else:
            found = {key: item[key] for key in sorted(keys) if key in item} if isinstance(item, dict) else item
            yield f"k:{_json(found)}", item


def _leaves(value: Any, kind: str, path: Path, names: Names) -> Iterator[Path]:
    if isinstance(value, dict) and value and not is_atomic(kind, names):
        for name, inner in value.items():
            yield from _leaves(inner, kind, (*path, f"f:{name}"), (*names, name))
        return
    keys = list_keys(kind, names) if isinstance(value, list) else None
    if keys is None or not value:
        yield path
        return
    for step, item in items(value, keys):
        yield (*path, step)
        if isinstance(item, dict):
            yield from _leaves(item, kind, (*path, step), names)


class _Comparison:
    """One walk over two objects; alive only inside `difference`."""

    __slots__ = ("added", "kind", "modified", "removed")

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.added: list[Path] = []
        self.modified: list[Path] = []
        self.removed: list[Path] = []

    def fields(self, old: Plain, new: Plain, path: Path, names: Names, ignored: Container[str] = ()) -> None:
        for name in dict.fromkeys((*old, *new)):
            if name not in ignored:
                inner = (old.get(name, NOTHING), new.get(name, NOTHING))
                self._compare(*inner, (*path, f"f:{name}"), (*names, name))

    def _compare(self, old: Any, new: Any, path: Path, names: Names) -> None:
        if old is NOTHING:
            self._whole(self.added, new, path, names)
        elif new is NOTHING:
            self._whole(self.removed, old, path, names)
        elif old != new:
            self._changed(old, new, path, names)

    def _whole(self, found: list[Path], value: Any, path: Path, names: Names) -> None:
        """Note what came or went with all that is inside."""
        found.append(path)
        if _is_map(value) and not is_atomic(self.kind, names):
            for name, inner in value.items():
                self._whole(found, inner, (*path, f"f:{name}"), (*names, name))
        elif isinstance(value, list) and (keys := list_keys(self.kind, names)) is not None:
            for step, item in dict(items(value, keys)).items():
                self._whole(found, item, (*path, step), names)

    def _changed(self, old: Any, new: Any, path: Path, names: Names) -> None:
        if (_is_map(old) or _is_map(new)) and not is_atomic(self.kind, names) and (old or new):
            self.fields(old if _is_map(old) else {}, new if _is_map(new) else {}, path, names)
            return
        keys = list_keys(self.kind, names) if isinstance(old, list) or isinstance(new, list) else None
        if keys is not None and (old or new):
            self._items(old, new, path, names)
        else:
            self.modified.append(path)

    def _items(self, old: Any, new: Any, path: Path, names: Names) -> None:
        keys = list_keys(self.kind, names) or SET
        before = dict(items(old, keys)) if isinstance(old, list) else {}
        after = dict(items(new, keys)) if isinstance(new, list) else {}
        for step in dict.fromkeys((*before, *after)):
            self._compare(before.get(step, NOTHING), after.get(step, NOTHING), (*path, step), names)


def _is_map(value: Any) -> bool:
    return isinstance(value, dict)


def _tidied(tree: Plain) -> Plain:
    """The tree with single dots taken away: a leaf is a member as it is."""
    made = {}
    for step, inner in tree.items():
        made[step] = {} if set(inner) == {"."} else _tidied(inner)
    return made


def _paths(tree: Plain, path: Path) -> Iterator[Path]:
    for step, inner in tree.items():
        if step == ".":
            yield path
        elif isinstance(inner, dict) and inner:
            yield from _paths(inner, (*path, step))
        else:
            yield (*path, step)


def _shown_step(step: str) -> str:
    kind, _, text = step.partition(":")
    if kind == "f":
        return f".{text}"
    if kind == "v":
        return f"[={text}]"
    keys = json.loads(text)
    return "[" + ",".join(f"{name}={_json(value)}" for name, value in sorted(keys.items())) + "]"


def _json(value: Any) -> str:
    return msgspec.json.encode(value, order="sorted").decode()


def union(sets: Iterable[FieldSet]) -> FieldSet:
    """All fields of some sets."""
    return frozenset[Path]().union(*sets)
