"""Faults of the command line: exit code 2, what is wrong, and what would be right."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.console_blocks import run


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("dravite pln x.yaml", "error: dravite has no command 'pln'\nhint: did you mean `dravite plan`?\n"),
        (
            "dravite frobnicate",
            "error: dravite has no command 'frobnicate'\nhint: say `dravite --help` for the commands\n",
        ),
        ("dravite help pln", "error: dravite has no command 'pln'\nhint: did you mean `dravite plan`?\n"),
        ("dravite plan - -", "error: standard input can be read once, and - stands here twice\nhint: "),
        ("dravite lint -f - - -", "error: standard input can be read once, and - stands here 3 times\n"),
        ("dravite convert --to resource.k8s.io/v1 - -", "error: standard input can be read once, and - stands"),
        ("dravite serve --load - -", "error: standard input can be read once, and - stands here twice\n"),
        ("dravite completion tcsh", "error: completion takes one shell: bash, zsh or fish\n"),
        ("dravite plan --kubernetes 1.20 x.yaml", "argument --kubernetes: invalid choice: '1.20'"),
        ("dravite plan -n Not_A_Name x.yaml", "error: -n 'Not_A_Name' is no name of a namespace: "),
        ("dravite plan ''", "error: an empty path names no file\n"),
        ("dravite explain -f cluster/ cluster", "hint: for a file or folder say -f cluster\n"),
        ("dravite explain -f cluster/ pods train-0", "hint: say pods/NAME, in one word\n"),
        ("dravite explain -f cluster/ train-0", "hint: say pod/train-0, claim/train-0 or job/train-0\n"),
        ("dravite plan -w x.yaml", "error: --watch is about a running cluster\nhint: say --live too\n"),
        ("dravite explain --settle -f x.yaml", "error: --settle is about a running cluster\nhint: say --live too\n"),
        ("dravite plan --budget none x.yaml", "error: --budget takes a number of steps from 1, not 'none'\n"),
        (f"dravite plan --budget {'9' * 5000} x.yaml", "error: --budget takes a number of steps from 1, not '999"),
        (f"dravite plan --seed {'9' * 5000} x.yaml", "error: --seed takes a number from 0, not '999"),
        (f"dravite serve --port {'9' * 5000}", "error: --port takes a number from 0 to 65535, not '999"),
    ],
)
def test_it_is_said_with_a_remedy(line: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "cluster").mkdir()
    told, code = run(line, tmp_path)
    assert code == 2
    assert says in told
    assert "hint: " in told
    assert "Traceback" not in told


def test_help_may_be_asked_of_a_command_in_either_order(tmp_path: Path) -> None:
    told, code = run("dravite help what-if", tmp_path)
    assert code == 0
    assert told.startswith("usage: dravite what-if [FLAGS]")
    assert (told, code) == run("dravite what-if --help", tmp_path)


def test_a_release_may_be_said_as_kubectl_prints_it(tmp_path: Path) -> None:
    told, code = run("dravite plan --kubernetes v1.34.2 -n ml /dev/null", tmp_path)
    assert code == 0, told
