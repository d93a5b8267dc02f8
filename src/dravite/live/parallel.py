"""Several questions at once, each in a thread that never keeps the program from ending."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Final, TypeVar

MOMENT: Final = 0.3
"""Seconds for tasks to end that nobody waits for any more."""

A = TypeVar("A")
B = TypeVar("B")
T = TypeVar("T")


def as_done(tasks: Sequence[Callable[[], T]], workers: int) -> Iterator[tuple[int, T]]:
    """The number and the result of each task as it is done. Tasks are begun in their order.

    What a task raises is raised here; no other is begun then, and those that run get a moment to end.
    """
    waiting: SimpleQueue[int] = SimpleQueue()
    done: SimpleQueue[tuple[int, T | None, BaseException | None]] = SimpleQueue()
    for number in range(len(tasks)):
        waiting.put(number)

    def work() -> None:
        while not waiting.empty():
            try:
                number = waiting.get_nowait()
            except Empty:
                return
            try:
                done.put((number, tasks[number](), None))
            except BaseException as error:
                done.put((number, None, error))

    threads = [threading.Thread(target=work, daemon=True) for _ in range(min(workers, len(tasks)))]
    for thread in threads:
        thread.start()
    try:
        for _ in tasks:
            number, result, error = done.get()
            if error is not None:
                raise error
            yield number, result  # type: ignore[misc]
    finally:
        _end(threads, waiting)


def _end(threads: Iterable[threading.Thread], waiting: SimpleQueue[int]) -> None:
    with suppress(Empty):
        while True:
            waiting.get_nowait()
    until = time.monotonic() + MOMENT
    for thread in threads:
        thread.join(max(0.0, until - time.monotonic()))


def both(first: Callable[[], A], second: Callable[[], B]) -> tuple[A, B]:
    """The results of two tasks; where both fail, it is the first one's fault that is raised."""
    done: SimpleQueue[tuple[B | None, BaseException | None]] = SimpleQueue()

    def work() -> None:
        try:
            done.put((second(), None))
        except BaseException as error:
            done.put((None, error))

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        one = first()
        other, error = done.get()
    finally:
        thread.join(MOMENT)
    if error is not None:
        raise error
    return one, other  # type: ignore[return-value]
