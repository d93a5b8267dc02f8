"""Recorded requests, bent at random: no answer is a fault of the server's."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

from conformance.bend import bend, plain_requests, recorded_requests


def test_bent_requests_are_answered() -> None:
    asked = recorded_requests([Path(__file__).parents[1] / "vectors" / "api"])
    codes: Counter[int] = Counter()
    assert list(bend(asked, random.Random(7), 2000, codes)) == []  # noqa: S311 (no secret)
    assert {200, 201, 400, 404, 405, 409, 415, 422} <= set(codes)


def test_controllers_bear_what_comes_of_them() -> None:
    asked = list(plain_requests())
    assert list(bend(asked, random.Random(8), 300, Counter(), controllers=True)) == []  # noqa: S311 (no secret)
