"""Which name was meant: the closest of those that exist, where it is close enough to be said."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Final

CLOSE: Final = 0.7


def nearest_name(name: str, known: Iterable[str]) -> str | None:
    """The known name that is nearly the wrong one; None where none is. Domains that both share prove nothing."""
    best: tuple[float, str] | None = None
    for other in known:
        left, right = _apart(name, other)
        ratio = 1.0 if left.lower() == right.lower() else difflib.SequenceMatcher(None, left, right).ratio()
        if ratio >= CLOSE and (best is None or ratio > best[0]):
            best = (ratio, other)
    return best[1] if best else None


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """The hint for a wrong name, or None."""
    near = nearest_name(name, known)
    return None if near is None else f'did you mean "{near}"?'


def _apart(one: str, other: str) -> tuple[str, str]:
    """Both names without the dotted ending that they share."""
    left, right = one.split("."), other.split(".")
    while len(left) > 1 and len(right) > 1 and left[-1] == right[-1]:
        left.pop()
        right.pop()
    return ".".join(left), ".".join(right)
