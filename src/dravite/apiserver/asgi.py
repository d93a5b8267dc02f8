"""The server on the wire: an ASGI application that waits for what `ApiServer` must not wait for.

It reads bodies, holds answers back until they are durable, compresses large ones, and feeds watches.
"""

from __future__ import annotations

import asyncio
import gzip
import logging
import math
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from itertools import chain
from typing import Any, Final
from urllib.parse import quote

import msgspec

from dravite.admission.server_warnings import told
from dravite.api.yaml_writer import write_yaml
from dravite.apiserver import media, statuses
from dravite.apiserver.audit import Heard, audit_line
from dravite.apiserver.backend import Response, Watch
from dravite.apiserver.identity import STRANGER, Access
from dravite.apiserver.protobuf_writing import encode
from dravite.apiserver.requests import MAX_BODY, Request, parse_query, target_of
from dravite.apiserver.server import ApiServer
from dravite.apiserver.streams import Lines
from dravite.store import Compacted

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]

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

_USUAL_HEADERS: Final = ((b"cache-control", b"no-cache, private"), (b"content-type", b"application/json"))
_GZIP_FROM: Final = 128 << 10
_PACE: Final = 0.000_2
_LONGEST_PACE: Final = 0.5
"""Seconds between two rounds of watchers: so much for each of them, at most."""

_BOOKMARK_SECONDS: Final = 60.0
_BEFORE_END: Final = 2.0
_PRETTY: Final = 2


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


def application(server: ApiServer, access: Access = EVERYBODY, conduct: Conduct = USUAL) -> Application:
    """The ASGI application of a server. It belongs to the event loop that it is first called in."""
    wire = _Wire(server, access, conduct)

    async def app(scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _lifespan(wire, receive, send)
        elif scope["type"] == "http":
            await wire.serve(scope, receive, send)

    return app


async def _lifespan(wire: _Wire, receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            await send({"type": "lifespan.startup.complete"})
        elif message["type"] == "lifespan.shutdown":
            wire.close()
            await send({"type": "lifespan.shutdown.complete"})
            return


class _Wire:
    """One server and those who wait for it."""

    def __init__(self, server: ApiServer, access: Access, conduct: Conduct) -> None:
        self._server = server
        self._access = access
        self._conduct = conduct
        self._waiting: list[tuple[int, asyncio.Future[None]]] = []
        self._watching: set[asyncio.Event] = set()
        self._is_paced = False
        self._is_told = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closing = False

    def close(self) -> None:
        """End all watches."""
        self._closing = True
        self._wake()

    async def serve(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
            self._server.store.when_durable(self._committed)
        at = time.time()
        request = _head(scope, self._access)
        answer: Response | Watch | None = self._refusal(scope, request)
        if answer is None:
            request, answer = await self._heard(request, receive)
        if isinstance(answer, Watch):
            self._tell(request, scope, (200, at))
            await self._stream(answer, receive, send)
            return
        if answer.revision > self._server.store.durable:
            answer = await self._durable(answer)
        await _respond(answer, request, send)
        self._tell(request, scope, (answer.code, at))

    async def _heard(self, request: Request, receive: Receive) -> tuple[Request, Response | Watch]:
        """The request with its body, and the answer to it."""
        try:
            whole = await _with_body(request, receive, self._conduct.seconds)
        except TimeoutError:
            return request, _TOO_SLOW
        return whole, self._answer(whole)

    def _refusal(self, scope: Mapping[str, Any], request: Request) -> Response | None:
        """Why a request is not even read."""
        if request.user is STRANGER:
            return UNAUTHORIZED
        if sum(map(len, chain.from_iterable(scope["headers"]))) > self._conduct.header:
            return _LONG_HEADER
        return None

    def _answer(self, request: Request) -> Response | Watch:
        """The server's answer; a fault of ours is one too, and is told to the log."""
        try:
            answer = self._server.handle(request)
        except Exception:
            _log.exception("%s %s", request.method, request.path)
            return Response(statuses.OURS, statuses.internal("this is a fault of dravite's").status)
        full = isinstance(answer, Watch) and len(self._watching) >= self._conduct.watches
        return _TOO_MANY_WATCHES if full else answer

    def _tell(self, request: Request, scope: Mapping[str, Any], outcome: tuple[int, float]) -> None:
        """Count an answer by its code and the time since the request came, and write it into the audit log."""
        code, at = outcome
        target = target_of(request.path, self._server.backend.catalogue)
        metrics, now = self._server.backend.metrics, time.time()
        verb = "WATCH" if request.flag("watch") else request.method if request.method in _METHODS else "OTHER"
        metrics.answered(code, target.kind.plural if target else "", verb, now - at)
        if self._conduct.audit is not None:
            query = scope["query_string"].decode("latin-1")
            uri = f"{request.path}?{query}" if query else request.path
            client = (scope.get("client") or ("",))[0]
            self._conduct.audit(audit_line(request, target, Heard(uri=uri, client=client, at=at), code, now))

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
        self._waiting = [(revision, future) for revision, future in waiting if revision > durable]
        for revision, future in waiting:
            if revision <= durable and not future.done():
                future.set_result(None)
        if self._watching and self._loop is not None and not self._is_paced:
            self._is_paced = True
            self._loop.call_later(min(_LONGEST_PACE, len(self._watching) * _PACE), self._wake)

    def _wake(self) -> None:
        self._is_paced = False
        for event in self._watching:
            event.set()

    async def _durable(self, answer: Response) -> Response:
        """The answer once its write is durable, or that it cannot be."""
        store = self._server.store
        if store.failure is None:
            future = asyncio.get_running_loop().create_future()
            self._waiting.append((answer.revision, future))
            if store.durable < answer.revision:  # asked again: those who write look whether anybody waits
                await future
        if store.failure is None:
            return answer
        return Response(statuses.OURS, statuses.internal(f"the data cannot be written: {store.failure}").status)

    async def _stream(self, watch: Watch, receive: Receive, send: Send) -> None:
        """Send events until the client goes, the time is over, or history is too short."""
        headers = [(b"content-type", watch.accepted.content_type.encode()), (b"cache-control", b"no-cache, private")]
        if watch.warnings:
            headers.append((b"warning", _warning(watch.warnings).encode("latin-1", "replace")))
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


def _head(scope: Mapping[str, Any], access: Access) -> Request:
    """The request without its body."""
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    if len(headers) < len(scope["headers"]):
        headers = _joined(scope["headers"])
    path = scope.get("raw_path", b"").decode("latin-1").partition("?")[0] or quote(scope["path"])
    query = parse_query(scope["query_string"].decode("latin-1"))
    user = access.user_of(headers, path) or STRANGER
    return Request(method=scope["method"], path=path, query=query, headers=headers, user=user)


def _joined(given: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Headers of which some came more than once."""
    headers: dict[str, str] = {}
    for name, value in ((name.decode("latin-1"), value.decode("latin-1")) for name, value in given):
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers


async def _respond(answer: Response, request: Request, send: Send) -> None:
    if request.method != "HEAD" and _is_usual(answer):
        length = (b"content-length", str(len(answer.body)).encode())
        await send({"type": "http.response.start", "status": answer.code, "headers": [*_USUAL_HEADERS, length]})
        await send({"type": "http.response.body", "body": answer.body})
        return
    code, headers, body = render(answer, request)
    sent = [(name.encode("latin-1"), value.encode("latin-1", "replace")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": code, "headers": sent})
    await send({"type": "http.response.body", "body": b"" if request.method == "HEAD" else body})


def _is_usual(answer: Response) -> bool:
    """Whether an answer is a small object as it is kept, with nothing beside it: by far the most are."""
    return (
        isinstance(answer.body, bytes)
        and 0 < len(answer.body) < _GZIP_FROM
        and answer.content_type == media.JSON
        and not answer.headers
        and not answer.warnings
    )


def render(answer: Response, request: Request) -> tuple[int, Mapping[str, str], bytes]:
    """The code, the headers (by lower-case name) and the body of an answer, as they go over the wire."""
    body = _body(answer, request)
    headers = {"cache-control": "no-cache, private"} | {name.lower(): value for name, value in answer.headers.items()}
    if answer.content_type:
        headers["content-type"] = answer.content_type
    if len(body) >= _GZIP_FROM and "gzip" in request.headers.get("accept-encoding", ""):
        body = gzip.compress(body, 1)
        headers |= {"content-encoding": "gzip", "vary": "Accept-Encoding"}
    headers["content-length"] = str(len(body))
    if answer.warnings:
        headers["warning"] = _warning(answer.warnings)
    return answer.code, headers, body


def _warning(texts: tuple[str, ...]) -> str:
    """The value of a Warning header."""
    quoted = (text.replace("\\", "\\\\").replace('"', '\\"') for text in told(texts))
    return ", ".join(f'299 - "{text}"' for text in quoted)


def _body(answer: Response, request: Request) -> bytes:
    if isinstance(answer.body, bytes):
        return answer.body
    if answer.content_type == media.YAML:
        return write_yaml(answer.body).encode()
    if answer.content_type == media.PROTOBUF:
        return encode(answer.body)
    data = msgspec.json.encode(answer.body)
    return msgspec.json.format(data, indent=_PRETTY) + b"\n" if request.flag("pretty") else data + b"\n"
