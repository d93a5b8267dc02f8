"""What was meant by a field that does not exist: a name nearly like it, or the place where such a field belongs."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from dravite.api.near import nearest
from dravite.api.shapes import Shape, Unknown

_NEAR: Final = 0.75
_DEPTH: Final = 4

_FORMER: Final[Mapping[str, str]] = {
    "resourceClassName": "deviceClassName",
    "resourceClassParameters": "config",
    "parametersRef": "config",
    "parametersName": "config",
    "suitableNodes": "nodeSelector",
    "source": "resourceClaimTemplateName",
}
"""Names of older APIs, and what took their place."""


class UnknownField(msgspec.Struct, frozen=True):
    """A field that its object does not have.

    Attributes:
        path: where it stands.
        name: the field's name.
        near: a field of the same object with nearly that name, or None.
        belongs: where a field of that name exists, or what took its place: a path with `[]` for any item, or None.
        value: what it says.
    """

    path: str
    name: str
    near: str | None = None
    belongs: str | None = None
    value: Any = None


def interpret(unknown: Unknown) -> UnknownField:
    """Guess what was meant: the very name below or above first, then a former name, then a near one."""
    name = unknown.name
    holder = unknown.steps[-1][1]
    prefix = _prefix(unknown)
    belongs = _below(holder, name, prefix) or _above(unknown, name)
    former = _FORMER.get(name)
    if belongs is None and former is not None:
        belongs = _child(prefix, former) if former in holder.fields else _below(holder, former, prefix)
    near = None if belongs else near_field(name, holder.fields)
    return UnknownField(unknown.path, name, near, belongs, unknown.value)


def near_field(name: str, fields: Iterable[str]) -> str | None:
    """The field that was misspelled, where one is near enough; some differ in nothing but case."""
    by_lower = {field.lower(): field for field in fields}
    return by_lower.get(name.lower()) or nearest(name, by_lower.values(), _NEAR)


def _prefix(unknown: Unknown) -> str:
    return unknown.path[: -len(unknown.name)].rstrip(".")


def _child(prefix: str, name: str) -> str:
    return f"{prefix}.{name}" if prefix else name


def _below(holder: Shape, name: str, prefix: str) -> str | None:
    """The nearest object inside the holder that has the field."""
    queue = deque([(holder, prefix, 0)])
    while queue:
        shape, path, depth = queue.popleft()
        for field, inner, marks in _objects(shape):
            place = _child(path, field) + marks
            if name in inner.fields:
                return f"{place}.{name}"
            if depth < _DEPTH:
                queue.append((inner, place, depth + 1))
    return None


def _objects(shape: Shape) -> Iterator[tuple[str, Shape, str]]:
    """The objects that a shape holds, through lists; maps and metadata lead away from what people mean."""
    for field, inner in shape.fields.items():
        marks = ""
        while inner.word == "list" and inner.item is not None:
            inner, marks = inner.item, marks + "[]"
        if inner.word == "object" and field not in ("metadata", "status"):
            yield field, inner, marks


def _above(unknown: Unknown, name: str) -> str | None:
    """The nearest object around the holder that has the field."""
    for position in range(len(unknown.steps) - 2, -1, -1):
        around = unknown.steps[position][1]
        if name in around.fields:
            names = [step for step, _ in unknown.steps[:position]]
            return ".".join((*names, name))
    return None
