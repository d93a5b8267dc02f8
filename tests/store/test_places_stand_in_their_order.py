"""An order of places is the sorted list of them, however large it is and however it came to be."""

from __future__ import annotations

import random
from bisect import bisect_left, bisect_right

from dravite.store.order import Order


def test_it_is_the_sorted_list() -> None:
    dice = random.Random(11)  # noqa: S311 (no secret)
    order, plain = Order(), list[tuple[str, str]]()
    for number in range(9_000):
        place = (f"s{dice.randrange(3)}", f"{number * 7919 % 9_001:05}")
        order.add(place)
        plain.insert(bisect_left(plain, place), place)
        if number % 3 == 0:
            gone = plain.pop(dice.randrange(len(plain)))
            order.remove(gone)
    assert len(order) == len(plain)
    assert order.between(0, len(plain)) == plain
    for place in (*dice.sample(plain, 50), ("", ""), ("s1", ""), ("s1\0", ""), ("z", "z")):
        low, high = bisect_left(plain, place), bisect_right(plain, place)
        assert (order.before(place), order.through(place)) == (low, high)
        assert order.between(low, low + 700) == plain[low : low + 700]


def test_nothing_is_left_of_what_is_gone() -> None:
    order = Order()
    places = [("", f"{number:05}") for number in range(3_000)]
    for place in places:
        order.add(place)
    for place in places:
        order.remove(place)
    assert (len(order), order.between(0, 10), order.before(("", "1")), order.through(("", "1"))) == (0, [], 0, 0)
    order.add(("a", "b"))
    assert order.between(0, 1) == [("a", "b")]
