"""Places in their order, kept in pieces: one more or one less costs the same however many there are."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator
from itertools import chain
from operator import itemgetter
from typing import Final

Place = tuple[str, str]
"""Namespace and name: what orders the objects of a collection."""

_LONGEST: Final = 1_024
"""Places in a piece, which is cut in two when it has more."""

_first = itemgetter(0)


class Order:
    """A sorted list of places, none of them twice. No piece is empty."""

    __slots__ = ("_pieces",)

    def __init__(self) -> None:
        self._pieces: list[list[Place]] = []

    def add(self, place: Place) -> None:
        """Put a new place where it belongs."""
        if not self._pieces:
            self._pieces.append([place])
            return
        number = self._piece_of(place)
        piece = self._pieces[number]
        insort(piece, place)
        if len(piece) > _LONGEST:
            half = len(piece) // 2
            self._pieces[number : number + 1] = (piece[:half], piece[half:])

    def remove(self, place: Place) -> None:
        """Take a place out that is there."""
        number = self._piece_of(place)
        piece = self._pieces[number]
        del piece[bisect_left(piece, place)]
        if not piece:
            del self._pieces[number]

    def __len__(self) -> int:
        return sum(map(len, self._pieces))

    def before(self, place: Place) -> int:
        """How many places come before this one."""
        number = self._piece_of(place)
        return self._until(number) + (bisect_left(self._pieces[number], place) if self._pieces else 0)

    def through(self, place: Place) -> int:
        """How many places come before this one or are it."""
        number = self._piece_of(place)
        return self._until(number) + (bisect_right(self._pieces[number], place) if self._pieces else 0)

    def between(self, low: int, high: int) -> list[Place]:
        """The places from one number on, up to another."""
        return list(chain.from_iterable(self._cut(low, high)))

    def _cut(self, low: int, high: int) -> Iterator[list[Place]]:
        begin = 0
        for piece in self._pieces:
            if begin >= high:
                return
            if begin + len(piece) > low:
                yield piece[max(0, low - begin) : high - begin]
            begin += len(piece)

    def _piece_of(self, place: Place) -> int:
        """The number of the piece that holds a place or would."""
        return max(0, bisect_right(self._pieces, place, key=_first) - 1)

    def _until(self, number: int) -> int:
        return sum(map(len, self._pieces[:number]))
