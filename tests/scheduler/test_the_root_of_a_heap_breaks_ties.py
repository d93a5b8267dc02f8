from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dravite.scheduler.choice import choose, heap_of, tied
from dravite.scheduler.scores import NodeScore


def scores(*totals: int) -> list[NodeScore]:
    return [NodeScore(f"n{place + 1}", total) for place, total in enumerate(totals)]


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
    assert choose(scores(*totals)).node == chosen


def test_equals_are_listed_only_where_there_was_a_choice():
    assert tied(scores(3, 5, 5)) == ("n2", "n3")
    assert tied(scores(3, 5, 4)) == ()


@given(st.lists(st.integers(0, 3), min_size=1, max_size=40))
def test_no_parent_is_worse_than_its_children(totals):
    heap = heap_of(scores(*totals))
    assert sorted(one.node for one in heap) == sorted(one.node for one in scores(*totals))
    assert all(heap[(place - 1) // 2].total >= heap[place].total for place in range(1, len(heap)))
    assert choose(scores(*totals)).total == max(totals)
