"""What needs an extra says so in one line before anything is read; what can do without one does."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from dravite.cli import extras, serve
from dravite.cli.exit_codes import ExitCode
from dravite.explain.groups import packing
from tests.console_blocks import run

CLAIM = """\
# Kept only with the extra.
apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaim
metadata:
  name: one
spec:
  devices:
    requests:
    - name: gpu
      deviceClassName: gpu.example.com
"""


def test_the_solver_is_named_with_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "PACKAGE", "no_such_solver")
    told, code = run("dravite explain -f cluster/ podgroup/train --optimize", tmp_path)
    assert code == ExitCode.NO_ANSWER
    assert told == (
        "error: --optimize needs the solver HiGHS (highspy), which is not installed\n"
        "hint: pip install 'dravite[optimize]'\n"
    )


def test_what_serve_needs_is_named_with_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "PACKAGES", ("no_such_server",))
    told, code = run("dravite serve", tmp_path)
    assert code == ExitCode.NO_ANSWER
    assert told == "error: serve needs packages that are not installed\nhint: pip install 'dravite[server]'\n"


def test_manifests_are_converted_also_where_nothing_keeps_comments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ruamel", None)
    (tmp_path / "claim.yaml").write_text(CLAIM)
    told, code = run("dravite convert claim.yaml --to resource.k8s.io/v1", tmp_path)
    assert code == 1
    assert "      exactly:\n        deviceClassName: gpu.example.com\n" in told
    assert told.endswith(
        "warning: the document was written anew: its comments are gone\n"
        "  claim.yaml:1\n"
        "hint: pip install 'dravite[convert]' keeps them\n"
    )


@pytest.mark.parametrize("command", ["plan", "explain", "what-if --cordon n-1", "pools", "claims", "lint", "snapshot"])
def test_a_running_cluster_needs_its_library(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    told, code = run(f"dravite {command} --live", tmp_path)
    assert code == ExitCode.NO_ANSWER
    assert told == (
        "error: a running cluster is read over lightkube, which is not installed\nhint: pip install 'dravite[live]'\n"
    )


def test_files_are_written_only_where_comments_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ruamel", None)
    (tmp_path / "claim.yaml").write_text(CLAIM)
    told, code = run("dravite convert claim.yaml --to resource.k8s.io/v1 --in-place", tmp_path)
    assert code == ExitCode.NO_ANSWER
    assert told == (
        "error: --in-place needs ruamel.yaml, which is not installed, so that comments stay\n"
        "hint: pip install 'dravite[convert]'\n"
    )
    assert (tmp_path / "claim.yaml").read_text() == CLAIM
