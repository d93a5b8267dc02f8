"""On a server no node stands in for one that is missing, and one that comes late has the pods that name it already."""

from __future__ import annotations

from typing import Any

from dravite.api.releases import newest_profile
from dravite.controllers.scheduling import Scheduling
from tests.controllers.device_parts import node, slice_of
from tests.controllers.servers import World

SLICE = slice_of({"name": "dev-0"})


def pod(name: str, cpu: str, **spec: Any) -> dict[str, Any]:
    container = {"name": "m", "image": "i", "resources": {"requests": {"cpu": cpu}}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": {"containers": [container], **spec}}


def messages(there: World) -> list[str]:
    return [message for reason, _, message in there.events() if reason == "FailedScheduling"]


def test_a_slice_does_not_make_its_node() -> None:
    there = World(newest_profile(), Scheduling)
    there.apply(SLICE, pod("p", "1"))
    assert messages(there) == ["no nodes available to schedule pods"]
    there.apply(node("n1"))
    there.wait(2)
    assert (there.get("Pod", "p") or {})["spec"]["nodeName"] == "n1"


def test_pods_that_named_a_node_before_it_came_hold_their_part_of_it() -> None:
    there = World(newest_profile(), Scheduling)
    there.apply(node("n0"), pod("full", "4"), pod("early", "3", nodeName="n1"), node("n1"), pod("late", "2"))
    (told,) = messages(there)
    assert told.startswith("0/2 nodes are available: 2 Insufficient cpu.")
