"""kubectl's plugin: `kubectl dravite plan` is `dravite plan --live`, and kubectl completes it.

kubectl finds plugins by their names on the PATH: `kubectl-dravite` runs, `kubectl_complete-dravite` completes.
"""

from __future__ import annotations

import sys

from dravite.cli import COMMANDS, main, overview
from dravite.cli.flags import COMMAND_FLAGS, LIVE, Flag

FILES_TOO = 0
NO_FILES = 4
"""What a plugin's completion ends in for kubectl: whether names of files may be offered as well."""


def run() -> int:
    """Answer as dravite does, on the cluster that kubectl would ask."""
    sys.argv = ["dravite", *with_live(sys.argv[1:])]
    if sys.argv[1:] in ([], ["--help"], ["-h"], ["help"]):
        sys.stdout.write(overview().replace("Usage: dravite ", "Usage: kubectl dravite "))
        return 0
    return main()


def with_live(words: list[str]) -> list[str]:
    """The command line with `--live` behind a command that has the flag."""
    if not words or LIVE not in COMMAND_FLAGS.get(words[0], ()) or LIVE.names[0] in words:
        return words
    return [words[0], LIVE.names[0], *words[1:]]


def complete() -> int:
    """Print what may follow, a line each, and how kubectl is to take it."""
    *before, word = sys.argv[1:] or [""]
    found, directive = candidates(before, word)
    sys.stdout.write("".join(f"{one}\n" for one in found) + f":{directive}\n")
    return 0


def candidates(before: list[str], word: str) -> tuple[list[str], int]:
    """What may stand where `word` is begun, each with its meaning behind a tab."""
    if not before:
        return [f"{name}\t{text}" for name, (text, _) in COMMANDS.items() if name.startswith(word)], NO_FILES
    flags = COMMAND_FLAGS.get(before[0], ())
    asked = _flag(flags, before[-1])
    if asked is not None and asked.metavar is not None:
        return [one for one in asked.choices if one.startswith(word)], NO_FILES if asked.choices else FILES_TOO
    if word.startswith("-"):
        return [f"{name}\t{flag.help}" for flag in flags for name in flag.names if name.startswith(word)], NO_FILES
    return [], FILES_TOO


def _flag(flags: tuple[Flag, ...], name: str) -> Flag | None:
    return next((flag for flag in flags if name in flag.names), None)
