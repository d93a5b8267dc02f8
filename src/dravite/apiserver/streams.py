"""Events of a watch as lines: which happen to a watcher, and how they are written. Lines are shared by all watchers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, Literal

import msgspec

from dravite.api.plain import Plain
from dravite.apiserver import drafts, forms
from dravite.apiserver.backend import Backend, Watch, with_revision
from dravite.apiserver.kinds import Kind
from dravite.apiserver.media import AS_KEPT
from dravite.apiserver.protobuf_writing import encode_event
from dravite.apiserver.selectors import Selector
from dravite.apiserver.statuses import status
from dravite.store import Event, Record

Type = Literal["ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"]

_END: Final = "k8s.io/initial-events-end"
_CACHED: Final = 8192
_SHARED: Final = 64

EVERYTHING: Final = Selector()


class Lines:
    """The lines of one watch. It remembers only whether the columns of a table were sent."""

    def __init__(self, backend: Backend, watch: Watch) -> None:
        self._backend = backend
        self._watch = watch
        self._told_columns = False

    def initial(self) -> Iterator[bytes]:
        """What is there when the watch begins, and where that ends."""
        for record in self._watch.initial:
            yield self._line("ADDED", record)
        if self._watch.marks_initial:
            yield self.bookmark(self._watch.since, {_END: "true"})

    def following(self, events: tuple[Event, ...]) -> Iterator[bytes]:
        """What has happened, as far as the watcher is to see it."""
        watch = self._watch
        if watch.selector.is_empty and watch.accepted == AS_KEPT:
            yield shared_lines(events, watch.target.namespace, watch.target.kind, watch.target.version)
            return
        for event in events:
            seen = seen_as(event, self._watch.target.namespace, self._watch.target.kind, self._watch.selector)
            if seen is not None:
                yield self._line(*seen)

    def bookmark(self, revision: int, annotations: Plain | None = None) -> bytes:
        """How far the watch has come: an object of the kind in which nothing else is set."""
        target = self._watch.target
        meta: Plain = {"resourceVersion": str(revision)}
        if annotations:
            meta["annotations"] = annotations
        plain = {**drafts.zero(target.kind, target.version), "metadata": meta}
        return self._written("BOOKMARK", plain)

    def expired(self, since: int, oldest: int) -> bytes:
        """The end of a watch that asks for events that are forgotten."""
        body = status(410, "Expired", f"too old resource version: {since} ({oldest})")
        return self._event("ERROR", body)

    def _line(self, kind: Type, record: Record) -> bytes:
        target = self._watch.target
        if self._watch.accepted == AS_KEPT:
            return object_line(kind, record, target.kind, target.version)
        return self._written(kind, drafts.shown(record, target.kind, target.version))

    def _written(self, kind: Type, plain: Plain) -> bytes:
        watch = self._watch
        if watch.accepted.form == "object":
            body = plain
        else:
            body = forms.single(plain, watch.target, watch.accepted, watch.include, self._backend.source.now())
        if watch.accepted.form == "Table":
            if self._told_columns:
                body = {**body, "columnDefinitions": None}
            self._told_columns = True
        return self._event(kind, body)

    def _event(self, kind: Type, body: Plain) -> bytes:
        if self._watch.accepted.format == "protobuf":
            return encode_event(kind, body)
        return msgspec.json.encode({"type": kind, "object": body}) + b"\n"


@lru_cache(maxsize=_SHARED)
def shared_lines(events: tuple[Event, ...], namespace: str, kind: Kind, version: str) -> bytes:
    """The lines of all events that somebody sees who sees all objects of a namespace, or of all of them."""
    seen = (seen_as(event, namespace, kind, EVERYTHING) for event in events)
    return b"".join(object_line(*one, kind, version) for one in seen if one is not None)


@lru_cache(maxsize=_CACHED)
def object_line(type_: Type, record: Record, kind: Kind, version: str) -> bytes:
    """One event with the whole object."""
    body = record.body if version == kind.hub else msgspec.json.encode(drafts.shown(record, kind, version))
    return b'{"type":"' + type_.encode() + b'","object":' + body + b"}\n"


def seen_as(event: Event, namespace: str, kind: Kind, selector: Selector) -> tuple[Type, Record] | None:
    """What an event is to a watcher of a namespace (empty: all) with a selector; None for what it does not see."""
    record = event.after or event.before
    if record is None or (namespace and record.key.namespace != namespace):
        return None
    was = event.before is not None and _matches(event.before, kind, selector)
    is_ = event.after is not None and _matches(event.after, kind, selector)
    if event.after is not None and is_:
        return ("MODIFIED" if was else "ADDED"), event.after
    if not was:
        return None
    if event.after is None:
        return "DELETED", Record(record.key, event.revision, event.last)
    # The object left the selector: Kubernetes tells the last state that matched, at the revision of the change.
    before = event.before or event.after
    body = msgspec.json.encode(with_revision(drafts.kept(before, kind).plain, event.revision))
    return "DELETED", Record(record.key, event.revision, body)


def _matches(record: Record, kind: Kind, selector: Selector) -> bool:
    return selector.is_empty or selector.matches(drafts.kept(record, kind).plain)
