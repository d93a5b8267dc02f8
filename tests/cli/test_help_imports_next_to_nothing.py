"""`dravite --help` must stay fast, so what it imports is fixed."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

PROBE = """
import sys
before = set(sys.modules)
sys.argv = ["dravite", sys.argv[1]]
import dravite.cli
dravite.cli.main()
sys.stderr.write(repr(sorted(set(sys.modules) - before)).replace("'", '"'))
"""


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_only_the_command_table_is_imported(argument: str) -> None:
    done = subprocess.run([sys.executable, "-c", PROBE, argument], capture_output=True, text=True, check=True)  # noqa: S603
    assert json.loads(done.stderr) == ["__future__", "dravite", "dravite.cli"]
    assert done.stdout
