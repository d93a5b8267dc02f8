"""Codes, pages and rules say the same: none lacks a page, and none is made up where a rule speaks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dravite.cli.dispatch import UsageError
from dravite.cli.lint import page_of, run
from dravite.lint import RULES
from tests.lint.manifests import PAGES

LINT = Path(__file__).parents[2] / "src" / "dravite" / "lint"
CONSTANT = re.compile(r'"([a-z]+(?:-[a-z]+)+)"')
NO_CODES = {"not-a-manifest", "ignore-file"}


@pytest.mark.parametrize("code", RULES)
def test_explain_prints_the_page_of_every_code(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--explain", code]) == 0
    page = capsys.readouterr().out
    rule = RULES[code]
    assert page.startswith(f"# {code}\n\n**{rule.severity}**: {rule.title}.\n\n")
    assert len(page.split("\n\n", 2)[2]) > 60


def test_there_are_no_pages_without_a_code() -> None:
    assert {page.stem for page in PAGES.glob("*.md")} == set(RULES)


def test_every_code_that_a_rule_uses_is_in_the_table() -> None:
    used = {
        code for file in LINT.glob("*.py") if file.name != "codes.py" for code in CONSTANT.findall(file.read_text())
    } - NO_CODES
    assert len(used) > 25
    assert used <= set(RULES)


def test_a_code_that_does_not_exist_is_a_wrong_question() -> None:
    with pytest.raises(UsageError) as fault:
        page_of("selector-fail")
    assert fault.value.hint == "did you mean `dravite lint --explain selector-fails`?"
