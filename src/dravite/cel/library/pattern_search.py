"""Searching texts: with Python's own search where that is sure to be quick, else in step with the text.

The second way follows all ways to match at once, the preferred ones first, and so needs time in proportion to the
text and the pattern, as RE2 does.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final

from dravite.cel.library.pattern_tree import Piece, longest_text

Span = tuple[int, int]

_ONE: Final = "one"
_PLACE: Final = "place"
_FORK: Final = "fork"
_DONE: Final = "done"


class Pattern:
    """A pattern, ready for searching. Immutable but for what it has learnt about characters."""

    def __init__(self, root: Piece) -> None:
        self.root = root
        self.python = re.compile(root.source)
        self.longest = longest_text(root)

    @cached_property
    def _machine(self) -> _Machine:
        return _Machine(self.root)

    def is_in(self, text: str) -> bool:
        """Whether it matches anywhere."""
        if len(text) <= self.longest:
            return self.python.search(text) is not None
        return self._machine.search(text, 0) is not None

    def search(self, text: str, start: int = 0) -> Span | None:
        """Where it matches first, at `start` or later."""
        if len(text) > self.longest:
            return self._machine.search(text, start)
        found = self.python.search(text, start)
        return found.span() if found else None


class _Characters(dict[str, bool]):
    """Which characters a piece matches, as far as they have been asked for."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.pattern = re.compile(source)

    def __missing__(self, char: str) -> bool:
        known = self[char] = self.pattern.fullmatch(char) is not None
        return known


class _Step:
    """One thing to do, and what comes next; at a fork, what is preferred and what is tried `later`."""

    __slots__ = ("characters", "kind", "later", "next", "pattern")

    characters: _Characters
    pattern: re.Pattern[str]

    def __init__(self, kind: str, following: _Step | None = None, later: _Step | None = None) -> None:
        self.kind = kind
        self.next = following
        self.later = later


class _Machine:
    """The steps of one pattern. Steps are known by their identity."""

    def __init__(self, root: Piece) -> None:
        self.characters: dict[str, _Characters] = {}
        self.entry = self._piece(root, _Step(_DONE))

    def search(self, text: str, start: int) -> Span | None:
        found: Span | None = None
        waiting: dict[_Step, int] = {}
        for place in range(start, len(text) + 1):
            if found is None:
                _follow(waiting, self.entry, text, (place, place))
            char = text[place : place + 1]
            moved: dict[_Step, int] = {}
            for step, begin in waiting.items():
                if step.kind is _DONE:
                    found = begin, place
                    break
                if step.kind is _ONE and char and step.characters[char]:
                    _follow(moved, step.next, text, (begin, place + 1))
            waiting = moved
            if found is not None and not waiting:
                break
        return found

    def _sequence(self, pieces: tuple[Piece, ...], following: _Step) -> _Step:
        for piece in reversed(pieces):
            following = self._piece(piece, following)
        return following

    def _piece(self, piece: Piece, following: _Step) -> _Step:
        if (piece.least, piece.most) != (1, 1):
            return self._repeat(piece, following)
        if not piece.alternatives:
            return self._single(piece, following)
        entries = [self._sequence(sequence, following) for sequence in piece.alternatives]
        entry = entries.pop()
        while entries:
            entry = _Step(_FORK, entries.pop(), entry)
        return entry

    def _single(self, piece: Piece, following: _Step) -> _Step:
        step = _Step(_PLACE if piece.is_place else _ONE, following)
        if piece.is_place:
            step.pattern = re.compile(piece.source)
        else:
            step.characters = self.characters.setdefault(piece.source, _Characters(piece.source))
        return step

    def _repeat(self, piece: Piece, following: _Step) -> _Step:
        ((inner,),) = piece.alternatives
        needed = piece.least
        entry = following
        if piece.most is None:
            endless = self._at_least_once(inner, following, lazy=piece.lazy)
            entry = endless if needed else _fork(endless, following, lazy=piece.lazy)
            needed = max(needed - 1, 0)
        else:
            for _ in range(piece.most - piece.least):
                entry = _fork(self._piece(inner, entry), following, lazy=piece.lazy)
        for _ in range(needed):
            entry = self._piece(inner, entry)
        return entry

    def _at_least_once(self, inner: Piece, following: _Step, *, lazy: bool) -> _Step:
        again = _Step(_FORK)
        body = self._piece(inner, again)
        again.next, again.later = (following, body) if lazy else (body, following)
        return body


def _fork(body: _Step, following: _Step, *, lazy: bool) -> _Step:
    return _Step(_FORK, following, body) if lazy else _Step(_FORK, body, following)


def _follow(waiting: dict[_Step, int], step: _Step | None, text: str, where: Span) -> None:
    """Add what can be done next without another character, in the order of preference."""
    begin, place = where
    stack = [step]
    while stack:
        step = stack.pop()
        if step is None or step in waiting:
            continue
        waiting[step] = begin
        if step.kind is _FORK:
            stack += (step.later, step.next)
        elif step.kind is _PLACE and step.pattern.match(text, place):
            stack.append(step.next)
