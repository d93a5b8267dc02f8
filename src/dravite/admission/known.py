"""What single documents and objects came to, for admitting most of them again beside others: worked out once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

V = TypeVar("V")
R = TypeVar("R")


class Known:
    """Answers by the very value that they are about, for one profile and one namespace. It changes none of them."""

    __slots__ = ("_answers",)

    def __init__(self) -> None:
        self._answers: dict[int, tuple[object, object]] = {}

    def answer(self, value: V, ask: Callable[[V], R]) -> R:
        """What was answered about the value, or is now. Of one value one thing is asked."""
        known = self._answers.get(id(value))
        if known is None:
            known = self._answers[id(value)] = (value, ask(value))
        return cast("R", known[1])


def once(known: Known | None, ask: Callable[[V], R]) -> Callable[[V], R]:
    """The same question, asked only of what is not known yet; without anything known, as it is."""
    return ask if known is None else lambda value: known.answer(value, ask)
