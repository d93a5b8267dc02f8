"""Kinds that are kept as they are sent are looked at all the same: types, unknown fields, tables, schemas."""

from __future__ import annotations

from typing import Any

import pytest
from asking import ask, server

PODS = "/api/v1/namespaces/default/pods"
TABLE = {"accept": "application/json;as=Table;v=v1;g=meta.k8s.io"}


def _pod(**spec: Any) -> dict[str, Any]:
    return {"metadata": {"name": "p"}, "spec": {"containers": [{"name": "c", "image": "i"}], **spec}}


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (_pod(containers="x"), "cannot unmarshal string into Go struct field Pod.spec.containers"),
        (_pod(containers=[{"name": 1}]), "cannot unmarshal number into Go struct field Pod.spec.containers[0].name"),
        (_pod(nodeSelector={"a": True}), "cannot unmarshal bool into Go struct field Pod.spec.nodeSelector.a"),
        ({"metadata": {"name": []}}, "cannot unmarshal array into Go struct field Pod.metadata.name"),
        ({"metadata": {"name": "p"}, "spec": []}, "cannot unmarshal array into Go struct field Pod.spec"),
    ],
)
def test_values_of_wrong_types_are_refused(body: dict[str, Any], told: str) -> None:
    code, said = ask(server(), "POST", PODS, body)
    assert (code, said["reason"]) == (400, "BadRequest")
    assert told in said["message"]


def test_unknown_fields_are_warned_of_or_refused() -> None:
    to, body = server(), _pod(resourceClaim=[{"name": "a"}])
    code, said = ask(to, "POST", f"{PODS}?fieldValidation=Strict", body)
    assert (code, said["message"].endswith('strict decoding error: unknown field "spec.resourceClaim"')) == (400, True)
    assert ask(to, "POST", PODS, body)[0] == 201


def test_numbers_of_a_budget_may_be_shares() -> None:
    budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets"
    for name, value in (("a", 1), ("b", "50%")):
        body = {"metadata": {"name": name}, "spec": {"maxUnavailable": value}}
        assert ask(server(), "POST", budgets, body)[0] == 201


def test_tables_have_the_columns_of_kubectl() -> None:
    to = server()
    template = {"metadata": {"labels": {"a": "b"}}, "spec": _pod()["spec"]}
    spec = {"replicas": 3, "selector": {"matchLabels": {"a": "b"}}, "template": template}
    path = "/apis/apps/v1/namespaces/default/deployments"
    assert ask(to, "POST", path, {"metadata": {"name": "d"}, "spec": spec})[0] == 201
    _, said = ask(to, "GET", path, **TABLE)
    names = [(column["name"], column["priority"]) for column in said["columnDefinitions"]]
    assert names[:5] == [("Name", 0), ("Ready", 0), ("Up-to-date", 0), ("Available", 0), ("Age", 0)]
    assert said["rows"][0]["cells"][:4] == ["d", "0/3", "0", "0"]
    assert said["rows"][0]["cells"][5:] == ["c", "i", "a=b"]


def test_schemas_tell_the_fields_of_pods_and_the_meaning_of_claims() -> None:
    to = server()
    schemas = ask(to, "GET", "/openapi/v3/api/v1")[1]["components"]["schemas"]
    assert schemas["io.k8s.api.core.v1.PodSpec"]["properties"]["resourceClaims"]["type"] == "array"
    schemas = ask(to, "GET", "/openapi/v3/apis/resource.k8s.io/v1")[1]["components"]["schemas"]
    mode = schemas["io.k8s.api.resource.v1.ExactDeviceRequest"]["properties"]["allocationMode"]
    assert mode["enum"] == ["ExactCount", "All"]
    assert mode["description"].startswith("ExactCount takes as many devices")
