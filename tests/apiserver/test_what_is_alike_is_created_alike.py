"""An object that is cast from another one is the object that would have been made of its own request."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from asking import CLAIMS, ask, claim, server

from dravite.apiserver import ApiServer, Settings
from dravite.apiserver.backend import Response
from dravite.apiserver.metadata import system_source
from dravite.apiserver.requests import Request
from dravite.store import Store

_VECTORS = Path(__file__).parents[1] / "vectors"


_PLACES = {
    "DeviceClass": "deviceclasses",
    "DeviceTaintRule": "devicetaintrules",
    "ResourceClaim": "namespaces/default/resourceclaims",
    "ResourceClaimTemplate": "namespaces/default/resourceclaimtemplates",
    "ResourceSlice": "resourceslices",
}


def _bodies() -> list[tuple[str, dict[str, Any]]]:
    """Bodies of recorded requests to create, and where they went."""
    with gzip.open(_VECTORS / "validation" / "1.37.jsonl.gz", "rt") as lines:
        vectors = [json.loads(line) for line in lines]
    return [
        (f"/apis/resource.k8s.io/v1/{_PLACES[vector['kind']]}", vector["object"])
        for vector in vectors
        if vector["verb"] == "create" and vector["apiVersion"] == "resource.k8s.io/v1" and vector["kind"] in _PLACES
    ]


def _bare(said: Any) -> Any:
    """An answer without what differs between any two objects."""
    meta = {name: value for name, value in said["metadata"].items() if name not in ("uid", "resourceVersion")}
    return {**said, "metadata": meta}


def _create(to: ApiServer, path: str, body: dict[str, Any], name: str) -> Any:
    meta = body.get("metadata")
    return ask(to, "POST", path, {**body, "metadata": {**(meta if isinstance(meta, dict) else {}), "name": name}})


def _at_noon() -> ApiServer:
    source = msgspec.structs.replace(system_source(), now=lambda: "2026-01-01T12:00:00Z")
    return ApiServer(Store(), Settings(source=source))


def test_a_later_one_is_like_the_first_would_be() -> None:
    cast, judged = _at_noon(), _at_noon()
    cast_too = 0
    for number, (path, body) in enumerate(_bodies()[::7]):
        for name in ("first", "other"):
            _create(cast, path, body, f"{name}-{number}")
        before = cast.backend.moulds.used
        code, said = _create(cast, path, body, f"later-{number}")
        cast_too += cast.backend.moulds.used - before
        other_code, other = _create(judged, path, body, f"later-{number}")
        assert (code, _bare(said)) == (other_code, _bare(other))
    assert cast_too > 50


def test_metadata_may_differ() -> None:
    cast, judged = _at_noon(), _at_noon()
    cast_too = 0
    for number, (path, body) in enumerate(_bodies()[::7]):
        rest = {**body, "metadata": {}}
        for name in ("first", "other"):
            _create(cast, path, {**rest, "metadata": {"annotations": {"who": name}}}, f"{name}-{number}")
        before = cast.backend.moulds.used
        meta = {"labels": {"b/c": "2", "a": ""}, "annotations": {"Z": 'say "a"\n'}}
        code, said = _create(cast, path, {**rest, "metadata": meta}, f"later-{number}")
        cast_too += cast.backend.moulds.used - before
        other_code, other = _create(judged, path, {**rest, "metadata": meta}, f"later-{number}")
        assert (code, json.dumps(_bare(said))) == (other_code, json.dumps(_bare(other)))
    assert cast_too > 50


@pytest.mark.parametrize(
    "meta",
    [
        '"labels": {"a": "not good"}',
        '"labels": {"-a": "b"}',
        '"annotations": {"/": "b"}',
        '"labels": {"a": 1}',
        '"labels": {"a": "1", "a": "2"}',
        '"labels": null, "annotations": {}',
        '"namespace": "other"',
        '"namespace": "default"',
        '"uid": "7f1b9a4e-0000-0000-0000-000000000000"',
        '"resourceVersion": "7"',
        '"finalizers": ["a/b"]',
        '"finalizers": ["nobody"]',
        '"ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u"}]',
        '"managedFields": [{"manager": "m", "operation": "Apply", "apiVersion": "v1", "fieldsType": "FieldsV1"}]',
        '"lables": {"a": "b"}',
        '"generateName": "x-"',
        '"generateName": "Not_Good"',
        '"labels": {"\\ud800": "a", "\\ud800": "b"}',
    ],
)
def test_metadata_are_judged_all_the_same(meta: str) -> None:
    cast, judged = _at_noon(), _at_noon()
    spec = json.dumps(claim("x")["spec"])
    body = '{"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": "%s", %s}, "spec": %s}'
    asked = {"method": "POST", "path": CLAIMS, "headers": {"content-type": "application/json"}}
    for name in ("a", "b"):
        assert ask(cast, "POST", CLAIMS, (body % (name, '"labels": {}', spec)).encode())[0] == 201
    request = Request(**asked, body=(body % ("c", meta, spec)).encode())
    mine, other = cast.handle(request), judged.handle(request)
    assert isinstance(mine, Response)
    assert isinstance(other, Response)
    assert (mine.code, mine.warnings) == (other.code, other.warnings)
    assert _bare(mine.value) == _bare(other.value)


def test_who_sets_nothing_owns_nothing() -> None:
    cast, judged = _at_noon(), _at_noon()
    path = "/apis/resource.k8s.io/v1/deviceclasses"
    for name in ("a", "b"):
        assert ask(cast, "POST", path, {"spec": {}, "metadata": {"labels": {"one": "set"}, "name": name}})[0] == 201
    bare = {"spec": {}, "metadata": {"name": "c"}}
    (_, mine), (_, other) = (ask(to, "POST", path, bare) for to in (cast, judged))
    assert cast.backend.moulds.used == 1
    assert _bare(mine) == _bare(other)
    assert "managedFields" not in mine["metadata"]


def test_who_asks_for_a_name_that_is_taken_is_warned_all_the_same() -> None:
    to = server()
    for name in ("a", "b", "c"):
        assert ask(to, "POST", CLAIMS, {**claim(name), "foo": 1})[0] == 201
    body = json.dumps({**claim("c"), "foo": 1}).encode()
    answer = to.handle(Request(method="POST", path=CLAIMS, headers={"content-type": "application/json"}, body=body))
    assert isinstance(answer, Response)
    assert (answer.code, answer.warnings) == (409, ('unknown field "foo"',))


def test_a_prefix_beside_a_name_is_told_of_as_if_the_name_had_been_drawn() -> None:
    to = server()
    for name in ("a", "b", "c"):
        assert ask(to, "POST", CLAIMS, claim(name, generateName="x-"))[0] == 201
    code, said = ask(to, "POST", CLAIMS, claim("c", generateName="x-"))
    assert (code, "the server was not able to generate a unique name" in said["message"]) == (409, True)


def _selecting(name: str, *expressions: str) -> bytes:
    body = claim(name)
    exactly = body["spec"]["devices"]["requests"][0]["exactly"]
    exactly["selectors"] = [{"cel": {"expression": expression}} for expression in expressions]
    return json.dumps(body).encode()


_MODEL = 'device.attributes["a.b"].model'


@pytest.mark.parametrize(
    ("known", "asked", "is_cast"),
    [
        ([f'{_MODEL} == "aa"'], [f'{_MODEL} == "bb"'], True),
        ([f'{_MODEL} == "aa"'], [f'{_MODEL} == "bbb"'], False),
        ([f'{_MODEL} == "a"', f'{_MODEL} != "b"'], [f'{_MODEL} == "c"', f'{_MODEL} != "d"'], True),
        ([f'{_MODEL} == "a"', f'{_MODEL} == "b"'], [f'{_MODEL} == "b"', f'{_MODEL} == "a"'], True),
        ([f'{_MODEL} == "a"', f'{_MODEL} == "a"'], [f'{_MODEL} == "c"', f'{_MODEL} == "d"'], False),
        ([f'{_MODEL} == "a"', f'{_MODEL} == "b"'], [f'{_MODEL} == "c"', f'{_MODEL} == "c"'], False),
        ([f'{_MODEL} == "a"'], ['device.driver == "c"'], False),
        ([f'{_MODEL} == "a"'], [f'{_MODEL} == "c'], False),
        ([f'{_MODEL} == "a"'], [f'{_MODEL}s == "a"'], False),
        ([f'{_MODEL} == "\u20ac"'], [f'{_MODEL} == "\u20ad"'], False),
        ([f'{_MODEL}.matches("a")'], [f'{_MODEL}.matches("(")'], False),
    ],
)
def test_selectors_may_differ_in_what_is_compared(known: list[str], asked: list[str], is_cast: bool) -> None:
    cast, judged = _at_noon(), _at_noon()
    for name in ("a", "b"):
        assert ask(cast, "POST", CLAIMS, _selecting(name, *known))[0] == 201
    before = cast.backend.moulds.used
    mine, other = (ask(to, "POST", CLAIMS, _selecting("c", *asked)) for to in (cast, judged))
    assert mine[0] == other[0]
    assert mine[0] != 201 or json.dumps(_bare(mine[1])) == json.dumps(_bare(other[1]))
    assert (cast.backend.moulds.used > before) == is_cast


def test_names_are_drawn_and_taken() -> None:
    to = server()
    body = {**claim("x"), "metadata": {"generateName": "job-"}}
    names = {ask(to, "POST", CLAIMS, body)[1]["metadata"]["name"] for _ in range(20)}
    assert len(names) == 20
    assert all(name.startswith("job-") and len(name) == 9 for name in names)
    for name in ("a", "b", "c"):
        assert ask(to, "POST", CLAIMS, claim(name))[0] == 201
    code, said = ask(to, "POST", CLAIMS, claim("b"))
    assert (code, said["reason"]) == (409, "AlreadyExists")


def test_a_namespace_that_changed_decides_anew() -> None:
    to = server()
    place = "/api/v1/namespaces/default"
    body = claim("x")
    body["spec"]["devices"]["requests"][0]["exactly"]["adminAccess"] = True
    label = "resource.kubernetes.io/admin-access"
    merge = {"content_type": "application/merge-patch+json"}
    ask(to, "PATCH", place, {"metadata": {"labels": {label: "true"}}}, **merge)
    for name in ("a", "b", "c"):
        assert _create(to, CLAIMS, body, name)[0] == 201
    ask(to, "PATCH", place, {"metadata": {"labels": {label: None}}}, **merge)
    assert _create(to, CLAIMS, body, "d")[0] == 422


def test_who_asks_otherwise_is_answered_otherwise() -> None:
    to = server()
    for name in ("a", "b", "c"):
        ask(to, "POST", CLAIMS, claim(name), user_agent="one/1")
    code, said = ask(to, "POST", CLAIMS, claim("e"), user_agent="other/1")
    assert (code, said["metadata"]["managedFields"][0]["manager"]) == (201, "other")
    code, said = ask(to, "POST", f"{CLAIMS}?dryRun=All", claim("d"), user_agent="one/1")
    assert (code, "resourceVersion" in said["metadata"]) == (201, False)
    assert ask(to, "GET", f"{CLAIMS}/d")[0] == 404
    unknown = {**claim("f"), "foo": 1}
    assert [ask(to, "POST", f"{CLAIMS}?fieldValidation=Strict", unknown)[0] for _ in range(2)] == [400, 400]
