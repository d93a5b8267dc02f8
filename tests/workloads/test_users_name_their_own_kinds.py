"""The `--pod-templates` file: rows for kinds that dravite does not know, and every fault in it."""

from __future__ import annotations

import pytest
import yaml

from dravite.workloads import BUILT_IN, ExpandedPod, PodTemplateRow, expand, parse_pod_templates
from dravite.workloads.rows import PodTemplates

FILE = """
podTemplates:
- apiVersion: example.com/v1
  kind: InferenceSet
  template: spec.roles[*].template
  replicas: spec.roles[*].replicas
  size: spec.groupSize
  suspended: spec.paused
  name: "{name}-{type}-{replica}-{index}"
  namesAreExact: true
  labels: {example.com/set: "{name}", example.com/role: "{entry}"}
- apiVersion: example.com/v1
  kind: NodeAgent
  template: spec.template
  perNode: true
"""


def table(text: str) -> PodTemplates:
    found = parse_pod_templates(yaml.safe_load(text))
    assert not isinstance(found, tuple), found
    return found


def test_a_file_describes_where_templates_stand_and_what_pods_are_called() -> None:
    text = (
        "{apiVersion: example.com/v2, kind: InferenceSet, metadata: {name: s}, spec: {groupSize: 2, roles: "
        "[{name: Decode, replicas: 2, template: {spec: {}}}, {name: Route, template: {spec: {}}}]}}"
    )
    made = [item for item in expand(yaml.safe_load(text), table(FILE)) if isinstance(item, ExpandedPod)]
    assert [item.name for item in made] == [
        "s-decode-0-0",
        "s-decode-0-1",
        "s-decode-1-0",
        "s-decode-1-1",
        "s-route-0-0",
        "s-route-0-1",
    ]
    assert made[0].marks == {"example.com/set": "s", "example.com/role": "Decode"}
    assert not made[0].inferred
    paused = yaml.safe_load(text)
    paused["spec"]["paused"] = True
    assert expand(paused, table(FILE)) == ()


def test_a_kind_may_have_a_pod_on_every_node() -> None:
    (row,) = table(FILE)["example.com", "NodeAgent"]
    assert row == PodTemplateRow(
        group="example.com", kind="NodeAgent", template="spec.template", per_node=True, name="{name}-{node}"
    )


def test_a_file_may_replace_what_is_built_in() -> None:
    merged = {**BUILT_IN, **table("podTemplates: [{apiVersion: apps/v1, kind: Deployment, template: spec.pod}]")}
    (item,) = expand(
        yaml.safe_load("{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {pod: {spec: {}}}}"), merged
    )
    assert isinstance(item, ExpandedPod)
    assert item.template_path == "spec.pod"


@pytest.mark.parametrize(
    ("text", "field", "detail"),
    [
        ("{}", "podTemplates", "a list of pod templates is needed"),
        ("podTemplates: {}", "podTemplates", "a list of pod templates is needed"),
        ("podTemplates: [x]", "podTemplates[0]", "must be a map"),
        ("podTemplates: [{kind: K, template: t}]", "podTemplates[0].apiVersion", "is needed"),
        (
            "podTemplates: [{apiVersion: a/v1, kind: K, template: t, replica: r}]",
            "podTemplates[0].replica",
            "unknown field, did you mean replicas?",
        ),
        (
            "podTemplates: [{apiVersion: a/v1, kind: K, template: t, xyz: 1}]",
            "podTemplates[0].xyz",
            "unknown field",
        ),
        (
            "podTemplates: [{apiVersion: a/v1, kind: K, template: t, replicas: true}]",
            "podTemplates[0].replicas",
            "must be a text or a whole number",
        ),
        (
            "podTemplates: [{apiVersion: a/v1, kind: K, template: t, size: -1}]",
            "podTemplates[0].size",
            "must not be negative",
        ),
        (
            "podTemplates: [{apiVersion: a/v1, kind: K, template: 'a[*].b[*]'}]",
            "podTemplates[0].template",
            "`[*]` may stand in a path once",
        ),
        (
            "podTemplates: [{apiVersion: a/v1, kind: K, template: t, labels: {a: 1}}]",
            "podTemplates[0].labels[a]",
            "must be a text",
        ),
    ],
)
def test_faults_are_said_with_their_place(text: str, field: str, detail: str) -> None:
    found = parse_pod_templates(yaml.safe_load(text))
    assert isinstance(found, tuple)
    assert [(error.field, error.detail) for error in found] == [(field, detail)]
