"""`to_kubernetes` and `to_lightkube`, with the packages themselves. Needs requirements-clients.txt."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dravite import interop
from dravite.api import core_v1, resource_v1, resource_v1beta1, scheduling_v1alpha1, scheduling_v1alpha3
from dravite.api.meta import ObjectMeta

official = pytest.importorskip("kubernetes.client")
aio = pytest.importorskip("kubernetes.aio.client")
lightkube = pytest.importorskip("lightkube.resources.resource_v1")
models = pytest.importorskip("lightkube.models.resource_v1")

SLICE: dict[str, Any] = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceSlice",
    "metadata": {"name": "one", "creationTimestamp": "2026-01-31T12:00:00Z", "labels": {"a": "b"}},
    "spec": {
        "driver": "gpu.example.com",
        "pool": {"name": "p", "generation": 1, "resourceSliceCount": 1},
        "nodeName": "n",
        "devices": [
            {
                "name": "gpu-0",
                "attributes": {"a": {"int": 3}, "b": {"strings": ["x"]}},
                "capacity": {"memory": {"value": "80Gi"}},
            }
        ],
    },
}
MODEL = resource_v1.ResourceSlice.from_dict(SLICE)


def test_the_official_client_gets_its_class_with_everything_in_it() -> None:
    made = interop.to_kubernetes(MODEL)
    assert isinstance(made, official.V1ResourceSlice)
    assert json.loads(made.to_json()) == SLICE
    assert interop.read(made) == MODEL


def test_lightkube_gets_its_resource_with_everything_in_it() -> None:
    made = interop.to_lightkube(MODEL)
    assert isinstance(made, lightkube.ResourceSlice)
    assert made.to_dict() == SLICE
    assert interop.read(made) == MODEL


def test_objects_go_from_one_client_to_the_other() -> None:
    made = interop.to_kubernetes(MODEL)
    assert interop.to_lightkube(made) == interop.to_lightkube(SLICE)
    assert interop.to_kubernetes(interop.to_lightkube(made)) == made
    assert interop.read(aio.V1ResourceSlice.from_dict(SLICE)) == MODEL


def test_objects_of_kr8s_and_of_the_dynamic_client_go_in() -> None:
    kr8s = pytest.importorskip("kr8s.objects")
    made = kr8s.new_class("ResourceSlice", "resource.k8s.io/v1", namespaced=False)(SLICE, api=object())
    assert interop.read(made) == MODEL
    dynamic = pytest.importorskip("kubernetes.dynamic.resource")
    assert interop.read(dynamic.ResourceInstance(None, SLICE)) == MODEL


def test_names_and_versions_are_those_of_the_clients() -> None:
    claim = resource_v1.ResourceClaim(metadata=ObjectMeta(name="one"))
    assert type(interop.to_kubernetes(claim)).__name__ == "ResourceV1ResourceClaim"
    old = resource_v1beta1.ResourceClaim(metadata=ObjectMeta(name="one"))
    assert type(interop.to_kubernetes(old)).__name__ == "V1beta1ResourceClaim"
    assert type(interop.to_kubernetes(ObjectMeta(name="one"))).__name__ == "V1ObjectMeta"
    spec = {"workloadRef": {"workloadName": "w", "templateName": "t"}, "schedulingPolicy": {"basic": {}}}
    group = scheduling_v1alpha3.CompositePodGroup.from_dict({"metadata": {"name": "g"}, "spec": spec})
    assert type(interop.to_kubernetes(group)).__name__ == "V1alpha3CompositePodGroup"
    assert type(interop.to_kubernetes(group.spec)).__name__ == "V1alpha3CompositePodGroupSpec"


def test_parts_of_objects_get_their_classes_too() -> None:
    counter = resource_v1.Counter.from_dict({"value": "1Gi"})
    assert interop.to_kubernetes(counter) == official.V1Counter(value="1Gi")
    assert interop.to_lightkube(counter) == models.Counter("1Gi")


def test_what_a_client_does_not_have_is_said() -> None:
    workload = scheduling_v1alpha1.Workload.from_dict({"spec": {"podGroups": []}})
    with pytest.raises(LookupError, match="kubernetes has no V1alpha1Workload"):
        interop.to_kubernetes(workload)
    with pytest.raises(LookupError, match=r"lightkube has no scheduling_v1alpha1\.Workload"):
        interop.to_lightkube(workload)
    mapping = {"nodeAllocatableResourceMappings": {"cpu": {"capacityKey": "a"}}}
    device = resource_v1.Device.from_dict({"name": "x"} | mapping)
    with pytest.raises(LookupError, match="V1Device has no field nodeAllocatableResourceMappings"):
        interop.to_kubernetes(device)


def test_objects_that_are_read_in_part_are_not_given_back() -> None:
    with pytest.raises(TypeError, match="only a part of every Pod"):
        interop.to_kubernetes(core_v1.Pod())
