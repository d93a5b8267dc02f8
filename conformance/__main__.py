"""Comparing dravite with recordings of Kubernetes: `python -m conformance COMMAND …`.

Each command is a module with `main(arguments)`, which gives the lines to print. A command that finds differences
ends with exit code 1.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Final

COMMANDS: Final[Mapping[str, tuple[str, str]]] = {
    "allocate": (
        "conformance.allocate",
        "[--profile NAME] [--features A,B]: allocate; one scenario per line of stdin, one answer per line of stdout",
    ),
    "bend": (
        "conformance.bend",
        "[--requests N] [--seed N] [--controllers] FOLDER…: bend recorded requests; none may break the server",
    ),
    "cel": ("conformance.cel", "evaluate expressions: one question per line of stdin, one answer per line of stdout"),
    "check": ("conformance.check", "[--kubernetes RELEASE] [--summary] FILE|FOLDER…: replay recordings and compare"),
    "schedule": ("conformance.schedule", "FOLDER…: play scheduling scenarios"),
    "surface": ("conformance.surface", "FOLDER [PACKAGE==VERSION…]: make the tables of published Python clients"),
    "validate": (
        "conformance.validate",
        "[--kubernetes RELEASE]: answer requests to an API server, one per line of stdin, one a line of stdout",
    ),
}


def main() -> None:
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in COMMANDS:
        for command, (_, help_text) in COMMANDS.items():
            print(f"python -m conformance {command} {help_text}", file=sys.stderr)
        sys.exit(0 if name in ("-h", "--help") else 2)
    for line in import_module(COMMANDS[name][0]).main(sys.argv[2:]):
        print(line)


if __name__ == "__main__":
    main()
