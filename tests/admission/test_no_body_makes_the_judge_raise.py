"""Law: whatever is sent to a server, it answers; what it stores it takes again, and answers the same once more."""

from __future__ import annotations

import copy
import re
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conformance.validate import endpoint, expand, in_sight_of, named_profile
from dravite.admission.internal import from_internal
from dravite.admission.requests import Accepted, Write, judge
from dravite.api.codec import encode
from tests.admission.writes import HERE, NOW, server
from tests.validation.recordings import RELEASES, requests

ODD: list[Any] = [
    None,
    True,
    0,
    -1,
    2**31,
    2**63,
    10**30,
    1.5,
    "",
    "A",
    "a.b/c",
    "1Gi",
    "x" * 300,
    [],
    {},
    [{}],
    [None],
]
PLAIN = {
    release: [
        line
        for key, lines in requests().items()
        for line in lines[:40]
        if key[0] == release and line["verb"] == "create" and isinstance(line["object"], dict)
    ]
    for release in RELEASES
}


HUGE = re.compile(rb"\d{19}|\d[PE]")
"""Amounts beyond 64 bits: a server computes with them in another form once it has written them."""


def spoil(value: Any, data: st.DataObject) -> None:
    """Put something odd into a place of a plain value."""
    while isinstance(value, dict | list) and value:
        key = data.draw(st.sampled_from(sorted(value) if isinstance(value, dict) else range(len(value))))
        if not isinstance(value[key], dict | list) or not value[key] or data.draw(st.booleans()):
            value[key] = copy.deepcopy(data.draw(st.sampled_from(ODD)))
            return
        value = value[key]


@pytest.mark.parametrize("release", RELEASES)
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_any_body_is_answered_and_what_is_stored_is_taken_again(release: str, data: st.DataObject) -> None:
    line = data.draw(st.sampled_from(PLAIN[release]))
    body = copy.deepcopy(expand(line["object"]))
    for _ in range(data.draw(st.integers(0, 3))):
        spoil(body, data)
    info, profile = endpoint(line), named_profile(release, line["profile"])
    write = Write(
        verb="create",
        api_version=line["apiVersion"],
        kind=info.kind,
        namespace="default" if info.scope == "Namespaced" else "",
        body=msgspec.json.encode(body),
    )
    first = judge(write, in_sight_of(release), profile, NOW)
    assert first == judge(write, in_sight_of(release), profile, NOW)
    if isinstance(first, Accepted) and not HUGE.search(write.body):
        text = encode(from_internal(first.object, line["apiVersion"]))
        again = judge(msgspec.structs.replace(write, body=text), in_sight_of(release), profile, NOW)
        assert isinstance(again, Accepted)
        assert again.object == first.object


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=80) | st.text(max_size=80).map(str.encode))
@pytest.mark.parametrize("before", [b"", b'{"spec":', b'{"metadata":{"name":"c"},"spec":{"devices":'])
def test_bytes_that_are_no_object_are_answered(before: bytes, data: bytes) -> None:
    write = Write(
        verb="create", api_version="resource.k8s.io/v1", kind="ResourceClaim", namespace="default", body=before + data
    )
    judge(write, HERE, server())


@pytest.mark.parametrize("depth", [60, 200, 400, 5000])
def test_templates_in_templates_without_end_are_answered(depth: int) -> None:
    inside = '{"name":"t","compositePodGroupTemplates":[' * depth + "]}" * depth
    body = f'{{"metadata":{{"name":"w"}},"spec":{{"compositePodGroupTemplates":[{inside}]}}}}'.encode()
    write = Write(
        verb="create", api_version="scheduling.k8s.io/v1alpha3", kind="Workload", namespace="default", body=body
    )
    gates = "GenericWorkload=true,TopologyAwareWorkloadScheduling=true,CompositePodGroup=true"
    assert not isinstance(judge(write, HERE, server(gates=gates)), Accepted)
