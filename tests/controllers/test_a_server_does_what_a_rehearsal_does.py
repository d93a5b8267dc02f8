"""Recorded scheduling scenarios with steps, on a server with controllers: what is firm comes out as in a rehearsal."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.scenario import Scenario, read_scenario, step_of
from conformance.schedule import play
from conformance.schedule_check import differences
from conformance.served import is_servable, on_server

VECTORS = Path(__file__).parents[1] / "vectors" / "scheduling"


def scenarios() -> list[Scenario]:
    found = (read_scenario(folder, "1.37") for folder in sorted(VECTORS.iterdir()) if folder.is_dir())
    stepwise = (one for one in found if any(step_of(document) is not None for document in one.workload))
    return [one for one in stepwise if is_servable(one)]


@pytest.mark.parametrize("scenario", scenarios(), ids=lambda scenario: scenario.name)
def test_a_scenario_with_steps(scenario: Scenario) -> None:
    assert differences(scenario, on_server(scenario, play(scenario))) == []
