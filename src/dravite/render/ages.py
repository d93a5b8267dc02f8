"""How long ago something was, as kubectl says it: the largest one or two units."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

_STEPS: Final = (
    # up to so many seconds: the unit, and the smaller unit that is said beside it
    (120, ("s", 1), None),
    (600, ("m", 60), ("s", 1)),
    (10_800, ("m", 60), None),
    (28_800, ("h", 3_600), ("m", 60)),
    (172_800, ("h", 3_600), None),
    (691_200, ("d", 86_400), ("h", 3_600)),
    (63_072_000, ("d", 86_400), None),
    (252_288_000, ("y", 31_536_000), ("d", 86_400)),
)


def moment(text: str) -> datetime | None:
    """The moment of an RFC 3339 time; None for a text that is none."""
    try:
        found = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def age(then: str | None, now: datetime) -> str | None:
    """The time between two moments; None where the first is not known."""
    start = moment(then) if then else None
    if start is None:
        return None
    seconds = max(0, int((now - start).total_seconds()))
    for limit, (unit, size), smaller in _STEPS:
        if seconds < limit:
            rest = seconds % size // smaller[1] if smaller else 0
            return f"{seconds // size}{unit}" + (f"{rest}{smaller[0]}" if smaller and rest else "")
    return f"{seconds // 31_536_000}y"
