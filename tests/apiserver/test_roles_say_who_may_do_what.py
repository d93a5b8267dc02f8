from __future__ import annotations

import json
from typing import Any

import pytest
from asking import CLAIMS, claim

from dravite.api.releases import newest_profile
from dravite.apiserver import Access, ApiServer, Settings
from dravite.apiserver.backend import Response
from dravite.apiserver.identity import ADMIN, ANONYMOUS, User
from dravite.apiserver.requests import Request
from dravite.store import Store

RBAC = "/apis/rbac.authorization.k8s.io/v1"
READER = User("reader", ("system:authenticated", "team"))


@pytest.fixture
def to() -> ApiServer:
    return ApiServer(Store(), Settings(profile=newest_profile(), controls_access=True))


def ask(to: ApiServer, user: User, method: str, path: str, body: Any = None) -> tuple[int, Any]:
    media = "application/merge-patch+json" if method == "PATCH" else "application/json"
    data = b"" if body is None else json.dumps(body).encode()
    request = Request(method=method, path=path, headers={"content-type": media}, body=data, user=user)
    answer = to.handle(request)
    assert isinstance(answer, Response)
    return answer.code, answer.body


def grant(to: ApiServer, rules: list[Any], subject: Any, namespace: str = "") -> None:
    place = f"{RBAC}/namespaces/{namespace}" if namespace else RBAC
    role, binding = ("roles", "rolebindings") if namespace else ("clusterroles", "clusterrolebindings")
    kind = "Role" if namespace else "ClusterRole"
    assert ask(to, ADMIN, "POST", f"{place}/{role}", {"metadata": {"name": "r"}, "rules": rules})[0] == 201
    bound = {"metadata": {"name": "r"}, "roleRef": {"kind": kind, "name": "r"}, "subjects": [subject]}
    assert ask(to, ADMIN, "POST", f"{place}/{binding}", bound)[0] == 201


def rule(*verbs: str, resources: tuple[str, ...] = ("resourceclaims",)) -> dict[str, Any]:
    return {"apiGroups": ["resource.k8s.io"], "resources": list(resources), "verbs": list(verbs)}


def test_nobody_may_anything_but_what_is_granted(to: ApiServer) -> None:
    code, status = ask(to, READER, "GET", CLAIMS)
    assert code == 403
    assert status["message"] == (
        'resourceclaims.resource.k8s.io is forbidden: User "reader" cannot list resource "resourceclaims" '
        'in API group "resource.k8s.io" in the namespace "default"'
    )
    grant(to, [rule("list")], {"kind": "User", "name": "reader"})
    assert ask(to, READER, "GET", CLAIMS)[0] == 200
    assert ask(to, READER, "POST", CLAIMS, claim("a"))[0] == 403


def test_a_role_counts_in_its_namespace(to: ApiServer) -> None:
    grant(to, [rule("*")], {"kind": "Group", "name": "team"}, "default")
    assert ask(to, READER, "POST", CLAIMS, claim("a"))[0] == 201
    assert ask(to, READER, "GET", CLAIMS.replace("default", "kube-system"))[0] == 403


def test_discovery_is_for_who_is_known_and_health_for_all(to: ApiServer) -> None:
    assert ask(to, READER, "GET", "/apis")[0] == 200
    assert ask(to, ANONYMOUS, "GET", "/apis")[0] == 403
    assert ask(to, ANONYMOUS, "GET", "/readyz")[0] == 200


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        (
            "/apis/g.example.com/v1/namespaces/n/things/a/part",
            'get resource "things/part" in API group "g.example.com"',
        ),
        ("/apis/g.example.com/v1/things", 'list resource "things" in API group "g.example.com" at the cluster scope'),
        ("/api/v1/namespaces/n/things", 'list resource "things" in API group "" in the namespace "n"'),
    ],
)
def test_nobody_is_told_what_is_not_served_before_he_may_ask(to: ApiServer, path: str, asked: str) -> None:
    code, status = ask(to, READER, "GET", path)
    assert code == 403
    assert f'User "reader" cannot {asked}' in status["message"]
    assert ask(to, ADMIN, "GET", path)[0] == 404
    assert ask(to, READER, "GET", "/apis/g.example.com/v1")[0] == 404


def test_who_may_get_namespaces_in_one_may_get_it(to: ApiServer) -> None:
    every = {"apiGroups": [""], "resources": ["namespaces"], "verbs": ["get"]}
    grant(to, [every], {"kind": "User", "name": "reader"}, "default")
    assert ask(to, READER, "GET", "/api/v1/namespaces/default")[0] == 200
    assert ask(to, READER, "GET", "/api/v1/namespaces/kube-system")[0] == 403


def test_an_allocation_needs_the_right_to_bind(to: ApiServer) -> None:
    ask(to, ADMIN, "POST", CLAIMS, claim("a"))
    grant(to, [rule("*", resources=("resourceclaims/status",))], {"kind": "User", "name": "reader"})
    result = {"request": "r", "driver": "d.example.com", "pool": "p", "device": "x"}
    change = {"status": {"allocation": {"devices": {"results": [result]}}}}
    code, status = ask(to, READER, "PATCH", f"{CLAIMS}/a/status", change)
    assert (code, status["details"]["causes"][0]["field"]) == (422, "status.allocation")
    assert ask(to, ADMIN, "PATCH", f"{CLAIMS}/a/status", change)[0] == 200


def test_tokens_stand_for_users() -> None:
    access = Access({"secret": READER}, None)
    assert access.user_of({"authorization": "Bearer secret"}, "/api") == READER
    assert access.user_of({"authorization": "Bearer other"}, "/api") is None
    assert access.user_of({"authorization": "Bearer \xe9"}, "/api") is None
    assert access.user_of({}, "/api") is None
    assert access.user_of({}, "/readyz") == ANONYMOUS
    assert Access().user_of({"authorization": "Bearer any"}, "/api") == ADMIN
