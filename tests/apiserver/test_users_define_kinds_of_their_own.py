from __future__ import annotations

from typing import Any

import pytest
from asking import ask, server

DEFINITION: dict[str, Any] = {
    "metadata": {"name": "trains.example.com"},
    "spec": {
        "group": "example.com",
        "scope": "Namespaced",
        "names": {"plural": "trains", "kind": "Train", "shortNames": ["tr"]},
        "versions": [
            {"name": "v1", "served": True, "storage": True, "subresources": {"status": {}}},
            {"name": "v1beta1", "served": True, "storage": False},
        ],
    },
}
DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
TRAINS = "/apis/example.com/v1/namespaces/default/trains"


def test_a_definition_brings_its_kind() -> None:
    to = server()
    assert ask(to, "GET", TRAINS)[0] == 404
    code, made = ask(to, "POST", DEFINITIONS, DEFINITION)
    assert code == 201
    assert {item["type"]: item["status"] for item in made["status"]["conditions"]}["Established"] == "True"
    code, train = ask(to, "POST", TRAINS, {"metadata": {"name": "t"}, "spec": {"cars": 3}, "status": {"on": "time"}})
    assert (code, train["spec"], train["apiVersion"]) == (201, {"cars": 3}, "example.com/v1")
    older = ask(to, "GET", TRAINS.replace("v1", "v1beta1") + "/t")[1]
    assert (older["apiVersion"], older["spec"], older["metadata"]["uid"]) == (
        "example.com/v1beta1",
        {"cars": 3},
        train["metadata"]["uid"],
    )
    found = ask(to, "GET", "/apis/example.com/v1")[1]["resources"]
    assert [item["name"] for item in found] == ["trains", "trains/status"]


def test_its_status_is_written_apart() -> None:
    to = server()
    ask(to, "POST", DEFINITIONS, DEFINITION)
    ask(to, "POST", TRAINS, {"metadata": {"name": "t"}, "spec": {"cars": 3}})
    merge = "application/merge-patch+json"
    ask(to, "PATCH", f"{TRAINS}/t/status", {"spec": {"cars": 4}, "status": {"late": 5}}, content_type=merge)
    train = ask(to, "GET", f"{TRAINS}/t")[1]
    assert (train["spec"], train["status"]) == ({"cars": 3}, {"late": 5})
    ask(to, "PATCH", f"{TRAINS}/t", {"spec": {"cars": 4}, "status": {"late": 6}}, content_type=merge)
    train = ask(to, "GET", f"{TRAINS}/t")[1]
    assert (train["spec"], train["status"]) == ({"cars": 4}, {"late": 5})


def test_its_lists_have_no_keys_for_strategic_patches() -> None:
    to = server()
    ask(to, "POST", DEFINITIONS, DEFINITION)
    ask(to, "POST", TRAINS, {"metadata": {"name": "t"}})
    strategic = "application/strategic-merge-patch+json"
    code, status = ask(to, "PATCH", f"{TRAINS}/t", {"spec": {"cars": 4}}, content_type=strategic)
    assert code == 415
    assert strategic not in status["message"]


def test_a_kind_goes_with_its_definition() -> None:
    to = server()
    ask(to, "POST", DEFINITIONS, DEFINITION)
    ask(to, "DELETE", f"{DEFINITIONS}/trains.example.com")
    assert ask(to, "GET", TRAINS)[0] == 404


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"names": {"plural": "buses", "kind": "Bus"}}, "metadata.name"),
        ({"group": "trains"}, "spec.group"),
        ({"group": "trains.k8s.io"}, "metadata.annotations[api-approved.kubernetes.io]"),
        ({"scope": "Everywhere"}, "spec.scope"),
        ({"versions": [{"name": "v1", "served": True, "storage": False}]}, "spec.versions"),
        ({"versions": [{"served": True}]}, "spec"),
        ({"names": "x"}, "spec"),
    ],
)
def test_what_defines_no_kind_is_refused(change: dict[str, Any], field: str) -> None:
    to = server()
    spec = {**DEFINITION["spec"], **change}
    name = f"trains.{spec['group']}" if field != "metadata.name" else "trains.example.com"
    code, said = ask(to, "POST", DEFINITIONS, {"metadata": {"name": name}, "spec": spec})
    assert (code, [cause["field"] for cause in said["details"]["causes"]]) == (422, [field])


def test_its_tables_have_the_columns_that_it_says() -> None:
    to = server()
    columns = [
        {"name": "Cars", "type": "integer", "jsonPath": ".spec.cars"},
        {"name": "First", "type": "string", "jsonPath": ".spec.stops[0].name"},
        {"name": "Ready", "type": "string", "jsonPath": '.status.conditions[?(@.type=="Ready")].status'},
        {"name": "Line", "type": "string", "jsonPath": r".metadata.labels.example\.com/line", "priority": 1},
        {"name": "Since", "type": "date", "jsonPath": ".metadata.creationTimestamp"},
        {"name": "Odd", "type": "boolean", "jsonPath": ".spec.cars"},
        {"name": "None", "type": "string", "jsonPath": "{.spec}"},
    ]
    first, *others = DEFINITION["spec"]["versions"]
    spec = {**DEFINITION["spec"], "versions": [{**first, "additionalPrinterColumns": columns}, *others]}
    assert ask(to, "POST", DEFINITIONS, {**DEFINITION, "spec": spec})[0] == 201
    meta = {"name": "t", "labels": {"example.com/line": "north"}}
    status = {"conditions": [{"type": "Late", "status": "True"}, {"type": "Ready", "status": "False"}]}
    body = {"metadata": meta, "spec": {"cars": 3, "stops": [{"name": "A"}]}, "status": status}
    assert "status" not in ask(to, "POST", TRAINS, body)[1]
    merge = "application/merge-patch+json"
    assert ask(to, "PATCH", f"{TRAINS}/t/status", {"status": status}, content_type=merge)[0] == 200
    table = {"accept": "application/json;as=Table;v=v1;g=meta.k8s.io"}
    _, said = ask(to, "GET", TRAINS, **table)
    names = ["Name", "Cars", "First", "Ready", "Line", "Since", "Odd", "None"]
    assert [column["name"] for column in said["columnDefinitions"]] == names
    assert said["columnDefinitions"][4]["priority"] == 1
    cells = said["rows"][0]["cells"]
    assert [*cells[:5], *cells[6:]] == ["t", 3, "A", "False", "north", None, None]
    _, said = ask(to, "GET", TRAINS.replace("v1", "v1beta1"), **table)
    assert [column["name"] for column in said["columnDefinitions"]] == ["Name", "Age"]
