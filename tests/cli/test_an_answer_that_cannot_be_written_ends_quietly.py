"""Closed pipes and full disks are nobody's fault here: no traceback, and a code that says so."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = str(Path(__file__).parents[2] / "examples")
COMMAND = [sys.executable, "-m", "dravite", "plan", EXAMPLES]


def test_a_full_disk_is_said_in_one_line() -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("this system has no /dev/full")
    with open("/dev/full", "w") as full:
        done = subprocess.run(COMMAND, stdout=full, stderr=subprocess.PIPE, text=True, check=False)  # noqa: S603
    assert done.returncode == 3
    assert done.stderr == "error: the answer cannot be written: No space left on device\n"


@pytest.mark.parametrize("words", [["plan", EXAMPLES], ["--help"], ["plan", "--help"]])
def test_a_closed_stdout_is_said_in_one_line(words: list[str]) -> None:
    command = shlex.join([sys.executable, "-m", "dravite", *words])
    done = subprocess.run(["/bin/sh", "-c", f"{command} >&-"], stderr=subprocess.PIPE, text=True, check=False)  # noqa: S603
    assert (done.returncode, done.stderr) == (3, "error: the answer cannot be written: stdout is closed\n")


@pytest.mark.parametrize("where", ["2>&-", "2>/dev/full"])
@pytest.mark.parametrize("words", ["plna", "plan --foo", "plan"])
def test_a_stderr_that_takes_nothing_does_not_change_the_code(words: str, where: str) -> None:
    line = f"{shlex.quote(sys.executable)} -m dravite {words} {where}"
    assert subprocess.run(["/bin/sh", "-c", line], check=False).returncode == 2  # noqa: S603


def test_a_closed_stdin_holds_nothing() -> None:
    line = f"{shlex.quote(sys.executable)} -m dravite plan - <&-"
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, check=False)  # noqa: S603
    assert "<stdin> is empty" in done.stdout
    assert done.stderr == ""


def test_a_closed_pipe_is_what_a_shell_expects() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(COMMAND, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)  # noqa: S603
    os.close(writing)
    assert done.returncode == 141
    assert done.stderr == ""
