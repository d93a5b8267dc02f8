"""Scenarios that a real control plane 1.37.2 played, replayed: nodes, messages, devices, reservations and scores."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.scenario import read_scenario
from conformance.schedule import play
from conformance.schedule_check import differences

VECTORS = Path(__file__).parent.parent / "vectors" / "scheduling"


@pytest.mark.parametrize("folder", sorted(VECTORS.iterdir()), ids=lambda folder: folder.name)
def test_the_outcome_is_what_was_observed(folder):
    scenario = read_scenario(folder, "1.37")
    assert differences(scenario, play(scenario)) == []


def test_a_difference_is_noticed():
    scenario = read_scenario(VECTORS / "claim-template", "1.37")
    played = dict(play(scenario))
    played["pods"] = {name: {**pod, "node": "elsewhere"} for name, pod in played["pods"].items()}
    assert differences(scenario, played) != []
