"""An allocator that is too simple to be wrong: try every combination in order, take the first that breaks no rule.

It knows exact counts, alternatives, selectors on one attribute, taints, devices in use, one counter, shared capacity,
and constraints on one attribute. It shares no code with dravite's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple


class Thing(NamedTuple):
    """A device. `kind` is the attribute that selectors and constraints look at; `room` makes it shared."""

    kind: int | None = None
    busy: bool = False
    tainted: bool = False
    takes: int = 0
    room: int | None = None


class Wish(NamedTuple):
    """One way to serve a request: `count` devices, of one `kind` if that is given, with `room` on shared ones."""

    count: int = 1
    kind: int | None = None
    tolerates: bool = False
    room: int = 1


class Question(NamedTuple):
    """All requests, each with its wishes in order of preference.

    Attributes:
        left: what is left of the counter that devices take from.
        match, distinct: numbers of the requests that the constraint binds; empty for no constraint.
    """

    things: tuple[Thing, ...]
    requests: tuple[tuple[Wish, ...], ...]
    left: int
    match: frozenset[int] = frozenset()
    distinct: frozenset[int] = frozenset()


Answer = tuple[tuple[int, tuple[int, ...]], ...]
"""Per request, which wish was served and with which things."""


def allocate(question: Question) -> Answer | None:
    """The first answer in order of preference, or None."""
    choices = [list(_choices(question, wishes)) for wishes in question.requests]
    return next((answer for answer in product(*choices) if _holds(question, answer)), None)


def _choices(question: Question, wishes: Sequence[Wish]) -> Iterator[tuple[int, tuple[int, ...]]]:
    for number, wish in enumerate(wishes):
        usable = [index for index, thing in enumerate(question.things) if _suits(thing, wish)]
        yield from ((number, chosen) for chosen in combinations(usable, wish.count))


def _suits(thing: Thing, wish: Wish) -> bool:
    if thing.busy or (thing.tainted and not wish.tolerates):
        return False
    return wish.kind is None or thing.kind == wish.kind


def _holds(question: Question, answer: Answer) -> bool:
    used = [index for _, chosen in answer for index in chosen]
    for index in set(used):
        thing = question.things[index]
        if thing.room is None and used.count(index) > 1:
            return False
        if thing.room is not None and _room_taken(question, answer, index) > thing.room:
            return False
    if sum(question.things[index].takes for index in set(used)) > question.left:
        return False
    matched = _kinds(question, answer, question.match)
    distinct = _kinds(question, answer, question.distinct)
    if None in matched or None in distinct:
        return False
    return len(set(matched)) <= 1 and len(set(distinct)) == len(distinct)


def _room_taken(question: Question, answer: Answer, index: int) -> int:
    pairs = zip(question.requests, answer, strict=True)
    return sum(wishes[number].room for wishes, (number, chosen) in pairs if index in chosen)


def _kinds(question: Question, answer: Answer, bound: frozenset[int]) -> list[int | None]:
    return [question.things[index].kind for number in sorted(bound) for index in answer[number][1]]
