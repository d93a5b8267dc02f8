"""What `--optimize` needs is said in one line before anything is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from dravite.explain.groups import packing
from tests.console_blocks import run


def test_the_solver_is_named_with_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "PACKAGE", "no_such_solver")
    told, code = run("dravite explain -f cluster/ podgroup/train --optimize", tmp_path)
    assert code == 2
    assert told == (
        "error: --optimize needs the solver HiGHS (highspy), which is not installed\n"
        "hint: pip install 'dravite[optimize]'\n"
    )
