"""Warnings travel in headers, and clients bear no endless headers."""

from __future__ import annotations

from dravite.admission.server_warnings import MOST, told


def test_warnings_are_told_until_they_have_too_many_characters_together() -> None:
    warnings = tuple(f'unknown field "spec.devices[{number}].foo"' for number in range(500))
    kept = told(warnings)
    assert kept == warnings[: len(kept)]
    assert sum(map(len, kept[:-1])) <= MOST < sum(map(len, kept))


def test_a_few_warnings_are_all_told() -> None:
    assert told(("a", "b", "x" * 5000, "c")) == ("a", "b", "x" * 5000)
    assert told(()) == ()
