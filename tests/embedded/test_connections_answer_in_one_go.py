"""What a connection does with requests however they come: whole, in pieces, several at once, or the last of them."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from collections.abc import Iterator, Mapping, MutableMapping
from pathlib import Path
from typing import Any

import pytest
from uvicorn import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from dravite.apiserver import ApiServer, Application, Settings
from dravite.apiserver.asgi import Receive, Send, Take
from dravite.embedded import Place, Running, Work, start
from dravite.embedded.connections import Connection
from dravite.embedded.http_protocol import http_protocol, is_known
from dravite.store import Store

CLAIMS = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims"
SPACE = "/api/v1/namespaces/default"


@pytest.fixture(params=("memory", "folder", "another uvicorn"))
def running(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    """A server; with a data folder, what is written is answered later than it is read."""
    data = tmp_path / "data" if request.param == "folder" else None
    if request.param == "another uvicorn":
        monkeypatch.setitem(sys.modules, "dravite.embedded.connections", None)
    with start(Place(plain=True, data=data), work=Work(controllers=False)) as running:
        yield running


class Line:
    """A connection, and the answers that come over it."""

    def __init__(self, running: Running) -> None:
        host, _, port = running.url.rpartition("/")[2].partition(":")
        self.socket = socket.create_connection((host, int(port)), timeout=60)
        self.file = self.socket.makefile("rb")

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()
        self.socket.close()

    def say(self, *requests: bytes) -> None:
        self.socket.sendall(b"".join(requests))

    def answer(self) -> tuple[int, dict[str, str], bytes]:
        code = int(self.file.readline().split()[1])
        headers = {}
        while line := self.file.readline().strip().decode("latin-1"):
            name, _, value = line.partition(": ")
            headers[name] = value
        return code, headers, self.file.read(int(headers["content-length"]))

    def is_closed(self) -> bool:
        return self.file.read(1) == b""


def request(method: str, path: str, body: Any = None, *headers: str, version: str = "1.1") -> bytes:
    data = b"" if body is None else json.dumps(body).encode()
    lines = [f"{method} {path} HTTP/{version}", "host: localhost", f"content-length: {len(data)}", *headers]
    return "\r\n".join((*lines, "", "")).encode() + data


def claim(name: str) -> dict[str, Any]:
    exactly = {"deviceClassName": "gpu.example.com"}
    return {"metadata": {"name": name}, "spec": {"devices": {"requests": [{"name": "r", "exactly": exactly}]}}}


def test_answers_come_in_the_order_of_the_requests(running: Running) -> None:
    with Line(running) as line:
        line.say(*(request("POST", CLAIMS, claim(f"c-{number}")) for number in range(5)), request("GET", CLAIMS))
        names = []
        for _ in range(5):
            code, _, body = line.answer()
            names.append(json.loads(body)["metadata"]["name"])
            assert code == 201
        code, _, body = line.answer()
    assert names == [f"c-{number}" for number in range(5)]
    assert [item["metadata"]["name"] for item in json.loads(body)["items"]] == names


def test_a_request_may_come_in_pieces(running: Running) -> None:
    whole = request("POST", CLAIMS, claim("a"))
    middle = whole.index(b"\r\n\r\n") + 10
    with Line(running) as line, Line(running) as other:
        line.say(whole[:middle])
        other.say(request("GET", SPACE))  # once this is answered, the first piece has been read
        assert other.answer()[0] == 200
        line.say(whole[middle:], request("GET", f"{CLAIMS}/a"))
        assert [line.answer()[0] for _ in range(2)] == [201, 200]


def test_a_client_asks_before_it_sends_a_body(running: Running) -> None:
    body = json.dumps(claim("a")).encode()
    with Line(running) as line:
        line.say(f"POST {CLAIMS} HTTP/1.1\r\nexpect: 100-continue\r\ncontent-length: {len(body)}\r\n\r\n".encode())
        assert line.file.readline().split()[1] == b"100"
        line.file.readline()
        line.say(body)
        assert line.answer()[0] == 201


def test_a_body_may_come_in_chunks(running: Running) -> None:
    body = json.dumps(claim("a")).encode()
    head = f"POST {CLAIMS} HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n".encode()
    with Line(running) as line:
        line.say(head, b"%x\r\n%b\r\n" % (len(body), body), b"0\r\n\r\n")
        assert line.answer()[0] == 201


def test_the_last_answer_closes(running: Running) -> None:
    for last in (request("GET", SPACE, None, "connection: close"), request("GET", SPACE, version="1.0")):
        with Line(running) as line:
            line.say(last)
            code, headers, _ = line.answer()
            assert (code, headers["connection"]) == (200, "close")
            assert line.is_closed()


def test_an_answer_has_a_date_and_says_not_to_keep_it(running: Running) -> None:
    with Line(running) as line:
        line.say(request("GET", SPACE))
        _, headers, _ = line.answer()
    assert {"date", "content-type", "content-length", "cache-control"} == set(headers)


def test_head_tells_the_length_alone(running: Running) -> None:
    with Line(running) as line:
        line.say(request("HEAD", "/version"), request("GET", SPACE))
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += line.file.readline()
        assert head.startswith(b"HTTP/1.1 200")
        assert line.answer()[0] == 200


def test_a_warning_that_no_header_may_hold_is_left_out(running: Running) -> None:
    with Line(running) as line:
        line.say(request("POST", CLAIMS, {**claim("a"), "x\r\ny: z": 1, "other": 2}))
        code, headers, _ = line.answer()
    assert code == 201
    assert headers["warning"] == '299 - "unknown field \\"other\\""'


class Wire(asyncio.Transport):
    """A transport that refuses to write once it is closed, as those of uvloop do."""

    closed = False

    def write(self, data: Any) -> None:
        if self.closed:
            message = "the handler is closed"
            raise RuntimeError(message)

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    def pause_reading(self) -> None:
        """Nothing comes by itself."""

    def resume_reading(self) -> None:
        """Nothing comes by itself."""


class Late(Application):
    """An application whose answers are not durable yet; those that have no end it ends when the client is gone."""

    def __init__(self) -> None:
        super().__init__(ApiServer(Store(), Settings()))
        self.takes: list[Take] = []
        self.gone = asyncio.Event()

    def answer_at_once(self, scope: Mapping[str, Any], body: bytes, take: Take) -> bool:
        if scope["query_string"]:
            return False
        self.takes.append(take)
        return True

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        while (await receive())["type"] != "http.disconnect":
            continue
        self.gone.set()


def connected(app: Application) -> Connection:
    connection = Connection(
        Config(app, log_config=None, ws="none", proxy_headers=False), ServerState(), {}, asyncio.get_running_loop()
    )
    connection.connection_made(Wire())
    return connection


def test_an_answer_to_a_client_that_is_gone_is_dropped() -> None:
    async def lose() -> None:
        app = Late()
        connection = connected(app)
        connection.data_received(request("POST", CLAIMS, claim("a")) + request("POST", CLAIMS, claim("b")))
        connection.connection_lost(None)
        [take] = app.takes
        take(201, (), b"")  # whoever waits for the same revision has his answer after this one

    asyncio.run(lose())


def test_a_watch_hears_that_its_client_is_gone_though_more_was_asked() -> None:
    async def lose() -> None:
        app = Late()
        connection = connected(app)
        connection.data_received(request("GET", f"{CLAIMS}?watch=true") + request("GET", SPACE))
        await asyncio.sleep(0)
        connection.connection_lost(None)
        await asyncio.wait_for(app.gone.wait(), 10)

    asyncio.run(lose())


class RenamedHook:
    """A protocol that begins exchanges by another function."""

    def __init__(self) -> None:
        self.cycle = self.flow = self.transport = None

    def _start_exchange(self, cycle: object, app: object) -> None:
        """Begin."""


class LongerHook(RenamedHook):
    """A protocol whose hook wants to know more."""

    def _start_asgi_task(self, cycle: object, app: object, context: object) -> None:
        """Begin."""


class OtherFields(RenamedHook):
    """A protocol that keeps its transport elsewhere."""

    def __init__(self) -> None:
        self.cycle = self.flow = self.wire = None

    def _start_asgi_task(self, cycle: object, app: object) -> None:
        """Begin."""


class OtherCycle:
    """An exchange that has its body elsewhere."""

    def __init__(self, scope: object) -> None:
        self.scope = scope


def test_connections_are_ours_with_the_uvicorn_that_is_known() -> None:
    assert is_known(HttpToolsProtocol, RequestResponseCycle)
    assert http_protocol() is Connection


@pytest.mark.parametrize("protocol", [RenamedHook, LongerHook, OtherFields])
def test_connections_are_those_of_uvicorn_where_it_begins_exchanges_otherwise(protocol: type) -> None:
    assert not is_known(protocol, RequestResponseCycle)


def test_connections_are_those_of_uvicorn_where_its_exchanges_are_others() -> None:
    assert not is_known(HttpToolsProtocol, OtherCycle)


@pytest.mark.parametrize("module", ["uvicorn.protocols.http.httptools_impl", "httptools"])
def test_connections_are_those_of_uvicorn_where_it_has_no_such(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for loaded in ("dravite.embedded.connections", "uvicorn.protocols.http.httptools_impl"):
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setitem(sys.modules, module, None)
    assert http_protocol() == "auto"
