"""One resource after its list: the changes that the server tells as they happen, for as long as anybody wants them.

A watch that ends is taken up again where it was; one that fell behind (410) begins with a new list. Nothing is asked
again and again: the server speaks when there is something to say.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from queue import SimpleQueue
from typing import Final, TypeAlias

import msgspec

from dravite.diagnosis.observations import ListRefused
from dravite.live.answers import FORBIDDEN, GONE, OK, UNAUTHORIZED, refusal, status_of
from dravite.live.discovery import Served
from dravite.live.faults import ClusterError
from dravite.live.lists import Asking, Item, Listed, item_of, list_all
from dravite.live.transport import Reply

WATCH_SECONDS: Final = 270
"""How long the server is to keep one watch open."""

SILENCE: Final = WATCH_SECONDS + 20.0
"""A connection that is silent for longer than its watch lasts is dead."""

_FIRST_PAUSE: Final = 0.5
_LONGEST_PAUSE: Final = 30.0


class Happened(msgspec.Struct, frozen=True):
    """An object as it is now; `gone` for one that was deleted."""

    served: Served
    item: Item
    gone: bool = False


class Relisted(msgspec.Struct, frozen=True):
    """All of a resource anew: the watch had fallen behind."""

    listed: Listed


class WatchLost(msgspec.Struct, frozen=True):
    """A watch that does not come about; `final` where it is not tried again."""

    served: Served
    message: str
    final: bool = False


Event: TypeAlias = Happened | Relisted | WatchLost


class _Event(msgspec.Struct, frozen=True):
    type: str = ""
    object: msgspec.Raw = msgspec.Raw(b"{}")


class _Meta(msgspec.Struct, frozen=True, rename="camel"):
    resource_version: str = ""


class _Bookmark(msgspec.Struct, frozen=True):
    """What an event's object says of itself, whether it is an object, a bookmark or a Status."""

    metadata: _Meta = _Meta()
    code: int = 0
    message: str = ""


_EVENTS: Final = msgspec.json.Decoder(_Event)
_BOOKMARKS: Final = msgspec.json.Decoder(_Bookmark)


class Follower:
    """Follows one list until it is stopped, and puts what happens into a queue. Runs in a thread of its own."""

    def __init__(self, asking: Asking, listed: Listed, events: SimpleQueue[Event]) -> None:
        self._asking = asking
        self._served = listed.served
        self._namespace = listed.namespace
        self._moment = listed.moment
        self._events = events
        self._failures = 0

    def start(self) -> None:
        """Begin to follow."""
        threading.Thread(target=self._follow, daemon=True).start()

    def _follow(self) -> None:
        while not self._asking.stop.is_set():
            try:
                if not self._watch():
                    return
            except ClusterError as fault:
                self._lost(str(fault))
            except (msgspec.DecodeError, UnicodeDecodeError):
                self._lost(f"the server tells changes of {self._served.resource} in words that are not Kubernetes'")

    def _watch(self) -> bool:
        """One watch to its end; whether to go on."""
        query = {
            "watch": "true",
            "resourceVersion": self._moment,
            "allowWatchBookmarks": "true",
            "timeoutSeconds": str(WATCH_SECONDS),
        }
        path = self._served.path(self._namespace)
        with self._asking.transport.lines(path, query, SILENCE) as (code, lines):
            if code == OK:
                return self._take(lines) or self._ended()
            reply = Reply(code, {}, b"\n".join(lines))
        if code == GONE:
            return self._relist()
        message = status_of(reply).message or f"the server answers {code}"
        if code == UNAUTHORIZED:
            message = str(refusal(reply, self._asking.access, path))
        self._lost(message, final=code in (FORBIDDEN, UNAUTHORIZED))
        return code not in (FORBIDDEN, UNAUTHORIZED)

    def _take(self, lines: Iterator[bytes]) -> bool:
        """What one watch says; whether it said anything before it ended."""
        spoke = False
        for line in lines:
            if not line.strip():
                continue
            event = _EVENTS.decode(line)
            about = _BOOKMARKS.decode(event.object)
            if event.type == "ERROR":
                return self._relist() if about.code == GONE else self._lost(about.message)
            self._moment = about.metadata.resource_version or self._moment
            self._failures, spoke = 0, True
            if event.type != "BOOKMARK":
                item = item_of(self._served, event.object)
                self._events.put(Happened(self._served, item, gone=event.type == "DELETED"))
        return spoke

    def _ended(self) -> bool:
        """A watch that ends without a word may do so at once, again and again: wait longer each time."""
        self._pause()
        return True

    def _relist(self) -> bool:
        asking = msgspec.structs.replace(self._asking, moment="", narrow_to=self._namespace)
        found = list_all(asking, self._served)
        if isinstance(found, ListRefused):
            return self._lost(found.message)
        self._moment = found.moment
        self._events.put(Relisted(found))
        return True

    def _lost(self, message: str, *, final: bool = False) -> bool:
        """Say so, and wait longer each time before the next attempt."""
        self._events.put(WatchLost(self._served, message, final))
        if not final:
            self._pause()
        return True

    def _pause(self) -> None:
        self._asking.stop.wait(min(_FIRST_PAUSE * 2.0**self._failures, _LONGEST_PAUSE))
        self._failures += 1
