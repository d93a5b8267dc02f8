"""As few of some things as are enough: found by sparing one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def fewest(things: Sequence[T], enough: Callable[[Sequence[T]], bool]) -> Sequence[T]:
    """Those of the things that are enough and none of which can be spared, the first to be spared first.

    Nothing where all of them together are not enough.
    """
    if not things or not enough(things):
        return ()
    kept = list(things)
    for one in things:
        spared = [other for other in kept if other is not one]
        if spared and enough(spared):
            kept = spared
    return kept
