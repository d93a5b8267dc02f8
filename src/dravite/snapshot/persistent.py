"""A map that is never changed: a changed one shares with it all that did not change.

It knows nothing of what it holds. Its order is nobody's business: whoever lists it sorts it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from itertools import compress
from operator import is_not
from typing import Final, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
D = TypeVar("D")

_BUCKETS: Final = 256
_PLACES: Final = tuple(range(_BUCKETS))
_EMPTY: Final[dict[object, object]] = {}


class PersistentMap(Generic[K, V]):
    """An immutable map. A change copies one bucket in 256, so a thousand changes to 100,000 entries stay cheap."""

    __slots__ = ("_buckets", "_size")

    _buckets: tuple[dict[K, V], ...]
    _size: int

    def __init__(self, entries: Mapping[K, V] | None = None) -> None:
        buckets: list[dict[K, V]] = [_EMPTY] * _BUCKETS  # type: ignore[list-item]
        for key, value in (entries or {}).items():
            place = hash(key) % _BUCKETS
            if buckets[place] is _EMPTY:
                buckets[place] = {}
            buckets[place][key] = value
        self._buckets = tuple(buckets)
        self._size = len(entries or {})

    def get(self, key: K, default: D | None = None) -> V | D | None:
        """The value of `key`, or `default`."""
        return self._buckets[hash(key) % _BUCKETS].get(key, default)

    def __getitem__(self, key: K) -> V:
        return self._buckets[hash(key) % _BUCKETS][key]

    def __contains__(self, key: K) -> bool:
        return key in self._buckets[hash(key) % _BUCKETS]

    def __len__(self) -> int:
        return self._size

    def items(self) -> Iterator[tuple[K, V]]:
        """All entries, in no order that means anything."""
        for bucket in self._buckets:
            yield from bucket.items()

    def differing(self, other: PersistentMap[K, V]) -> Iterator[K]:
        """Keys under which the two maps do not hold the very same value; quick where they share most of it."""
        for place in compress(_PLACES, map(is_not, self._buckets, other._buckets)):
            mine, its = self._buckets[place], other._buckets[place]
            yield from (key for key, value in mine.items() if its.get(key) is not value)
            yield from (key for key in its if key not in mine)

    def changed(self, entries: Mapping[K, V | None]) -> PersistentMap[K, V]:
        """This map with `entries` set; an entry whose value is None is taken out."""
        buckets = list(self._buckets)
        fresh: set[int] = set()
        size = self._size
        for key, value in entries.items():
            place = hash(key) % _BUCKETS
            if place not in fresh:
                buckets[place] = dict(buckets[place])
                fresh.add(place)
            bucket = buckets[place]
            size -= len(bucket)
            if value is None:
                bucket.pop(key, None)
            else:
                bucket[key] = value
            size += len(bucket)
        after: PersistentMap[K, V] = PersistentMap.__new__(PersistentMap)
        after._buckets = tuple(buckets)
        after._size = size
        return after
