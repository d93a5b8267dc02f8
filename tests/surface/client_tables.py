"""The tables of published clients in tests/vectors/surface, which `python -m conformance surface` makes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import msgspec

TABLES = Path(__file__).parent.parent / "vectors" / "surface"
RELEASES = ("1.31.1", "1.32.0", "1.33.1", "1.34.0", "1.35.0", "1.36.3", "1.37.0")
_FIELD = re.compile(r"(?:(\w+)=)?(\w+)(!?):(.*)\Z")


class Field(msgspec.Struct, frozen=True):
    """A field of a client's class: its name in Python, on the wire, and its type in the client's words."""

    name: str
    wire: str
    required: bool
    type: str


def lightkube(release: str) -> Mapping[tuple[str, str], tuple[Field, ...] | str]:
    """Per module and class the fields in the order of the constructor, or the type that a name stands for."""
    return _table(f"lightkube-models-{release}.8.txt")


def newest_lightkube() -> Mapping[tuple[str, str], tuple[Field, ...] | str]:
    """Every class that any release has, as the newest release has it that has it."""
    merged: dict[tuple[str, str], tuple[Field, ...] | str] = {}
    for release in RELEASES:
        merged |= lightkube(release)
    return merged


def official() -> Mapping[str, tuple[Field, ...]]:
    """Per class of the official client its fields, in the client's order."""
    table = _table("kubernetes-37.0.2.txt")
    return {name: fields for (_, name), fields in table.items() if not isinstance(fields, str)}


@lru_cache(maxsize=16)
def _table(file: str) -> Mapping[tuple[str, str], tuple[Field, ...] | str]:
    table: dict[tuple[str, str], tuple[Field, ...] | str] = {}
    for line in (TABLES / file).read_text().splitlines():
        module, name, *fields = line.split(" ")
        table[module, name] = fields[1] if fields[:1] == ["="] else tuple(map(_field, fields))
    return table


def _field(text: str) -> Field:
    match = _FIELD.fullmatch(text)
    assert match is not None, text
    name, wire, mark, kind = match.groups()
    return Field(name or wire, wire, mark == "!", kind)
