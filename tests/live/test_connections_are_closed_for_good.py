"""Closing a transport ends whoever waits on it and leaves no connection behind, also none that was being made."""

from __future__ import annotations

import gc
import socket
import ssl
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx2
import pytest

from dravite.live.connections import ClosedError, Connections
from dravite.live.faults import ClusterError
from dravite.live.kubeconfig import Choice, find_access
from dravite.live.lists import Asking
from dravite.live.mirror import Mirror
from dravite.live.reading import Question, read_cluster
from dravite.live.transport import connect
from dravite.live.wanted import wanted_by
from tests.live.certificates import serving_tls
from tests.live.server import ApiServer


def follow_and_leave(api: ApiServer, kubeconfig: str) -> None:
    """Watch every list, and leave as soon as the pods' watch is open and silent."""
    opened, over = threading.Event(), threading.Event()

    def silent() -> Iterator[bytes]:
        opened.set()
        over.wait(60)
        yield b""

    api.scripts["pods"] = [silent]
    access = find_access(Choice(kubeconfig), {})
    transport = connect(access, 60.0)
    asking = Asking(transport=transport, access=access)
    Mirror(asking, read_cluster(transport, access, Question(wanted_by("plan")))).start()
    assert opened.wait(60)
    asking.stop.set()
    transport.close()
    for one in threading.enumerate():
        if "_follow" in one.name:
            one.join(60)
            assert not one.is_alive()
    over.set()


def test_watches_end_that_nobody_wants_any_more(api: ApiServer, tmp_path: Path) -> None:
    follow_and_leave(api, api.kubeconfig(tmp_path))


def test_watches_over_tls_end_too(tmp_path: Path) -> None:
    with serving_tls(tmp_path) as api:
        follow_and_leave(api, api.kubeconfig(tmp_path, **{"certificate-authority": "tls.crt"}))


def test_nothing_is_asked_after_the_end(api: ApiServer, tmp_path: Path) -> None:
    transport = connect(find_access(Choice(api.kubeconfig(tmp_path)), {}), 60.0)
    transport.close()
    with pytest.raises(ClusterError, match="the connection was closed"):
        transport.get("/version", {})
    assert api.asked == []


@pytest.mark.parametrize(
    "moment",
    [
        "connect_tcp.started",
        "connect_tcp.complete",
        "start_tls.started",
        "start_tls.complete",
        "send_request_body.complete",
    ],
)
def test_a_connection_with_tls_can_be_closed_at_any_moment(tmp_path: Path, moment: str) -> None:
    """A socket that nobody closes is a ResourceWarning, and warnings fail tests."""
    with serving_tls(tmp_path) as api:
        client = httpx2.Client(base_url=api.url, verify=ssl.create_default_context(cafile=str(tmp_path / "tls.crt")))
        connections = Connections(client)
        seen = []

        def trace(event: str, info: Mapping[str, Any]) -> None:
            seen.append(event)
            connections.trace(event, info)
            if event.endswith(moment):
                connections.close()

        with pytest.raises(httpx2.TransportError), connections.inside():
            client.get("/version", extensions={"trace": trace})
        assert client.is_closed
        assert any(event.endswith(moment) for event in seen)
        gc.collect()


class Line:
    """A connection as the HTTP library tells of it."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end

    def get_extra_info(self, name: str) -> socket.socket:
        assert name == "socket"
        return self._end


def test_a_connection_that_is_made_too_late_is_broken_off_and_closed_by_the_last_to_leave() -> None:
    client = httpx2.Client()
    connections = Connections(client)
    here, there = socket.socketpair()
    with here, there:
        with connections.inside():
            connections.close()
            assert not client.is_closed
            connections.trace("connection.connect_tcp.complete", {"return_value": Line(here)})
            assert there.recv(1) == b""
        assert client.is_closed
    with pytest.raises(ClosedError), connections.inside():
        pass
