"""Paths into raw documents: `spec.replicatedJobs[*].template`, where `[*]` stands for every entry of a list or map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from dravite.api.field import child

EACH = "[*]"


class Entry(msgspec.Struct, frozen=True):
    """One entry that `[*]` stands for.

    Attributes:
        steps: the way to it from the root.
        path: the same as a field path.
        label: what the entry is called: its key in a map, its `name` or `groupName` in a list, else its position.
    """

    steps: tuple[str | int, ...]
    path: str
    label: str


ROOT = Entry((), "", "")


def look_up(root: Any, steps: Sequence[str | int]) -> Any:
    """The value at the end of the steps, or None when there is none."""
    value = root
    for step in steps:
        if isinstance(value, Mapping):
            value = value.get(step)
        elif isinstance(value, Sequence) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def mapping(value: Any) -> Mapping[str, Any]:
    """The value if it is a mapping, else an empty one: what is written wrongly counts as not written."""
    return value if isinstance(value, Mapping) else {}


def listed(value: Any) -> Sequence[Any]:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, Sequence) and not isinstance(value, str) else ()


def entries(root: Any, path: str) -> Iterator[Entry]:
    """What `[*]` in the path stands for, in the order of the document; the root alone for a path without it."""
    before, each, _ = path.partition(EACH)
    if not each:
        yield ROOT
        return
    steps: tuple[str | int, ...] = tuple(before.split("."))
    place = child("", *steps)
    value = look_up(root, steps)
    if isinstance(value, Mapping):
        for key in value:
            yield Entry((*steps, key), child(place, key), str(key))
    else:
        for position, item in enumerate(listed(value)):
            yield Entry((*steps, position), child(place, position), _label(item, position))


def resolve(path: str, entry: Entry) -> tuple[tuple[str | int, ...], str]:
    """The steps and the field path that a path stands for at one entry."""
    before, each, after = path.partition(EACH)
    rest = tuple(step for step in after.split(".") if step)
    if not each:
        return tuple(before.split(".")), before
    return (*entry.steps, *rest), child(entry.path, *rest)


def _label(item: Any, position: int) -> str:
    if isinstance(item, Mapping):
        for name in ("name", "groupName"):
            if isinstance(item.get(name), str):
                return str(item[name])
    return str(position)
