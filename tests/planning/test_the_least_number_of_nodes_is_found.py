"""As few more nodes as are enough: each number that is told was planned, and so was one less."""

from __future__ import annotations

import pytest

from dravite.api.meta import ObjectRef
from dravite.planning.enough import Answered, enough_nodes
from dravite.planning.whatif import Supposition, WhatIf, what_if
from dravite.snapshot.snapshot import Snapshot
from tests.clusters import cluster, device_class, devices_of, group, members, node, pod, release, template, with_claims

GPUS = (node("n1", cpu="8"), devices_of("n1", 2), device_class(), template("gpu"))


def searched(before: Snapshot, asked: frozenset[ObjectRef] | None = None) -> tuple[Answered, list[int]]:
    """The answer for nodes like n1, and how many nodes there were in each cluster that was planned for it."""
    planned: list[int] = []

    def ask(supposed: Supposition) -> WhatIf:
        planned.append(len(supposed.after.nodes) - 1)
        return what_if(supposed)

    start = Supposition(before=before, after=before)
    return enough_nodes(start, "n1", what_if(start), asked, ask), planned


def pods(count: int, prefix: str = "p") -> list[object]:
    return [with_claims(pod(f"{prefix}-{number:02}"), gpu="@gpu") for number in range(count)]


def names(refs: tuple[ObjectRef, ...]) -> list[str]:
    return [ref.name for ref in refs]


@pytest.mark.parametrize(("count", "needed"), [(2, 0), (3, 1), (4, 1), (5, 2), (13, 6), (20, 9)])
def test_devices_decide_how_many_nodes_are_needed(count: int, needed: int) -> None:
    answered, _ = searched(cluster(*GPUS, *pods(count)))
    assert answered.enough.nodes == tuple(f"n1-{number}" for number in range(2, needed + 2))
    assert (answered.enough.asked, answered.enough.left) == (count, ())
    assert not answered.found.waiting
    assert len(answered.enough.short) == (count - 2 * needed if needed else 0)


def test_few_clusters_are_planned() -> None:
    _, planned = searched(cluster(*GPUS, *pods(20)))
    assert planned == [1, 9, 8]


def test_what_no_such_node_has_is_told_as_left() -> None:
    big = with_claims(pod("big", cpu="9"), gpu="@gpu")
    answered, planned = searched(cluster(*GPUS, *pods(4), big))
    assert answered.enough.nodes == ("n1-2",)
    assert (names(answered.enough.left), answered.enough.tried) == (["big"], 3)
    assert names(answered.enough.short) == ["p-02", "p-03"]
    assert max(planned) == 3


def test_no_node_is_added_where_none_helps() -> None:
    answered, _ = searched(cluster(*GPUS, pod("big", cpu="9")))
    assert (answered.enough.nodes, names(answered.enough.left), answered.enough.tried) == ((), ["big"], 1)


def test_a_gang_gets_all_its_nodes_at_once() -> None:
    gang = [with_claims(one, gpu="@gpu") for one in members(8)]
    gangs = release(gates="GenericWorkload=true")
    answered, _ = searched(cluster(*GPUS, group(minimum=8), *gang, on=gangs))
    assert len(answered.enough.nodes) == 3
    assert len(answered.enough.short) == 8


def test_others_that_wait_do_not_count_where_pods_are_named() -> None:
    before = cluster(*GPUS, *pods(2, "a"), *pods(5, "b"))
    answered, _ = searched(before, frozenset({ObjectRef("Pod", "default", "b-00")}))
    assert (answered.enough.nodes, answered.enough.asked) == (("n1-2",), 1)
    assert len(answered.found.final.unplaced) == 3
