"""Recorded requests, bent at random: every answer is below 500, and none of them breaks the server."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from asking import server

from dravite.apiserver.asgi import render
from dravite.apiserver.backend import Watch
from dravite.apiserver.requests import Request
from dravite.apiserver.streams import Lines

_RECORDINGS = sorted((Path(__file__).parents[1] / "vectors" / "api").glob("*.json.gz"))
_ODD: list[Any] = [
    *(None, True, 0, -1, 2**70, 1.5, "", "x", "é\0", "1Gi", "0" * 300),
    *([], {}, [None], [[]], {"": None}, {"$patch": "delete"}, [{"$patch": "replace"}], [{"name": "a"}, {"name": "a"}]),
]
_NAMES = ["foo", "metadata", "spec", "name", "uid", "resourceVersion", "managedFields", "finalizers", "$patch"]
_QUERY = ["limit", "continue", "labelSelector", "fieldSelector", "resourceVersion", "watch", "dryRun", "fieldManager"]
_VALUES = ["", "0", "-1", "x", "All", "a=b", "a in (b)", "99999999999999999999", "metadata.name=a", "\0"]
_TOO_NEW = 504


def _bent(value: Any, dice: random.Random) -> Any:
    if dice.random() < 0.06:
        return dice.choice(_ODD)
    if isinstance(value, dict):
        made = {key: _bent(item, dice) for key, item in value.items() if dice.random() > 0.04}
        return {**made, dice.choice(_NAMES): dice.choice(_ODD)} if dice.random() < 0.05 else made
    return [_bent(item, dice) for item in value] if isinstance(value, list) else value


def _requests(dice: random.Random, count: int) -> Iterator[Request]:
    recorded = [
        step["request"] for path in _RECORDINGS for step in json.loads(gzip.decompress(path.read_bytes()))["steps"]
    ]
    for _ in range(count):
        asked = dice.choice(recorded)
        query = {name: (str(value),) for name, value in asked.get("query", {}).items()}
        if dice.random() < 0.3:
            query[dice.choice(_QUERY)] = (dice.choice(_VALUES),)
        body = (
            asked.get("rawBody", "").encode() or json.dumps(_bent(asked["body"], dice)).encode()
            if "body" in asked
            else b""
        )
        if dice.random() < 0.05:
            body = dice.randbytes(20)
        headers = {name.lower(): value for name, value in asked.get("headers", {}).items() if value}
        yield Request(method=asked["method"], path=asked["path"], query=query, headers=headers, body=body)


def test_bent_requests_are_answered() -> None:
    to = server("1.37", "GenericWorkload=true,TopologyAwareWorkloadScheduling=true,CompositePodGroup=true")
    codes = set()
    for request in _requests(random.Random(7), 2000):  # noqa: S311 (no secret)
        answer = to.handle(request)
        if isinstance(answer, Watch):
            lines = Lines(to.backend, answer)
            assert all(json.loads(line) for line in lines.initial())
        else:
            code, _, _ = render(answer, request)
            assert code < 500 or code == _TOO_NEW
            codes.add(code)
    assert {200, 201, 400, 404, 405, 409, 415, 422} <= codes
