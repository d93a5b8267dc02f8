from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dravite.render import words


@pytest.mark.parametrize(
    ("number", "noun", "said"),
    [
        (0, "pod", "no pods"),
        (1, "pod", "1 pod"),
        (2, "device", "2 devices"),
        (2, "device class", "2 device classes"),
        (3, "entry", "3 entries"),
        (2, "gateway", "2 gateways"),
    ],
)
def test_a_count_bends_its_noun(number: int, noun: str, said: str) -> None:
    assert words.count(number, noun) == said


@pytest.mark.parametrize(
    ("part", "whole", "said"),
    [(1, 1, "the only node"), (4, 4, "all 4 nodes"), (1, 4, "1 of 4 nodes"), (0, 4, "0 of 4 nodes")],
)
def test_a_part_is_said_with_its_whole(part: int, whole: int, said: str) -> None:
    assert words.of(part, whole, "node") == said


def test_lists_end_in_and() -> None:
    assert words.listed([]) == ""
    assert words.listed(["a"]) == "a"
    assert words.listed(["a", "b"]) == "a and b"
    assert words.listed(["a", "b", "c"], "or") == "a, b or c"


def test_long_runs_of_numbers_are_joined() -> None:
    assert words.folded([f"gpu-{n}" for n in range(8)], 8) == "gpu-0 to gpu-7"
    assert words.folded(["gpu-0", "gpu-1", "gpu-3"], 8) == "gpu-0, gpu-1, gpu-3"
    assert words.folded([f"n-{n:02}" for n in range(8, 13)], 8) == "n-08 to n-12"


def test_numbers_of_another_width_are_no_neighbours() -> None:
    assert [size for _, size in words.runs(["n-9", "n-10", "n-11", "n-12", "n-13"])] == [5]
    assert [size for _, size in words.runs(["n-09", "n-010", "n-11"])] == [1, 1, 1]


def test_a_long_list_says_how_many_more() -> None:
    assert words.folded(["a", "c", "e", "g", "i"], 3) == "a, c, 3 more"


@given(st.lists(st.text("abg-0123456789", min_size=1, max_size=6)), st.integers(2, 10))
def test_folding_loses_nobody(names: list[str], most: int) -> None:
    assert sum(size for _, size in words.runs(names)) == len(names)
    assert words.folded(names, most).count(", ") < most
