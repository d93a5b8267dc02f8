from __future__ import annotations

from contextlib import suppress

import pytest
from asking import CLAIMS, ask, server
from hypothesis import given
from hypothesis import strategies as st

from dravite.apiserver.protobuf import PREFIX, ProtobufError, decode


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
