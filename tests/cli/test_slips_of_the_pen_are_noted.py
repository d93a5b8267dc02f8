"""What makes an answer worth little is said beside it: jobs without a cluster, and gangs that are none."""

from __future__ import annotations

from pathlib import Path

from tests.console_blocks import run

ROOT = Path(__file__).parents[2]


def test_a_plan_without_nodes_says_that_a_cluster_is_missing() -> None:
    told, code = run("dravite plan examples/jobs", ROOT)
    assert "note: No nodes were given, so no pod has a place: name the cluster too." in told
    assert code == 1
    assert "No nodes were given" not in run("dravite plan examples/cluster examples/jobs", ROOT)[0]


def test_a_kind_that_makes_no_gang_is_named() -> None:
    told, _ = run("dravite plan examples/cluster examples/jobs --gang jobz", ROOT)
    assert "note: --gang changes nothing: no jobz has pods that wait." in told
    assert "changes nothing" not in run("dravite plan examples/cluster examples/jobs --gang job", ROOT)[0]
