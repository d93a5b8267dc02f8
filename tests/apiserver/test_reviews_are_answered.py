"""Questions that are posted like objects, as kube-apiserver 1.37.2 was seen to answer them."""

from __future__ import annotations

from typing import Any

import pytest
from asking import ask

from dravite.api.releases import newest_profile
from dravite.apiserver import ApiServer, Settings
from dravite.store import Store

_REVIEWS = "/apis/authorization.k8s.io/v1"
_PODS = {"resourceAttributes": {"verb": "get", "resource": "pods", "namespace": "default"}}
_PATH = {"nonResourceAttributes": {"verb": "get", "path": "/healthz"}}


def _server() -> ApiServer:
    return ApiServer(Store(), Settings(profile=newest_profile(), controls_access=True))


def _asked(kind: str, spec: dict[str, Any], who: str = "", space: str = "") -> tuple[int, Any]:
    place = f"/namespaces/{space}" if space else ""
    headers = {"impersonate_user": who} if who else {}
    return ask(_server(), "POST", f"{_REVIEWS}{place}/{kind}", {"spec": spec}, **headers)


def test_everybody_may_ask_about_himself() -> None:
    for who, spec, allowed in (("", _PODS, True), ("u", _PODS, False), ("u", _PATH, True)):
        code, told = _asked("selfsubjectaccessreviews", spec, who)
        assert (code, told["status"]) == (201, {"allowed": allowed})


def test_a_review_of_others_is_about_them_and_for_those_who_may() -> None:
    spec = {**_PODS, "user": "u"}
    assert _asked("subjectaccessreviews", spec)[1]["status"] == {"allowed": False}
    assert _asked("subjectaccessreviews", {**spec, "groups": ["system:masters"]})[1]["status"] == {"allowed": True}
    code, told = _asked("subjectaccessreviews", spec, "u")
    assert code == 403
    assert 'cannot create resource "subjectaccessreviews" in API group "authorization.k8s.io"' in told["message"]


def test_a_review_says_who_asked_what() -> None:
    told = _asked("localsubjectaccessreviews", {**_PODS, "user": "u"}, space="default")[1]
    assert told["metadata"]["namespace"] == "default"
    fields = told["metadata"]["managedFields"][0]["fieldsV1"]["f:spec"]
    assert sorted(fields) == ["f:resourceAttributes", "f:user"]


@pytest.mark.parametrize(
    ("kind", "spec", "field"),
    [
        ("selfsubjectaccessreviews", {}, "spec"),
        ("selfsubjectaccessreviews", {**_PODS, **_PATH}, "spec"),
        ("subjectaccessreviews", _PODS, "spec.user"),
    ],
)
def test_questions_that_ask_nothing_are_refused(kind: str, spec: dict[str, Any], field: str) -> None:
    code, status = _asked(kind, spec)
    assert (code, status["details"]["causes"][0]["field"]) == (422, field)


def test_a_review_has_no_name() -> None:
    body = {"metadata": {"name": "x"}, "spec": _PODS}
    code, status = ask(_server(), "POST", f"{_REVIEWS}/selfsubjectaccessreviews", body)
    assert (code, status["details"]["causes"][0]["field"]) == (422, "metadata")
    assert ask(_server(), "GET", f"{_REVIEWS}/selfsubjectaccessreviews")[0] == 405


def test_rules_are_those_of_a_namespace() -> None:
    assert _asked("selfsubjectrulesreviews", {})[0] == 400
    code, told = _asked("selfsubjectrulesreviews", {"namespace": "default"})
    assert (code, told["metadata"], told["spec"]) == (201, {}, {})
    assert told["status"]["resourceRules"]


@pytest.mark.parametrize(
    "spec",
    [
        {**_PODS, "user": "u", "groups": 5},
        {**_PODS, "user": "u", "groups": {"a": "b"}},
        {**_PODS, "user": ["u"]},
        {"user": "u", "resourceAttributes": {"verb": ["get"], "resource": "pods"}},
        {"user": "u", "resourceAttributes": {"fieldSelector": {"requirements": [5]}}},
        {"user": "u", "nonResourceAttributes": {"path": 1.5}},
    ],
)
def test_fields_of_another_type_are_refused(spec: dict[str, Any]) -> None:
    code, told = _asked("subjectaccessreviews", spec)
    assert code == 400
    assert told["message"].startswith('SubjectAccessReview in version "v1" cannot be handled as a SubjectAccessReview')


def test_metadata_of_another_type_are_refused() -> None:
    for meta in ({"labels": 5}, {"managedFields": 5}, {"name": {}}):
        path = "/apis/authentication.k8s.io/v1/selfsubjectreviews"
        assert ask(_server(), "POST", path, {"metadata": meta})[0] == 400


def test_what_is_null_is_not_there() -> None:
    spec = {**_PODS, "user": "u", "groups": None, "uid": None, "nonResourceAttributes": None}
    assert _asked("subjectaccessreviews", spec)[0] == 201
