"""How old an event is: an API server keeps one for some time after it was last written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from dravite.lifecycle.instants import seconds_of

LIFETIME: Final = 3600.0
"""Seconds that an API server keeps an event, if nobody says otherwise."""

_TIMES: Final = (("series", "lastObservedTime"), ("lastTimestamp",), ("eventTime",), ("metadata", "creationTimestamp"))


def last_told(event: Mapping[str, Any]) -> float:
    """When an event was told last, in seconds since 1970; 0 where it does not say."""
    found = (seconds_of(_text_at(event, path)) for path in _TIMES)
    return max((time for time in found if time is not None), default=0.0)


def _text_at(value: Any, path: tuple[str, ...]) -> str | None:
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value if isinstance(value, str) else None
