"""Pods that fit nowhere cost the scheduler one attempt each, and do not slow down what comes after them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from dravite.api.core_v1 import Container, Node, NodeStatus, Pod, PodSpec, ResourceRequirements
from dravite.api.meta import ObjectMeta
from dravite.api.quantity import Quantity
from dravite.api.releases import newest_profile
from dravite.rehearsal.pods import remove_pod
from dravite.rehearsal.queue import Queue
from dravite.rehearsal.scheduling import schedule_next
from dravite.rehearsal.world import Happening, Terms, World
from dravite.snapshot.changes import SetObject, with_changes
from dravite.snapshot.manifests import Manifests, PlannedPod
from dravite.snapshot.snapshot import build

PROFILE = newest_profile()
CAPACITY = {"cpu": Quantity.parse("4"), "memory": Quantity.parse("16Gi"), "pods": Quantity.parse("110")}


def node(name: str) -> Node:
    return Node(metadata=ObjectMeta(name=name), status=NodeStatus(capacity=CAPACITY, allocatable=CAPACITY))


def pod(name: str, cpu: str, priority: int = 0) -> Pod:
    container = Container(name="m", resources=ResourceRequirements(requests={"cpu": Quantity.parse(cpu)}))
    metadata = ObjectMeta(name=name, namespace="default", uid=name)
    return Pod(metadata=metadata, spec=PodSpec(containers=(container,), priority=priority))


def world(*pods: Pod) -> World:
    there = World(build(Manifests(nodes=(node("n1"),), pods=tuple(map(PlannedPod, pods))), PROFILE), Terms())
    there.happenings.append(Happening("node", node=node("n1")))
    return there


def tried(there: World, queue: Queue) -> list[str]:
    """The pods that are tried now, in their order."""
    names: list[str] = []
    while True:
        there.record.told.clear()
        if not schedule_next(there, queue):
            return names
        names += [told.about.name for told in there.record.told]


@contextmanager
def counted() -> Iterator[list[int]]:
    """Counts the calls of functions of dravite."""
    calls = [0]

    def count(frame: FrameType, event: str, argument: Any) -> None:
        calls[0] += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        yield calls
    finally:
        sys.setprofile(before)


def calls_for(pods: int) -> int:
    there, queue = world(*(pod(f"p{number:03}", "9") for number in range(pods))), Queue()
    with counted() as calls:
        assert len(tried(there, queue)) == pods
    return calls[0]


def test_twice_as_many_pods_are_twice_the_work() -> None:
    calls_for(10)  # what is learnt once is learnt here
    assert calls_for(200) < 2.5 * calls_for(100)


def test_each_is_tried_once_and_again_when_something_may_help() -> None:
    there, queue = world(pod("a", "9"), pod("b", "9"), pod("c", "9", priority=5)), Queue()
    assert tried(there, queue) == ["c", "a", "b"]
    assert tried(there, queue) == []
    there.now += 60
    assert tried(there, queue) == []
    large = {**CAPACITY, "cpu": Quantity.parse("9")}
    other = Node(metadata=ObjectMeta(name="n2"), status=NodeStatus(capacity=large, allocatable=large))
    there.change(with_changes(there.snapshot, (SetObject(other),)), Happening("node", node=other))
    assert tried(there, queue) == ["c", "a", "b"]
    assert there.snapshot.pods[("default", "c")].pod.spec.node_name == "n2"


def test_who_comes_later_and_is_more_important_goes_first() -> None:
    there, queue = world(pod("a", "1"), pod("b", "1")), Queue()
    queue.hear(there)
    urgent = pod("urgent", "1", priority=9)
    there.change(with_changes(there.snapshot, (SetObject(urgent),)))
    assert tried(there, queue) == ["urgent", "a", "b"]


def test_a_pod_that_is_gone_is_not_tried() -> None:
    there, queue = world(pod("a", "1"), pod("b", "1")), Queue()
    queue.hear(there)
    remove_pod(there, ("default", "a"))
    assert tried(there, queue) == ["b"]


def test_after_five_minutes_a_refused_pod_is_tried_again_in_any_case() -> None:
    there, queue = world(pod("a", "9")), Queue()
    assert tried(there, queue) == ["a"]
    large = {**CAPACITY, "cpu": Quantity.parse("9")}
    grown = Node(metadata=ObjectMeta(name="n1"), status=NodeStatus(capacity=large, allocatable=large))
    there.change(with_changes(there.snapshot, (SetObject(grown),)))  # and nobody says so
    there.now += 299
    assert tried(there, queue) == []
    there.now += 1
    assert tried(there, queue) == ["a"]
    assert queue.overdue() is None
