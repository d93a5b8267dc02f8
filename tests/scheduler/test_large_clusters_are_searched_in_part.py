from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dravite.diagnosis.verdicts import Scheduled, Unschedulable
from dravite.planning.planner import make_plan
from dravite.planning.settings import Settings
from dravite.scheduler.filters import cycle_of
from dravite.scheduler.node_search import nodes_to_find, search_nodes
from dravite.snapshot.node_state import node_pod
from tests.clusters import cluster, node, pod


@pytest.mark.parametrize(
    ("nodes", "enough"), [(1, 1), (99, 99), (100, 100), (250, 120), (1000, 420), (5000, 500), (100_000, 5000)]
)
def test_f10_1_the_share_of_nodes_shrinks_with_the_cluster(nodes, enough):
    assert nodes_to_find(nodes) == enough


def nominated(name: str, to: str):
    one = pod(name)
    return msgspec.structs.replace(one, status=msgspec.structs.replace(one.status, nominated_node_name=to))


def test_f10_1_the_next_search_begins_where_the_last_one_ended():
    nodes = [node(f"n{number:03}") for number in range(250)]
    plan = make_plan(cluster(*nodes, pod("a"), pod("b"), pod("c")))
    assert [one.decision.node for one in plan.decisions] == ["n000", "n120", "n240"]
    everywhere = make_plan(cluster(*nodes, pod("a"), pod("b")), Settings(breadth="all-nodes"))
    assert [one.decision.node for one in everywhere.decisions] == ["n000", "n001"]


@settings(max_examples=30)
@given(st.lists(st.booleans(), min_size=100, max_size=150), st.integers(0, 149))
def test_f10_1_nodes_are_asked_in_blocks_as_if_one_by_one(fits: list[bool], start: int) -> None:
    nodes = [node(f"n{place:03}", cpu="2" if fit else "1") for place, fit in enumerate(fits)]
    snapshot = msgspec.structs.replace(cluster(*nodes), search_start=start % len(fits))
    found = search_nodes(cycle_of(snapshot, node_pod(pod("p", "2")), None, None), "as-kubernetes")
    feasible, asked = [], 0
    for place in (number % len(fits) for number in range(snapshot.search_start, snapshot.search_start + len(fits))):
        if fits[place]:
            if len(feasible) == nodes_to_find(len(fits)):
                break
            feasible.append(f"n{place:03}")
        asked += 1
    assert [one.state.name for one in found.feasible] == feasible
    assert found.next_start == (snapshot.search_start + asked) % len(fits)


def test_f10_1_a_pod_that_fits_nowhere_was_compared_with_every_node():
    plan = make_plan(cluster(*[node(f"n{number:03}") for number in range(250)], pod("big", "5")))
    decision = plan.decisions[0].decision
    assert isinstance(decision, Unschedulable)
    assert len(decision.nodes) == 250
    assert decision.message.startswith("0/250 nodes are available: 250 Insufficient cpu.")


def test_f10_2_a_nominated_node_is_taken_if_it_fits():
    nodes = [node("n1"), node("n2", cpu="2"), node("n3")]
    assert make_plan(cluster(*nodes, nominated("p", "n2"))).decisions[0].decision == Scheduled(node="n2")
    full = pod("full", "2", node_name="n2", phase="Running")
    assert make_plan(cluster(*nodes, full, nominated("p", "n2"))).decisions[0].decision.node == "n1"
