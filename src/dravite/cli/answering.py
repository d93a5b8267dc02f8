"""From arguments to an answer on stdout, whether files are read or a running cluster is asked."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TypeAlias

import msgspec

from dravite.api.document import Document
from dravite.cli.arguments import Arguments
from dravite.cli.exit_codes import INTERRUPTED
from dravite.cli.extras import need_client
from dravite.cli.progress import Progress
from dravite.cli.question import Input, read_input
from dravite.cli.streams import complain


class Answer(msgspec.Struct, frozen=True):
    """What a command has to say: to stdout, to stderr, and to the shell."""

    text: str
    code: int
    talk: str = ""


Answering: TypeAlias = Callable[[Arguments, Input], Answer]
"""The answer of one command to what was read."""


def answered(arguments: Arguments, paths: Sequence[str], answer: Answering, more: tuple[Document, ...] = ()) -> int:
    """Read, answer, print; the exit code is the answer's. `more` are documents that the answer itself brings in."""
    if arguments.live:
        need_client()
        from dravite.cli.live import answered_live

        return answered_live(arguments, paths, answer, more)
    progress = Progress()
    try:
        with progress.shown():
            made = answer(arguments, read_input(arguments, paths, progress.tell))
    except KeyboardInterrupt:
        complain(f"interrupted while {progress.doing}\n")
        return INTERRUPTED
    say(made)
    return made.code


def say(made: Answer) -> None:
    """Print an answer."""
    sys.stdout.write(made.text)
    sys.stdout.flush()
    sys.stderr.write(made.talk)
