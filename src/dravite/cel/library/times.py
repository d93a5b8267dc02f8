"""Durations and points in time: reading them, and asking for their hours, days and years."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from dravite.api.field_text import quoted
from dravite.cel.arithmetic import NANOS
from dravite.cel.show import civil
from dravite.cel.values import MAX_INT, Duration, Failure, Timestamp

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

_UNITS: Final[Mapping[str, int]] = {
    "ns": 1,
    "us": 1000,
    "µs": 1000,
    "μs": 1000,
    "ms": 10**6,
    "s": NANOS,
    "m": 60 * NANOS,
    "h": 3600 * NANOS,
}
_PART: Final = re.compile(r"([0-9]*)(?:\.([0-9]*))?(ns|us|µs|μs|ms|s|m|h)", re.ASCII)
_RFC3339: Final = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:[.,]([0-9]+))?"
    r"(?:Z|([+-])([0-9]{2}):([0-9]{2}))",
    re.ASCII,
)
_WHOLE: Final = re.compile(r"[+-]?[0-9]+", re.ASCII)
_DAYS_TO_1970: Final = 719_528


def parse_duration(text: str) -> int | None:
    """Nanoseconds of `1h30m`, `-1.5s`, `0` …; None where the text is no duration or too long for 64 bits."""
    sign, body = (-1, text[1:]) if text[:1] == "-" else (1, text.removeprefix("+"))
    if body == "0":
        return 0
    total = 0
    place = 0
    while place < len(body):
        part = _PART.match(body, place)
        if part is None or not (part[1] or part[2]):
            return None
        total += _part_nanos(part[1], part[2] or "", _UNITS[part[3]])
        if total > MAX_INT + 1:
            return None
        place = part.end()
    if not body or (total > MAX_INT and sign > 0):
        return None
    return sign * total


def _part_nanos(whole: str, fraction: str, unit: int) -> int:
    """Fractions of a nanosecond are cut off, and so are fraction digits that no longer fit into 64 bits."""
    nanos = int(whole or "0") * unit if len(whole) < 30 else MAX_INT + 2
    digits = fraction[:18]
    if len(fraction) > 18 and int(digits) <= MAX_INT // 10 and int(fraction[:19]) <= MAX_INT + 1:
        digits = fraction[:19]
    return nanos + (int(int(digits) * (unit / 10.0 ** len(digits))) if digits else 0)


def parse_timestamp(text: str) -> Timestamp | None:
    """RFC 3339 as Kubernetes reads it: one digit will do for the hour, a comma for the decimal point.

    None where the text is no timestamp. Years outside of 1 … 9999 are not refused here.
    """
    match = _RFC3339.fullmatch(text)
    if match is None:
        return None
    year, month, day, hour, minute, second = (int(group) for group in match.groups()[:6])
    if not (1 <= month <= 12 and 1 <= day <= _days_in(year, month) and hour < 24 and minute < 60 and second < 60):
        return None
    zone = 0
    if match[8]:
        zone = (int(match[9]) * 60 + int(match[10])) * 60
        if int(match[9]) > 24 or int(match[10]) > 60:
            return None
        zone = -zone if match[8] == "-" else zone
    seconds = (_day_number(year, month, day) * 24 + hour) * 3600 + minute * 60 + second - zone
    return Timestamp(seconds * NANOS + int((match[7] or "0")[:9].ljust(9, "0")), zone)


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _days_in(year: int, month: int) -> int:
    return 29 if month == 2 and _is_leap(year) else (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]


def _day_number(year: int, month: int, day: int) -> int:
    """Days since 1970-01-01."""
    before = year - 1
    leap_days = before // 4 - before // 100 + before // 400 + 1
    days = year * 365 + leap_days + sum(_days_in(year, earlier) for earlier in range(1, month)) + day - 1
    return days - _DAYS_TO_1970


@lru_cache(maxsize=64)
def _zone(name: str) -> ZoneInfo | str:
    """The zone, or why there is none."""
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except IsADirectoryError:
        return "is a directory"
    except (KeyError, ValueError, OSError):
        return f"unknown time zone {name}"


def _offset_at(moment: Timestamp, zone: str) -> int | Failure:
    """Seconds east of UTC, of `+01:00` or of a name like `Europe/Berlin`, at a point in time."""
    hours, colon, minutes = zone.partition(":")
    if not colon:
        return _named_offset(moment, zone)
    for number in (hours, minutes):
        if not _WHOLE.fullmatch(number):
            return Failure(f"strconv.Atoi: parsing {quoted(number)}: invalid syntax")
    offset = int(hours) * 60 + (-int(minutes) if zone[0] == "-" else int(minutes))
    return offset * 60


def _named_offset(moment: Timestamp, name: str) -> int | Failure:
    if name in ("", "UTC", "Local"):
        return 0
    if name[0] in "/\\" or ".." in name or "\\" in name:
        return Failure("time: invalid location name")
    zone = _zone(name)
    if isinstance(zone, str):
        return Failure(zone)
    offset = civil(moment.nanos, 0).replace(tzinfo=None)
    shift = zone.fromutc(offset.replace(tzinfo=zone)).utcoffset()
    return int(shift.total_seconds()) if shift is not None else 0


def _getter(read: Callable[[datetime], int]) -> Callable[..., object]:
    """Read a part of the local date and time, in UTC or in the zone given."""

    def get(moment: Timestamp, zone: str = "UTC") -> object:
        offset = 0 if zone == "UTC" else _offset_at(moment, zone)
        if isinstance(offset, Failure):
            return offset
        return _read_far(moment, offset, read)

    return get


def _read_far(moment: Timestamp, offset: int, read: Callable[[datetime], int]) -> int:
    """`datetime` ends with the years 1 and 9999; an offset may go beyond: 400 years have the same calendar."""
    try:
        return read(civil(moment.nanos, offset))
    except OverflowError:
        cycle = timedelta(days=146_097)
        years = -400 if moment.nanos > 0 else 400
        near = civil(moment.nanos + (cycle * years // 400) // timedelta(microseconds=1) * 1000, offset)
        return read(near) - years if read is _year else read(near)


def _year(local: datetime) -> int:
    return local.year


def _milliseconds(moment: Timestamp, zone: str = "UTC") -> object:
    offset = 0 if zone == "UTC" else _offset_at(moment, zone)
    return offset if isinstance(offset, Failure) else moment.nanos % NANOS // 10**6


def _in_units(unit: int) -> Callable[[Duration], int]:
    """How many whole units, cut towards zero."""

    def get(duration: Duration) -> int:
        amount = abs(duration.nanos) // unit
        return -amount if duration.nanos < 0 else amount

    return get


def _both(part: str, getter: Callable[..., object]) -> dict[str, Callable[..., object]]:
    name = f"timestamp_to_{part}"
    return {name: getter, f"{name}_tz" if part == "seconds" else f"{name}_with_tz": getter}


OVERLOADS: Final[Mapping[str, Callable[..., object]]] = {
    **_both("year", _getter(_year)),
    **_both("month", _getter(lambda local: local.month - 1)),
    **_both("day_of_year", _getter(lambda local: local.timetuple().tm_yday - 1)),
    **_both("day_of_month", _getter(lambda local: local.day - 1)),
    **_both("day_of_month_1_based", _getter(lambda local: local.day)),
    **_both("day_of_week", _getter(lambda local: local.isoweekday() % 7)),
    **_both("hours", _getter(lambda local: local.hour)),
    **_both("minutes", _getter(lambda local: local.minute)),
    **_both("seconds", _getter(lambda local: local.second)),
    **_both("milliseconds", _milliseconds),
    "duration_to_hours": _in_units(3600 * NANOS),
    "duration_to_minutes": _in_units(60 * NANOS),
    "duration_to_seconds": _in_units(NANOS),
    "duration_to_milliseconds": _in_units(10**6),
}
