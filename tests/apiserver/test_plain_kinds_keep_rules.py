"""What a server refuses of kinds without types of their own, in the words of kube-apiserver 1.37.2."""

from __future__ import annotations

import re
from typing import Any

import pytest
from asking import ask, server

from dravite.apiserver.answers import render
from dravite.apiserver.backend import Response
from dravite.apiserver.requests import Request

_CORE = "/api/v1/namespaces/default"
_RBAC = "/apis/rbac.authorization.k8s.io/v1"
_BINDINGS = f"{_RBAC}/namespaces/default/rolebindings"
_LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases"
_CLASSES = "/apis/node.k8s.io/v1/runtimeclasses"
_READ = {"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}
_ROLE = {"kind": "Role", "name": "r"}
_USER = {"kind": "User", "name": "u"}
_ABOUT = {"kind": "Pod", "name": "p", "namespace": "other"}


@pytest.mark.parametrize(
    ("path", "body", "why"),
    [
        (f"{_CORE}/configmaps", {"data": {"a b": ""}}, 'data[a b]: Invalid value: "a b": a valid config key must'),
        (f"{_CORE}/configmaps", {"data": {"..a": ""}}, "data[..a]: Invalid value: \"..a\": must not start with '..'"),
        (f"{_CORE}/configmaps", {"data": {"..": ""}}, "data[..]: Invalid value: \"..\": must not be '..'"),
        (f"{_CORE}/configmaps", {"data": {"a" * 254: ""}}, "must be no more than 253 bytes"),
        (f"{_CORE}/configmaps", {"data": {"a": ""}, "binaryData": {"a": "YQ=="}}, 'data[a]: Invalid value: "a": dup'),
        (f"{_CORE}/secrets", {"type": "kubernetes.io/tls"}, "[data[tls.crt]: Required value, data[tls.key]: Required"),
        (f"{_CORE}/secrets", {"type": "kubernetes.io/basic-auth"}, "[data[username]: Required value, data[password]"),
        (f"{_CORE}/events", {"involvedObject": _ABOUT}, 'involvedObject.namespace: Invalid value: "other": does not'),
        (
            _LEASES,
            {"spec": {"leaseDurationSeconds": 0}},
            "spec.leaseDurationSeconds: Invalid value: 0: must be greater",
        ),
        (
            _LEASES,
            {"spec": {"leaseTransitions": -1}},
            "spec.leaseTransitions: Invalid value: -1: must be greater than o",
        ),
        (_CLASSES, {"handler": ""}, "handler: Required value"),
        (_CLASSES, {"handler": "A_"}, 'handler: Invalid value: "A_": a lowercase RFC 1123 label must'),
        (f"{_RBAC}/clusterroles", {"rules": [{**_READ, "verbs": []}]}, "is invalid: rules[0].verbs: Required value"),
        (
            f"{_RBAC}/clusterroles",
            {"rules": [{"verbs": ["get"]}]},
            "[rules[0].apiGroups: Required value: resource rule",
        ),
        (f"{_RBAC}/clusterroles", {"rules": [{**_READ, "nonResourceURLs": ["/x"]}]}, "cannot apply to both regular"),
        (
            f"{_RBAC}/namespaces/default/roles",
            {"rules": [{"verbs": ["get"], "nonResourceURLs": ["/x"]}]},
            'rules[0].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs',
        ),
        (_BINDINGS, {"roleRef": {}}, '[roleRef.kind: Unsupported value: "": supported values: "Role"'),
        (
            f"{_RBAC}/clusterrolebindings",
            {"roleRef": _ROLE},
            'roleRef.kind: Unsupported value: "Role": supp',
        ),
        (_BINDINGS, {"roleRef": _ROLE, "subjects": [{"kind": "X", "name": "x"}]}, 'kind: Unsupported value: "X"'),
        (_BINDINGS, {"roleRef": _ROLE, "subjects": [{"kind": "User"}]}, "subjects[0].name: Required value"),
        (_BINDINGS, {"roleRef": _ROLE, "subjects": [{**_USER, "apiGroup": "x"}]}, "subjects[0].apiGroup: Unsupported"),
        (
            f"{_RBAC}/clusterrolebindings",
            {"roleRef": {"kind": "ClusterRole", "name": "r"}, "subjects": [{"kind": "ServiceAccount", "name": "a"}]},
            "subjects[0].namespace: Required value",
        ),
    ],
)
def test_new_objects_are_refused(path: str, body: dict[str, Any], why: str) -> None:
    code, status = ask(server(), "POST", path, {"metadata": {"name": "x"}, **body})
    assert code == 422, status
    assert why in status["message"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (f"{_CORE}/secrets", {"type": "kubernetes.io/basic-auth", "stringData": {"username": "u"}}),
        (f"{_CORE}/events", {"involvedObject": {"kind": "Node", "name": "n"}}),
        (f"{_CORE}/events", {"involvedObject": _ABOUT, "eventTime": "2026-01-01T00:00:00.000000Z"}),
        (f"{_RBAC}/clusterroles", {"rules": [{"verbs": ["get"], "nonResourceURLs": ["/x"]}]}),
        (_BINDINGS, {"roleRef": _ROLE, "subjects": [_USER, {"kind": "ServiceAccount", "name": "a"}]}),
    ],
)
def test_others_are_taken(path: str, body: dict[str, Any]) -> None:
    code, status = ask(server(), "POST", path, {"metadata": {"name": "x"}, **body})
    assert code == 201, status


@pytest.mark.parametrize(
    ("release", "path", "body", "change", "why"),
    [
        (
            "1.37",
            _BINDINGS,
            {"roleRef": _ROLE},
            {"roleRef": {**_ROLE, "name": "other"}},
            '"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"other"}: field is immutable',
        ),
        (
            "1.36",
            _BINDINGS,
            {"roleRef": _ROLE},
            {"roleRef": {**_ROLE, "name": "o"}},
            '"Name":"o"}: cannot change',
        ),
        ("1.36", f"{_RBAC}/clusterroles", {}, {"rules": [{}]}, "[rules[0].verbs: Required value: verbs must contain"),
        (
            "1.37",
            _CLASSES,
            {"handler": "a"},
            {"handler": ""},
            "handler: Invalid value: null: field is immutable, h",
        ),
        (
            "1.36",
            _CLASSES,
            {"handler": "a"},
            {"handler": ""},
            'handler: Required value, handler: Invalid value: "": f',
        ),
        ("1.37", f"{_CORE}/secrets", {}, {"type": "x"}, 'type: Invalid value: "x": field is immutable'),
        (
            "1.37",
            f"{_CORE}/configmaps",
            {"immutable": True, "data": {"a": "b"}},
            {"immutable": None, "data": {"a": "c"}},
            "[immutable: Forbidden: field is immutable when `immutable` is set, data: Forbidden: field",
        ),
    ],
)
def test_changes_are_refused(release: str, path: str, body: Any, change: Any, why: str) -> None:
    to = server(release)
    assert ask(to, "POST", path, {"metadata": {"name": "x"}, **body})[0] == 201
    code, status = ask(to, "PATCH", f"{path}/x", change, content_type="application/merge-patch+json")
    assert code == 422, status
    assert why in status["message"]


def test_null_among_many_is_one_that_holds_nothing() -> None:
    body = {"metadata": {"name": "n", "labels": {"a": None}}, "spec": {"taints": [None]}}
    status = {"capacity": {"cpu": None}, "conditions": [None]}
    to = server()
    made = ask(to, "POST", "/api/v1/nodes", {**body, "status": status})[1]
    assert made["spec"]["taints"] == [{"key": "", "effect": ""}]
    assert (made["metadata"]["labels"], made["status"]["capacity"]) == ({"a": ""}, {"cpu": "0"})
    as_protobuf = {"accept": "application/vnd.kubernetes.protobuf"}
    answer = to.handle(request := Request(method="GET", path="/api/v1/nodes", headers=as_protobuf))
    assert isinstance(answer, Response)
    assert render(answer, request)[0] == 200


@pytest.mark.parametrize("path", ["deployments", "replicasets", "statefulsets"])
def test_numbers_are_not_negative(path: str) -> None:
    pods = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
    spec = {"replicas": -1, "selector": {"matchLabels": {"a": "b"}}, "template": pods}
    told = ask(server(), "POST", f"/apis/apps/v1/namespaces/default/{path}", {"metadata": {"name": "x"}, "spec": spec})
    assert told[0] == 422
    assert re.search(r"spec\.replicas: Invalid value: -1: must be greater than or equal to 0", told[1]["message"])
