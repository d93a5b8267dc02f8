"""Conversion: what servers answer in each version, and what survives the way through another version."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from api_objects import dense, objects, read, recorded, said, written
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dravite.api import (
    core_v1,
    resource_v1,
    resource_v1alpha3,
    resource_v1beta1,
    scheduling_v1alpha1,
    scheduling_v1alpha2,
    scheduling_v1beta1,
)
from dravite.api.convert import from_hub, to_hub
from dravite.api.convert.scheduling_v1alpha1 import pod_group_of
from dravite.api.meta import Model, ObjectMeta
from dravite.api.quantity import Quantity
from dravite.api.registry import KINDS

_GROUPS = tuple(info for info in KINDS if info.group)
_ALL_SPOKES = tuple((info, version) for info in _GROUPS for version in list(info.types)[1:])


@pytest.mark.parametrize("line", recorded("conversions"), ids=lambda line: f"{line['name']} {line['createdIn']}")
def test_every_version_reads_as_a_server_answers_it(line: dict[str, Any]) -> None:
    hub = to_hub(read(line["readIn"][line["createdIn"]]))
    assert hub.losses == ()
    for api_version, expected in line["readIn"].items():
        converted = from_hub(hub.object, api_version)
        assert written(converted.object) == dense(expected)
        assert converted.losses == ()


@given(data=st.data())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_what_survives_one_conversion_survives_all(data: st.DataObject) -> None:
    info, version = data.draw(st.sampled_from(_ALL_SPOKES))
    hub_type = next(iter(info.types.values()))
    hub = data.draw(objects(hub_type))
    down = from_hub(hub, info.api_version(version))
    up = to_hub(down.object)
    assert up.losses == ()
    if not down.losses:
        assert up.object == hub
    again = from_hub(up.object, info.api_version(version))
    assert again.losses == ()
    assert to_hub(again.object).object == up.object


@given(data=st.data())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_an_old_object_without_losses_comes_back_as_it_was(data: st.DataObject) -> None:
    info, version = data.draw(st.sampled_from(_ALL_SPOKES))
    old = data.draw(objects(info.types[version]))
    up = to_hub(old)
    down = from_hub(up.object, info.api_version(version))
    if not up.losses and not down.losses:
        assert said(down.object) == said(old)


def test_the_laws_see_conversions_with_and_without_losses() -> None:
    seen: Counter[bool] = Counter()

    @given(data=st.data())
    @settings(max_examples=300, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
    def sample(data: st.DataObject) -> None:
        info, version = data.draw(st.sampled_from(_ALL_SPOKES))
        hub = data.draw(objects(next(iter(info.types.values()))))
        seen[bool(from_hub(hub, info.api_version(version)).losses)] += 1

    sample()
    assert seen[True] >= 5
    assert seen[False] >= 20


def test_an_empty_list_makes_a_flat_request_one_for_exact_devices() -> None:
    request = resource_v1beta1.DeviceRequest(name="r", tolerations=())
    hub = to_hub(_flat_claim(request)).object
    assert isinstance(hub, resource_v1.ResourceClaim)
    assert hub.spec.devices.requests[0].exactly == resource_v1.ExactDeviceRequest()
    without = to_hub(_flat_claim(resource_v1beta1.DeviceRequest(name="r"))).object
    assert isinstance(without, resource_v1.ResourceClaim)
    assert without.spec.devices.requests[0].exactly is None


def test_an_empty_exactly_is_lost_by_flat_requests() -> None:
    request = resource_v1.DeviceRequest(name="r", exactly=resource_v1.ExactDeviceRequest())
    claim = resource_v1.ResourceClaim(
        spec=resource_v1.ResourceClaimSpec(devices=resource_v1.DeviceClaim(requests=(request,)))
    )
    losses = from_hub(claim, "resource.k8s.io/v1beta1").losses
    assert [loss.path for loss in losses] == ["spec.devices.requests[0].exactly"]


def test_what_only_classic_drivers_had_is_lost_and_named() -> None:
    claim = read(
        {
            "apiVersion": "resource.k8s.io/v1alpha3",
            "kind": "ResourceClaim",
            "metadata": {"name": "c", "namespace": "d"},
            "spec": {"controller": "gpu.example.com", "devices": {"requests": [{"name": "r", "deviceClassName": "c"}]}},
            "status": {"allocation": {"controller": "gpu.example.com"}, "deallocationRequested": True},
        }
    )
    converted = to_hub(claim)
    assert [loss.path for loss in converted.losses] == [
        "spec.controller",
        "status.allocation.controller",
        "status.deallocationRequested",
    ]
    assert written(converted.object)["spec"] == {
        "devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "c"}}]}
    }


def test_plain_capacities_become_capacities_with_a_value() -> None:
    basic = resource_v1alpha3.BasicDevice(capacity={"memory": Quantity.parse("80Gi")})
    old = resource_v1alpha3.ResourceSlice(
        spec=resource_v1alpha3.ResourceSliceSpec(devices=(resource_v1alpha3.Device(name="d", basic=basic),))
    )
    hub = to_hub(old).object
    assert isinstance(hub, resource_v1.ResourceSlice)
    assert hub.spec.devices == (
        resource_v1.Device(name="d", capacity={"memory": resource_v1.DeviceCapacity(value=Quantity.parse("80Gi"))}),
    )


def test_selectors_that_rules_no_longer_have_are_lost_and_named() -> None:
    selector = resource_v1alpha3.DeviceTaintSelector(
        driver="d", device_class_name="gpu", selectors=(resource_v1.DeviceSelector(),)
    )
    old = resource_v1alpha3.DeviceTaintRule(spec=resource_v1alpha3.DeviceTaintRuleSpec(device_selector=selector))
    converted = to_hub(old)
    assert [loss.path for loss in converted.losses] == [
        "spec.deviceSelector.deviceClassName",
        "spec.deviceSelector.selectors",
    ]


def test_fields_that_an_old_version_never_had_are_lost_with_their_paths() -> None:
    device = resource_v1.Device(
        name="d",
        allow_multiple_allocations=True,
        attributes={"gpu.example.com/kind": resource_v1.DeviceAttribute(string_values=("a",))},
    )
    hub = resource_v1.ResourceSlice(spec=resource_v1.ResourceSliceSpec(devices=(device,)))
    losses = from_hub(hub, "resource.k8s.io/v1alpha3").losses
    assert sorted(loss.path for loss in losses) == [
        "spec.devices[0].allowMultipleAllocations",
        "spec.devices[0].attributes[gpu.example.com/kind].strings",
    ]


@pytest.mark.parametrize(
    ("word", "mode"),
    [
        ("Pod", scheduling_v1beta1.DisruptionMode(single=scheduling_v1beta1.SingleDisruptionMode())),
        ("PodGroup", scheduling_v1beta1.DisruptionMode(all=scheduling_v1beta1.AllDisruptionMode())),
        (None, None),
    ],
)
def test_disruption_modes_have_words_in_1_36(word: str | None, mode: scheduling_v1beta1.DisruptionMode | None) -> None:
    old = scheduling_v1alpha2.PodGroup(spec=scheduling_v1alpha2.PodGroupSpec(disruption_mode=word))
    hub = to_hub(old)
    assert isinstance(hub.object, scheduling_v1beta1.PodGroup)
    assert (hub.object.spec.disruption_mode, hub.losses) == (mode, ())
    assert from_hub(hub.object, "scheduling.k8s.io/v1alpha2").object == old


def test_a_group_of_1_36_keeps_its_template_and_its_condition_under_new_names() -> None:
    old = {
        "apiVersion": "scheduling.k8s.io/v1alpha2",
        "kind": "PodGroup",
        "metadata": {"name": "g", "namespace": "d"},
        "spec": {
            "podGroupTemplateRef": {"workload": {"workloadName": "w", "podGroupTemplateName": "t"}},
            "schedulingPolicy": {"gang": {"minCount": 2}},
        },
        "status": {"conditions": [{"type": "PodGroupScheduled", "status": "True", "reason": "Scheduled"}]},
    }
    hub = to_hub(read(old))
    assert hub.losses == ()
    raw = written(hub.object)
    assert raw["spec"]["workloadRef"] == {"workloadName": "w", "templateName": "t"}
    assert raw["status"]["conditions"][0]["type"] == "PodGroupInitiallyScheduled"


def test_a_pod_of_1_35_belongs_to_a_group_per_replica_key() -> None:
    old = scheduling_v1alpha1.Workload(
        metadata=ObjectMeta(name="w", namespace="d"),
        spec=scheduling_v1alpha1.WorkloadSpec(
            pod_groups=(
                scheduling_v1alpha1.PodGroup(
                    name="workers",
                    policy=scheduling_v1beta1.PodGroupSchedulingPolicy(
                        gang=scheduling_v1beta1.GangSchedulingPolicy(min_count=4)
                    ),
                ),
            )
        ),
    )
    workload = to_hub(old).object
    assert isinstance(workload, scheduling_v1beta1.Workload)
    reference = core_v1.WorkloadReference(name="w", pod_group="workers", pod_group_replica_key="7")
    group = pod_group_of(workload, reference)
    assert group is not None
    assert (group.metadata.name, group.metadata.namespace) == ("w-workers-7", "d")
    assert group.spec.workload_ref == scheduling_v1beta1.WorkloadReference(workload_name="w", template_name="workers")
    assert group.spec.scheduling_policy.gang == scheduling_v1beta1.GangSchedulingPolicy(min_count=4)
    assert pod_group_of(workload, core_v1.WorkloadReference(name="w", pod_group="launchers")) is None


def test_a_kind_is_not_converted_to_a_version_that_it_never_had() -> None:
    with pytest.raises(ValueError, match=r"CompositePodGroup does not exist in scheduling.k8s.io/v1beta1"):
        from_hub(scheduling_v1beta1.CompositePodGroup(), "scheduling.k8s.io/v1beta1")


def _flat_claim(request: resource_v1beta1.DeviceRequest) -> Model:
    devices = resource_v1beta1.DeviceClaim(requests=(request,))
    return resource_v1beta1.ResourceClaim(spec=resource_v1beta1.ResourceClaimSpec(devices=devices))
