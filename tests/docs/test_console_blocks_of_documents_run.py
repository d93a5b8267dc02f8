"""Every console block in the documents is what the command prints, run beside the examples folder."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.console_blocks import check

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("file", DOCUMENTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_document(file: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    check(file, tmp_path, rewrite=request.config.getoption("--rewrite"))
