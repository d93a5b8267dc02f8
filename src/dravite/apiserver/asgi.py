"""The server on the wire: an ASGI application that waits for what `ApiServer` must not wait for.

It reads bodies, holds answers back until they are durable, compresses large ones, and feeds watches.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping, Sequence
from itertools import chain
from typing import Any, Final, NamedTuple
from urllib.parse import quote

import msgspec

from dravite.apiserver import statuses
from dravite.apiserver.answers import Header, Written, warning, written
from dravite.apiserver.audit import Heard, audit_line
from dravite.apiserver.backend import Response, Watch
from dravite.apiserver.identity import STRANGER, Access
from dravite.apiserver.requests import MAX_BODY, Request, parse_query, target_of
from dravite.apiserver.server import ApiServer
from dravite.apiserver.streams import Lines
from dravite.store import Compacted

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Take = Callable[[int, Sequence[Header], bytes], None]

_log: Final = logging.getLogger("dravite.apiserver")

EVERYBODY: Final = Access()
UNAUTHORIZED: Final = Response(401, statuses.status(401, "Unauthorized", "Unauthorized"))
_TOO_SLOW: Final = Response(408, statuses.status(408, "Timeout", "the body of the request did not come in time"))
_LONG_HEADER: Final = Response(431, statuses.status(431, "", "the headers of the request are too large"))
_TOO_MANY_WATCHES: Final = Response(
    429,
    statuses.status(429, "TooManyRequests", "too many watches are open, try again later", {"retryAfterSeconds": 1}),
    headers={"Retry-After": "1"},
)
_METHODS: Final = frozenset({"DELETE", "GET", "HEAD", "PATCH", "POST", "PUT"})
_WITHOUT_BODY: Final = ("GET", "HEAD")

_PACE: Final = 0.000_2
_LONGEST_PACE: Final = 0.5
"""Seconds between two rounds of watchers: so much for each of them, at most."""

_BOOKMARK_SECONDS: Final = 60.0
_BEFORE_END: Final = 2.0


class Conduct(msgspec.Struct, frozen=True, kw_only=True):
    """What a server bears from its clients, and whom it tells of them.

    Attributes:
        watches: how many may be open at once.
        header: bytes of all headers of a request.
        seconds: for which a body may be under way.
        audit: takes one line about each request.
    """

    watches: int = 10_000
    header: int = 1 << 20
    seconds: float = 60.0
    audit: Callable[[bytes], object] | None = None


USUAL: Final = Conduct()


class _Asked(NamedTuple):
    """A request, the scope that it was read from, and when that was."""

    scope: Mapping[str, Any]
    request: Request
    at: float


class Application:
    """The ASGI application of a server, and those who wait for it. It belongs to the event loop that it is first
    called in.
    """

    def __init__(self, server: ApiServer, access: Access = EVERYBODY, conduct: Conduct = USUAL) -> None:
        self._server = server
        self._access = access
        self._conduct = conduct
        self._waiting: list[tuple[int, Callable[[], None]]] = []
        self._watching: set[asyncio.Event] = set()
        self._is_paced = False
        self._is_told = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closing = False

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._serve(scope, receive, send)

    def answer_at_once(self, scope: Mapping[str, Any], body: bytes, take: Take) -> bool:
        """Answer a request that is here as a whole, without ASGI's messages and tasks: `take` gets the answer, now or
        as soon as it is durable. False for those that are not answered so: watches, which have no end, and HEAD.
        """
        asked = self._asked(scope, body)
        request = asked.request
        if request.method == "HEAD" or request.flag("watch"):
            return False
        answer = self._refusal(asked) or self._answer(request)
        assert not isinstance(answer, Watch)  # noqa: S101 (only those who ask for one get one)

        def finish() -> None:
            kept = self._kept(answer)
            take(*_written(kept, request))
            self._tell(asked, kept.code)

        self._when_durable(answer.revision, finish)
        return True

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                self._closing = True
                self._wake()
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def _serve(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        asked = self._asked(scope)
        answer: Response | Watch | None = self._refusal(asked)
        request = asked.request
        if answer is None:
            request, answer = await self._heard(request, receive)
        if isinstance(answer, Watch):
            self._tell(asked, 200)
            await self._stream(answer, receive, send)
            return
        if answer.revision > self._server.store.durable:
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._when_durable(answer.revision, lambda: None if future.done() else future.set_result(None))
            await future
        code, headers, data = _written(self._kept(answer), request)
        await send({"type": "http.response.start", "status": code, "headers": headers})
        await send({"type": "http.response.body", "body": data})
        self._tell(asked, code)

    def _asked(self, scope: Mapping[str, Any], body: bytes = b"") -> _Asked:
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
            self._server.store.when_durable(self._committed)
        return _Asked(scope, _read(scope, body, self._access), time.time())

    async def _heard(self, request: Request, receive: Receive) -> tuple[Request, Response | Watch]:
        """The request with its body, and the answer to it."""
        try:
            whole = await _with_body(request, receive, self._conduct.seconds)
        except TimeoutError:
            return request, _TOO_SLOW
        return whole, self._answer(whole)

    def _refusal(self, asked: _Asked) -> Response | None:
        """Why a request is not even read."""
        if asked.request.user is STRANGER:
            return UNAUTHORIZED
        if sum(map(len, chain.from_iterable(asked.scope["headers"]))) > self._conduct.header:
            return _LONG_HEADER
        return None

    def _answer(self, request: Request) -> Response | Watch:
        """The server's answer; a fault of ours is one too, and is told to the log."""
        try:
            answer = self._server.handle(request)
        except Exception:
            return _our_fault(request)
        full = isinstance(answer, Watch) and len(self._watching) >= self._conduct.watches
        return _TOO_MANY_WATCHES if full else answer

    def _tell(self, asked: _Asked, code: int) -> None:
        """Count an answer by its code and the time since the request came, and write it into the audit log."""
        request, scope = asked.request, asked.scope
        target = target_of(request.path, self._server.backend.catalogue)
        metrics, now = self._server.backend.metrics, time.time()
        verb = "WATCH" if request.flag("watch") else request.method if request.method in _METHODS else "OTHER"
        metrics.answered(code, target.kind.plural if target else "", verb, now - asked.at)
        if self._conduct.audit is not None:
            query = scope["query_string"].decode("latin-1")
            uri = f"{request.path}?{query}" if query else request.path
            client = (scope.get("client") or ("",))[0]
            self._conduct.audit(audit_line(request, target, Heard(uri=uri, client=client, at=asked.at), code, now))

    def _committed(self) -> None:
        """Called by the journal's thread, or, in memory, by the one that writes."""
        is_awaited = self._waiting or self._watching
        if is_awaited and not self._is_told and self._loop is not None and not self._loop.is_closed():
            self._is_told = True
            self._loop.call_soon_threadsafe(self._moved)

    def _moved(self) -> None:
        """Wake those who wait for their write now, and watchers in a moment: with many of them one round takes time,
        and what happens meanwhile goes out together in the next.
        """
        self._is_told = False
        store, waiting = self._server.store, self._waiting
        durable = store.durable if store.failure is None else store.revision
        self._waiting = [(revision, then) for revision, then in waiting if revision > durable]
        for revision, then in waiting:
            if revision <= durable:
                then()
        if self._watching and self._loop is not None and not self._is_paced:
            self._is_paced = True
            self._loop.call_later(min(_LONGEST_PACE, len(self._watching) * _PACE), self._wake)

    def _wake(self) -> None:
        self._is_paced = False
        for event in self._watching:
            event.set()

    def _when_durable(self, revision: int, then: Callable[[], None]) -> None:
        """Do something once a revision is durable, or cannot be any more; at once where it is so."""
        store = self._server.store
        if revision > store.durable and store.failure is None:
            waiting = (revision, then)
            self._waiting.append(waiting)
            if revision > store.durable and store.failure is None:
                return  # asked again: those who write look whether anybody waits
            self._waiting.remove(waiting)
        then()

    def _kept(self, answer: Response) -> Response:
        """The answer, or that what it tells could not be kept."""
        store = self._server.store
        if answer.revision <= store.durable:
            return answer
        return Response(statuses.OURS, statuses.internal(f"the data cannot be written: {store.failure}").status)

    async def _stream(self, watch: Watch, receive: Receive, send: Send) -> None:
        """Send events until the client goes, the time is over, or history is too short."""
        headers = [(b"content-type", watch.content_type.encode()), (b"cache-control", b"no-cache, private")]
        if watch.warnings:
            headers.append((b"warning", warning(watch.warnings).encode("latin-1", "replace")))
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        event = asyncio.Event()
        ended = asyncio.create_task(_disconnected(receive, event))
        timer = asyncio.get_running_loop().call_later(watch.seconds, event.set)
        self._watching.add(event)
        try:
            await self._feed(watch, event, ended, send)
        finally:
            self._watching.discard(event)
            timer.cancel()
            ended.cancel()
        if not ended.done():
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _feed(self, watch: Watch, event: asyncio.Event, ended: asyncio.Task[None], send: Send) -> None:
        loop, store = asyncio.get_running_loop(), self._server.store
        lines = Lines(self._server.backend, watch)
        since, until = watch.since, loop.time() + watch.seconds
        marked = _next_mark(loop.time(), until) if watch.bookmarks else math.inf
        loop.call_at(min(marked, until), event.set)
        await _send_lines(lines.initial(), send)
        while True:
            event.clear()
            durable = store.durable
            found = store.events(watch.target.kind.resource, since)
            if isinstance(found, Compacted):
                await _send_lines((lines.expired(since, found.oldest),), send)
                return
            if found:
                since = found[-1].revision
                await _send_lines(lines.following(found), send)
                continue
            since = max(since, durable)  # nothing happened here, whatever happened elsewhere
            now = loop.time()
            over = now >= until or self._closing
            if over or ended.done():
                return
            if now >= marked:
                await _send_lines((lines.bookmark(since),), send)
                marked = _next_mark(now, until)
                loop.call_at(min(marked, until), event.set)
            await event.wait()


def _written(answer: Response, request: Request) -> Written:
    """An answer in bytes. One that cannot be written keeps nobody else waiting."""
    try:
        return written(answer, request)
    except Exception:
        return written(_our_fault(request), msgspec.structs.replace(request, headers={}))


def _our_fault(request: Request) -> Response:
    """The answer where we fail; why is told to the log."""
    _log.exception("%s %s", request.method, request.path)
    return Response(statuses.OURS, statuses.internal("this is a fault of dravite's").status)


def _next_mark(now: float, until: float) -> float:
    """When to send the next bookmark: in a minute, and shortly before the end. Never, where that is now."""
    before_end = until - _BEFORE_END
    return min(now + _BOOKMARK_SECONDS, before_end) if before_end > now else math.inf


async def _disconnected(receive: Receive, event: asyncio.Event) -> None:
    while (await receive())["type"] != "http.disconnect":
        continue
    event.set()


async def _send_lines(lines: Iterable[bytes], send: Send) -> None:
    data = b"".join(lines)
    if data:
        await send({"type": "http.response.body", "body": data, "more_body": True})


async def _with_body(request: Request, receive: Receive, seconds: float) -> Request:
    """The request with its body. A body that is too large is cut off one byte after the limit.

    Raises:
        TimeoutError: it did not come in so many seconds.
    """
    if request.method in _WITHOUT_BODY:
        return request
    chunks, size = [], 0
    async with asyncio.timeout(seconds):
        while True:
            message = await receive()
            chunk = message.get("body", b"")
            if size <= MAX_BODY:
                chunks.append(chunk)
                size += len(chunk)
            if not message.get("more_body"):
                break
    return msgspec.structs.replace(request, body=b"".join(chunks))


def _read(scope: Mapping[str, Any], body: bytes, access: Access) -> Request:
    """The request of a scope."""
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    if len(headers) < len(scope["headers"]):
        headers = _joined(scope["headers"])
    path = scope.get("raw_path", b"").decode("latin-1").partition("?")[0] or quote(scope["path"])
    query = parse_query(scope["query_string"].decode("latin-1"))
    user = access.user_of(headers, path) or STRANGER
    method = scope["method"]
    read = b"" if method in _WITHOUT_BODY else body
    return Request(method=method, path=path, query=query, headers=headers, body=read, user=user)


def _joined(given: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Headers of which some came more than once."""
    headers: dict[str, str] = {}
    for name, value in ((name.decode("latin-1"), value.decode("latin-1")) for name, value in given):
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers
