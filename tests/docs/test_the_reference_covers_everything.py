"""The reference is generated where it can be, and complete where it is written by hand."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from dravite.api.field import ErrorType
from dravite.cli import COMMANDS, flags
from dravite.render.schema import schemas
from dravite.render.view.answers import WARNING_CODES
from tests.docs import reference_pages

SOURCE = Path(__file__).parents[2] / "src" / "dravite"
REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
PAGES = {
    "commands.md": reference_pages.commands,
    "lint.md": reference_pages.lint_page,
    "reasons.md": reference_pages.reasons_page,
    **{
        f"{kind.lower()}.schema.json": lambda schema=schema: reference_pages.json_lines(schema)
        for kind, schema in schemas().items()
    },
}


@pytest.mark.parametrize("name", PAGES)
def test_a_generated_page_is_up_to_date(name: str, request: pytest.FixtureRequest) -> None:
    page = REFERENCE / name
    made = PAGES[name]()
    if request.config.getoption("--rewrite"):
        page.write_text(made)
    assert page.read_text() == made, "say `make docs`"


def codes_in_the_source() -> set[str]:
    """Module constants that read like codes, in the packages that make problems."""
    constant = re.compile(r'^[A-Z_]+(?:: Final)? = "([a-z]+(?:-[a-z]+)+|unreadable)"$', re.MULTILINE)
    files = [file for package in ("api", "sources", "admission") for file in (SOURCE / package).rglob("*.py")]
    return {code for file in files for code in constant.findall(file.read_text())}


def test_every_problem_code_is_documented() -> None:
    text = (REFERENCE / "problems.md").read_text()
    codes = codes_in_the_source() | set(WARNING_CODES.values()) | {kind.value for kind in ErrorType}
    assert len(codes) > 20
    assert {code for code in codes if f"`{code}`" not in text} == set()


def test_every_command_and_flag_is_documented() -> None:
    text = (REFERENCE / "commands.md").read_text()
    for command in COMMANDS:
        assert f"## dravite {command}" in text
        for flag in flags.COMMAND_FLAGS[command]:
            assert flag.names[-1] in text


def test_every_reason_is_documented_with_a_meaning() -> None:
    text = (REFERENCE / "reasons.md").read_text()
    for kind in reference_pages.reason_types():
        assert f"`{kind.__name__}`" in text
        assert kind.__doc__, kind


def test_every_key_of_a_pod_and_a_problem_is_documented() -> None:
    text = (REFERENCE / "json.md").read_text()
    plan: dict[str, Any] = json.loads((REFERENCE / "plan.schema.json").read_text())
    keys = set(plan["properties"])
    keys |= set(plan["properties"]["pods"]["items"]["properties"])
    keys |= set(plan["properties"]["groups"]["items"]["properties"])
    keys |= set(plan["properties"]["problems"]["items"]["properties"])
    assert {key for key in keys if f"`{key}`" not in text} == set()
