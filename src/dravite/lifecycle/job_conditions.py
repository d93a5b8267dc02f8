"""The conditions of a Job: what holds, and how one more is put among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from dravite.api.plain import PlainView
from dravite.lifecycle.instants import text_of
from dravite.workloads.raw_paths import listed, look_up

ENDS: Final = ("Complete", "Failed")


def conditions_of(job: PlainView) -> tuple[PlainView, ...]:
    """All of them, whether they hold or not."""
    known = look_up(job, ("status", "conditions"))
    return tuple(one for one in listed(known) if isinstance(one, Mapping))


def condition(job: PlainView, *kinds: str) -> PlainView | None:
    """The condition of one of these types that holds."""
    return next((one for one in conditions_of(job) if one.get("type") in kinds and one.get("status") == "True"), None)


def end_of(job: PlainView) -> str:
    """How a Job has ended: the type of the condition that says so; empty while it goes on."""
    ended = condition(job, *ENDS)
    return str(ended["type"]) if ended is not None else ""


def told_condition(kind: str, reason: str, message: str, now: float, status: str = "True") -> PlainView:
    """A condition that has become so just now."""
    stamp = text_of(now)
    return {
        "type": kind,
        "status": status,
        "reason": reason,
        "message": message,
        "lastProbeTime": stamp,
        "lastTransitionTime": stamp,
    }


def with_condition(conditions: Sequence[PlainView], told: PlainView) -> tuple[PlainView, ...]:
    """The conditions with another one; one that says the same already stays."""
    same = (one for one in conditions if one.get("type") == told["type"])
    if any(one.get("status") == told["status"] for one in same):
        return tuple(conditions)
    return (*(one for one in conditions if one.get("type") != told["type"]), told)
