from __future__ import annotations

import gzip
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from asking import CLAIMS, ask, claim, server
from hypothesis import given
from hypothesis import strategies as st

from dravite.apiserver.answers import render
from dravite.apiserver.backend import Response, Watch
from dravite.apiserver.protobuf import PREFIX, ProtobufError, decode
from dravite.apiserver.protobuf_writing import encode, is_writable
from dravite.apiserver.requests import Request
from dravite.apiserver.streams import Lines


def varint(number: int) -> bytes:
    out = b""
    while number > 0x7F:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])


def field(number: int, value: int | str | bytes) -> bytes:
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def envelope(api_version: str, kind: str, raw: bytes) -> bytes:
    return PREFIX + field(1, field(1, api_version) + field(2, kind)) + field(2, raw)


def test_a_namespace_is_read() -> None:
    meta = field(1, "n") + field(8, b"") + field(11, field(1, "a") + field(2, "b"))
    assert decode(envelope("v1", "Namespace", field(1, meta) + field(2, b"") + field(3, b""))) == {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {"name": "n", "labels": {"a": "b"}},
        "spec": {},
        "status": {},
    }


def test_pointers_keep_zero_and_others_do_not() -> None:
    spec = field(1, 0) + field(5, 0)
    found = decode(envelope("apps/v1", "Deployment", field(2, spec)))
    assert found["spec"] == {"replicas": 0}


def test_quantities_times_and_inline_parts_have_their_json_form() -> None:
    claim = field(1, field(8, field(1, 1_735_689_600)))
    found = decode(envelope("v1", "Pod", claim))
    assert found["metadata"] == {"creationTimestamp": "2025-01-01T00:00:00Z"}
    volume = field(1, "v") + field(2, field(1, field(1, "/host")))
    pod = field(2, field(1, volume))
    assert decode(envelope("v1", "Pod", pod))["spec"]["volumes"] == [{"name": "v", "hostPath": {"path": "/host"}}]
    resources = field(8, field(1, field(1, "cpu") + field(2, field(1, "100m"))))
    pod = field(2, field(2, field(1, "c") + resources))
    assert decode(envelope("v1", "Pod", pod))["spec"]["containers"] == [
        {"name": "c", "resources": {"limits": {"cpu": "100m"}}}
    ]


def test_a_server_takes_them() -> None:
    to = server()
    exactly = field(1, "c.example.com")
    request = field(1, "r") + field(2, exactly)
    body = envelope(
        "resource.k8s.io/v1", "ResourceClaim", field(1, field(1, "c")) + field(2, field(1, field(1, request)))
    )
    code, made = ask(to, "POST", CLAIMS, body, content_type="application/vnd.kubernetes.protobuf")
    assert code == 201, made
    assert made["spec"]["devices"]["requests"][0]["exactly"]["deviceClassName"] == "c.example.com"
    code, status = ask(to, "POST", CLAIMS, b"x", content_type="application/vnd.kubernetes.protobuf")
    assert (code, status["reason"]) == (400, "BadRequest")


@given(st.binary(max_size=60), st.sampled_from(["Pod", "Namespace", "Nothing"]))
def test_any_bytes_are_an_object_or_a_fault(raw: bytes, kind: str) -> None:
    for data in (raw, PREFIX + raw, envelope("v1", kind, raw)):
        with suppress(ProtobufError):
            assert isinstance(decode(data), dict)


def test_an_unknown_kind_is_a_fault() -> None:
    with pytest.raises(ProtobufError, match='no kind "Nothing"'):
        decode(envelope("v1", "Nothing", b""))


_RECORDED = sorted((Path(__file__).parents[1] / "vectors" / "api").glob("*-*.json.gz"))


def _without_nothing(value: Any) -> Any:
    """A value without what the wire does not carry: nulls, zeros, and what is empty."""
    if isinstance(value, dict):
        kept = {name: _without_nothing(item) for name, item in value.items() if name != "time"}
        return {name: item for name, item in kept.items() if item not in (None, "", 0, False, [], {})}
    return [_without_nothing(item) for item in value] if isinstance(value, list) else value


def _is_of_ours(body: dict[str, Any]) -> bool:
    version = body.get("apiVersion", "")
    return "k8s.io" in version and not version.startswith("meta") and is_writable(version, body.get("kind", ""))


def test_what_is_written_is_read_alike() -> None:
    written = 0
    for path in _RECORDED:
        for step in json.loads(gzip.decompress(path.read_bytes()))["steps"]:
            body = step["response"].get("body")
            body = json.loads(json.dumps(body).replace("<time>", "2025-01-01T00:00:00Z"))
            if isinstance(body, dict) and _is_of_ours(body) and "continue" not in body["metadata"]:
                assert _without_nothing(decode(encode(body))) == _without_nothing(body)
                written += 1
    assert written > 300


def test_only_clients_that_take_no_text_are_answered_so() -> None:
    to = server()
    ask(to, "POST", CLAIMS, claim("c"))
    both = "application/vnd.kubernetes.protobuf, application/json"
    for accept, media in ((both, "application/json"), ("application/vnd.kubernetes.protobuf",) * 2):
        for path in (f"{CLAIMS}/c", CLAIMS):
            request = Request(method="GET", path=path, headers={"accept": accept})
            answer = to.handle(request)
            assert isinstance(answer, Response)
            _, headers, body = render(answer, request)
            assert headers["content-type"] == media
            found = decode(body) if body.startswith(PREFIX) else json.loads(body)
            named = found if path != CLAIMS else found["items"][0]
            assert named["metadata"]["name"] == "c"


def test_a_watch_tells_frames_of_them() -> None:
    to = server()
    ask(to, "POST", CLAIMS, claim("c"))
    request = Request(
        method="GET",
        path=CLAIMS,
        query={"watch": ("true",), "resourceVersion": ("0",), "allowWatchBookmarks": ("true",)},
        headers={"accept": "application/vnd.kubernetes.protobuf"},
    )
    watch = to.handle(request)
    assert isinstance(watch, Watch)
    lines = Lines(to.backend, watch)
    for told, name in (
        (next(lines.initial()), "c"),
        (lines.bookmark(7), ""),
        (lines.expired(1, 5), "too old resource version: 1 (5)"),
    ):
        length, message = int.from_bytes(told[:4], "big"), told[4:]
        assert length == len(message)
        found = decode(message[message.index(PREFIX) :])
        assert (found["metadata"].get("name", "") or found.get("message", "")) == name


def test_what_could_not_be_answered_is_not_done() -> None:
    to = server()
    ask(to, "POST", CLAIMS, claim("c"))
    assert ask(to, "POST", CLAIMS, claim("d"), accept="text/html")[0] == 406
    assert ask(to, "DELETE", f"{CLAIMS}/c", accept="text/html")[0] == 406
    assert ask(to, "DELETE", CLAIMS, accept="text/html")[0] == 406
    _, found = ask(to, "GET", CLAIMS)
    assert [one["metadata"]["name"] for one in found["items"]] == ["c"]


def test_the_kinds_of_1_31_are_in_the_table() -> None:
    to = server("1.31", "DynamicResourceAllocation=true")
    path = "/apis/resource.k8s.io/v1alpha3/namespaces/default/podschedulingcontexts"
    context = {"metadata": {"name": "p"}, "spec": {"selectedNode": "n", "potentialNodes": ["n", "m"]}}
    assert ask(to, "POST", path, context)[0] == 201
    asked = Request(method="GET", path=f"{path}/p", headers={"accept": "application/vnd.kubernetes.protobuf"})
    answer = to.handle(asked)
    assert isinstance(answer, Response)
    assert decode(render(answer, asked)[2])["spec"] == context["spec"]
