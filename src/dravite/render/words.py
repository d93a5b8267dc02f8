"""Plurals, lists and counts for people. Knows English and no Kubernetes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

RUN_LENGTH: Final = 5
"""From how many on neighbours in a numbered row are said as `gpu-0 to gpu-7`."""

_NUMBERED: Final = re.compile(r"\A(.*?)(\d+)\Z")
_IRREGULAR: Final = {
    "is": "are",
    "has": "have",
    "was": "were",
    "class": "classes",
    "does": "do",
    "refuses": "refuse",
    "lacks": "lack",
    "gets": "get",
    "it": "they",
}


def count(number: int, noun: str) -> str:
    """`1 pod`, `2 pods`, `no pods`; a noun of several words bends its last one."""
    return f"{'no' if number == 0 else number} {bent(number, noun)}"


def bent(number: int, word: str) -> str:
    """The form of a noun or small verb that goes with a number: `device`/`devices`, `is`/`are`."""
    if number == 1:
        return word
    head, _, last = word.rpartition(" ")
    many = _IRREGULAR.get(last) or (last[:-1] + "ies" if re.search(r"[^aeiou]y\Z", last) else last + "s")
    return f"{head} {many}" if head else many


def of(part: int, whole: int, noun: str) -> str:
    """`3 of 8 devices`, `the only device`, `none of 8 devices`, `all 8 devices`."""
    if whole == 1 and part == 1:
        return f"the only {noun}"
    if part == whole:
        return f"all {whole} {bent(whole, noun)}"
    return f"{part} of {whole} {bent(whole, noun)}"


def listed(items: Iterable[str], conjunction: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    words = list(items)
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {conjunction} {words[-1]}"


def folded(items: Sequence[str], most: int | None) -> str:
    """Comma-separated with runs of numbered names joined; beyond `most` pieces the rest is counted."""
    pieces = list(runs(items) if most is None else islice(runs(items), most + 1))
    if most is None or len(pieces) <= most:
        return ", ".join(text for text, _ in pieces)
    shown = pieces[: most - 1]
    rest = len(items) - sum(size for _, size in shown)
    return ", ".join([*(text for text, _ in shown), f"{rest} more"])


def runs(items: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Names in their order, `RUN_LENGTH` or more consecutive numbers as one piece; each with how many it stands for."""
    row: list[str] = []
    for name in items:
        if row and not _follows(row[-1], name):
            yield from _pieces(row)
            row = []
        row.append(name)
    yield from _pieces(row)


def _pieces(row: Sequence[str]) -> Iterable[tuple[str, int]]:
    return [(f"{row[0]} to {row[-1]}", len(row))] if len(row) >= RUN_LENGTH else [(name, 1) for name in row]


def _follows(one: str, other: str) -> bool:
    """Whether `other` is `one` with the next number, written as wide where numbers are padded with zeros."""
    first, second = _NUMBERED.match(one), _NUMBERED.match(other)
    if first is None or second is None or first[1] != second[1] or int(second[2]) != int(first[2]) + 1:
        return False
    padded = any(number[2].startswith("0") and len(number[2]) > 1 for number in (first, second))
    return len(one) == len(other) or not padded


def sentence(text: str) -> str:
    """The text as a sentence of ours: a capital, and a full stop unless it ends in a mark."""
    return stopped(text[:1].upper() + text[1:])


def stopped(text: str) -> str:
    """The text with a full stop unless it ends in a mark; its first word is somebody's identifier and stays."""
    return text if text.endswith((".", "?", "!", ":")) else f"{text}."
