"""Pods and nodes: reasons and fields as observed on kube-apiserver 1.37.2."""

from __future__ import annotations

from typing import Any

import pytest

from dravite.api.codec import Decoded, decode_plain
from dravite.api.core_v1 import Node, Pod
from dravite.api.defaults import default
from dravite.api.field_text import cause_message
from dravite.api.releases import Profile, profile
from dravite.validation import why_not_create

CONTAINER = {"name": "c", "image": "i"}


def stock() -> Profile:
    found = profile()
    assert isinstance(found, Profile)
    return found


def faults(model: type[Pod] | type[Node], raw: dict[str, Any]) -> list[tuple[str, str, str]]:
    decoded = decode_plain(raw, model)
    assert isinstance(decoded, Decoded)
    errors = why_not_create(default(decoded.object, stock()), stock())
    return [(error.type.value.removeprefix("FieldValue"), error.field, cause_message(error)) for error in errors]


def pod(**spec: Any) -> dict[str, Any]:
    meta = {"name": "p", "namespace": "default"}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": {"containers": [CONTAINER], **spec}}


def fields(**spec: Any) -> list[tuple[str, str]]:
    return [(kind, field) for kind, field, _ in faults(Pod, pod(**spec))]


def container(**more: Any) -> list[dict[str, Any]]:
    return [{**CONTAINER, **more}]


def test_a_plain_pod_is_good() -> None:
    assert fields() == []


@pytest.mark.parametrize(
    ("entry", "wanted"),
    [
        ({"name": "a"}, ("Invalid", "spec.resourceClaims[0]")),
        (
            {"name": "a", "resourceClaimName": "x", "resourceClaimTemplateName": "y"},
            ("Invalid", "spec.resourceClaims[0]"),
        ),
        ({"resourceClaimName": "x"}, ("Required", "spec.resourceClaims[0].name")),
        ({"name": "A_b", "resourceClaimName": "x"}, ("Invalid", "spec.resourceClaims[0].name")),
        ({"name": "a", "resourceClaimName": ""}, ("Invalid", "spec.resourceClaims[0].resourceClaimName")),
    ],
)
def test_a1_3_an_entry_names_exactly_one_claim_or_template(entry: dict[str, str], wanted: tuple[str, str]) -> None:
    assert fields(resourceClaims=[entry]) == [wanted]


def test_a1_3_the_message_names_both_fields() -> None:
    ((_, _, message),) = faults(Pod, pod(resourceClaims=[{"name": "a"}]))
    assert message.endswith("must specify one of: `resourceClaimName`, `resourceClaimTemplateName`")


def test_containers_refer_to_entries_that_exist_and_each_once() -> None:
    claims = [{"name": "x"}, {"name": ""}, {"name": "a", "request": "R_"}, {"name": "b"}, {"name": "b", "request": "r"}]
    entries = [{"name": "a", "resourceClaimName": "x"}, {"name": "b", "resourceClaimName": "y"}]
    found = faults(Pod, pod(containers=container(resources={"claims": claims}), resourceClaims=entries))
    place = "spec.containers[0].resources.claims"
    assert [(kind, field) for kind, field, _ in found] == [
        ("NotFound", f"{place}[0]"),
        ("Required", f"{place}[1]"),
        ("Invalid", f"{place}[2].request"),
        ("Duplicate", f"{place}[4]"),
    ]
    assert found[0][2] == 'Not found: "x": must be one of the names in pod.spec.resourceClaims: a, b'


def test_container_names_are_there_once() -> None:
    twice = [CONTAINER, {"name": "A_"}, {}]
    assert fields(containers=twice, initContainers=[CONTAINER]) == [
        ("Invalid", "spec.containers[1].name"),
        ("Required", "spec.containers[2].name"),
        ("Duplicate", "spec.initContainers[0].name"),
    ]
    assert fields(containers=[]) == [("Required", "spec.containers")]


@pytest.mark.parametrize(
    ("resources", "wanted"),
    [
        ({"limits": {"example.com/gpu": "1500m"}}, ["limits[example.com/gpu]", "requests[example.com/gpu]"]),
        ({"limits": {"example.com/gpu": "2"}, "requests": {"example.com/gpu": "1"}}, ["requests"]),
        ({"requests": {"example.com/gpu": "1"}}, ["limits"]),
        ({"requests": {"cpu": "2"}, "limits": {"cpu": "1"}}, ["requests"]),
        ({"requests": {"cpu": "-1"}}, ["requests[cpu]"]),
        ({"limits": {"storage": "1"}}, ["limits[storage]", "requests[storage]"]),
        ({"limits": {"hugepages-2Mi": "2Mi"}}, [""]),
        ({"limits": {"hugepages-2Mi": "1", "cpu": "1"}}, ["limits[hugepages-2Mi]", "requests[hugepages-2Mi]"]),
        ({"limits": {"deviceclass.resource.kubernetes.io/gpu": "1", "kubernetes.io/foo": "1"}}, []),
    ],
)
def test_names_and_amounts_of_resources(resources: dict[str, Any], wanted: list[str]) -> None:
    found = [field for _, field in fields(containers=container(resources=resources))]
    assert found == [f"spec.containers[0].resources.{name}".rstrip(".") for name in wanted]


def test_a_pod_asks_for_no_less_than_its_containers_together() -> None:
    containers = [
        {**CONTAINER, "resources": {"requests": {"cpu": "500m", "memory": "1536Mi"}}},
        {**CONTAINER, "name": "d", "resources": {"requests": {"memory": "2Gi"}}},
    ]
    raw = pod(containers=containers, resources={"requests": {"cpu": "500m", "memory": "2Gi"}})
    told = 'Invalid value: "2Gi": must be greater than or equal to aggregate container requests of 3584Mi'
    assert faults(Pod, raw) == [("Invalid", "spec.resources.requests[memory]", told)]


def test_placement_rules() -> None:
    required = "requiredDuringSchedulingIgnoredDuringExecution"
    found = fields(
        nodeSelector={"a b": "x"},
        affinity={"nodeAffinity": {required: {"nodeSelectorTerms": []}}},
        schedulingGates=[{"name": "a"}, {"name": "a"}],
        topologySpreadConstraints=[{"maxSkew": 0, "topologyKey": "a", "whenUnsatisfiable": "DoNotSchedule"}],
        nodeName="n",
        tolerations=[{"operator": "Equal"}, {"key": "a", "effect": "NoSchedule", "tolerationSeconds": 5}],
    )
    assert found == [
        ("Invalid", "spec.nodeSelector"),
        ("Required", f"spec.affinity.nodeAffinity.{required}.nodeSelectorTerms"),
        ("Duplicate", "spec.schedulingGates[1]"),
        ("Invalid", "spec.topologySpreadConstraints[0].maxSkew"),
        ("Invalid", "spec.tolerations[0].operator"),
        ("Invalid", "spec.tolerations[1].effect"),
        ("Forbidden", "spec.nodeName"),
    ]


def test_host_ports() -> None:
    ports = [{"containerPort": 80, "hostPort": 70000}, {"containerPort": 81, "hostPort": 81}, {"hostPort": 81}]
    assert fields(containers=container(ports=ports)) == [
        ("Invalid", "spec.containers[0].ports[0].hostPort"),
        ("Duplicate", "spec.containers[0].ports[2].hostPort"),
    ]


def test_nodes_have_good_taints_and_amounts() -> None:
    taints = [{"key": "a", "effect": "Foo"}, {"key": "b", "effect": "NoSchedule"}, {"key": "b", "effect": "NoSchedule"}]
    status = {"allocatable": {"cpu": "-1", "example.com/gpu": "1500m"}}
    raw = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}, "spec": {"taints": taints}, "status": status}
    assert [(kind, field) for kind, field, _ in faults(Node, raw)] == [
        ("NotSupported", "spec.taints[0].effect"),
        ("Duplicate", "spec.taints[2]"),
        ("Invalid", "status.allocatable.cpu"),
        ("Invalid", "status.allocatable.example.com/gpu"),
    ]
