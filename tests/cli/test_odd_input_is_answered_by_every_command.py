"""Input that is right in form and odd in all else: every command answers, and blames nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

from dravite.cli.exit_codes import ExitCode
from tests.console_blocks import run

_JOB = (
    '{"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "a", %s}, "spec": {"parallelism": 2, '
    '"completions": 2, "completionMode": "Indexed", "template": {"spec": {"restartPolicy": "Never", '
    '"containers": [{"name": "c"}]}}}}\n'
)
_DEPLOYMENT = '{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d"}, "spec": {}}\n'


@pytest.mark.parametrize(
    "line",
    [
        "dravite plan x.json",
        "dravite plan x.json --gang job",
        "dravite plan x.json --kubernetes 1.36 --feature-gates AllAlpha=true",
        "dravite lint x.json",
        "dravite explain -f x.json",
        "dravite claims x.json",
        "dravite snapshot --anonymize x.json",
        "dravite what-if -f x.json --without deploy/default/d",
        "dravite what-if -f x.json --set job/default/a:spec.parallelism=2",
    ],
)
@pytest.mark.parametrize(
    "metadata",
    [
        '"generation": ' + "9" * 5000,
        '"ownerReferences": 5',
        '"ownerReferences": true',
        '"ownerReferences": {"a": "b"}',
        '"ownerReferences": [5, null]',
    ],
    ids=lambda text: text[:30],
)
@pytest.mark.parametrize("more", [_DEPLOYMENT, ""])
def test_metadata_of_a_workload_may_hold_anything(metadata: str, more: str, line: str, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(_JOB % metadata + more)
    told, code = run(line, tmp_path)
    assert code != ExitCode.OUR_FAULT, told


@pytest.mark.parametrize(
    "value", ["!!binary aGk=", "!!set {a}", "{2026-01-01: b}", "'\"\\ud800\"'", "9" * 30, "9" * 5000, "\udcff"]
)
def test_any_value_can_be_supposed(value: str, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(_JOB % '"namespace": "default"')
    told, code = run(f"dravite what-if -f x.json --set 'job/default/a:spec.x={value.strip(chr(39))}'", tmp_path)
    assert code != ExitCode.OUR_FAULT, told
