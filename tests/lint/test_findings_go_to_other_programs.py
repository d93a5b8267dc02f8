"""Exit codes, JSON, SARIF and GitHub's commands carry the same findings."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from dravite.cli.lint import run
from dravite.lint import RULES
from tests.lint.manifests import CLASS, joined, template

BAD = joined(CLASS, template("cuont: 2"), template("tolerations: [{operator: Exists}]", name="other"))


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "bad file.yaml").write_text(BAD)
    (tmp_path / "good.yaml").write_text(joined(CLASS, template()))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[str, int]:
    code = run(list(words))
    return capsys.readouterr().out, code


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("good.yaml",), 0),
        (("bad file.yaml",), 1),
        (("missing.yaml",), 2),
        (("bad file.yaml", "missing.yaml"), 2),
        (("-f", "bad file.yaml", "good.yaml"), 0),
        (("-f", "bad file.yaml"), 1),
        (("-f", "missing.yaml", "good.yaml"), 2),
    ],
)
def test_exit_codes(files: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], code: int) -> None:
    assert answer(capsys, *words)[1] == code


def test_text_names_the_code_after_each_message_and_sums_up(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, _ = answer(capsys, "bad file.yaml")
    assert 'error: unknown field "spec.spec.devices.requests[0].exactly.cuont" [unknown-field]\n' in text
    assert text.endswith("1 error and 1 warning in 3 objects.\nTry: dravite lint --explain unknown-field\n")


def test_json_has_every_finding_with_all_keys(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document: dict[str, Any] = json.loads(answer(capsys, "bad file.yaml", "-o", "json")[0])
    assert document["kind"] == "Lint"
    assert [(one["type"], one["line"]) for one in document["problems"]] == [
        ("unknown-field", 16),
        ("toleration-without-effect", 26),
    ]


def test_sarif_has_rules_with_pages_and_results_with_places(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document: dict[str, Any] = json.loads(answer(capsys, "bad file.yaml", "-o", "sarif")[0])
    [sarif] = document["runs"]
    rules = sarif["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["unknown-field", "toleration-without-effect"]
    assert rules[0]["help"]["markdown"].startswith("# unknown-field\n")
    first, second = sarif["results"]
    assert (first["level"], second["level"], second["ruleIndex"]) == ("error", "warning", 1)
    place = first["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "bad%20file.yaml"}, "region": {"startLine": 16}}


def test_github_gets_one_command_per_finding(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = answer(capsys, "bad file.yaml", "-o", "github")[0].splitlines()
    assert len(lines) == 2
    assert lines[0].startswith(
        "::error file=bad file.yaml,line=16,title=unknown-field::ResourceClaimTemplate default/gpu: unknown field"
    )
    assert "%0AHint: did you mean" in lines[0]


def test_standard_input_is_read_and_its_comments_count(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"# dravite: ignore-file\n" + BAD.encode())))
    text, code = answer(capsys, "-")
    assert (code, text) == (0, "No findings in 3 objects.\n")


def test_every_rule_has_a_level_and_a_title() -> None:
    assert all(rule.title and rule.severity in ("error", "warning", "info") for rule in RULES.values())
