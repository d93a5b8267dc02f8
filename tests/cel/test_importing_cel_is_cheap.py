"""Commands that evaluate nothing do not pay for the compiler, the evaluator and their library."""

from __future__ import annotations

import subprocess
import sys

PROBE = """
import sys
import dravite.cel
print(sorted(name for name in sys.modules if name.startswith("dravite.cel.")))
"""


def test_nothing_is_loaded_before_it_is_asked_for() -> None:
    done = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout == "[]\n"
