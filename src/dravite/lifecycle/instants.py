"""Moments as Kubernetes writes them, and as seconds to count with."""

from __future__ import annotations

from datetime import UTC, datetime


def seconds_of(text: str | None) -> float | None:
    """A time in seconds since 1970; None for one that is missing or cannot be read."""
    try:
        return datetime.fromisoformat(text).timestamp() if text else None
    except ValueError:
        return None


def text_of(seconds: float) -> str:
    """The time of so many seconds since 1970, in whole seconds."""
    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def micro_text_of(seconds: float) -> str:
    """The same in microseconds, as a MicroTime."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
