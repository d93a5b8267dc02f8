"""Connections of uvicorn that lose no time: a request that came as a whole is answered in one write.

uvicorn gives each request a task, and sends headers and body apart. Both cost more than most answers do. Watches, and
bodies that come in pieces, go uvicorn's way. `http_protocol` says whether the installed uvicorn is one that this fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from dravite.apiserver import Application
from dravite.apiserver.answers import Header


class Connection(HttpToolsProtocol):
    """A connection to an `Application`."""

    _is_reading = False
    _begun: tuple[RequestResponseCycle, Any] | None = None
    _answering: RequestResponseCycle | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the exchange that is under way that its client is gone; uvicorn tells the one that came last."""
        if self._answering is not None and not self._answering.response_complete:
            self._answering.disconnected = True
            self._answering.message_event.set()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._is_reading = True
        super().data_received(data)
        self._is_reading = False
        self._begin(is_whole=False)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._begin(is_whole=True)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        """Put off what may be here as a whole in a moment."""
        self._answering = cycle
        if self._is_reading:
            self._begun = cycle, app
        else:
            super()._start_asgi_task(cycle, app)

    def _begin(self, *, is_whole: bool) -> None:
        """Answer what was put off, or have it answered. A client that does not read has its answers sent piecemeal."""
        if self._begun is None:
            return
        (cycle, app), self._begun = self._begun, None
        if is_whole and isinstance(app, Application) and not self.flow.write_paused:
            take = partial(self._send, cycle)
            if app.answer_at_once(cycle.scope, bytes(cycle.body), take):
                return
        super()._start_asgi_task(cycle, app)

    def _send(self, cycle: RequestResponseCycle, code: int, headers: Sequence[Header], body: bytes) -> None:
        """Write a whole answer, and end the exchange as uvicorn ends it."""
        if cycle.disconnected or self.transport.is_closing():
            return
        parts = [STATUS_LINE[code]]
        for name, value in (*cycle.default_headers, *headers):
            parts += (name, b": ", value, b"\r\n")
        if not cycle.keep_alive:
            parts.append(b"connection: close\r\n")
        self.transport.write(b"".join((*parts, b"\r\n", body)))
        cycle.response_complete = True
        if not cycle.keep_alive:
            self.transport.close()
        cycle.on_response()
