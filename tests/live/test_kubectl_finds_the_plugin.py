"""`kubectl dravite plan` is `dravite plan --live`, and completes."""

from __future__ import annotations

import io
import sys
import tomllib
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from dravite.cli.kubectl import FILES_TOO, NO_FILES, candidates, complete, run, with_live

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (["plan", "-n", "ml"], ["plan", "--live", "-n", "ml"]),
        (["plan", "--live"], ["plan", "--live"]),
        (["snapshot"], ["snapshot", "--live"]),
        (["rbac", "plan"], ["rbac", "plan"]),
        (["--version"], ["--version"]),
        ([], []),
    ],
)
def test_commands_that_can_ask_the_cluster_do(given: list[str], meant: list[str]) -> None:
    assert with_live(given) == meant


def test_the_wheel_installs_both_programs() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    assert scripts["kubectl-dravite"] == "dravite.cli.kubectl:run"
    assert scripts["kubectl_complete-dravite"] == "dravite.cli.kubectl:complete"


def test_help_speaks_of_the_plugin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["kubectl-dravite"])
    with redirect_stdout(io.StringIO()) as told:
        assert run() == 0
    assert "Usage: kubectl dravite COMMAND" in told.getvalue()


def test_commands_and_flags_are_completed() -> None:
    commands, directive = candidates([], "ex")
    assert ([one.partition("\t")[0] for one in commands], directive) == (["explain"], NO_FILES)
    flags, _ = candidates(["plan"], "--con")
    assert [one.partition("\t")[0] for one in flags] == ["--context"]
    assert candidates(["plan", "-o"], "j") == (["json"], NO_FILES)
    assert candidates(["plan", "-f"], "jo") == ([], FILES_TOO)


def test_kubectl_is_told_how_to_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["kubectl_complete-dravite", "pools", "--kube"])
    with redirect_stdout(io.StringIO()) as told:
        assert complete() == 0
    *lines, last = told.getvalue().splitlines()
    assert [line.partition("\t")[0] for line in lines] == ["--kubeconfig", "--kubernetes"]
    assert last == ":4"
