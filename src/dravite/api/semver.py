"""Semantic versions as attributes carry them: `12.4.1`, `1.0.0-rc.1+build`.

The text is kept: a selector compares versions by precedence, while `matchAttribute` compares the text.
"""

from __future__ import annotations

import re
from functools import lru_cache, total_ordering
from typing import Final

_NUMBER = r"(?:0|[1-9][0-9]*)"
_WORD = r"(?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)"
_SHAPE: Final = re.compile(
    rf"({_NUMBER})\.({_NUMBER})\.({_NUMBER})"
    rf"(?:-({_WORD}(?:\.{_WORD})*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?\Z"
)


class SemverError(ValueError):
    """A text that is no semantic version 2.0.0."""


@total_ordering
class Semver:
    """A semantic version 2.0.0.

    Attributes:
        text: as it was written.
        major, minor, patch: the three numbers.
        prerelease: the identifiers behind `-`; numbers as `int`.

    Equality and order follow precedence and ignore build metadata (semver.org, 11).
    """

    __slots__ = ("major", "minor", "patch", "prerelease", "text")

    def __init__(self, text: str, numbers: tuple[int, int, int], prerelease: tuple[int | str, ...] = ()) -> None:
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "major", numbers[0])
        object.__setattr__(self, "minor", numbers[1])
        object.__setattr__(self, "patch", numbers[2])
        object.__setattr__(self, "prerelease", prerelease)

    text: str
    major: int
    minor: int
    patch: int
    prerelease: tuple[int | str, ...]

    @staticmethod
    def parse(text: str) -> Semver:
        """Read a version strictly: three numbers, no leading `v`, no leading zeros.

        Raises:
            SemverError: the text is no semantic version.
        """
        return _parse(text)

    def __setattr__(self, name: str, value: object) -> None:
        message = f"Semver is immutable: cannot set {name}"
        raise AttributeError(message)

    @property
    def precedence(self) -> tuple[int, int, int, tuple[tuple[int, int, str], ...]]:
        """A key that orders as precedence does."""
        if not self.prerelease:
            return (self.major, self.minor, self.patch, ((2, 0, ""),))
        words = tuple((0, w, "") if isinstance(w, int) else (1, 0, w) for w in self.prerelease)
        return (self.major, self.minor, self.patch, words)

    def __eq__(self, other: object) -> bool:
        return self.precedence == other.precedence if isinstance(other, Semver) else NotImplemented

    def __lt__(self, other: Semver) -> bool:
        return self.precedence < other.precedence

    def __hash__(self) -> int:
        return hash(self.precedence)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Semver({self.text!r})"


@lru_cache(maxsize=4096)
def _parse(text: str) -> Semver:
    shape = _SHAPE.match(text)
    if shape is None:
        message = f"not a semantic version: {text!r}"
        raise SemverError(message)
    major, minor, patch, prerelease, _ = shape.groups()
    words = tuple(int(w) if w.isdigit() else w for w in prerelease.split(".")) if prerelease else ()
    return Semver(text, (int(major), int(minor), int(patch)), words)
