"""When a cron expression is due, by the rules of the parser that Kubernetes' CronJobs use.

Five fields or a word such as `@hourly` or `@every 90m`. A Sunday is 0 only. Where both the day of the month and that of
the week are limited either is enough. What a clock passes over in spring is not due; what it shows twice is due twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final, NoReturn, TypeAlias

import msgspec

_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS: Final = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_YEARS: Final = 5
"""What is not due in so many years never is."""

_WORDS: Final[Mapping[str, str]] = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
_EVERY: Final = "@every "
_DURATION: Final = re.compile(r"(?:\d+(?:\.\d*)?(?:ms|h|m|s))+")
_PART: Final = re.compile(r"(\d+(?:\.\d*)?)(ms|h|m|s)")
_SECONDS: Final[Mapping[str, float]] = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}


class _Field(msgspec.Struct, frozen=True):
    """One of the five: its bounds, and words for its numbers."""

    low: int
    high: int
    words: tuple[str, ...] = ()


_FIELDS: Final = (_Field(0, 59), _Field(0, 23), _Field(1, 31), _Field(1, 12, ("", *_MONTHS)), _Field(0, 6, _DAYS))


class Times(msgspec.Struct, frozen=True):
    """The minutes that five fields name. `any_date` and `any_day` say that a field of days begins with a star."""

    minutes: frozenset[int]
    hours: frozenset[int]
    dates: frozenset[int]
    months: frozenset[int]
    days: frozenset[int]
    any_date: bool
    any_day: bool


class Every(msgspec.Struct, frozen=True):
    """Once in so many seconds."""

    seconds: float


class Unreadable(msgspec.Struct, frozen=True):
    """What is wrong with an expression, in the words of Kubernetes' parser."""

    why: str


Schedule: TypeAlias = Times | Every


class _UnreadableError(Exception):
    """Leaves this module as `Unreadable`."""


def _refuse(why: str) -> NoReturn:
    raise _UnreadableError(why)


def read_schedule(text: str) -> Schedule | Unreadable:
    """The schedule that an expression means, or why it means none."""
    try:
        if text.startswith(_EVERY):
            return _every(text)
        if text.startswith("@"):
            if text not in _WORDS:
                return Unreadable(f"unrecognized descriptor: {text}")
            text = _WORDS[text]
        return _times(text)
    except _UnreadableError as error:
        return Unreadable(str(error))


def next_time(schedule: Schedule, after: float, zone: tzinfo = UTC) -> float | None:
    """The first moment later than another at which the schedule is due, in seconds since 1970."""
    if isinstance(schedule, Every):
        return float(int(after)) + schedule.seconds
    time = float((int(after) // 60 + 1) * 60)
    limit = after + _YEARS * 366 * 86_400.0
    while time <= limit:
        there = datetime.fromtimestamp(time, zone)
        if there.month not in schedule.months:
            time = _later(time, _month_after(there))
        elif not _is_day(schedule, there):
            time = _later(time, _day_after(there))
        elif there.hour not in schedule.hours:
            time += 3600.0 - 60.0 * there.minute
        elif there.minute not in schedule.minutes:
            time += 60.0
        else:
            return time
    return None


def _later(time: float, wanted: datetime) -> float:
    """The moment that a clock shows, but later in any case than another one."""
    return max(wanted.timestamp(), time + 60.0)


def _month_after(there: datetime) -> datetime:
    first = there.replace(day=1, hour=0, minute=0, second=0, fold=0)
    return (first + timedelta(days=32)).replace(day=1)


def _day_after(there: datetime) -> datetime:
    return there.replace(hour=0, minute=0, second=0, fold=0) + timedelta(days=1)


def _is_day(schedule: Times, there: datetime) -> bool:
    date, day = there.day in schedule.dates, (there.weekday() + 1) % 7 in schedule.days
    return (date and day) if schedule.any_date or schedule.any_day else (date or day)


def _every(text: str) -> Every:
    duration = text.removeprefix(_EVERY)
    if _DURATION.fullmatch(duration) is None:
        _refuse(f'failed to parse duration {text}: time: invalid duration "{duration}"')
    seconds = sum(float(number) * _SECONDS[unit] for number, unit in _PART.findall(duration))
    return Every(float(max(1, int(seconds))))


def _times(text: str) -> Times:
    fields = text.split()
    if len(fields) != len(_FIELDS):
        _refuse(f"expected exactly 5 fields, found {len(fields)}: [{' '.join(fields)}]")
    minutes, hours, dates, months, days = map(_numbers, fields, _FIELDS)
    return Times(minutes, hours, dates, months, days, _is_any(fields[2]), _is_any(fields[4]))


def _is_any(text: str) -> bool:
    """Whether one of its parts is a star, with or without a step of one."""
    return any(part in ("*", "?", "*/1", "?/1") for part in text.split(","))


def _numbers(text: str, field: _Field) -> frozenset[int]:
    return frozenset(number for part in text.split(",") if part for number in _range(part, field))


def _range(text: str, field: _Field) -> Iterator[int]:
    """`*`, `?`, a number or two with a dash, and any of them with a step."""
    span, slash, step_text = text.partition("/")
    if "/" in step_text:
        _refuse(f"too many slashes: {text}")
    low_text, dash, high_text = span.partition("-")
    if "-" in high_text:
        _refuse(f"too many hyphens: {text}")
    if low_text in ("*", "?"):
        low, high = field.low, field.high
    else:
        low = _number(low_text, field)
        high = _number(high_text, field) if dash else field.high if slash else low
    step = _whole(step_text) if slash else 1
    if low < field.low:
        _refuse(f"beginning of range ({low}) below minimum ({field.low}): {text}")
    if high > field.high:
        _refuse(f"end of range ({high}) above maximum ({field.high}): {text}")
    if low > high:
        _refuse(f"beginning of range ({low}) beyond end of range ({high}): {text}")
    if step == 0:
        _refuse(f"step of range should be a positive number: {text}")
    yield from range(low, high + 1, step)


def _number(text: str, field: _Field) -> int:
    word = text.lower()
    return field.words.index(word) if word and word in field.words else _whole(text)


def _whole(text: str) -> int:
    if text.isascii() and text.isdecimal():
        return int(text)
    if re.fullmatch(r"-\d+", text):
        _refuse(f"negative number ({text}) not allowed: {text}")
    _refuse(f'failed to parse int from {text}: strconv.Atoi: parsing "{text}": invalid syntax')
