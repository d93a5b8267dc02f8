"""The estimate by which the API server refuses expressions (CEL-28 to CEL-30)."""

from __future__ import annotations

import pytest

from dravite.cel import Program, compile_selector

_D = 'device.attributes["a.example.com"]'
_C = 'device.capacity["a.example.com"]'
_NEARLY_UNBOUNDED = 2**64 // 10


def max_cost(text: str) -> int | None:
    program = compile_selector(text)
    assert isinstance(program, Program), program
    return program.max_cost


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("true", 0),
        ("1 + 1 == 2", 2),
        ('device.driver == "a.example.com"', 4),
        ("device.allowMultipleAllocations", 2),
        (f"{_D}.x", 4),
        (f'{_D}.x == "abc"', 5),
        (f"{_D}.x == 5", 5),
        (f"{_D}.x + 1 == 6", 6),
        (f"has({_D}.x)", 3),
        (f'"x" in {_D}', 4),
        (f"{_D}.?x.orValue(3) == 3", 6),
        (f'{_D}.x == semver("1.2.3")', 12),
        (f'{_D}.x.isGreaterThan(semver("1.0.0"))', 6),
        (f'{_C}.x.compareTo(quantity("1Gi")) > 0', 7),
        (f"2 in {_D}.x", 68),
        (f"{_D}.x.includes(2)", 68),
        (f"{_D}.x.exists(v, v > 2)", 389),
        (f"{_D}.x.all(v, v > 0)", 325),
        ("[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].all(a, a >= 0)", 61),
        ("lists.range(1000).all(x, x >= 0)", 6012),
        ("cel.bind(a, 1, a == 1)", 12),
        ('device.driver.matches("^a$")', 9),
        ('device.driver.contains("gpu")', 9),
        ('"a,b".split(",").size() == 2', 3),
        ("[3, 1, 2].sort() == [1, 2, 3]", 50),
    ],
    ids=repr,
)
def test_cel_29_what_kubernetes_estimates(text: str, expected: int) -> None:
    assert max_cost(text) == expected


@pytest.mark.parametrize("text", ["type(1) == int", f"{_D}.?x.optMap(v, v + 'a').orValue('') == ''"])
def test_cel_30_an_unknown_size_makes_the_estimate_useless(text: str) -> None:
    cost = max_cost(text)
    assert cost is None or cost >= _NEARLY_UNBOUNDED


def test_a_longer_range_costs_more() -> None:
    costs = [max_cost(f"lists.range({n}).all(x, x >= 0)") for n in (1, 10, 100)]
    assert costs == sorted(costs, key=lambda cost: cost or 0)
    assert len(set(costs)) == 3
