"""Recordings of API servers, replayed: what differs is named, with its reason."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from conformance.exceptions import EXCEPTIONS
from conformance.transcripts import Recorded, replay

_FOLDER = Path(__file__).parents[1] / "vectors" / "api"
_RELEASES = {"api": "1.37", "1.36": "1.36", "1.31": "1.31"}


@pytest.mark.parametrize("path", sorted(_FOLDER.rglob("*.json.gz")), ids=lambda path: str(path.relative_to(_FOLDER)))
def test_recording(path: Path) -> None:
    recording = json.loads(gzip.decompress(path.read_bytes()))
    steps = list(replay(recording, Recorded(_RELEASES[path.parent.name])))
    assert len(steps) == len(recording["steps"])
    differing = {step.what: step.differences for step in steps if step.differences and step.what not in EXCEPTIONS}
    assert differing == {}
