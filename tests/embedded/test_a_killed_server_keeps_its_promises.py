from __future__ import annotations

import random
from pathlib import Path

from benchmarks.kills import play


def test_what_was_acknowledged_is_there(tmp_path: Path) -> None:
    *broken, said = play(3, tmp_path, random.Random(3))  # noqa: S311 (no secret)
    assert broken == []
    assert said.startswith("3 kills, ")
    assert int(said.split()[2]) > 10
