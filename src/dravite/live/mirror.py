"""A reading that is kept up to date: lists, and what their watches tell; asked what has changed that matters."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from queue import Empty, SimpleQueue
from typing import Final

import msgspec

from dravite.api.meta import ObjectRef
from dravite.live.changes import matters
from dravite.live.discovery import Served
from dravite.live.lists import Asking, Item, Key, Listed
from dravite.live.reading import Reading
from dravite.live.watching import Event, Follower, Happened, Relisted, WatchLost

QUIET: Final = 0.4
"""Seconds without a change after which a burst of changes counts as over."""


class Changes(msgspec.Struct, frozen=True):
    """What happened since it was asked last.

    Attributes:
        objects: those whose change may change an answer, each once.
        lost: watches that did not come about, each message once, by resource.
        blind: whether no watch is left at all.
    """

    objects: tuple[ObjectRef, ...] = ()
    lost: tuple[WatchLost, ...] = ()
    blind: bool = False


class Mirror:
    """Follows every list of a reading. Not safe for threads: one asks, the followers only fill a queue."""

    def __init__(self, asking: Asking, reading: Reading) -> None:
        self._asking = asking
        self._reading = reading
        self._events: SimpleQueue[Event] = SimpleQueue()
        self._state: dict[Served, dict[Key, Item]] = {
            listed.served: {item.key: item for item in listed.items} for listed in reading.lists
        }
        self._moments: dict[Served, Listed] = {listed.served: listed for listed in reading.lists}
        self._open = set(self._state)

    def start(self) -> None:
        """Begin to follow; call it once."""
        for listed in self._reading.lists:
            if listed.moment:
                Follower(self._asking, listed, self._events).start()
            else:
                self._open.discard(listed.served)

    def wait(self, patience: float | None) -> Changes:
        """What matters of all that happens until a burst is over; nothing after so many seconds without any.

        Without patience it waits for as long as it takes.
        """
        until = None if patience is None else time.monotonic() + patience
        objects: dict[ObjectRef, None] = {}
        lost: dict[str, WatchLost] = {}
        while True:
            left = None if until is None else max(0.0, until - time.monotonic())
            wait = QUIET if objects else left
            event = self._next(wait)
            if event is None:
                return self._changes(objects, lost)
            if isinstance(event, WatchLost):
                lost[event.message] = event
                if event.final:
                    self._open.discard(event.served)
                if not self._open:
                    return self._changes(objects, lost)
            objects |= dict.fromkeys(self._taken(event))

    def _changes(self, objects: Iterable[ObjectRef], lost: Mapping[str, WatchLost]) -> Changes:
        by_resource = sorted(lost.values(), key=lambda one: (one.served.resource, one.message))
        return Changes(tuple(objects), tuple(by_resource), not self._open)

    def _next(self, patience: float | None) -> Event | None:
        try:
            return self._events.get(timeout=patience) if patience != 0.0 else self._events.get_nowait()
        except Empty:
            return None

    def _taken(self, event: Event) -> Iterator[ObjectRef]:
        """Put what happened into the state; the objects whose change matters."""
        match event:
            case Happened(served=served, item=item, gone=gone):
                state = self._state[served]
                before = state.pop(item.key, None) if gone else state.get(item.key)
                if not gone:
                    state[item.key] = item
                if matters(before, None if gone else item):
                    yield ObjectRef(served.kind, *item.key)
            case Relisted(listed=listed):
                yield from self._relisted(listed)

    def _relisted(self, listed: Listed) -> Iterator[ObjectRef]:
        before: Mapping[Key, Item] = self._state[listed.served]
        after = {item.key: item for item in listed.items}
        self._state[listed.served] = after
        for key in dict.fromkeys((*before, *after)):
            if matters(before.get(key), after.get(key)):
                yield ObjectRef(listed.served.kind, *key)

    def reading(self) -> Reading:
        """The cluster as it is known now. Objects that came later stand behind those that were there."""
        lists = tuple(
            msgspec.structs.replace(listed, items=tuple(self._state[listed.served].values()))
            for listed in self._reading.lists
        )
        return msgspec.structs.replace(self._reading, lists=lists)
