"""Comments that silence findings.

    # dravite: ignore CODE[, CODE ...]        at the end of the line that a finding points at, or above it
    # dravite: ignore-file CODE[, CODE ...]   anywhere in the file

Without codes a comment silences all findings of its line, or of its file. What keeps a file from being read cannot be
silenced: nobody would know what else is in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from dravite.api.document import Problem
from dravite.lint.codes import UNPARSED

_COMMENT: Final = re.compile(r"(?:^|\s)#\s*dravite:\s*(ignore-file|ignore)\b[:\s]*([\w ,-]*)")
_SPLIT: Final = re.compile(r"[\s,]+")
_ALL: Final = "*"


class Silenced(msgspec.Struct, frozen=True):
    """What the comments of one file silence: codes by line, and for the whole file."""

    lines: Mapping[int, frozenset[str]]
    file: frozenset[str]


def comments_of(text: str) -> Silenced:
    """The comments of a file's text."""
    lines: dict[int, frozenset[str]] = {}
    everywhere: frozenset[str] = frozenset()
    pending: frozenset[str] = frozenset()
    for number, line in enumerate(text.split("\n"), 1):
        found = _COMMENT.search(line)
        codes = _codes(found.group(2)) if found else frozenset()
        if found and found.group(1) == "ignore-file":
            everywhere |= codes
            codes = frozenset()
        if line.lstrip().startswith("#"):
            pending |= codes
            continue
        if codes or pending:
            lines[number] = codes | pending
        pending = frozenset()
    return Silenced(lines, everywhere)


def _codes(text: str) -> frozenset[str]:
    return frozenset(filter(None, _SPLIT.split(text))) or frozenset({_ALL})


def without_silenced(problems: Iterable[Problem], texts: Mapping[str, str]) -> Iterator[Problem]:
    """The findings that no comment silences. `texts` has the files by name; a file that is missing has no comments."""
    comments = {file: comments_of(text) for file, text in texts.items() if "dravite:" in text}
    for problem in problems:
        silenced = comments.get(problem.file or "")
        if silenced is None or problem.type in UNPARSED:
            yield problem
            continue
        here = silenced.file | silenced.lines.get(problem.line or 0, frozenset())
        if not here & {problem.type, _ALL}:
            yield problem
