"""A map whose every change is a new map, cheap to make from a huge one.

Planning changes a handful of entries per pod in maps of up to a hundred thousand. A layered map keeps the huge part
in a base that all versions share and the few changed entries in a layer of its own; when the layer has grown, both
are poured into a new base. It knows nothing about what it holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")

LARGEST_LAYER: Final = 256

_GONE: Final = object()


class LayeredMap(Mapping[K, V], Generic[K, V]):
    """A read-only mapping in insertion order; `put` and `drop` answer a new one in O(entries changed so far)."""

    __slots__ = ("_base", "_layer", "_size")

    _base: dict[K, V]
    _layer: dict[K, object]
    _size: int

    def __init__(self, entries: Mapping[K, V] | Iterable[tuple[K, V]] = ()) -> None:
        self._base = dict(entries)
        self._layer = {}
        self._size = len(self._base)

    def put(self, entries: Mapping[K, V]) -> LayeredMap[K, V]:
        """This map with `entries` added or replaced; replaced ones keep their place in the order."""
        return self._changed(entries)

    def drop(self, keys: Iterable[K]) -> LayeredMap[K, V]:
        """This map without `keys`; keys that it does not have are ignored."""
        gone: dict[K, object] = {key: _GONE for key in keys if key in self}
        return self._changed(gone) if gone else self

    def _changed(self, entries: Mapping[K, object]) -> LayeredMap[K, V]:
        grown = sum(_presence(key, value, self) for key, value in entries.items())
        changed: LayeredMap[K, V] = LayeredMap.__new__(LayeredMap)
        changed._base = self._base
        changed._layer = {**self._layer, **entries}
        changed._size = self._size + grown
        if len(changed._layer) > LARGEST_LAYER:
            changed._base = _poured(changed._base, changed._layer)
            changed._layer = {}
        return changed

    def __getitem__(self, key: K) -> V:
        found = self._layer.get(key, self) if self._layer else self
        if found is self:
            return self._base[key]
        if found is _GONE:
            raise KeyError(key)
        return found  # type: ignore[return-value]

    def __iter__(self) -> Iterator[K]:
        layer = self._layer
        if not layer:
            return iter(self._base)
        kept = [key for key in self._base if layer.get(key) is not _GONE]
        added = [key for key, value in layer.items() if value is not _GONE and key not in self._base]
        return iter(kept + added)

    def __len__(self) -> int:
        return self._size

    def __repr__(self) -> str:
        return f"LayeredMap({dict(self)!r})"


def _poured(base: dict[K, V], layer: dict[K, object]) -> dict[K, V]:
    entries: dict[K, object] = {**base, **layer}
    gone = [key for key, value in layer.items() if value is _GONE]
    for key in gone:
        del entries[key]
    return entries  # type: ignore[return-value]


def _presence(key: K, value: object, before: LayeredMap[K, V]) -> int:
    """By how much the entry changes the number of entries."""
    return (value is not _GONE) - (key in before)
