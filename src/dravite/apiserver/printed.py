"""The columns that users give kinds of their own (`additionalPrinterColumns`), and what is in them.

Of the JSONPath of Kubernetes this knows names, positions and the filter on one field, which is what such columns use.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from dravite.api.meta import Time
from dravite.api.plain import PlainView
from dravite.apiserver.columns import AGE, NAME, Column, age, age_of, name_of

_STEP: Final = re.compile(
    r"""\.((?:[^.\[\]\\]|\\.)+)|\[(\d{1,9}|\*)\]|\['((?:[^'\\]|\\.)*)'\]|\[\?\(@\.([\w.]+)\s*==\s*["']([^"']*)["']\)\]"""
)


_TYPES: Final[Mapping[str, tuple[type, ...]]] = {"integer": (int,), "number": (int, float), "boolean": (bool,)}


class Printed(msgspec.Struct, frozen=True, rename="camel"):
    """One column, as a definition says it."""

    name: str
    type: str
    json_path: str
    description: str = ""
    format: str = ""
    priority: int = 0


def printed_columns(printed: Sequence[Printed]) -> list[dict[str, Any]]:
    """The column definitions of a kind with these columns; the age where there are none."""
    found = [Column(one.name, one.description, one.type, one.format, one.priority) for one in printed] or [AGE]
    return [msgspec.to_builtins(column) for column in (NAME, *found)]


def printed_cells(plain: PlainView, printed: Sequence[Printed], now: Time) -> list[Any]:
    """The cells of an object under these columns."""
    if not printed:
        return [name_of(plain), age_of(plain, now)]
    return [name_of(plain), *(_cell(next(_found(plain, one.json_path), None), one.type, now) for one in printed)]


def _cell(value: Any, kind: str, now: Time) -> Any:
    if value is None:
        return None
    if kind == "date":
        return age(value, now) if isinstance(value, str) else "<invalid>"
    if kind == "string":
        return value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return value if type(value) in _TYPES.get(kind, ()) else None


def _found(value: Any, path: str) -> Iterator[Any]:
    """The values at a path; nothing where the path is none that is understood."""
    values, position = [value], 0
    while position < len(path):
        step = _STEP.match(path, position)
        if step is None:
            return
        values = [inner for outer in values for inner in _taken(outer, step)]
        position = step.end()
    yield from values


def _taken(value: Any, step: re.Match[str]) -> Iterator[Any]:
    """What one step finds in a value."""
    name, place, quoted, field, wanted = step.groups()
    if name is not None or quoted is not None:
        key = re.sub(r"\\(.)", r"\1", name if name is not None else quoted)
        if isinstance(value, dict) and key in value:
            yield value[key]
    elif not isinstance(value, list):
        return
    elif place == "*":
        yield from value
    elif place is not None:
        yield from value[int(place) : int(place) + 1]
    else:
        yield from (item for item in value if next(_found(item, f".{field}"), None) == wanted)
