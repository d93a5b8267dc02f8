"""Whole clusters, filled pod after pod: Kubernetes' own allocator made the same placements (`benchmarks/upstream`)."""

from __future__ import annotations

import json

import pytest

from benchmarks.fill import fill
from benchmarks.made_workloads import workload
from benchmarks.workloads import read_workload

RECORDED = {
    "one-template": (320, 6560, "e69a4ef4dd1fd535"),
    "full": (0, 0, "cbf29ce484222325"),
    "mixed": (173, 2830, "6e88104b33aa5a79"),
    "partitions": (400, 8765, "228a63d9e6271ca0"),
    "shared": (917, 21064, "2cd4568835480446"),
}
"""Of 40 nodes: pods placed, nodes that could have taken them, and the digest of all placements."""

SEARCHES = {"one-template": 9, "full": 1, "mixed": 650, "partitions": 160, "shared": 450}
"""At most so many nodes are searched; the others are like one that was."""


@pytest.mark.parametrize("name", sorted(RECORDED))
@pytest.mark.parametrize("warm_up", ["none", "templates"])
def test_placements_are_those_of_kubernetes(name, warm_up, tmp_path):
    path = tmp_path / "workload.json"
    path.write_text(json.dumps(workload(name, 40)))
    report = fill(read_workload(path), "all", 0, warm_up)
    assert (report.placed, report.feasible, report.digest) == RECORDED[name]
    assert report.searched <= SEARCHES[name] < 40 * report.pods


def test_looking_only_as_far_as_the_first_node_places_alike(tmp_path):
    path = tmp_path / "workload.json"
    path.write_text(json.dumps(workload("mixed", 40)))
    report = fill(read_workload(path), "first", 0, "none")
    assert (report.placed, report.digest) == (173, RECORDED["mixed"][2])
