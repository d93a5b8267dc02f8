"""Several questions at once, each in a thread that never keeps the program from ending."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from queue import SimpleQueue
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")
T = TypeVar("T")


def as_done(tasks: Sequence[Callable[[], T]], workers: int) -> Iterator[tuple[int, T]]:
    """The number and the result of each task as it is done. Tasks are begun in their order.

    What a task raises is raised here; the others are then left to themselves.
    """
    waiting: SimpleQueue[int] = SimpleQueue()
    done: SimpleQueue[tuple[int, T | None, BaseException | None]] = SimpleQueue()
    for number in range(len(tasks)):
        waiting.put(number)

    def work() -> None:
        while not waiting.empty():
            number = waiting.get()
            try:
                done.put((number, tasks[number](), None))
            except BaseException as error:
                done.put((number, None, error))

    for _ in range(min(workers, len(tasks))):
        threading.Thread(target=work, daemon=True).start()
    for _ in tasks:
        number, result, error = done.get()
        if error is not None:
            raise error
        yield number, result  # type: ignore[misc]


def both(first: Callable[[], A], second: Callable[[], B]) -> tuple[A, B]:
    """The results of two tasks."""
    found: dict[int, A | B] = dict(as_done([first, second], 2))
    return found[0], found[1]  # type: ignore[return-value]
