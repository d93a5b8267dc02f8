"""Lists whose items may not repeat, and when a server says that one does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from dravite.api.field import child
from dravite.api.releases import Profile
from dravite.validation.faults import Faults, declared, repeated

T = TypeVar("T")


def each_once(
    items: Sequence[T],
    rule: Callable[[T, str], Faults],
    path: str,
    profile: Profile,
    key: Callable[[T], Any] = lambda item: item,
) -> Faults:
    """What is wrong with every item, and which of them are there twice: that is said first since 1.37, before last."""
    twice = tuple(declared(repeated(path, items, key))) if len(items) > 1 else ()
    if profile.is_at_least("1.37"):
        yield from twice
    for position, item in enumerate(items):
        yield from rule(item, child(path, position))
    if not profile.is_at_least("1.37"):
        yield from twice
