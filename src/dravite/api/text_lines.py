"""On which line a field of an object stands, found in the object's own YAML or JSON text when somebody asks.

Lines are not kept for every field: an object's text is small, and few of its fields are ever spoken of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

import yaml

from dravite.api.yaml_scalars import resolve

_STEP: Final = re.compile(r"\[([^\]]*)\]|([^.\[\]]+)")
_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MAX_DEPTH: Final = 200
_WRAPPERS: Final = ("exactly", "basic", "spec")
"""Steps that one version of an API has and another has not."""

_Tree = tuple[int, dict[str, Any]]
_EMPTY: Final[_Tree] = (0, {})


def line_of(text: str | bytes, first_line: int, path: str) -> int:
    """The line of the field, or of the nearest thing around it that the text has.

    Args:
        text: the text of one object, which bytes hold in UTF-8; what follows the object is passed over.
        first_line: the line on which the text begins.
        path: a field path such as `spec.devices.requests[0].exactly.count` or `metadata.labels[app]`.
    """
    line, tree = _tree(text)
    steps = [key or name for key, name in _STEP.findall(path)]
    while steps:
        found, rest = _step(tree, steps)
        if found is None:
            break
        (line, tree), steps = found, rest
    return first_line + line


def _step(tree: dict[str, Any], steps: list[str]) -> tuple[_Tree | None, list[str]]:
    """One step down, past a wrapper that only one side has; a name may itself hold dots."""
    for length in range(1, len(steps) + 1):
        found = tree.get(".".join(steps[:length]))
        if found is not None:
            return found, steps[length:]
    if steps[0] in _WRAPPERS and len(steps) > 1 and steps[1] in tree:
        return tree[steps[1]], steps[2:]
    for wrapper in _WRAPPERS:
        if wrapper in tree and steps[0] in tree[wrapper][1]:
            return tree[wrapper][1][steps[0]], steps[1:]
    return None, steps


@lru_cache(maxsize=32)
def _tree(text: str | bytes) -> _Tree:
    events = yaml.parse(text, Loader=_LOADER)
    try:
        for event in events:
            if isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
                return _collection(event, events, 0)
    except yaml.YAMLError:
        return _EMPTY
    return _EMPTY


def _collection(start: Any, events: Iterator[Any], depth: int) -> _Tree:
    children: dict[str, Any] = {}
    if isinstance(start, yaml.MappingStartEvent):
        _members(events, children, depth)
    else:
        _elements(events, children, depth)
    return start.start_mark.line, children


def _members(events: Iterator[Any], children: dict[str, Any], depth: int) -> None:
    for key in events:
        if isinstance(key, yaml.MappingEndEvent):
            return
        key_tree = _node(key, events, depth)
        value = _node(next(events), events, depth)
        if isinstance(key, yaml.ScalarEvent):
            children.setdefault(_key_text(key), (key_tree[0], value[1]))


def _elements(events: Iterator[Any], children: dict[str, Any], depth: int) -> None:
    for event in events:
        if isinstance(event, yaml.SequenceEndEvent):
            return
        children[str(len(children))] = _node(event, events, depth)


def _node(event: Any, events: Iterator[Any], depth: int) -> _Tree:
    if isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
        if depth > _MAX_DEPTH:
            raise yaml.YAMLError
        return _collection(event, events, depth + 1)
    return event.start_mark.line, {}


def _key_text(key: yaml.ScalarEvent) -> str:
    value = resolve(key.value) if key.implicit[0] and key.tag is None else key.value
    return str(value).lower() if isinstance(value, bool) else str(value)
