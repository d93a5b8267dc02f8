from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dravite.scheduler.choice import choose, tied
from dravite.scheduler.scores import NodeScores, Points


def scores(*totals: int) -> NodeScores:
    return NodeScores(tuple(f"n{place + 1}" for place in range(len(totals))), tuple(map(Points, totals)))


def root_of_heap(totals: list[int]) -> int:
    """The place that comes to the top, step by step: parents from the last to the first sift down."""
    heap = list(enumerate(totals))
    for parent in range(len(heap) // 2 - 1, -1, -1):
        place = parent
        while (child := 2 * place + 1) < len(heap):
            if child + 1 < len(heap) and heap[child + 1][1] > heap[child][1]:
                child += 1
            if heap[child][1] <= heap[place][1]:
                break
            heap[place], heap[child] = heap[child], heap[place]
            place = child
    return heap[0][0]


@pytest.mark.parametrize(
    ("totals", "chosen"),
    [
        ((5, 5, 5), "n1"),
        ((4, 4, 5, 5, 5, 5), "n4"),
        ((5, 4, 5), "n1"),
        ((4, 5, 5, 5), "n2"),
        ((1, 2, 3), "n3"),
    ],
)
def test_f10_4_equal_nodes_are_chosen_by_their_place(totals, chosen):
    assert scores(*totals).nodes[choose(scores(*totals))] == chosen


def test_equals_are_listed_only_where_there_was_a_choice():
    assert tied(scores(3, 5, 5)) == ("n2", "n3")
    assert tied(scores(3, 5, 4)) == ()


@given(st.lists(st.integers(0, 3), min_size=1, max_size=70))
def test_f10_4_the_chosen_one_is_the_root_of_the_heap(totals):
    place = choose(scores(*totals))
    assert place == root_of_heap(totals)
    assert totals[place] == max(totals)
