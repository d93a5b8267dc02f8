"""The library is shown by code that runs, and every public name is documented."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

import pytest

import dravite
from tests.console_blocks import blocks

ROOT = Path(__file__).parents[2]
SNIPPETS = [
    pytest.param(block.body, id=f"{file.stem}-{number}")
    for file in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    for number, block in enumerate(blocks(file.read_text()))
    if block.language == "python"
]


@pytest.mark.parametrize("code", SNIPPETS)
def test_the_snippet_runs_and_what_it_prints_names_the_pod_that_is_not_placed(
    code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(code, {})  # noqa: S102 - the documents are ours
    assert "print(" not in code or "Pod ml/train-big" in said.getvalue()


def test_every_public_name_is_documented_and_can_be_loaded() -> None:
    text = (ROOT / "docs" / "reference" / "library.md").read_text()
    for name in dravite.__all__:
        assert f"`{name}" in text, name
        assert getattr(dravite, name).__doc__, name


def test_a_name_that_does_not_exist_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        dravite.nothing  # noqa: B018
