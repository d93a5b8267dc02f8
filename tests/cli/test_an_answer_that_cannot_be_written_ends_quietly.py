"""Closed pipes and full disks are nobody's fault here: no traceback, and a code that says so."""

from __future__ import annotations

import os
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


def test_a_closed_pipe_is_what_a_shell_expects() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(COMMAND, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)  # noqa: S603
    os.close(writing)
    assert done.returncode == 141
    assert done.stderr == ""
