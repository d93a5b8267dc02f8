"""What the wire refuses, counts and writes down, whatever the server behind it would answer."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from asking import CLAIMS, ask, claim, server

from dravite.apiserver import ApiServer, Application, Conduct, media
from dravite.apiserver.asgi import USUAL
from dravite.apiserver.backend import Response


class Wire:
    """One request, as an ASGI server would hand it over."""

    def __init__(self, method: str, path: str, body: bytes = b"", header: bytes = b"") -> None:
        path, _, query = path.partition("?")
        self.scope = {
            "type": "http",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": [(b"user-agent", b"test/1"), (b"x-other", header)],
            "client": ("127.0.0.1", 1),
        }
        self.body = body
        self.sent: list[Any] = []
        self.gone = asyncio.Event()

    async def receive(self) -> dict[str, Any]:
        if self.sent:
            await self.gone.wait()
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": self.body}

    async def send(self, message: Any) -> None:
        self.sent.append(message)

    @property
    def code(self) -> int:
        return int(self.sent[0]["status"])

    @property
    def said(self) -> Any:
        return json.loads(b"".join(message.get("body", b"") for message in self.sent[1:]))


async def _answered(to: ApiServer, conduct: Conduct, *wires: Wire) -> None:
    app = Application(to, conduct=conduct)
    for wire in wires:
        await app(wire.scope, wire.receive, wire.send)


def test_headers_have_a_limit() -> None:
    async def play() -> None:
        wire = Wire("GET", CLAIMS, header=b"x" * 200)
        await _answered(server(), Conduct(header=100), wire)
        assert (wire.code, wire.said["code"]) == (431, 431)

    asyncio.run(play())


def test_an_answer_that_cannot_be_written_is_a_fault_and_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = {"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"name": 5}}
    to = server()
    monkeypatch.setattr(to, "handle", lambda _: Response(200, wrong, media.PROTOBUF))
    codes: list[int] = []

    async def play() -> None:
        wire = Wire("GET", CLAIMS)
        await _answered(to, Conduct(), wire)
        assert Application(to).answer_at_once(wire.scope, b"", lambda code, *_: codes.append(code))
        codes.append(wire.code)

    asyncio.run(play())
    assert codes == [500, 500]


def test_a_body_that_does_not_come_is_not_waited_for() -> None:
    class Slow(Wire):
        async def receive(self) -> dict[str, Any]:
            await self.gone.wait()
            return {"type": "http.disconnect"}

    async def play() -> None:
        wire = Slow("POST", CLAIMS)
        await _answered(server(), Conduct(seconds=0.01), wire)
        assert (wire.code, wire.said["reason"]) == (408, "Timeout")

    asyncio.run(play())


def test_so_many_watches_and_no_more() -> None:
    async def play() -> None:
        app = Application(server(), conduct=Conduct(watches=1))
        first, second = (Wire("GET", f"{CLAIMS}?watch=true") for _ in range(2))
        watching = asyncio.create_task(app(first.scope, first.receive, first.send))
        while not first.sent:
            await asyncio.sleep(0)
        await app(second.scope, second.receive, second.send)
        assert (second.code, second.said["reason"]) == (429, "TooManyRequests")
        first.gone.set()
        await watching
        assert first.code == 200

    asyncio.run(play())


def test_the_audit_log_has_a_line_for_each_request() -> None:
    lines: list[bytes] = []

    async def play() -> None:
        body = json.dumps(claim("a")).encode()
        wires = (Wire("POST", f"{CLAIMS}?fieldManager=m", body), Wire("GET", f"{CLAIMS}/b"))
        await _answered(server(), Conduct(audit=lines.append), *wires)

    asyncio.run(play())
    first, second = (json.loads(line) for line in lines)
    assert (first["kind"], first["apiVersion"], first["level"]) == ("Event", "audit.k8s.io/v1", "Metadata")
    assert (first["verb"], first["responseStatus"]["code"]) == ("create", 201)
    assert first["requestURI"] == f"{CLAIMS}?fieldManager=m"
    assert (first["user"]["username"], first["sourceIPs"], first["userAgent"]) == ("admin", ["127.0.0.1"], "test/1")
    place = {"resource": "resourceclaims", "namespace": "default", "apiGroup": "resource.k8s.io", "apiVersion": "v1"}
    assert first["objectRef"] == place
    assert (second["verb"], second["responseStatus"]["code"]) == ("get", 404)
    assert second["objectRef"] == {**place, "name": "b"}


def test_metrics_tell_gates_objects_and_requests() -> None:
    to = server("1.37", "DRAResourcePoolStatus=true")

    async def play() -> None:
        await _answered(to, USUAL, Wire("POST", CLAIMS, json.dumps(claim("a")).encode()), Wire("GET", f"{CLAIMS}/b"))

    asyncio.run(play())
    code, text = ask(to, "GET", "/metrics")
    lines = text.splitlines()
    assert code == 200
    assert 'kubernetes_feature_enabled{name="DRAResourcePoolStatus",stage="ALPHA"} 1' in lines
    assert 'kubernetes_feature_enabled{name="DRAAdminAccess",stage=""} 1' in lines
    assert 'apiserver_storage_objects{resource="resourceclaims.resource.k8s.io"} 1' in lines
    claims = 'dynamic_resource_allocation_resource_claims{admin_access="false",allocated="false",source=""} 1'
    assert claims in lines
    assert 'apiserver_request_total{code="201",resource="resourceclaims",verb="POST"} 1' in lines
    assert 'apiserver_request_total{code="404",resource="resourceclaims",verb="GET"} 1' in lines
    assert 'apiserver_request_duration_seconds_count{verb="GET"} 1' in lines
    assert "# TYPE apiserver_request_total counter" in lines
