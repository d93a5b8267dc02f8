from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from asking import CLAIMS, ask, server

from dravite.apiserver import Access, ApiServer, Settings
from dravite.apiserver.answers import render
from dravite.apiserver.backend import Response
from dravite.apiserver.identity import User
from dravite.apiserver.metadata import system_source
from dravite.apiserver.requests import Request
from dravite.store import Store

ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts"
PODS = "/api/v1/namespaces/default/pods"
ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles"


def _token(to: ApiServer, **spec: Any) -> str:
    code, said = ask(to, "POST", f"{ACCOUNTS}/driver/token", {"spec": spec})
    assert (code, said["kind"]) == (201, "TokenRequest")
    return str(said["status"]["token"])


def _server() -> ApiServer:
    to = server()
    assert ask(to, "POST", ACCOUNTS, {"metadata": {"name": "driver"}})[0] == 201
    return to


def test_every_namespace_has_the_default_account() -> None:
    to = server()
    ask(to, "POST", "/api/v1/namespaces", {"metadata": {"name": "new"}})
    for space in ("default", "kube-system", "new"):
        assert ask(to, "GET", f"/api/v1/namespaces/{space}/serviceaccounts/default")[0] == 200


def test_a_token_stands_for_its_account_until_that_goes() -> None:
    to = _server()
    token = _token(to)
    found = to.user_of(token)
    assert found is not None
    assert found.name == "system:serviceaccount:default:driver"
    groups = ("system:serviceaccounts", "system:serviceaccounts:default", "system:authenticated")
    assert (found.groups, found.node) == (groups, "")
    assert Access({"x": User("x")}, None, to.user_of).user_of({"authorization": f"Bearer {token}"}, "/api") == found
    changed = token[:-2] + ("AA" if token[-2:] != "AA" else "BB")
    assert [to.user_of(other) for other in (changed, "", "a.b.c", token.partition(".")[2])] == [None] * 4
    assert server().user_of(token) is None
    ask(to, "DELETE", f"{ACCOUNTS}/driver")
    ask(to, "POST", ACCOUNTS, {"metadata": {"name": "driver"}})
    assert to.user_of(token) is None


def test_a_token_of_a_pod_knows_its_node_and_goes_with_it() -> None:
    to = _server()
    ask(to, "POST", "/api/v1/nodes", {"metadata": {"name": "n1"}})
    spec = {"nodeName": "n1", "containers": [{"name": "c", "image": "i"}]}
    _, pod = ask(to, "POST", PODS, {"metadata": {"name": "p"}, "spec": spec})
    reference = {"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": pod["metadata"]["uid"]}
    token = _token(to, boundObjectRef=reference)
    found = to.user_of(token)
    assert found is not None
    assert found.node == "n1"
    code, _ = ask(to, "POST", f"{ACCOUNTS}/driver/token", {"spec": {"boundObjectRef": {**reference, "uid": "other"}}})
    assert code == 409
    ask(to, "DELETE", f"{PODS}/p?gracePeriodSeconds=0")
    assert to.user_of(token) is None


def test_a_token_is_over_in_time() -> None:
    clock = ["2026-01-01T12:00:00Z"]
    to = ApiServer(Store(), Settings(source=msgspec.structs.replace(system_source(), now=lambda: clock[0])))
    ask(to, "POST", ACCOUNTS, {"metadata": {"name": "driver"}})
    token = _token(to, expirationSeconds=600)
    assert to.user_of(token) is not None
    clock[0] = "2026-01-01T12:10:01Z"
    assert to.user_of(token) is None


@pytest.mark.parametrize(
    ("spec", "code"),
    [
        ({"expirationSeconds": 599}, 422),
        ({"expirationSeconds": 1 << 33}, 422),
        ({"expirationSeconds": "x"}, 400),
        ({"audiences": "x"}, 400),
        ({"boundObjectRef": {"kind": "Service", "name": "s"}}, 400),
        ({"boundObjectRef": {"kind": "Pod", "name": "p"}}, 404),
        ("x", 400),
    ],
)
def test_bad_requests_make_no_token(spec: Any, code: int) -> None:
    assert ask(_server(), "POST", f"{ACCOUNTS}/driver/token", {"spec": spec})[0] == code


def test_a_request_for_a_token_is_of_its_account() -> None:
    to = _server()
    code, made = ask(to, "POST", f"{ACCOUNTS}/driver/token", {"metadata": {"name": "driver"}, "spec": {}})
    assert code == 201
    assert made["metadata"]["uid"] == ask(to, "GET", f"{ACCOUNTS}/driver")[1]["metadata"]["uid"]
    assert [owner["subresource"] for owner in made["metadata"]["managedFields"]] == ["token"]
    code, status = ask(to, "POST", f"{ACCOUNTS}/driver/token", {"metadata": {"name": "other"}, "spec": {}})
    assert (code, status["details"]["causes"][0]["field"]) == (422, "metadata.name")


def _as(to: ApiServer, asker: User, **headers: str) -> tuple[int, Any]:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    request = Request(method="GET", path=CLAIMS, headers=sent, user=asker)
    answer = to.handle(request)
    assert isinstance(answer, Response)
    code, _, body = render(answer, request)
    return code, json.loads(body)


def test_who_may_can_stand_for_others() -> None:
    to = ApiServer(Store(), Settings(controls_access=True))
    admin, jane = User("admin", ("system:masters",)), User("jane")
    rule = {"apiGroups": ["resource.k8s.io"], "resources": ["resourceclaims"], "verbs": ["list"]}
    ask(to, "POST", ROLES, {"metadata": {"name": "r"}, "rules": [rule]})
    subjects = [{"kind": "Group", "name": "devs"}]
    binding = {"metadata": {"name": "r"}, "roleRef": {"kind": "ClusterRole", "name": "r"}, "subjects": subjects}
    ask(to, "POST", ROLES.replace("roles", "rolebindings"), binding)
    assert _as(to, admin, impersonate_user="jane", impersonate_group="ops, devs")[0] == 200
    code, said = _as(to, admin, impersonate_user="jane", impersonate_group="ops")
    assert (code, 'User "jane" cannot list resource' in said["message"]) == (403, True)
    code, said = _as(to, jane, impersonate_user="bob")
    assert (code, 'User "jane" cannot impersonate resource "users"' in said["message"]) == (403, True)
    code, said = _as(to, admin, impersonate_user="system:serviceaccount:default:driver")
    assert (code, 'User "system:serviceaccount:default:driver" cannot list' in said["message"]) == (403, True)


def test_a_review_of_rules_tells_those_of_the_user() -> None:
    to = ApiServer(Store(), Settings(controls_access=True))
    rule = {"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}
    ask(to, "POST", ROLES, {"metadata": {"name": "r"}, "rules": [rule]})
    subjects = [{"kind": "User", "name": "jane"}]
    binding = {"metadata": {"name": "r"}, "roleRef": {"kind": "ClusterRole", "name": "r"}, "subjects": subjects}
    ask(to, "POST", ROLES.replace("roles", "rolebindings"), binding)
    path = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews"
    for user, rules in ((User("jane"), [rule]), (User("bob"), [])):
        body = json.dumps({"spec": {"namespace": "default"}}).encode()
        answer = to.handle(Request(method="POST", path=path, body=body, user=user))
        assert isinstance(answer, Response)
        assert answer.value["status"] == {"resourceRules": rules, "nonResourceRules": [], "incomplete": False}
