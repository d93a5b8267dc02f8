"""Expressions with one representative compile alike and cost the same, whatever letters their texts have."""

from __future__ import annotations

import random

import pytest

from dravite.api.releases import newest_profile
from dravite.cel import OLDEST, CelError, compile_selector, new_environment
from dravite.cel.representatives import representative

MODEL = 'device.attributes["gpu.example.com"].model'
PRINTABLE = "".join(chr(code) for code in range(32, 127) if chr(code) not in "\"'\\/")


@pytest.mark.parametrize(
    ("expression", "stands"),
    [
        (f'{MODEL} == "a100"', f'{MODEL} == "xxxx"'),
        (f'{MODEL}!="a"&&device.driver == "b.c"', f'{MODEL}!="x"&&device.driver == "xxx"'),
        (f'({MODEL} == "") ? true : {MODEL} == "z"', f'({MODEL} == "") ? true : {MODEL} == "x"'),
        ('device.attributes["a"]["b"] == "c"', 'device.attributes["a"]["b"] == "x"'),
    ],
)
def test_texts_that_are_compared_lose_their_letters(expression: str, stands: str) -> None:
    assert representative(expression) == stands


@pytest.mark.parametrize(
    "expression",
    [
        'device.driver in ["a", "b"]',
        f'{MODEL}.matches("a.*")',
        f'"a" == {MODEL}',
        f'{MODEL} == "a" + "b"',
        f'{MODEL} == "a".lowerAscii()',
        f'{MODEL} == "a" in [true]',
        f'{MODEL} == r"a"',
        f'{MODEL} == b"a"',
        f"{MODEL} == 'a \"b\" c'",
        f'{MODEL} == "a\\n"',
        f'{MODEL} == "ä"',
        f'{MODEL} == "a\tb"',
        f'{MODEL} == """a"""',
        f'true // {MODEL} == "a"',
        f'{MODEL} == "a',
        '("a") == "b"',
        f'{MODEL} == semver("1.0.0")',
    ],
)
def test_others_stand_for_themselves(expression: str) -> None:
    assert representative(expression) == expression


@pytest.mark.parametrize("environment", [OLDEST, new_environment(newest_profile().features)], ids=("1.31", "1.37"))
@pytest.mark.parametrize(
    "expression",
    [
        f'{MODEL} == "%s"',
        f'{MODEL} == "%s" || {MODEL} != "%s"',
        'device.attributes["a"].exists(key, key == "%s")',
        f'cel.bind(m, {MODEL}, m == "%s" ? m.matches("a+") : false)',
        'device.capacity["a"].b == "%s"',
        f'device.driver == "%s" && {MODEL}.startsWith("%s")',
        'device.drver == "%s"',
        'device.allowMultipleAllocations == "%s"',
        '["a", "b"][0] == "%s"',
    ],
)
def test_what_is_true_of_one_is_true_of_all(expression: str, environment: object) -> None:
    dice = random.Random(7)  # noqa: S311 (texts, no secrets)
    for length in (0, 1, 9, 40):
        texts = ["".join(dice.choices(PRINTABLE, k=length)) for _ in range(expression.count("%s"))]
        given = expression % tuple(texts)
        found, other = (compile_selector(text, environment) for text in (given, representative(given)))  # type: ignore[arg-type]
        assert isinstance(found, CelError) == isinstance(other, CelError)
        assert getattr(found, "max_cost", None) == getattr(other, "max_cost", None)
