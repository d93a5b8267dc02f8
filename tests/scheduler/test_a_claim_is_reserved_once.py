"""A pod that names one claim twice is refused when the claim is reserved, in the words of its release."""

from __future__ import annotations

import pytest

from dravite.diagnosis.verdicts import Aborted
from dravite.planning.planner import make_plan
from tests.clusters import claim, cluster, device_class, devices_of, node, pod, release, with_claims


@pytest.mark.parametrize(
    ("on", "told"), [("1.37", '{"resource":"pods","name":"p","uid":"uid-p"}'), ("1.36", '"uid-p"')]
)
def test_the_second_reservation_is_a_duplicate(on: str, told: str) -> None:
    twice = with_claims(pod("p"), a="c", b="c")
    found = make_plan(cluster(node("n1"), device_class(), devices_of("n1", 2), claim("c"), twice, on=release(on)))
    (decided,) = found.decisions
    assert isinstance(decided.decision, Aborted)
    assert decided.decision.message.endswith(f"status.reservedFor[1]: Duplicate value: {told}")
