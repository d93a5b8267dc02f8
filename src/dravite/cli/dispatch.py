"""Runs one command and turns whatever it ends in into words and an exit code. No traceback leaves here."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Iterable
from typing import Final

from dravite.cli import function_of
from dravite.cli.exit_codes import INTERRUPTED, ExitCode
from dravite.cli.streams import complain, speak_utf8, unwritten

RARELY: Final = (50_000, 20, 100)
"""When the garbage collector looks: a cluster is millions of values that never form cycles, and looking through them
as often as Python does by default is a fifth of a plan."""

atexit.register(gc.freeze)  # Python looks through everything that lives when it ends, for nothing


class UsageError(Exception):
    """The command line itself cannot be answered; `hint` says what would be, `others` is what else is wrong with it."""

    def __init__(self, message: str, hint: str | None = None, others: tuple[UsageError, ...] = ()) -> None:
        super().__init__(message)
        self.hint = hint
        self.others = others


def gates_error(details: Iterable[str]) -> UsageError:
    """What is wrong with a release and its feature gates, as one error."""
    return UsageError("; ".join(details), "gates read NAME=true,NAME=false")


class NoAnswer(Exception):  # noqa: N818 (it is no error: the question was good)
    """There is no answer; `hint` says what would help, `known` what is known all the same."""

    def __init__(self, message: str, hint: str | None = None, known: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.hint = hint
        self.known = known


def answer(command: str, arguments: list[str]) -> int:
    """Run a command. Faults of the question end in 2, a closed pipe in what a shell expects, our own in 70."""
    gc.set_threshold(*RARELY)
    speak_utf8()
    try:
        code = _run(command, arguments)
        sys.stdout.flush()
    except UsageError as fault:
        return say_usage(command, fault)
    except NoAnswer as fault:
        return say_no_answer(fault)
    except OSError as fault:
        # Inputs that cannot be read are problems of the answer; what is left is an answer that cannot be written.
        return unwritten(fault)
    except KeyboardInterrupt:
        complain("interrupted\n")
        return INTERRUPTED
    except Exception as fault:
        if os.environ.get("DRAVITE_DEBUG"):
            raise
        return say_our_fault(command, fault)
    return code


def _run(command: str, arguments: list[str]) -> int:
    """The command's own exit code; `--help` ends in one as well."""
    try:
        return function_of(command)(arguments)
    except SystemExit as left:
        return left.code if isinstance(left.code, int) else ExitCode.YES


def say_usage(command: str, fault: UsageError) -> int:
    for one in (fault, *fault.others):
        complain(f"error: {one}\nhint: {one.hint or f'say `dravite {command} --help` for what it takes'}\n")
    return ExitCode.BAD_INPUT


def say_no_answer(fault: NoAnswer) -> int:
    lines = [f"error: {fault}", *fault.known, *([f"hint: {fault.hint}"] if fault.hint else [])]
    complain("".join(f"{line}\n" for line in lines))
    return ExitCode.NO_ANSWER


def say_our_fault(command: str, fault: Exception) -> int:
    """One line on what broke, one on where, and what helps us to repair it."""
    from traceback import extract_tb

    from dravite import __version__

    frames = extract_tb(fault.__traceback__)
    place = f"{os.path.basename(frames[-1].filename)}:{frames[-1].lineno}" if frames else "?"
    complain(
        f"error: dravite {__version__} failed in `{command}`, which is a fault of dravite's own:"
        f" {type(fault).__name__}: {fault} ({place})\n"
        "hint: please report it with the line above and the input; `dravite snapshot --anonymize` takes the names out"
        " of a dump, and DRAVITE_DEBUG=1 shows the traceback\n"
    )
    return ExitCode.OUR_FAULT
