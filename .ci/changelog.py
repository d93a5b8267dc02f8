"""Turns the fragments in changelog.d/ into the section of a release in CHANGELOG.md.

    python .ci/changelog.py                     prints the section that the fragments would make
    python .ci/changelog.py 0.2.0 2026-12-01    puts it at the top of CHANGELOG.md, and takes the fragments away

Fragments go by their names. Every one of them is a list in Markdown, in the words of somebody who uses dravite.
"""

from __future__ import annotations

import re
import sys
from datetime import date
from pathlib import Path

HEAD = "# Changelog\n\nEvery release lists what a user notices. Fragments of the next release are in `changelog.d/`.\n"
VERSION = re.compile(r"\d+\.\d+\.\d+((a|b|rc)\d+)?\Z")


def fragments(root: Path) -> list[Path]:
    """The fragments in their order."""
    return sorted((root / "changelog.d").glob("*.md"))


def faults(root: Path) -> list[str]:
    """Fragments that are no lists, with what is wrong."""
    found = []
    for file in fragments(root):
        lines = file.read_text().splitlines()
        if not lines or not all(line.startswith(("- ", "  ")) for line in lines) or not lines[0].startswith("- "):
            found.append(f"{file.name}: write a list: each entry begins with a dash, and its other lines are indented")
    return found


def section(root: Path, title: str) -> str:
    """What the fragments say, under a title."""
    return f"## {title}\n\n" + "".join(file.read_text().rstrip("\n") + "\n" for file in fragments(root))


def release(root: Path, version: str, day: str) -> None:
    """Put the section of a release before those of earlier ones."""
    changelog = root / "CHANGELOG.md"
    earlier = changelog.read_text().removeprefix(HEAD)
    changelog.write_text(f"{HEAD}\n{section(root, f'{version} ({day})')}{earlier}")
    for file in fragments(root):
        file.unlink()


def main(arguments: list[str], root: Path) -> int:
    wrong = faults(root)
    if len(arguments) == 2 and not VERSION.match(arguments[0]):
        wrong.append(f"{arguments[0]} is no version, as in 0.2.0")
    if len(arguments) == 2 and not _is_day(arguments[1]):
        wrong.append(f"{arguments[1]} is no day, as in 2026-12-01")
    if len(arguments) == 2 and not fragments(root):
        wrong.append("changelog.d/ holds no fragments: there is nothing to release")
    if wrong or len(arguments) not in (0, 2):
        sys.stderr.write("".join(f"{line}\n" for line in wrong) or __doc__ or "")
        return 1
    if arguments:
        release(root, *arguments)
    else:
        sys.stdout.write(section(root, "Next release"))
    return 0


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], Path(__file__).parents[1]))
