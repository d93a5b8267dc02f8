"""Scenarios that Kubernetes' own allocator (1.37.2) answered, replayed: outcome, devices, configuration, errors."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from conformance.allocate import differences
from conformance.exceptions import OF_ALLOCATIONS

VECTORS = Path(__file__).parent.parent / "vectors" / "allocator"
CHUNKS = 12


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


TOPICS = [vector for path in sorted(VECTORS.glob("*.jsonl")) for vector in lines(path)]


@pytest.fixture(scope="module")
def random_scenarios():
    with gzip.open(VECTORS / "random.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@pytest.mark.parametrize("vector", [v for v in TOPICS if v["name"] not in OF_ALLOCATIONS], ids=lambda v: v["name"])
def test_a_topic(vector):
    assert differences(vector) == []


@pytest.mark.parametrize("vector", [v for v in TOPICS if v["name"] in OF_ALLOCATIONS], ids=lambda v: v["name"])
def test_each_node_counts_for_itself(vector):
    assert len(differences(vector)) == 1


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_scenarios(random_scenarios, chunk):
    assert [differences(vector) for vector in random_scenarios[chunk::CHUNKS] if differences(vector)] == []


def test_all_recordings_are_there(random_scenarios):
    assert (len(TOPICS), len(random_scenarios)) == (800, 3000)


def test_a_difference_is_noticed():
    vector = next(v for v in TOPICS if v["name"] == "R-17: first alternative")
    recorded = json.loads(json.dumps(vector))
    recorded["expected"]["nodes"]["n1"]["allocations"][0]["devices"]["results"][0]["device"] = "small"
    assert differences(recorded) != []
