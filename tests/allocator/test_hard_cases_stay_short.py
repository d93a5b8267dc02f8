"""Cases in which Kubernetes' search grows exponentially: dravite's answer takes a bounded number of steps."""

from __future__ import annotations

import pytest

from dravite.allocator.outcomes import Unallocatable
from tests.allocator.situations import (
    alternative,
    attempt,
    claim,
    counters_slice,
    device,
    devices_slice,
    exactly,
    first_of,
    inventory,
)


def devices(count, attribute=lambda index: {}, **fields):
    return [device(f"d{i:03}", attributes=attribute(i), **fields) for i in range(count)]


def kind_is(letter):
    return f'device.attributes["d.io"].kind == "{letter}"'


def alternatives(n):
    kinds = devices(n, lambda i: {"kind": "abc"[i % 3]})
    requests = [first_of(f"r{i}", *(alternative(k, selects=[kind_is(k)]) for k in "abc")) for i in range(n)]
    return [devices_slice(*kinds)], [claim(*requests, exactly("last"))]


CASES = {
    "more than there are": lambda n: ([devices_slice(*devices(n))], [claim(exactly(count=n + 1))]),
    "many requests": lambda n: ([devices_slice(*devices(n))], [claim(*(exactly(f"r{i}") for i in range(n + 1)))]),
    "many claims": lambda n: (
        [devices_slice(*devices(n))],
        [claim(exactly(), name=f"c{i}") for i in range(n + 1)],
    ),
    "no group is large enough": lambda n: (
        [devices_slice(*devices(4 * n, lambda i: {"numa": i % 4}))],
        [claim(exactly(count=n + 1), match=["d.io/numa"])],
    ),
    "too few values": lambda n: (
        [devices_slice(*devices(3 * n, lambda i: {"parent": i % n}))],
        [claim(exactly(count=n + 1), distinct=["d.io/parent"])],
    ),
    "overlapping partitions": lambda n: (
        [devices_slice(*devices(3 * n, counters={"s": {"c": 1}}), count=2), counters_slice(s={"c": n})],
        [claim(exactly(count=n + 1))],
    ),
    "awkward shares": lambda n: (
        [devices_slice(*devices(n, capacity={"m": "10"}, shared=True))],
        [claim(*(exactly(f"r{i}", capacity={"m": "4"}) for i in range(2 * n)), exactly("z", capacity={"m": "3"}))],
    ),
    "alternatives": alternatives,
    "a last claim that fits nowhere": lambda n: (
        [devices_slice(*devices(n))],
        [claim(exactly(count=n // 2), name="c0"), claim(exactly(selects=["false"]), name="c1")],
    ),
}


@pytest.mark.parametrize("case", sorted(CASES))
@pytest.mark.parametrize("size", [8, 15])
def test_steps_do_not_explode(case, size):
    slices, claims = CASES[case](size)
    outcome = attempt(inventory(*slices), *claims)
    assert isinstance(outcome, Unallocatable), outcome
    assert outcome.steps <= 128 + 5 * size * size


def test_searches_that_are_easy_stay_as_they_are():
    """Where Kubernetes counts its own steps, the numbers are the same."""
    four = inventory(devices_slice(*devices(4)))
    assert attempt(four, claim(exactly(count=5))) == Unallocatable("none", 16)
    assert attempt(four, claim(*(exactly(f"r{i}") for i in range(5)))) == Unallocatable("none", 128)
