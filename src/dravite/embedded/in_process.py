"""The API server of this process as controllers see one: no socket, no certificates, the same requests and answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import msgspec

from dravite.apiserver import ApiServer, drafts
from dravite.apiserver.backend import Response
from dravite.apiserver.kinds import Kind
from dravite.apiserver.requests import Request
from dravite.controllers.client import Answer, Call, Change, Resource
from dravite.store import Compacted, Event, Key, Record

Within: TypeAlias = Callable[[Callable[[], Any]], Any]
"""Runs a function where the server lives, and hands back what it gives."""


def here(function: Callable[[], Any]) -> Any:
    """Where there is only one thread."""
    return function()


class InProcess:
    """A client of a server that is in this process, maybe in another thread: `within` leads there."""

    def __init__(self, server: ApiServer, within: Within = here) -> None:
        self._server = server
        self._within = within
        self._kinds: tuple[Kind, ...] = ()
        self._resources: dict[Kind, Resource] = {}
        self._since: dict[Kind, int] = {}
        self._known: dict[Kind, set[Key]] = {}
        self._looked = -1

    def resources(self) -> Sequence[Resource]:
        kinds = self._server.backend.catalogue.kinds
        if kinds is not self._kinds:
            self._kinds = kinds
            for kind in kinds:
                self._resources.setdefault(kind, _resource(kind))
        return tuple(self._resources[kind] for kind in kinds)

    def changes(self) -> Sequence[Change]:
        durable = self._server.store.durable
        if durable == self._looked and self._kinds is self._server.backend.catalogue.kinds:
            return ()
        self.resources()
        self._looked = durable
        found: list[Change] = self._within(lambda: [change for kind in self._kinds for change in self._of(kind)])
        return sorted(found, key=lambda change: change.revision)

    def ask(self, call: Call) -> Answer:
        request = Request(
            method=call.method,
            path=call.path,
            query={"fieldManager": (call.manager,), **{name: (value,) for name, value in call.query.items()}},
            headers={"content-type": call.media, "user-agent": call.manager},
            body=msgspec.json.encode(call.body),
        )
        answer = self._within(lambda: self._server.handle(request))
        assert isinstance(answer, Response)  # noqa: S101 (no call asks for a watch)
        body = answer.body if not isinstance(answer.body, bytes) else msgspec.json.decode(answer.body)
        return Answer(answer.code, body)

    def _of(self, kind: Kind) -> Iterator[Change]:
        """What has happened to the objects of a kind; where that is forgotten, what must have."""
        store, since = self._server.store, self._since.get(kind)
        events = store.events(kind.resource, since) if since is not None else Compacted(0)
        if isinstance(events, Compacted):
            yield from self._listed(kind)
            return
        known = self._known[kind]
        for event in events:
            self._since[kind] = event.revision
            yield self._change(kind, event)
            record = event.after or event.before
            if record is not None:
                (known.add if event.after is not None else known.discard)(record.key)

    def _listed(self, kind: Kind) -> Iterator[Change]:
        page = self._server.store.page(kind.resource)
        if isinstance(page, Compacted):
            return
        before, self._known[kind] = self._known.get(kind, set()), {record.key for record in page.records}
        self._since[kind] = page.revision
        for key in sorted(before - self._known[kind], key=lambda key: (key.namespace, key.name)):
            yield Change(self._resources[kind], key.namespace, key.name, page.revision, b"", is_gone=True)
        for record in page.records:
            yield self._present(kind, record)

    def _change(self, kind: Kind, event: Event) -> Change:
        if event.after is not None:
            return self._present(kind, event.after)
        key = event.before.key if event.before is not None else Key("", "", "")
        return Change(self._resources[kind], key.namespace, key.name, event.revision, event.last, is_gone=True)

    def _present(self, kind: Kind, record: Record) -> Change:
        resource = self._resources[kind]
        is_shown = resource.version == kind.hub
        body = record.body if is_shown else msgspec.json.encode(drafts.shown(record, kind, resource.version))
        return Change(resource, record.key.namespace, record.key.name, record.revision, body)


def _resource(kind: Kind) -> Resource:
    """A kind in the version in which it is kept, or in the newest that is served."""
    version = kind.hub if kind.hub in kind.versions else kind.versions[0]
    return Resource(kind.group, version, kind.kind, kind.plural, kind.namespaced, kind.status)
