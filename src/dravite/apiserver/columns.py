"""Columns of tables, and the cells that many kinds have: names and ages."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from dravite.api.meta import Time
from dravite.api.plain import PlainView

Row = Callable[[PlainView, Time], list[Any]]
"""What makes the cells of an object."""


class Column(msgspec.Struct, frozen=True):
    """One column; `format` is a hint for clients."""

    name: str
    description: str = ""
    type: str = "string"
    format: str = ""
    priority: int = 0


NAME: Final = Column("Name", "What the object is called, unique among its kind and namespace.", format="name")
AGE: Final = Column("Age", "How long ago the object was created.")


def age(then: Any, now: Time, unknown: str = "<unknown>") -> str:
    """The time between two moments in its largest one or two units; `unknown` where there is none."""
    if not then:
        return unknown
    seconds = int((_moment(now) - _moment(str(then))).total_seconds())
    if seconds < 0:
        return "<invalid>" if seconds < -1 else "0s"
    minutes, hours, days = seconds // 60, seconds // 3600, seconds // 86400
    if seconds < 120:
        return f"{seconds}s"
    if minutes < 10:
        return _two(minutes, "m", seconds % 60, "s")
    if minutes < 180:
        return f"{minutes}m"
    if hours < 8:
        return _two(hours, "h", minutes % 60, "m")
    if hours < 48:
        return f"{hours}h"
    if hours < 192:
        return _two(days, "d", hours % 24, "h")
    if days < 730:
        return f"{days}d"
    return _two(days // 365, "y", days % 365, "d") if days < 2920 else f"{days // 365}y"


def _two(large: int, unit: str, small: int, small_unit: str) -> str:
    return f"{large}{unit}{small}{small_unit}" if small else f"{large}{unit}"


def _moment(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return datetime.fromtimestamp(0, UTC)


def age_of(plain: PlainView, now: Time) -> str:
    """How old an object is."""
    return age(plain["metadata"].get("creationTimestamp"), now)


def name_of(plain: PlainView) -> str:
    return str(plain["metadata"].get("name", ""))


def spec_of(plain: PlainView) -> PlainView:
    return plain.get("spec") or {}


def status_of(plain: PlainView) -> PlainView:
    return plain.get("status") or {}


def texts(*names: str) -> tuple[Column, ...]:
    """Columns of texts."""
    return tuple(NAME if name == "Name" else AGE if name == "Age" else Column(name) for name in names)


def numbers(*names: str) -> tuple[Column, ...]:
    """Columns of whole numbers."""
    return tuple(Column(name, type="integer") for name in names)


def wide(*names: str) -> tuple[Column, ...]:
    """Columns that are shown only where there is room."""
    return tuple(Column(name, priority=1) for name in names)
