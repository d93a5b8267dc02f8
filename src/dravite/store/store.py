"""The objects of one server in memory, and the log of their changes.

Reads see every write at once. `durable` says up to which revision the journal has written; a write may be
acknowledged, and its event told to others, only then. Without a journal everything is durable at once.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from heapq import merge
from itertools import chain, islice
from operator import attrgetter
from types import TracebackType
from typing import Self

from dravite.store.journal import Journal
from dravite.store.order import Order, Place
from dravite.store.records import Compacted, Event, Key, Page, Record, Stale

_revision = attrgetter("revision")


class _Collection:
    """The objects of one collection and its part of the log. Alive only inside a store."""

    __slots__ = ("events", "order", "records")

    def __init__(self) -> None:
        self.records: dict[Place, Record] = {}
        self.order = Order()
        self.events: list[Event] = []

    def take(self, event: Event, key: Key) -> None:
        place = (key.namespace, key.name)
        if event.after is None:
            del self.records[place]
            self.order.remove(place)
        else:
            if event.before is None:
                self.order.add(place)
            self.records[place] = event.after
        self.events.append(event)

    def since(self, revision: int) -> list[Event]:
        return self.events[bisect_right(self.events, revision, key=_revision) :]

    def at(self, revision: int) -> Mapping[Place, Record | None]:
        """Places that have changed since then, with what was there."""
        changed: dict[Place, Record | None] = {}
        for event in self.since(revision):
            record = event.before or event.after
            if record is not None:
                changed.setdefault((record.key.namespace, record.key.name), event.before)
        return changed


class Store:
    """A revision log. Open one with `Store()` for memory only, or `Store.open(folder)`.

    Methods that take `expected` write only when the object is at that revision; 0 means that it must not exist.
    """

    def __init__(self, journal: Journal | None = None) -> None:
        self._journal = journal
        self._collections: dict[str, _Collection] = {}
        self._told: list[Callable[[], None]] = []
        self._notes: dict[str, str] = {} if journal is None else dict(journal.notes)
        self.revision = 0
        self.compacted = 0
        if journal is not None:
            self._load(journal)

    @classmethod
    def open(cls, folder: str) -> Store:
        """The store of a data folder, which is made where there is none.

        Raises:
            JournalError: another process has it open, or it is not one, or it was written by a newer dravite.
        """
        return cls(Journal(folder))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    @property
    def durable(self) -> int:
        """The last revision that survives a crash of the process."""
        return self.revision if self._journal is None else self._journal.durable

    @property
    def failure(self) -> Exception | None:
        """Why the journal can write no more, or None. Nothing that was not durable by then will be."""
        return None if self._journal is None else self._journal.failure

    def when_durable(self, told: Callable[[], None]) -> None:
        """Have a function called after every commit, and when one fails; it may come from another thread."""
        if self._journal is not None:
            self._journal.told.append(told)
        self._told.append(told)

    def get(self, key: Key) -> Record | None:
        collection = self._collections.get(key.collection)
        return None if collection is None else collection.records.get((key.namespace, key.name))

    def is_empty(self, collection: str) -> bool:
        """Whether a collection holds nothing."""
        found = self._collections.get(collection)
        return found is None or not found.records

    def put(self, key: Key, body: bytes, expected: int) -> Record | Stale:
        """Write an object; its revision is `revision + 1` as it was before the call."""
        before = self.get(key)
        if (before.revision if before else 0) != expected:
            return Stale(before)
        after = Record(key, self.revision + 1, body)
        self._append(key, Event(after.revision, before, after))
        return after

    def delete(self, key: Key, expected: int, last: bytes = b"") -> Record | Stale:
        """Remove an object; `last` is how it shall be remembered. Gives what was there, at the new revision."""
        before = self.get(key)
        if before is None or before.revision != expected:
            return Stale(before)
        event = Event(self.revision + 1, before, None, last or before.body)
        self._append(key, event)
        return Record(key, event.revision, event.last)

    def page(
        self, collection: str, namespace: str = "", *, after: tuple[str, str] | None = None, limit: int = 0, at: int = 0
    ) -> Page | Compacted:
        """Objects of a collection, all or of one namespace; from a place on, at most so many (0: all), as of a time.

        Raises:
            ValueError: that time has not come yet.
        """
        revision = at or self.revision
        if revision < self.compacted:
            return Compacted(self.compacted)
        if revision > self.revision:
            message = f"revision {revision} has not come yet, it is {self.revision}"
            raise ValueError(message)
        found = self._collections.get(collection)
        if found is None:
            return Page(revision, ())
        changed = found.at(revision)
        low, high = _span(found.order, namespace, after)
        if not changed:
            end = min(high, low + limit) if limit else high
            taken = tuple([found.records[place] for place in found.order.between(low, end)])
            return Page(revision, taken, high - low - len(taken))
        places = found.order.between(low, high)
        extra = sorted(set(_within(changed, namespace, after)).difference(found.records))
        records = iter(_existing(_chained(places, extra), found.records, changed))
        taken = tuple(islice(records, limit) if limit else records)
        return Page(revision, taken, _count(places, extra, changed) - len(taken))

    def events(self, collection: str, since: int) -> tuple[Event, ...] | Compacted:
        """Durable events of a collection after a revision, oldest first."""
        if since < self.compacted:
            return Compacted(self.compacted)
        found = self._collections.get(collection)
        if found is None:
            return ()
        durable = self.durable
        events = found.since(since)
        while events and events[-1].revision > durable:
            events.pop()
        return tuple(events)

    def collections(self) -> tuple[str, ...]:
        """The collections that hold objects, sorted."""
        return tuple(sorted(name for name, found in self._collections.items() if found.records))

    def sizes(self) -> Mapping[str, int]:
        """How many objects each collection holds."""
        return {name: len(self._collections[name].records) for name in self.collections()}

    def note(self, name: str) -> str:
        """What was noted under a name; empty for nothing."""
        return self._notes.get(name, "")

    def write_note(self, name: str, value: str) -> None:
        """Note something about the store itself."""
        self._notes[name] = value
        if self._journal is not None:
            self._journal.note(name, value)

    def compact(self, revision: int) -> None:
        """Forget what was before a revision, which is at most the newest durable one."""
        revision = min(revision, self.durable)
        if revision <= self.compacted:
            return
        for collection in self._collections.values():
            del collection.events[: bisect_right(collection.events, revision, key=_revision)]
        self.compacted = revision
        if self._journal is not None:
            self._journal.compact(revision)

    def flush(self) -> None:
        """Wait until everything is durable. Raises JournalError where it cannot be."""
        if self._journal is not None:
            self._journal.flush(self.revision)

    def close(self) -> None:
        if self._journal is not None:
            self._journal.close()

    def _append(self, key: Key, event: Event) -> None:
        self.revision = event.revision
        self._collections.setdefault(key.collection, _Collection()).take(event, key)
        if self._journal is not None:
            self._journal.write(key, event)
        else:
            for told in self._told:
                told()

    def _load(self, journal: Journal) -> None:
        self.compacted, self.revision = journal.span
        for row in journal.rows():
            self._replay(row.key, Event(row.revision, self.get(row.key), row.after, row.last))
        for collection in self._collections.values():
            del collection.events[: bisect_right(collection.events, self.compacted, key=_revision)]

    def _replay(self, key: Key, event: Event) -> None:
        if event.after is not None or event.before is not None:
            self._collections.setdefault(key.collection, _Collection()).take(event, key)


def _span(order: Order, namespace: str, after: Place | None) -> tuple[int, int]:
    """Where the part of a sorted list is that is in a namespace (empty: any) and after a place."""
    low = order.through(after) if after is not None else 0
    high = len(order)
    if namespace:
        low = max(low, order.before((namespace, "")))
        high = max(low, order.before((namespace + "\0", "")))
    return low, high


def _within(places: Iterable[Place], namespace: str, after: Place | None) -> Iterator[Place]:
    for place in places:
        if (not namespace or place[0] == namespace) and (after is None or place > after):
            yield place


def _chained(left: list[Place], right: list[Place]) -> Iterable[Place]:
    """Two sorted lists as one; cheap where one of them is empty."""
    return merge(left, right) if left and right else chain(left, right)


def _existing(
    places: Iterable[Place], records: Mapping[Place, Record], changed: Mapping[Place, Record | None]
) -> Iterator[Record]:
    for place in places:
        record = changed[place] if place in changed else records[place]
        if record is not None:
            yield record


def _count(places: list[Place], extra: list[Place], changed: Mapping[Place, Record | None]) -> int:
    missing = sum(1 for place, record in changed.items() if record is None and _holds(places, place))
    return len(places) - missing + sum(1 for place in extra if changed[place] is not None)


def _holds(places: list[Place], place: Place) -> bool:
    position = bisect_left(places, place)
    return position < len(places) and places[position] == place
