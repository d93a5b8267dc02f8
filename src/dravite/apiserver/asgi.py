"""The server on the wire: an ASGI application that waits for what `ApiServer` must not wait for.

It reads bodies, holds answers back until they are durable, compresses large ones, and feeds watches.
"""

from __future__ import annotations

import asyncio
import gzip
import logging
import math
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from typing import Any, Final
from urllib.parse import quote

import msgspec

from dravite.api.yaml_writer import write_yaml
from dravite.apiserver import media, statuses
from dravite.apiserver.backend import Response, Watch
from dravite.apiserver.identity import STRANGER, Access
from dravite.apiserver.protobuf_writing import encode
from dravite.apiserver.requests import MAX_BODY, Request, parse_query
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

_GZIP_FROM: Final = 128 << 10
_PACE: Final = 0.000_2
_LONGEST_PACE: Final = 0.5
"""Seconds between two rounds of watchers: so much for each of them, at most."""

_BOOKMARK_SECONDS: Final = 60.0
_BEFORE_END: Final = 2.0
_PRETTY: Final = 2


def application(server: ApiServer, access: Access = EVERYBODY) -> Application:
    """The ASGI application of a server. It belongs to the event loop that it is first called in."""
    wire = _Wire(server, access)

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

    def __init__(self, server: ApiServer, access: Access) -> None:
        self._server = server
        self._access = access
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
        request = await _read(scope, receive, self._access)
        if request.user is STRANGER:
            await _respond(UNAUTHORIZED, request, send)
            return
        answer = self._answer(request)
        if isinstance(answer, Watch):
            await self._stream(answer, receive, send)
            return
        if answer.revision > self._server.store.durable:
            await self._durable(answer.revision)
        await _respond(answer, request, send)

    def _answer(self, request: Request) -> Response | Watch:
        """The server's answer; a fault of ours is one too, and is told to the log."""
        try:
            return self._server.handle(request)
        except Exception:
            _log.exception("%s %s", request.method, request.path)
            return Response(statuses.OURS, statuses.internal("this is a fault of dravite's").status)

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

    async def _durable(self, revision: int) -> None:
        """Wait until a revision is durable. Raises what keeps the journal from writing."""
        store = self._server.store
        if store.failure is None:
            future = asyncio.get_running_loop().create_future()
            self._waiting.append((revision, future))
            if store.durable < revision:  # asked again: those who write look whether anybody waits
                await future
        if store.failure is not None:
            raise store.failure

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


async def _read(scope: Mapping[str, Any], receive: Receive, access: Access) -> Request:
    """The request with its body. A body that is too large is cut off one byte after the limit."""
    chunks, size = [], 0
    while True:
        message = await receive()
        chunk = message.get("body", b"")
        if size <= MAX_BODY:
            chunks.append(chunk)
            size += len(chunk)
        if not message.get("more_body"):
            break
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    path = scope.get("raw_path", b"").decode("latin-1").partition("?")[0] or quote(scope["path"])
    query = parse_query(scope["query_string"].decode("latin-1"))
    user = access.user_of(headers, path) or STRANGER
    return Request(method=scope["method"], path=path, query=query, headers=headers, body=b"".join(chunks), user=user)


async def _respond(answer: Response, request: Request, send: Send) -> None:
    code, headers, body = render(answer, request)
    sent = [(name.encode("latin-1"), value.encode("latin-1", "replace")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": code, "headers": sent})
    await send({"type": "http.response.body", "body": b"" if request.method == "HEAD" else body})


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
    quoted = (text.replace("\\", "\\\\").replace('"', '\\"') for text in texts)
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
