"""Dropping gated fields: what goes, what stays because it is in use, and what is said about it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from api_objects import dense, read, recorded, written

from dravite.api import core_v1, resource_v1, resource_v1alpha3, scheduling_v1beta1
from dravite.api.gated_fields import GATED_FIELDS, DroppedField, drop_gated
from dravite.api.gates import GATES
from dravite.api.releases import Profile, profile

_OFF = (
    "DRAPartitionableDevices=false,DRADeviceTaints=false,DRADeviceTaintRules=false,DRAConsumableCapacity=false,"
    "DRADeviceBindingConditions=false,DRAResourceClaimGranularStatusAuthorization=false"
)


def made(release: str, feature_gates: str = "") -> Profile:
    found = profile(release, feature_gates)
    assert isinstance(found, Profile), found
    return found


STOCK = made("1.37")
FEW = made("1.37", f"GenericWorkload=true,{_OFF}")
FEWER = made("1.37", _OFF)


@pytest.mark.parametrize(
    "line",
    [line for line in recorded("gates-turned-off") if line["kind"] != "Pod"],
    ids=lambda line: f"{line['name']} {line['gates now']}",
)
def test_a_field_in_use_is_kept_and_a_new_one_dropped(line: dict[str, Any]) -> None:
    gates = FEW if line["gates now"] == "few" else FEWER
    stored = read(line["stored"])
    assert drop_gated(stored, gates, stored) == (stored, ())
    created = line["the same object created now"]
    if created["code"] == 201:
        new, dropped = drop_gated(_without_status(stored), gates)
        assert written(new)["spec"] == dense(created["object"])["spec"]
        assert bool(dropped) == (new != _without_status(stored))


def test_what_is_dropped_is_said_with_its_gate_each_place_once() -> None:
    attributes = {name: resource_v1.DeviceAttribute(int_values=(1,)) for name in ("a", "b")}
    devices = (resource_v1.Device(name="x", attributes=attributes), resource_v1.Device(name="y", attributes=attributes))
    slice_ = resource_v1.ResourceSlice(spec=resource_v1.ResourceSliceSpec(devices=devices, skip_node_operations=("*",)))
    new, dropped = drop_gated(slice_, STOCK)
    assert dropped == (
        DroppedField("DRAOptionalNodeOperations", "spec.skipNodeOperations"),
        DroppedField("DRAListTypeAttributes", "spec.devices[].attributes[].ints"),
    )
    assert new.spec.devices is not None
    assert new.spec.devices[0].attributes == {
        "a": resource_v1.DeviceAttribute(),
        "b": resource_v1.DeviceAttribute(),
    }
    assert slice_.spec.devices == devices


def test_an_object_without_gated_fields_comes_back_as_it_is() -> None:
    slice_ = resource_v1.ResourceSlice(
        spec=resource_v1.ResourceSliceSpec(devices=(resource_v1.Device(name="x", binding_conditions=("a",)),))
    )
    assert drop_gated(slice_, STOCK)[0] is slice_


def test_a_list_that_is_present_and_empty_goes_too() -> None:
    slice_ = resource_v1.ResourceSlice(
        spec=resource_v1.ResourceSliceSpec(devices=(resource_v1.Device(name="x", binding_conditions=()),))
    )
    new, dropped = drop_gated(slice_, FEW)
    assert new.spec.devices == (resource_v1.Device(name="x"),)
    assert dropped == (DroppedField("DRADeviceBindingConditions", "spec.devices[].bindingConditions"),)


def test_templates_inside_templates_lose_their_fields() -> None:
    leaf = scheduling_v1beta1.PodGroupTemplate(name="leaf", preemption_policy="Never")
    middle = scheduling_v1beta1.CompositePodGroupTemplate(name="middle", pod_group_templates=(leaf,))
    root = scheduling_v1beta1.CompositePodGroupTemplate(name="root", composite_pod_group_templates=(middle,))
    workload = scheduling_v1beta1.Workload(spec=scheduling_v1beta1.WorkloadSpec(composite_pod_group_templates=(root,)))
    gates = made("1.37", "GenericWorkload=true,TopologyAwareWorkloadScheduling=true,CompositePodGroup=true")
    path = "spec.compositePodGroupTemplates[].compositePodGroupTemplates[].podGroupTemplates[].preemptionPolicy"
    assert drop_gated(workload, gates)[1] == (DroppedField("PodGroupPreemptionPolicy", path),)
    assert drop_gated(workload, STOCK)[1] == (DroppedField("CompositePodGroup", "spec.compositePodGroupTemplates"),)


@pytest.mark.parametrize(
    ("release", "feature_gates", "kept"),
    [
        ("1.31", "DynamicResourceAllocation=true", ()),
        ("1.35", "GenericWorkload=true", ("workload_ref",)),
        ("1.36", "GenericWorkload=true", ("scheduling_group",)),
        ("1.37", "GenericWorkload=true", ("scheduling_group",)),
        ("1.37", "", ()),
    ],
)
def test_pods_name_their_group_as_their_release_does(release: str, feature_gates: str, kept: tuple[str, ...]) -> None:
    spec = core_v1.PodSpec(
        scheduling_group=core_v1.PodSchedulingGroup(pod_group_name="g"),
        workload_ref=core_v1.WorkloadReference(name="w"),
    )
    new, _ = drop_gated(core_v1.Pod(spec=spec), made(release, feature_gates))
    assert tuple(name for name in ("workload_ref", "scheduling_group") if getattr(new.spec, name)) == kept


def test_a_release_without_dra_drops_the_claims_of_pods() -> None:
    pod = core_v1.Pod(spec=core_v1.PodSpec(resource_claims=(core_v1.PodResourceClaim(name="gpu"),)))
    new, dropped = drop_gated(pod, made("1.33"))
    assert new.spec.resource_claims == ()
    assert dropped == (DroppedField("DynamicResourceAllocation", "spec.resourceClaims"),)


def test_admin_access_had_no_gate_in_1_31() -> None:
    request = resource_v1.DeviceRequest(name="r", exactly=resource_v1.ExactDeviceRequest(admin_access=True))
    devices = resource_v1.DeviceClaim(requests=(request,))
    claim = resource_v1.ResourceClaim(spec=resource_v1.ResourceClaimSpec(devices=devices))
    assert drop_gated(claim, made("1.31", "DynamicResourceAllocation=true"))[0] is claim
    assert drop_gated(claim, made("1.32", "DynamicResourceAllocation=true"))[0] is not claim


def test_templates_keep_the_controller_that_claims_lose() -> None:
    spec = resource_v1alpha3.ResourceClaimSpec(controller="gpu.example.com")
    claim = resource_v1alpha3.ResourceClaim(spec=spec)
    template = resource_v1alpha3.ResourceClaimTemplate(spec=resource_v1alpha3.ResourceClaimTemplateSpec(spec=spec))
    gates = made("1.31", "DynamicResourceAllocation=true")
    assert drop_gated(claim, gates)[0].spec.controller == ""
    assert drop_gated(template, gates)[0] is template


def test_every_rule_names_gates_and_fields_that_exist() -> None:
    for rule in GATED_FIELDS:
        assert set(rule.names) <= set(rule.owner.__struct_fields__)
        assert set(rule.gates) <= set(GATES)


def _without_status(obj: Any) -> Any:
    return msgspec.structs.replace(obj, status=type(obj)().status) if hasattr(obj, "status") else obj
