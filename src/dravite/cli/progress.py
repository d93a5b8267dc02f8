"""What is being done, for somebody who waits: one line on stderr that is written over, and only on a terminal.

Whoever works says what is being done whenever that changes; a thread of its own shows it now and then, so that work
which takes no time at all shows nothing, and work that takes long does not have to think of it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from threading import Event

FIRST_WORD: Final = 0.5
NEXT_WORD: Final = 0.1
"""Seconds after which something is shown for the first time, and then again."""

UNKNOWN_WIDTH: Final = 80

Tell: TypeAlias = Callable[[str], object]
"""Takes what is being done, as in `checking 200000 objects`."""


def untold(_: str) -> None:
    """For those whom nobody waits for."""


class StatusLine:
    """The line on the terminal. Whoever shows something wipes it in the end."""

    def __init__(self) -> None:
        self._shown = 0

    def show(self, text: str) -> None:
        """Put a text in the place of the one before; what does not fit is left out."""
        width = os.get_terminal_size(sys.stderr.fileno()).columns or UNKNOWN_WIDTH
        text = text[: max(width - 1, 20)]
        sys.stderr.write("\r" + text.ljust(self._shown))
        sys.stderr.flush()
        self._shown = len(text)

    def wipe(self) -> None:
        """Leave no half line behind."""
        if self._shown:
            sys.stderr.write("\r" + " " * self._shown + "\r")
            sys.stderr.flush()
            self._shown = 0


class Progress:
    """What one command is doing."""

    def __init__(self) -> None:
        self.doing = "starting"

    def tell(self, doing: str) -> None:
        """Take note of it."""
        self.doing = doing

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Show it as long as this lasts."""
        if not sys.stderr.isatty():
            yield
            return
        from threading import Event, Thread

        ended = Event()
        thread = Thread(target=self._show, args=(ended,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def _show(self, ended: Event) -> None:
        line = StatusLine()
        pause = FIRST_WORD
        while not ended.wait(pause):
            line.show(f"{self.doing} …")
            pause = NEXT_WORD
        line.wipe()
