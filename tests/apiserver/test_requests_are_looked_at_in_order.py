"""What is refused first where several things are wrong, as kube-apiserver 1.37.2 was seen to do it."""

from __future__ import annotations

from typing import Any

import pytest
from asking import CLAIMS, ask, claim, server

from dravite.apiserver.requests import Request

_MERGE = "application/merge-patch+json"
_APPLY = "application/apply-patch+yaml"


@pytest.mark.parametrize(
    ("query", "code", "why"),
    [
        ("limit=x&labelSelector=%3D&resourceVersionMatch=Foo", 400, 'strconv.ParseInt: parsing "x": invalid syntax'),
        ("timeoutSeconds=y&limit=x", 400, 'strconv.ParseInt: parsing "y": invalid syntax'),
        ("labelSelector=%3Dx&resourceVersion=99999", 400, "found '=', expected: !, identifier, or 'end of string'"),
        ("fieldSelector=a%3Db&sendInitialEvents=1", 422, "sendInitialEvents: Forbidden"),
        ("fieldSelector=a%3Db&resourceVersion=x", 400, '"a" is not a known field selector'),
        ("resourceVersionMatch=Foo&sendInitialEvents=1", 422, "[resourceVersionMatch: Forbidden: "),
    ],
)
def test_options_of_lists(query: str, code: int, why: str) -> None:
    found, status = ask(server(), "GET", f"{CLAIMS}?{query}")
    assert found == code
    assert why in status["message"]


def test_all_faults_of_options_are_told_the_manager_first() -> None:
    query = "dryRun=Some&fieldManager=a%00b&fieldValidation=Never"
    code, status = ask(server(), "PATCH", f"{CLAIMS}/a?force=true&{query}", {}, content_type=_MERGE)
    assert code == 422
    assert [cause["field"] for cause in status["details"]["causes"]] == [
        "force", "fieldManager", "dryRun", "fieldValidation",
    ]  # fmt: skip
    assert 'Invalid value: "a\\x00b": invalid character U+0000 (at position 1)' in status["message"]


def test_a_deletion_with_a_body_has_no_options_in_its_query() -> None:
    to = server()
    ask(to, "POST", CLAIMS, claim("a"))
    assert ask(to, "DELETE", f"{CLAIMS}/a?propagationPolicy=X")[0] == 422
    assert ask(to, "DELETE", f"{CLAIMS}/a?propagationPolicy=X&gracePeriodSeconds=x", {"dryRun": ["All"]})[0] == 200
    assert ask(to, "DELETE", f"{CLAIMS}/a", {"kind": "Nope"})[0] == 400


@pytest.mark.parametrize(
    ("method", "path", "body", "headers", "code"),
    [
        ("PUT", f"{CLAIMS}/none", {**claim("none"), "spec": 5}, {}, 400),
        ("PUT", f"{CLAIMS}/none", claim(""), {}, 400),
        ("PUT", f"{CLAIMS}/none", claim("none", namespace="elsewhere"), {}, 400),
        ("PUT", f"{CLAIMS}/none", claim("none", resourceVersion="x"), {}, 404),
        ("POST", CLAIMS.replace("default", "none"), claim("a", namespace="elsewhere"), {}, 400),
        ("POST", CLAIMS.replace("default", "none"), claim("a"), {}, 404),
        ("PATCH", f"{CLAIMS}/none", b"{", {"content_type": _MERGE}, 400),
        ("PATCH", f"{CLAIMS}/none", {}, {"content_type": _MERGE}, 404),
        ("PATCH", f"{CLAIMS}/none?fieldManager=m", claim(""), {"content_type": _APPLY}, 400),
        ("PATCH", f"{CLAIMS}/none/status?fieldManager=m", b"5", {"content_type": _APPLY}, 404),
        ("POST", f"{CLAIMS}?dryRun=Some", b"", {"content_type": "text/plain"}, 415),
        ("PUT", f"{CLAIMS}/a?dryRun=Some", b"", {"content_type": "text/plain"}, 422),
    ],
)
def test_what_is_wrong_first(method: str, path: str, body: Any, headers: dict[str, str], code: int) -> None:
    assert ask(server(), method, path, body, **headers)[0] == code


@pytest.mark.parametrize("query", ["uid=other", "resourceVersion=1"])
def test_a_query_has_preconditions_of_a_deletion(query: str) -> None:
    to = server()
    ask(to, "POST", CLAIMS, claim("a"))
    assert ask(to, "DELETE", f"{CLAIMS}/a?{query}")[0] == 409
    assert ask(to, "DELETE", f"{CLAIMS}?{query}")[0] == 409


def test_a_collection_is_deleted_page_by_page() -> None:
    to = server()
    for name in "ab":
        ask(to, "POST", CLAIMS, claim(name))
    code, gone = ask(to, "DELETE", f"{CLAIMS}?limit=1")
    assert (code, [item["metadata"]["name"] for item in gone["items"]]) == (200, ["a"])
    assert gone["metadata"]["continue"]
    assert ask(to, "GET", f"{CLAIMS}/b")[0] == 200


def test_a_body_that_is_null_is_an_empty_object() -> None:
    code, status = ask(server(), "POST", CLAIMS, b"null")
    assert (code, status["details"]["causes"][0]["field"]) == (422, "metadata.name")


def test_a_type_that_is_missing_after_a_patch_is_that_of_the_endpoint() -> None:
    to = server()
    ask(to, "POST", CLAIMS, claim("a"))
    assert ask(to, "PATCH", f"{CLAIMS}/a", {"kind": None}, content_type=_MERGE)[0] == 200
    strategic = "application/strategic-merge-patch+json"
    assert ask(to, "PATCH", f"{CLAIMS}/a", {"kind": "Nope"}, content_type=strategic)[0] == 200
    retained = {"metadata": {"$retainKeys": ["name"], "labels": {}}}
    assert ask(to, "PATCH", f"{CLAIMS}/a", retained, content_type=strategic)[0] == 400


def test_a_slash_in_a_name_is_one_in_the_path() -> None:
    assert ask(server(), "GET", f"{CLAIMS}/a%2Fb")[1]["message"] == "the server could not find the requested resource"


def test_a_revision_of_a_new_object_counts_last() -> None:
    to = server()
    assert ask(to, "POST", CLAIMS, claim("a", resourceVersion="x"))[0] == 201
    assert ask(to, "POST", CLAIMS, claim("a", resourceVersion="x"))[0] == 409
    assert ask(to, "POST", CLAIMS, claim("a", resourceVersion="5"))[0] == 400
    assert ask(to, "POST", f"{CLAIMS}?dryRun=All", claim("b", resourceVersion="5"))[0] == 201


def test_a_name_beside_a_prefix_is_told_of_as_if_it_had_been_drawn() -> None:
    to = server()
    assert ask(to, "POST", CLAIMS, claim("a"))[0] == 201
    code, status = ask(to, "POST", CLAIMS, claim("a", generateName="g-"))
    assert (code, status["details"]["retryAfterSeconds"]) == (409, 1)
    code, status = ask(to, "POST", CLAIMS, {**claim(""), "metadata": {"generateName": "G_"}})
    assert code == 422
    assert status["details"]["name"].startswith("G_")


def test_a_refused_write_is_warned_of_its_body_too() -> None:
    to = server()
    ask(to, "POST", CLAIMS, claim("a"))
    body = b'{"metadata": {"name": "a"}, "spec": {"devices": {}}, "foo": 1}'
    answer = to.handle(Request(method="POST", path=CLAIMS, body=body))
    assert (answer.code, answer.warnings) == (409, ('unknown field "foo"',))  # type: ignore[union-attr]


def test_a_patch_that_changes_the_kind_is_unfit() -> None:
    to = server()
    ask(to, "POST", CLAIMS, claim("a"))
    code, status = ask(to, "PATCH", f"{CLAIMS}/a", {"kind": "Nope"}, content_type=_MERGE)
    assert (code, status["details"]["causes"][0]["field"]) == (422, "patch")


def test_roles_and_the_like_are_made_by_a_put() -> None:
    to = server()
    path = "/apis/rbac.authorization.k8s.io/v1/clusterroles/r"
    assert ask(to, "PUT", path, {"metadata": {"name": "r"}, "rules": []})[0] == 201
    assert ask(to, "PUT", path, {"metadata": {"name": "r"}, "rules": []})[0] == 200
    assert ask(to, "PUT", "/api/v1/namespaces/default/configmaps/c", {"metadata": {"name": "c"}})[0] == 404


def test_an_update_of_another_object_is_a_conflict() -> None:
    to = server()
    path = "/api/v1/namespaces/default/configmaps"
    ask(to, "POST", path, {"metadata": {"name": "c"}})
    code, status = ask(to, "PUT", f"{path}/c", {"metadata": {"name": "c", "uid": "other"}})
    assert (code, status["reason"]) == (409, "Conflict")


def test_nothing_is_made_by_its_uid() -> None:
    for release, code in (("1.31", 409), ("1.37", 404)):
        assert ask(server(release), "PUT", "/api/v1/nodes/n", {"metadata": {"name": "n", "uid": "u"}})[0] == code
    leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases"
    assert ask(server(), "PUT", f"{leases}/l", {"metadata": {"name": "l", "uid": "u"}})[0] == 409
