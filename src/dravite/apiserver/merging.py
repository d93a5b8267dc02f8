"""One object put over another: what an apply adds to what is there, and what it takes away again."""

from __future__ import annotations

from typing import Any

from dravite.apiserver.field_sets import FieldSet, Path, items
from dravite.apiserver.list_types import SET, Names, is_atomic, list_keys


def merged(live: Any, config: Any, kind: str, names: Names = ()) -> Any:
    """The live value with all that the configuration says; neither is changed."""
    if isinstance(live, dict) and isinstance(config, dict) and not is_atomic(kind, names):
        inner = {name: merged(live.get(name), value, kind, (*names, name)) for name, value in config.items()}
        return {**live, **inner}
    keys = list_keys(kind, names) if isinstance(config, list) else None
    if keys is None or not isinstance(live, list):
        return config
    said = dict(items(config, keys))
    made = []
    for step, item in items(live, keys):
        made.append(item if keys is SET or step not in said else merged(item, said[step], kind, names))
        said.pop(step, None)
    return [*made, *said.values()]


def pruned(value: Any, gone: FieldSet, kept: FieldSet, kind: str) -> Any:
    """The value without the fields that are gone, unless something inside them is kept."""
    removable = {path for path in gone if not any(other[: len(path)] == path for other in kept)}
    return _pruned(value, removable, kept, kind, ((), ())) if removable else value


def _pruned(value: Any, gone: set[Path], kept: FieldSet, kind: str, place: tuple[Path, Names]) -> Any:
    path, names = place
    below = {other for other in gone if other[: len(path)] == path}
    if not below:
        return value
    if isinstance(value, dict):
        made = {}
        for name, inner in value.items():
            step = (*path, f"f:{name}")
            if step in gone:
                continue
            left = _pruned(inner, below, kept, kind, (step, (*names, name)))
            if left or not inner or left is inner or _is_kept(step, kept):
                made[name] = left
        return made
    keys = list_keys(kind, names) if isinstance(value, list) else None
    if keys is None:
        return value
    found = ((step, item) for step, item in items(value, keys) if (*path, step) not in gone)
    return [_pruned(item, below, kept, kind, ((*path, step), names)) for step, item in found]


def _is_kept(path: Path, kept: FieldSet) -> bool:
    return any(other[: len(path)] == path for other in kept)
