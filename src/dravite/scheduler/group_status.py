"""What is said of a group while it is tried: a word for what to do next, and texts in Kubernetes' words.

A text of its own (`error`) stands before the reasons; where a group is told of as an error of another, it alone is.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from dravite.diagnosis import upstream

Code = Literal["success", "wait", "unschedulable", "error"]


class Told(msgspec.Struct, frozen=True, eq=False):
    """The status of a group. Two groups may share one, and then what is added is added for each of them."""

    code: Code = "success"
    reasons: tuple[str, ...] = ()
    error: str = ""

    @property
    def message(self) -> str:
        """The whole text."""
        return ", ".join(filter(None, (self.error, *self.reasons)))

    @property
    def as_error(self) -> str:
        """The text where the status is passed on as an error."""
        return self.error or self.message


FITS: Final = Told()


def unschedulable(*reasons: str) -> Told:
    """The group is unschedulable, for these reasons."""
    return Told("unschedulable", reasons, upstream.GROUP_UNSCHEDULABLE)


def failed(message: str) -> Told:
    """The attempt of the group ended in an error."""
    return Told("error", (), message)


def enough(minimum: int | None, placed: int, remaining: int) -> Told:
    """Whether enough members have a place, may still find one, or cannot any more. Without a minimum one is enough."""
    wanted = 1 if minimum is None else minimum
    if placed + remaining < wanted:
        return Told("unschedulable", (upstream.minimum_out_of_reach(wanted, placed, remaining),))
    if placed < wanted:
        return Told("wait", (upstream.minimum_not_reached(wanted, placed, remaining),))
    return FITS


def concluded(told: Told) -> Told:
    """The status once all members were tried: who still waits has lost."""
    return unschedulable(*told.reasons) if told.code == "wait" else told
