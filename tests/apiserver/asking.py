"""Asking a server in memory, in as few words as a test needs."""

from __future__ import annotations

import json
from typing import Any

from dravite.api.releases import Profile, profile
from dravite.apiserver import ApiServer, Settings
from dravite.apiserver.answers import render
from dravite.apiserver.backend import Response
from dravite.apiserver.requests import Request, parse_query
from dravite.store import Store

CLAIMS = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims"


def server(release: str = "1.37", gates: str = "") -> ApiServer:
    made = profile(release, gates)
    assert isinstance(made, Profile)
    return ApiServer(Store(), Settings(profile=made))


def ask(to: ApiServer, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
    """The code and the object of an answer."""
    path, _, query = path.partition("?")
    data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    sent = {"content-type": "application/json"} | {name.replace("_", "-"): text for name, text in headers.items()}
    request = Request(method=method, path=path, query=parse_query(query), headers=sent, body=data)
    answer = to.handle(request)
    assert isinstance(answer, Response)
    code, _, text = render(answer, request)
    return code, json.loads(text) if text[:1] == b"{" else text.decode()


def claim(name: str, **meta: Any) -> dict[str, Any]:
    request = {"name": "r", "exactly": {"deviceClassName": "c.example.com"}}
    return {"metadata": {"name": name, **meta}, "spec": {"devices": {"requests": [request]}}}
