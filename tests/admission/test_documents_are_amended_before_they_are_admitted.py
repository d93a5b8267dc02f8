from __future__ import annotations

import json
from typing import Any

import pytest

from dravite.admission.amending import NotSettable, ref_of, with_field, without
from dravite.api.document import Document
from dravite.api.documents import split
from dravite.api.meta import ObjectRef

JOB = """\
apiVersion: batch/v1
kind: Job
metadata: {name: train, namespace: ml, labels: {a.b/c: d}}
spec:
  parallelism: 2
  template: {spec: {containers: [{name: main, image: "1"}]}}
"""
REST = """\
---
apiVersion: v1
kind: Node
metadata: {name: n-1}
---
apiVersion: v1
kind: Namespace
metadata: {name: ml}
---
apiVersion: v1
kind: Pod
metadata: {generateName: web-}
"""


def documents() -> tuple[Document, ...]:
    return split("all.yaml", (JOB + REST).encode())


def plain(document: Document | NotSettable) -> Any:
    assert isinstance(document, Document), document
    return json.loads(bytes(document.body))


def test_objects_are_known_by_what_is_written() -> None:
    assert [ref_of(one, "home") for one in documents()] == [
        ObjectRef("Job", "ml", "train"),
        ObjectRef("Node", "", "n-1"),
        ObjectRef("Namespace", "", "ml"),
        ObjectRef("Pod", "home", "web-1"),
    ]


def test_a_namespace_goes_with_all_that_is_in_it() -> None:
    kept = without(documents(), {ObjectRef("Namespace", "", "ml")}, "home")
    assert [one.kind for one in kept] == ["Node", "Pod"]


@pytest.mark.parametrize(
    ("path", "value", "there"),
    [
        ("spec.parallelism", 4, lambda raw: raw["spec"]["parallelism"] == 4),
        ("spec.suspend", True, lambda raw: raw["spec"]["suspend"] is True),
        ("spec.parallelism", None, lambda raw: "parallelism" not in raw["spec"]),
        ("spec.a.b.c", [1], lambda raw: raw["spec"]["a"] == {"b": {"c": [1]}}),
        ("metadata.labels[a.b/c]", "e", lambda raw: raw["metadata"]["labels"] == {"a.b/c": "e"}),
        (
            "spec.template.spec.containers[0].image",
            "2",
            lambda raw: raw["spec"]["template"]["spec"]["containers"] == [{"name": "main", "image": "2"}],
        ),
        (
            "spec.template.spec.containers[1].name",
            "more",
            lambda raw: raw["spec"]["template"]["spec"]["containers"][1] == {"name": "more"},
        ),
        ("spec.template.spec.containers[0]", None, lambda raw: raw["spec"]["template"]["spec"]["containers"] == []),
    ],
)
def test_a_field_is_set_and_the_rest_stays(path: str, value: Any, there: Any) -> None:
    job = documents()[0]
    changed = with_field(job, path, value)
    assert there(plain(changed))
    assert plain(changed)["metadata"]["name"] == "train"
    assert plain(job)["spec"]["parallelism"] == 2, "the document that was given stays as it was"


def test_lines_are_found_as_before() -> None:
    changed = with_field(documents()[0], "spec.parallelism", 4)
    assert isinstance(changed, Document)
    assert changed.line_of("spec.parallelism") == 5


@pytest.mark.parametrize(
    ("path", "field", "why"),
    [
        ("spec..x", "spec..x", "is no path of a field"),
        ("spec.x[", "spec.x[", "is no path of a field"),
        (".spec", ".spec", "is no path of a field"),
        ("spec.parallelism.x", "spec.parallelism", "is 2, and leads to no 'x'"),
        ("spec.template.spec.containers[7].x", "spec.template.spec.containers", "is a list of 1, and leads to no '7'"),
        (
            "spec.template.spec.containers.main",
            "spec.template.spec.containers",
            "is a list of 1, and leads to no 'main'",
        ),
    ],
)
def test_a_path_that_leads_nowhere_is_told(path: str, field: str, why: str) -> None:
    found = with_field(documents()[0], path, 1)
    assert isinstance(found, NotSettable)
    assert found.field == field
    assert found.why.startswith(why)


@pytest.mark.parametrize("value", ["\ud800", {"\udcff": 1}])
def test_a_value_that_no_json_holds_is_told(value: Any) -> None:
    found = with_field(documents()[0], "spec.x", value)
    assert isinstance(found, NotSettable)
    assert (found.field, found.why) == ("spec.x", "cannot be text that is no UTF-8")
