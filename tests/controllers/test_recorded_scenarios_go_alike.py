"""Scenarios of the real controllers and scheduler, played by ours: what their recordings call firm comes out."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from conformance.controllers import replay
from conformance.exceptions import OF_CONTROLLERS

VECTORS = Path(__file__).parents[1] / "vectors" / "controllers"
RELEASES = {"1.37": VECTORS, "1.36": VECTORS / "1.36", "1.31": VECTORS / "1.31"}
SCENARIOS = [
    pytest.param(release, scenario, id=f"{release}-{scenario['name']}")
    for release, folder in RELEASES.items()
    for file in sorted(folder.glob("*.json.gz"))
    for scenario in json.loads(gzip.decompress(file.read_bytes()))
]


@pytest.mark.parametrize(("release", "scenario"), SCENARIOS)
def test_a_scenario_goes_as_it_was_recorded(release: str, scenario: Mapping[str, Any]) -> None:
    found = replay(scenario, release)
    assert found == () or (release, scenario["name"]) in OF_CONTROLLERS
