"""Recordings of a 1.37 API server, replayed: what differs is named here, with its reason."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from conformance.transcripts import Recorded, replay

_RECORDINGS = sorted((Path(__file__).parents[1] / "vectors" / "api").glob("*.json.gz"))

DIFFERENT = {
    "create with a resourceVersion": "Kubernetes answers 500, we answer 400",
    "watch, resourceVersion not a number": "Kubernetes answers 500, we answer 400",
    "strategic merge patch, unknown directive": "Kubernetes answers 500, we answer 400",
    "apply, unknown field": "Kubernetes answers 500, we answer 400",
    "apply, unknown field, default mode": "Kubernetes answers 500, we answer 400",
    "get, protobuf": "answers are JSON or YAML, which every client reads",
    "watch from resourceVersion 1": "what the recorded server remembered of its own past",
}


@pytest.mark.parametrize("path", _RECORDINGS, ids=lambda path: path.name)
def test_recording(path: Path) -> None:
    recording = json.loads(gzip.decompress(path.read_bytes()))
    steps = list(replay(recording, Recorded("1.37")))
    assert len(steps) == len(recording["steps"])
    differing = {step.what: step.differences for step in steps if step.differences and step.what not in DIFFERENT}
    assert differing == {}
