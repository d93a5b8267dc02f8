"""A server that runs for long remembers no more of pods that are gone than it needs."""

from __future__ import annotations

import pytest

from dravite.api.releases import newest_profile
from dravite.controllers import picture
from dravite.controllers.scheduling import Scheduling
from dravite.rehearsal import queue
from tests.controllers.servers import World


def test_pods_come_and_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture, "MOST_GONE", 5)
    monkeypatch.setattr(queue, "MOST_KNOWN", 5)
    made: list[Scheduling] = []

    def scheduling(profile: object) -> Scheduling:
        made.append(Scheduling(newest_profile()))
        return made[0]

    there = World(newest_profile(), scheduling)
    for number in range(30):
        spec = {"containers": [{"name": "m", "image": "i"}]}
        there.apply({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": f"p{number}"}, "spec": spec})
        there.delete("Pod", f"p{number}")
    assert len(made[0]._picture.world.gone) <= 6
    assert len(made[0]._queue._attempts) <= 7
