"""What is to happen when: events by time, then by rank, then in the order in which they were noted."""

from __future__ import annotations

import heapq
from enum import IntEnum
from typing import Literal

import msgspec

from dravite.api.meta import ObjectRef

Kind = Literal["pod-ends", "evict", "binding-check", "retry"]


class Rank(IntEnum):
    """Who comes first of those who act at the same moment."""

    KUBELET = 0
    CONTROLLER = 1
    BINDING = 2
    SCHEDULER = 3


class Event(msgspec.Struct, frozen=True, order=True):
    """Something that happens to an object at a time, in seconds since 1970."""

    time: float
    rank: Rank
    number: int
    kind: Kind
    subject: ObjectRef


class Agenda:
    """The events to come."""

    __slots__ = ("_heap", "_number")

    def __init__(self) -> None:
        self._heap: list[Event] = []
        self._number = 0

    def note(self, time: float, rank: Rank, kind: Kind, subject: ObjectRef) -> None:
        """Something will happen."""
        self._number += 1
        heapq.heappush(self._heap, Event(time, rank, self._number, kind, subject))

    def next(self) -> Event | None:
        """The event that comes next; it stays on the agenda."""
        return self._heap[0] if self._heap else None

    def take(self) -> Event:
        """The event that comes next, taken off the agenda."""
        return heapq.heappop(self._heap)

    def all(self) -> tuple[Event, ...]:
        """All events to come, in no order that means anything."""
        return tuple(self._heap)
