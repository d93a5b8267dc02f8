"""Times as the official client takes and writes them."""

from __future__ import annotations

import math
import re
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Final

_TIME: Final = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)"
    r"(?:[Tt _](?P<time>\d\d:\d\d(?::\d\d)?)(?:[.,](?P<part>\d{1,9}))?(?P<zone>[Zz]|[+-]\d\d:?\d\d)?)?",
    re.ASCII,
)
_NUMBER: Final = re.compile(r"[+-]?\d+(\.\d+)?", re.ASCII)
_MILLISECONDS: Final = 20_000_000_000
"""Numbers beyond this count milliseconds since 1970, smaller ones seconds."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def read_time(value: object) -> datetime | str | None:
    """The time that a value stands for; a text that says what is wrong with it; None where it is of no such type."""
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day)  # noqa: DTZ001 (a day has no zone; the client gives it none)
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if isinstance(value, str):
        return _from_number(float(value)) if _NUMBER.fullmatch(value) else _from_text(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _from_number(value)
    return None


def write_time(value: datetime) -> str:
    """As the client writes times into JSON: UTC is `Z`, a time without a zone gets none."""
    return value.isoformat().removesuffix("+00:00") + ("Z" if value.utcoffset() == timedelta(0) else "")


def _from_number(number: float) -> datetime | str:
    if not math.isfinite(number):
        return "NaN values not permitted"
    seconds = number / 1000 if abs(number) > _MILLISECONDS else number
    try:
        return _EPOCH + timedelta(seconds=seconds)
    except OverflowError:
        return "dates after 9999 are not supported as unix timestamps"


def _from_text(text: str) -> datetime | str:
    match = _TIME.fullmatch(text)
    if match is None:
        return "must be a time as in RFC 3339"
    part = (match["part"] or "").ljust(6, "0")[:6]
    try:
        read = datetime.fromisoformat(f"{match['day']}T{match['time'] or '00:00'}")
        return read.replace(microsecond=int(part), tzinfo=_zone(match["zone"]))
    except ValueError as error:
        return str(error)


def _zone(text: str | None) -> timezone | None:
    if text is None:
        return None
    if text in "Zz":
        return UTC
    minutes = int(text[1:3]) * 60 + int(text[-2:])
    return timezone(timedelta(minutes=-minutes if text[0] == "-" else minutes))
