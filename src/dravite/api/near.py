"""What somebody probably meant: known words that are close to a wrong one.

Deterministic: the same words give the same answer in the same order.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

_LONGEST: Final = 253
"""No name in Kubernetes is longer."""


def nearest(word: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The first of the words that are most alike; None where none is `cutoff` alike, of 1."""
    from difflib import get_close_matches  # of use only where something is misspelled

    found = get_close_matches(word, list(known), n=1, cutoff=cutoff)
    return found[0] if found else None


def near_names(name: str, existing: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """The existing names that somebody who wrote `name` may have meant, the closest first; equal names are none.

    Close are names that differ only in case or in `-`, `_` and `.`, names with at most a third of their letters
    wrong, and names of which one contains the other (from three letters on). An ending that both share, such as the
    domain of a company, proves nothing.
    """
    return _ranked(name, tuple(dict.fromkeys(existing)))[:limit]


def nearest_value(value: str, seen: Iterable[str]) -> str | None:
    """The seen text that is closest to a wanted one, where it shares most of its letters; ties by the alphabet."""
    ranked = sorted((edit_distance(value, other), other) for other in dict.fromkeys(seen) if other != value)
    if not ranked:
        return None
    distance, other = ranked[0]
    return other if distance * 2 <= max(len(value), len(other)) else None


def edit_distance(left: str, right: str) -> int:
    """Insertions, deletions, replacements and swaps of neighbours that turn one word into the other."""
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        older, before, row = before, row, [i]
        for j, b in enumerate(right, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
    return row[-1]


@lru_cache(maxsize=64)
def _ranked(name: str, existing: tuple[str, ...]) -> tuple[str, ...]:
    """All that are near. Many objects may lead to the same name that is not there."""
    ranked = sorted(
        (distance, other) for other in existing if other != name and (distance := _distance(name, other)) is not None
    )
    return tuple(other for _, other in ranked)


def _distance(name: str, other: str) -> int | None:
    """How far off, or None for too far."""
    left, right = map(_plain, _apart(name, other))
    if left == right:
        return 0
    if max(len(left), len(right)) > _LONGEST:
        return None
    if abs(len(left) - len(right)) <= max(len(left), len(right)) // 3:
        distance = edit_distance(left, right)
        if distance <= max(1, max(len(left), len(right)) // 3):
            return distance
    shorter, longer = sorted((left, right), key=len)
    if len(shorter) >= 3 and shorter in longer:
        return len(longer) - len(shorter)
    return None


def _apart(one: str, other: str) -> tuple[str, str]:
    """Both names without the dotted ending that they share."""
    left, right = one.split("."), other.split(".")
    while len(left) > 1 and len(right) > 1 and left[-1] == right[-1]:
        left.pop()
        right.pop()
    return ".".join(left), ".".join(right)


def _plain(name: str) -> str:
    return name.lower().replace("-", "").replace("_", "").replace(".", "")
