"""Semantic versions as attributes carry them: `12.4.1`, `1.0.0-rc.1+build`.

The text is kept: a selector compares versions by precedence, while `matchAttribute` compares the text.
"""

from __future__ import annotations

import re
from functools import lru_cache, total_ordering
from typing import Final

import msgspec

MAX_UINT64: Final = 2**64 - 1

_DIGITS: Final = re.compile(r"[0-9]*", re.ASCII)
_WORD: Final = re.compile(r"[0-9A-Za-z-]*", re.ASCII)


class SemverError(ValueError):
    """A text that is no semantic version 2.0.0. `str(error)` is the sentence of Kubernetes."""


@total_ordering
class Semver:
    """A semantic version 2.0.0.

    Attributes:
        text: as it was written.
        major, minor, patch: the three numbers.
        prerelease: the identifiers behind `-`; numbers as `int`.
        precedence: a key that orders as precedence does.

    Equality and order follow precedence and ignore build metadata (semver.org, 11).
    """

    __slots__ = ("major", "minor", "patch", "precedence", "prerelease", "text")

    def __init__(self, text: str, numbers: tuple[int, int, int], prerelease: tuple[int | str, ...] = ()) -> None:
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "major", numbers[0])
        object.__setattr__(self, "minor", numbers[1])
        object.__setattr__(self, "patch", numbers[2])
        object.__setattr__(self, "prerelease", prerelease)
        words = tuple((0, word, "") if isinstance(word, int) else (1, 0, word) for word in prerelease)
        object.__setattr__(self, "precedence", (*numbers, words or ((2, 0, ""),)))

    text: str
    major: int
    minor: int
    patch: int
    prerelease: tuple[int | str, ...]
    precedence: tuple[object, ...]

    @staticmethod
    def parse(text: str) -> Semver:
        """Read a version strictly: three numbers, no leading `v`, no leading zeros.

        Raises:
            SemverError: the text is no semantic version.
        """
        found = _read(text)
        if isinstance(found, str):
            raise SemverError(found)
        return found

    @staticmethod
    def read(text: str) -> Semver | str:
        """Read a version as `parse` does; a text that is none is answered with Kubernetes' sentence."""
        return _read(text)

    def __setattr__(self, name: str, value: object) -> None:
        message = f"Semver is immutable: cannot set {name}"
        raise AttributeError(message)

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
def _read(text: str) -> Semver | str:
    """The version, or why the text is none."""
    if not text:
        return "Version string empty"
    parts = text.split(".", 2)
    if len(parts) != 3:
        return "No Major.Minor.Patch elements found"
    rest, plus, build = parts[2].partition("+")
    patch, dash, prerelease = rest.partition("-")
    numbers = []
    for part, name in zip((*parts[:2], patch), ("major", "minor", "patch"), strict=True):
        number = _component(part, name)
        if isinstance(number, str):
            return number
        numbers.append(number)
    words = [_prerelease_word(word) for word in prerelease.split(".")] if dash else []
    fault = next((word.fault for word in words if word.fault), None) or (_build_fault(build) if plus else None)
    return fault or Semver(text, (numbers[0], numbers[1], numbers[2]), tuple([word.value for word in words]))


def _component(text: str, name: str) -> int | str:
    """One of the three numbers, or why it is none."""
    if not _DIGITS.fullmatch(text):
        return f'Invalid character(s) found in {name} number "{_quoted(text)}"'
    if len(text) > 1 and text[0] == "0":
        return f'{name.capitalize()} number must not contain leading zeroes "{text}"'
    return _unsigned(text)


def _unsigned(text: str) -> int | str:
    if not text:
        return 'strconv.ParseUint: parsing "": invalid syntax'
    if len(text) > 20 or int(text) > MAX_UINT64:
        return f'strconv.ParseUint: parsing "{text}": value out of range'
    return int(text)


class _Word(msgspec.Struct, frozen=True):
    """A pre-release identifier, or why it is none."""

    value: int | str = ""
    fault: str | None = None


def _prerelease_word(word: str) -> _Word:
    if not word:
        return _Word(fault="Prerelease is empty")
    if not _DIGITS.fullmatch(word):
        return _Word(word, _character_fault(word, "prerelease"))
    if len(word) > 1 and word[0] == "0":
        return _Word(fault=f'Numeric PreRelease version must not contain leading zeroes "{word}"')
    number = _unsigned(word)
    return _Word(number) if isinstance(number, int) else _Word(fault=number)


def _build_fault(build: str) -> str | None:
    for word in build.split("."):
        fault = _character_fault(word, "build meta data") if word else "Build meta data is empty"
        if fault:
            return fault
    return None


def _character_fault(word: str, name: str) -> str | None:
    return None if _WORD.fullmatch(word) else f'Invalid character(s) found in {name} "{_quoted(word)}"'


def _quoted(text: str) -> str:
    """The text with everything unprintable, quotes and backslashes escaped."""
    escaped = text.translate({ord("\\"): "\\\\", ord('"'): '\\"'})
    return "".join(char if char.isprintable() else _escape(char) for char in escaped)


def _escape(char: str) -> str:
    code = ord(char)
    short = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r"}.get(code)
    if short:
        return f"\\{short}"
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
