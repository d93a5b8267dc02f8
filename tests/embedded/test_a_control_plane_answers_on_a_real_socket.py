"""Over TLS and loopback, as clients do it: tokens, watches that go on, and data that stay."""

from __future__ import annotations

import http.client
import json
import os
import ssl
import stat
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from dravite.apiserver import Settings
from dravite.apiserver.identity import User
from dravite.embedded import ControlPlane, Place, Running, Work, control_plane, start
from dravite.store import JournalError

CLAIMS = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims"


class Client:
    """As much of a client as the kubeconfig makes possible."""

    def __init__(self, running: Running) -> None:
        config = yaml.safe_load(running.kubeconfig.read_text())
        cluster, user = config["clusters"][0]["cluster"], config["users"][0]["user"]
        self.host = cluster["server"].partition("://")[2]
        self.trust = ssl.create_default_context(cafile=str(running.kubeconfig.parent / "ca.crt"))
        self.connections: list[http.client.HTTPConnection] = []
        self.headers = {"Authorization": f"Bearer {user['token']}", "Content-Type": "application/json"}

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        for connection in self.connections:
            connection.close()

    def open(self, method: str, path: str, body: Any = None, **headers: str) -> http.client.HTTPResponse:
        connection = http.client.HTTPSConnection(self.host, context=self.trust, timeout=60)
        self.connections.append(connection)
        data = None if body is None else json.dumps(body)
        connection.request(method, path, data, {**self.headers, **headers})
        return connection.getresponse()

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        answer = self.open(method, path, body, **headers)
        return answer.status, json.loads(answer.read())


@pytest.fixture
def client() -> Iterator[Client]:
    with start() as running, Client(running) as client:
        yield client


def test_a_wrong_token_is_refused(client: Client) -> None:
    code, status = client.ask("GET", "/api/v1/namespaces", Authorization="Bearer wrong")
    assert (code, status["reason"], status["message"]) == (401, "Unauthorized", "Unauthorized")
    client.headers.pop("Authorization")
    assert client.ask("GET", "/api/v1/namespaces")[0] == 401
    assert client.open("GET", "/readyz").read() == b"ok"


def test_a_watch_tells_what_happens_while_it_is_open(client: Client) -> None:
    watch = client.open("GET", f"{CLAIMS}?watch=true&timeoutSeconds=5")
    made = threading.Thread(target=client.ask, args=("POST", CLAIMS, {"metadata": {"name": "c"}}))
    made.start()
    event = json.loads(watch.readline())
    made.join()
    assert (event["type"], event["object"]["metadata"]["name"]) == ("ADDED", "c")
    client.ask("DELETE", f"{CLAIMS}/c")
    event = json.loads(watch.readline())
    assert (event["type"], event["object"]["metadata"]["name"]) == ("DELETED", "c")
    watch.close()


def test_a_watch_ends_when_its_time_is_over(client: Client) -> None:
    anew = "sendInitialEvents=false&resourceVersionMatch=NotOlderThan"
    watch = client.open("GET", f"{CLAIMS}?watch=true&timeoutSeconds=1&allowWatchBookmarks=true&{anew}")
    assert watch.read() == b""


def test_a_kubeconfig_is_its_owners_alone(tmp_path: Path) -> None:
    with start(Place(kubeconfig=tmp_path / "kubeconfig")):
        assert stat.S_IMODE((tmp_path / "kubeconfig").stat().st_mode) == 0o600


def test_objects_outlast_the_server(tmp_path: Path) -> None:
    with start(Place(data=tmp_path)) as running, Client(running) as client:
        code, made = client.ask("POST", CLAIMS, {"metadata": {"name": "c"}})
        assert code == 201
        with pytest.raises(JournalError, match=f"process {os.getpid()}"):
            ControlPlane(Place(data=tmp_path), running.plane.settings)
    with start(Place(data=tmp_path)) as running, Client(running) as client:
        assert client.ask("GET", f"{CLAIMS}/c") == (200, made)


def test_plain_http_needs_no_token(tmp_path: Path) -> None:
    with start(Place(plain=True, kubeconfig=tmp_path / "kubeconfig")) as running:
        connection = http.client.HTTPConnection(running.url.partition("://")[2], timeout=60)
        connection.request("GET", "/version")
        assert json.loads(connection.getresponse().read())["minor"] == "37"
        connection.close()
        assert "certificate-authority-data" not in running.kubeconfig.read_text()


def test_users_and_service_accounts_have_tokens(tmp_path: Path) -> None:
    place = Place(data=tmp_path, users=(User("jane", ("devs", "system:authenticated")),))
    settings = Settings(controls_access=True)
    with start(place, settings, Work(controllers=False)) as running, Client(running) as client:
        config = yaml.safe_load(running.kubeconfig.read_text())
        assert [context["name"] for context in config["contexts"]] == ["dravite", "jane"]
        tokens = {user["name"]: user["user"]["token"] for user in config["users"]}
        code, said = client.ask("GET", CLAIMS, Authorization=f"Bearer {tokens['jane']}")
        assert (code, 'User "jane" cannot list resource' in said["message"]) == (403, True)
        account = "/api/v1/namespaces/default/serviceaccounts/default/token"
        token = client.ask("POST", account, {})[1]["status"]["token"]
    with start(place, settings, Work(controllers=False)) as running, Client(running) as client:
        code, said = client.ask("GET", CLAIMS, Authorization=f"Bearer {token}")
        assert (code, 'User "system:serviceaccount:default:default" cannot' in said["message"]) == (403, True)
        assert client.ask("GET", CLAIMS, Authorization=f"Bearer {tokens['jane']}")[0] == 401


def test_one_that_does_not_come_to_answer_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    made = ControlPlane.uvicorn
    monkeypatch.setattr(control_plane, "_START_SECONDS", 0.0)
    monkeypatch.setattr(ControlPlane, "uvicorn", lambda plane, ready: made(plane, lambda: None))
    plane = ControlPlane(Place(), Settings(), Work(controllers=False))
    with pytest.raises(TimeoutError, match="did not answer within 0 seconds"):
        Running(plane)
    assert not plane.kubeconfig.exists()
