"""Cron expressions are read by the rules of the parser that Kubernetes uses."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from dravite.workloads.cron import Unreadable, next_time, read_schedule


def due(expression: str, after: str, times: int = 1, zone: str = "UTC") -> list[str]:
    """The next times at which an expression is due, as clocks in the zone show them."""
    schedule, there = read_schedule(expression), ZoneInfo(zone)
    assert not isinstance(schedule, Unreadable), schedule
    time: float | None = datetime.fromisoformat(after).replace(tzinfo=UTC).timestamp()
    found = []
    for _ in range(times):
        assert time is not None
        time = next_time(schedule, time, there)
        found.append("never" if time is None else datetime.fromtimestamp(time, there).strftime("%Y-%m-%d %H:%M:%S %Z"))
    return found


@pytest.mark.parametrize(
    ("expression", "after", "first"),
    [
        ("* * * * *", "2026-01-03T10:00:00", "2026-01-03 10:01:00 UTC"),
        ("* * * * *", "2026-01-03T10:00:59", "2026-01-03 10:01:00 UTC"),
        ("*/15 * * * *", "2026-01-03T10:46:00", "2026-01-03 11:00:00 UTC"),
        ("5/20 * * * *", "2026-01-03T10:26:00", "2026-01-03 10:45:00 UTC"),
        ("10-30/10,59 * * * *", "2026-01-03T10:30:00", "2026-01-03 10:59:00 UTC"),
        ("0 0 31 * *", "2026-02-01T00:00:00", "2026-03-31 00:00:00 UTC"),
        ("0 0 29 feb ?", "2026-01-01T00:00:00", "2028-02-29 00:00:00 UTC"),
        ("0 9 * * MON-FRI", "2026-01-02T09:00:00", "2026-01-05 09:00:00 UTC"),
        ("0 0 13 * 5", "2026-01-03T00:00:00", "2026-01-09 00:00:00 UTC"),
        ("0 0 */2 * 1", "2026-01-05T00:00:00", "2026-01-07 00:00:00 UTC"),
        ("@monthly", "2026-12-31T23:59:59", "2027-01-01 00:00:00 UTC"),
        ("@weekly", "2026-01-03T10:00:00", "2026-01-04 00:00:00 UTC"),
        ("@every 1h30m", "2026-01-03T10:00:07", "2026-01-03 11:30:07 UTC"),
        ("@every 10ms", "2026-01-03T10:00:00", "2026-01-03 10:00:01 UTC"),
    ],
)
def test_the_next_time_is_the_first_that_fits(expression: str, after: str, first: str) -> None:
    assert due(expression, after) == [first]


def test_what_never_comes_is_given_up() -> None:
    assert due("0 0 30 2 *", "2026-01-01T00:00:00") == ["never"]


def test_an_hour_that_a_clock_passes_over_is_not_due() -> None:
    assert due("30 2 * * *", "2026-03-28T12:00:00", 2, "Europe/Berlin") == [
        "2026-03-30 02:30:00 CEST",
        "2026-03-31 02:30:00 CEST",
    ]


def test_an_hour_that_a_clock_shows_twice_is_due_twice() -> None:
    assert due("30 2 * * *", "2026-10-24T12:00:00", 3, "Europe/Berlin") == [
        "2026-10-25 02:30:00 CEST",
        "2026-10-25 02:30:00 CET",
        "2026-10-26 02:30:00 CET",
    ]


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        ("* * * *", "expected exactly 5 fields, found 4: [* * * *]"),
        ("60 * * * *", "end of range (60) above maximum (59): 60"),
        ("* * 0 * *", "beginning of range (0) below minimum (1): 0"),
        ("* * * * 7", "end of range (7) above maximum (6): 7"),
        ("5-1 * * * *", "beginning of range (5) beyond end of range (1): 5-1"),
        ("*/0 * * * *", "step of range should be a positive number: */0"),
        ("1/2/3 * * * *", "too many slashes: 1/2/3"),
        ("1-2-3 * * * *", "too many hyphens: 1-2-3"),
        ("x * * * *", 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'),
        ("@often", "unrecognized descriptor: @often"),
        ("@every day", 'failed to parse duration @every day: time: invalid duration "day"'),
    ],
)
def test_what_cannot_be_read_is_told_in_the_words_of_that_parser(expression: str, why: str) -> None:
    assert read_schedule(expression) == Unreadable(why)
