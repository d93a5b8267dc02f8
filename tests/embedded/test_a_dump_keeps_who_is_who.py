"""Objects that are loaded keep their uid and their age, so that what names them by uid still means them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from dravite.apiserver import ApiServer, Settings
from dravite.apiserver.backend import Response
from dravite.apiserver.requests import Request
from dravite.embedded.loading import load
from dravite.sources import read
from dravite.store import Store

DUMP = """
apiVersion: v1
kind: Pod
metadata: {name: p, uid: 11111111-2222-3333-4444-555555555555, creationTimestamp: "2024-02-03T04:05:06Z"}
spec: {containers: [{name: m, image: i}]}
---
apiVersion: v1
kind: Pod
metadata: {name: q}
spec: {containers: [{name: m, image: i}]}
"""


def pod(server: ApiServer, name: str) -> Any:
    answer = server.handle(Request(method="GET", path=f"/api/v1/namespaces/default/pods/{name}"))
    assert isinstance(answer, Response)
    body = msgspec.json.decode(answer.body) if isinstance(answer.body, bytes) else answer.body
    return body["metadata"]


def test_uid_and_age_stay_and_new_ones_are_given_where_there_are_none(tmp_path: Path) -> None:
    file = tmp_path / "dump.yaml"
    file.write_text(DUMP)
    server = ApiServer(Store(), Settings())
    assert list(load(server, read([str(file)], b""), "default")) == []
    old, new = pod(server, "p"), pod(server, "q")
    assert (old["uid"], old["creationTimestamp"]) == ("11111111-2222-3333-4444-555555555555", "2024-02-03T04:05:06Z")
    assert new["uid"] != old["uid"]
    assert new["creationTimestamp"] > old["creationTimestamp"]
