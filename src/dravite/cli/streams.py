"""The three streams of the process, which a shell may have closed or led somewhere that is full."""

from __future__ import annotations

import errno
import io
import os
import sys
from contextlib import suppress

from dravite.cli.exit_codes import ExitCode


class _Closed(io.TextIOBase):
    """A stdout that is not there: to write an answer to it fails like a full disk does."""

    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, "stdout is closed")

    def isatty(self) -> bool:
        return False


def replace_closed() -> None:
    """Put something in the place of closed streams: a stdin that holds nothing, a stderr that keeps nothing."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull)  # noqa: SIM115 (as long as the process)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = _Closed()


def speak_utf8() -> None:
    """Write UTF-8 whatever the locale says, as kubectl does; file names that are no text are spelled out."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def columns() -> int | None:
    """How wide lines may be: what COLUMNS says, else the width of the terminal; None where stdout is none."""
    said = os.environ.get("COLUMNS", "")
    if said.isdecimal() and int(said) > 0:
        return int(said)
    return os.get_terminal_size(sys.stdout.fileno()).columns if sys.stdout.isatty() else None


def unwritten(fault: OSError) -> int:
    """What to do about an answer that cannot be written: whoever closed the pipe has seen enough, others are told."""
    give_up(sys.stdout, 1)
    if isinstance(fault, BrokenPipeError):
        return 141
    complain(f"error: the answer cannot be written: {fault.strerror or fault}\n")
    return ExitCode.NO_ANSWER


def complain(text: str) -> None:
    """Write to stderr; nobody is told where that fails, and the exit code stays what it is."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        give_up(sys.stderr, 2)


def give_up(stream: object, descriptor: int) -> None:
    """Lead a stream to nowhere, so that Python does not complain again when it closes it."""
    if not isinstance(stream, _Closed):
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
