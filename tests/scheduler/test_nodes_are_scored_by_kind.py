"""Scores of many nodes are worked out once per kind of node, and are those that each node has by itself."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dravite.api.core_v1 import Container, Node, NodeStatus, Pod, PodSpec
from dravite.api.meta import ObjectMeta
from dravite.api.quantity import Quantity
from dravite.scheduler.scores import NodeScores, ScoreView, score_nodes
from dravite.snapshot.node_state import NodeState, empty_node, node_pod

POD = node_pod(
    Pod(metadata=ObjectMeta(name="p", namespace="default"), spec=PodSpec(containers=(Container(name="main"),)))
)


def states(*cpus: int) -> list[NodeState]:
    return [
        empty_node(
            Node(
                metadata=ObjectMeta(name=f"n{place}"),
                status=NodeStatus(allocatable={"cpu": Quantity.of(cpu), "memory": Quantity.of(1 << 30)}),
            )
        )
        for place, cpu in enumerate(cpus)
    ]


def kinds(scores: NodeScores) -> int:
    return len(set(map(id, scores.points)))


def test_nodes_that_are_alike_share_their_points() -> None:
    scores = score_nodes(POD, states(4, 8, 4, 8, 4), ScoreView(known={}))
    assert scores.nodes == ("n0", "n1", "n2", "n3", "n4")
    assert kinds(scores) == 2


def test_nodes_are_told_apart_by_what_their_alternatives_are_worth() -> None:
    scores = score_nodes(POD, states(4, 4, 4), ScoreView(known={}, alternatives=(1, 2, 2)))
    assert [points.plugins["DynamicResources"] for points in scores.points] == [100, 200, 200]
    assert kinds(scores) == 2


@given(st.lists(st.integers(1, 64), min_size=1, max_size=12))
def test_a_node_scores_among_others_what_it_scores_by_itself(cpus: list[int]) -> None:
    together = score_nodes(POD, states(*cpus), ScoreView(known={}))
    alone = [score_nodes(POD, [state], ScoreView(known={})).points[0] for state in states(*cpus)]
    assert [points.total for points in together.points] == [points.total for points in alone]


def test_what_a_node_scores_by_itself_is_kept_until_the_node_changes() -> None:
    first, second = states(4), states(8)
    view = ScoreView(known={})
    before = score_nodes(POD, first, view)
    assert score_nodes(POD, first, view) == before
    assert score_nodes(POD, second, view).points != before.points
