"""`-o json` tells of groups what the text tells: held against the schema on every scenario that has groups."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_json_documents_fit_their_schema import SCHEMAS, faults
from tests.console_blocks import blocks, commands, run

SCENARIOS = Path(__file__).parents[1] / "scenarios"
FILES = (
    SCENARIOS / "explain" / "a-gang-takes-the-place-of-others.md",
    SCENARIOS / "explain" / "gangs-that-fit-some-other-way.md",
    SCENARIOS / "explain" / "groups-of-groups.md",
    SCENARIOS / "plan" / "workloads-taken-as-gangs.md",
)


def documents(file: Path, folder: Path) -> Iterator[tuple[str, Any]]:
    """The command and the document of each of the file's commands."""
    for block in blocks(file.read_text()):
        if block.language == "yaml" and block.info:
            (folder / block.info).write_text(block.body)
        for command in commands(block.body) if block.language == "console" else ():
            told, _ = run(f"{command.line} -o json", folder)
            yield command.line, json.loads(told)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_document_fits(file: Path, tmp_path: Path) -> None:
    for line, document in documents(file, tmp_path):
        schema = "plan" if shlex.split(line)[1] == "plan" else "explanation"
        described = json.loads((SCHEMAS / f"{schema}.schema.json").read_text())
        assert faults(document, described, described) == [], line


def test_a_group_is_told_with_its_reasons(tmp_path: Path) -> None:
    (_, pair), (_, trio) = documents(FILES[1], tmp_path)
    (group,) = pair["groups"]
    assert (group["verdict"], group["certainty"], group["otherWays"]) == ("unschedulable", "not-found", "found")
    assert group["clash"] == ["min-count", "devices"]
    assert [one["type"] for one in group["reasons"]] == ["DomainStory", *["GroupRemedy"] * 3]
    assert group["reasons"][1]["advice"]["type"] == "PlaceByHand"
    (group,) = trio["groups"]
    assert (group["certainty"], group["otherWays"]) == ("proven", "none")
