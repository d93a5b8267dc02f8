"""The connections of a client, and who waits on them, so that all of them can be closed for good.

Closing a client forgets its connections: whoever reads from one goes on waiting, and one that is just being made is
nobody's. Here all are broken off first, and the client is closed by the last one to leave.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, Final
from weakref import WeakSet

import httpx2

from dravite.live.parallel import MOMENT

_CONNECTED: Final = "connect_tcp.complete"
_SECURED: Final = "start_tls.complete"
"""What the HTTP library calls the moments at which a connection has a new socket."""


class ClosedError(OSError):
    """All connections were closed."""


class Connections:
    """Who asks over a client, and the sockets of its connections. Safe for threads."""

    def __init__(self, client: httpx2.Client) -> None:
        self._client = client
        self._made = _SECURED if client.base_url.scheme == "https" else _CONNECTED
        self._sockets: WeakSet[socket.socket] = WeakSet()
        self._inside = 0
        self._closed = False
        self._changed = threading.Condition()

    @contextmanager
    def inside(self) -> Iterator[None]:
        """For as long as somebody waits for an answer. Raises `ClosedError` where there is none to come any more."""
        with self._changed:
            if self._closed:
                message = "the connection was closed"
                raise ClosedError(message)
            self._inside += 1
        try:
            yield
        finally:
            with self._changed:
                self._inside -= 1
                self._close_if_left()
                self._changed.notify_all()

    def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Take note of a new socket: the extension `trace` of a request.

        One that is still to get TLS is left alone: broken off just then, Python's `ssl` would never close it.
        """
        if event.endswith(self._made):
            with self._changed:
                made: socket.socket = info["return_value"].get_extra_info("socket")
                self._sockets.add(made)
                if self._closed:
                    _break_off(made)

    def close(self) -> None:
        """Break off whatever is still coming, and begin nothing any more."""
        with self._changed:
            self._closed = True
            for one in self._sockets:
                _break_off(one)
            self._close_if_left()
            self._changed.wait_for(lambda: not self._inside, MOMENT)

    def _close_if_left(self) -> None:
        if self._closed and not self._inside:
            self._client.close()


def _break_off(one: socket.socket) -> None:
    """Wake who reads from a socket. Not by its own method: one with TLS would be read on as if it had none."""
    with suppress(OSError):
        socket.socket.shutdown(one, socket.SHUT_RDWR)
