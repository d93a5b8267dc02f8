"""Each Markdown file here is one behaviour: prose, files, commands and their whole output."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.console_blocks import check

SCENARIOS = sorted(Path(__file__).parent.rglob("*.md"))


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.stem)
def test_scenario(file: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    check(file, tmp_path, rewrite=request.config.getoption("--rewrite"))
