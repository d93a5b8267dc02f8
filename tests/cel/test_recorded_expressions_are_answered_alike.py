"""Expressions that Kubernetes 1.37.2 compiled and evaluated, replayed: outcome, value, errors, estimate and cost."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from conformance.cel import differences

VECTORS = Path(__file__).parent.parent / "vectors" / "cel"
TOPICS = sorted(path.name.removesuffix(".jsonl.gz") for path in VECTORS.glob("*.jsonl.gz"))


def recordings(topic: str) -> list[dict[str, Any]]:
    with gzip.open(VECTORS / f"{topic}.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic(topic: str) -> None:
    found = {vector["name"]: differences(vector) for vector in recordings(topic)}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_all_recordings_are_there() -> None:
    assert len(TOPICS) == 15
    assert sum(len(recordings(topic)) for topic in TOPICS) == 727


@pytest.mark.parametrize(
    ("field", "wrong"), [("outcome", "false"), ("cost", 3), ("maxCost", 5), ("outputType", "dyn")], ids=str
)
def test_a_difference_is_noticed(field: str, wrong: object) -> None:
    vector = next(one for one in recordings("access") if "cost" in one["expected"] and one["expected"]["cost"] != 3)
    assert differences(vector) == []
    assert differences({**vector, "expected": {**vector["expected"], field: wrong}}) != []
