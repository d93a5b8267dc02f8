"""What a store holds and what it answers."""

from __future__ import annotations

from typing import NamedTuple

import msgspec


class Key(NamedTuple):
    """Which object: the collection it is in, its namespace (empty for cluster-wide kinds) and its name."""

    collection: str
    namespace: str
    name: str


class Record(msgspec.Struct, frozen=True, gc=False):
    """An object as it was left by one write.

    Attributes:
        revision: that of the write; no two writes of a store share one, and later ones are larger.
        body: the object; a store never looks into it.
    """

    key: Key
    revision: int
    body: bytes


class Event(msgspec.Struct, frozen=True, gc=False):
    """One write: what was there before and what is there after; None where there was or is nothing.

    Attributes:
        last: for a deletion the object as it was when it went, as the writer wants it remembered.
    """

    revision: int
    before: Record | None
    after: Record | None
    last: bytes = b""


class Page(msgspec.Struct, frozen=True):
    """Objects in the order of namespace and name, as they were at one revision, and how many more there are."""

    revision: int
    records: tuple[Record, ...]
    remaining: int = 0


class Stale(msgspec.Struct, frozen=True):
    """A write that came too late: what is there instead of the revision that it expected. None for nothing."""

    found: Record | None


class Compacted(msgspec.Struct, frozen=True):
    """A question about a time that is no longer remembered: the oldest revision that is."""

    oldest: int
