"""Defaulting: every row of the table of defaults, and that it happens once."""

from __future__ import annotations

from typing import Any

import pytest
from api_objects import objects, read, written
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dravite.api import core_v1, resource_v1
from dravite.api.defaults import default
from dravite.api.quantity import Quantity
from dravite.api.registry import KINDS
from dravite.api.releases import Profile, profile

NOW = "2026-01-02T03:04:05Z"


def made(release: str = "1.37", feature_gates: str = "") -> Profile:
    found = profile(release, feature_gates)
    assert isinstance(found, Profile), found
    return found


STOCK = made()


def filled(api_version: str, kind: str, gates: Profile = STOCK, **fields: Any) -> Any:
    raw = {"apiVersion": api_version, "kind": kind, **fields}
    return written(default(read(raw), gates, NOW))


@pytest.mark.parametrize(
    ("asked", "mode", "count"),
    [
        ({}, "ExactCount", 1),
        ({"count": 3}, "ExactCount", 3),
        ({"allocationMode": "All"}, "All", None),
        ({"allocationMode": "All", "count": 2}, "All", 2),
        ({"allocationMode": "Nonsense"}, "Nonsense", None),
    ],
)
@pytest.mark.parametrize("version", ["v1", "v1beta2"])
def test_a_request_is_for_one_device(version: str, asked: dict[str, Any], mode: str, count: int | None) -> None:
    request = {"name": "r", "exactly": {"deviceClassName": "c", **asked}}
    other = {"name": "s", "firstAvailable": [{"name": "t", "deviceClassName": "c", **asked}]}
    spec = {"devices": {"requests": [request, other]}}
    requests = filled(f"resource.k8s.io/{version}", "ResourceClaim", spec=spec)["spec"]["devices"]["requests"]
    for found in (requests[0]["exactly"], requests[1]["firstAvailable"][0]):
        assert (found["allocationMode"], found.get("count")) == (mode, count)


@pytest.mark.parametrize(
    ("version", "gates", "class_name", "mode"),
    [
        ("v1beta1", STOCK, "c", "ExactCount"),
        ("v1beta1", STOCK, "", None),
        ("v1alpha3", made("1.33"), "", None),
        ("v1alpha3", made("1.31"), "", "ExactCount"),
    ],
)
def test_a_flat_request_without_a_class_may_have_alternatives(
    version: str, gates: Profile, class_name: str, mode: str | None
) -> None:
    spec = {"devices": {"requests": [{"name": "r", "deviceClassName": class_name}]}}
    for kind, wrapped in (("ResourceClaim", spec), ("ResourceClaimTemplate", {"spec": spec})):
        found = filled(f"resource.k8s.io/{version}", kind, gates, spec=wrapped)["spec"]
        found = found.get("spec", found)
        assert found["devices"]["requests"][0].get("allocationMode") == mode


def test_device_tolerations_compare_values() -> None:
    request = {"name": "r", "exactly": {"deviceClassName": "c", "tolerations": [{"key": "k", "value": "v"}]}}
    results = [{"request": "r", "driver": "d", "pool": "p", "device": "x", "tolerations": [{"key": "k"}]}]
    claim = filled(
        "resource.k8s.io/v1",
        "ResourceClaim",
        spec={"devices": {"requests": [request]}},
        status={"allocation": {"devices": {"results": results}}},
    )
    assert claim["spec"]["devices"]["requests"][0]["exactly"]["tolerations"] == [
        {"key": "k", "operator": "Equal", "value": "v"}
    ]
    assert claim["status"]["allocation"]["devices"]["results"][0]["tolerations"] == [{"key": "k", "operator": "Equal"}]


@pytest.mark.parametrize("version", ["v1", "v1beta2", "v1alpha3"])
def test_taints_get_the_time_that_is_given(version: str) -> None:
    taint = {"key": "k", "effect": "NoExecute"}
    rule = filled(f"resource.k8s.io/{version}", "DeviceTaintRule", spec={"taint": taint})
    assert rule["spec"]["taint"]["timeAdded"] == NOW
    without = default(resource_v1.DeviceTaintRule(), STOCK)
    assert without.spec.taint.time_added is None


def test_taints_of_devices_keep_their_time() -> None:
    taints = [{"key": "k", "effect": "NoExecute"}, {"key": "l", "effect": "None", "timeAdded": "2020-01-01T00:00:00Z"}]
    new = filled("resource.k8s.io/v1", "ResourceSlice", spec={"devices": [{"name": "d", "taints": taints}]})
    old = filled(
        "resource.k8s.io/v1beta1", "ResourceSlice", spec={"devices": [{"name": "d", "basic": {"taints": taints}}]}
    )
    for found in (new["spec"]["devices"][0]["taints"], old["spec"]["devices"][0]["basic"]["taints"]):
        assert [taint["timeAdded"] for taint in found] == [NOW, "2020-01-01T00:00:00Z"]


def test_multipliers_of_1_36_are_one() -> None:
    mappings = {"cpu": {"capacityKey": "cores"}, "memory": {"allocationMultiplier": "2"}}
    devices = [{"name": "d", "nodeAllocatableResourceMappings": mappings}]
    found = filled("resource.k8s.io/v1", "ResourceSlice", made("1.36"), spec={"devices": devices})
    assert found["spec"]["devices"][0]["nodeAllocatableResourceMappings"] == {
        "cpu": {"capacityKey": "cores", "allocationMultiplier": "1"},
        "memory": {"allocationMultiplier": "2"},
    }


def test_a_question_about_pools_asks_for_a_hundred() -> None:
    asked = {"driver": "d", "limit": 7}
    kind = ("resource.k8s.io/v1alpha3", "ResourcePoolStatusRequest")
    assert filled(*kind, spec={"driver": "d"})["spec"]["limit"] == 100
    assert filled(*kind, spec=asked)["spec"]["limit"] == 7


@pytest.mark.parametrize(
    ("version", "kind"),
    [("v1beta1", "PodGroup"), ("v1alpha3", "PodGroup"), ("v1alpha3", "CompositePodGroup")],
)
def test_groups_are_disrupted_pod_by_pod(version: str, kind: str) -> None:
    api_version = f"scheduling.k8s.io/{version}"
    group = default(read({"apiVersion": api_version, "kind": kind, "spec": {}}), STOCK)
    assert group.spec.disruption_mode.single is not None  # type: ignore[attr-defined]
    assert group.spec.preemption_policy is None  # type: ignore[attr-defined]
    gates = made("1.37", "GenericWorkload=true,PodGroupPreemptionPolicy=true")
    group = default(group, gates)
    assert group.spec.preemption_policy == "PreemptLowerPriority"  # type: ignore[attr-defined]


def test_groups_of_1_36_say_it_in_a_word() -> None:
    assert filled("scheduling.k8s.io/v1alpha2", "PodGroup")["spec"]["disruptionMode"] == "Pod"


def test_priority_classes_preempt_unless_they_say_nothing_on_purpose() -> None:
    assert filled("scheduling.k8s.io/v1", "PriorityClass")["preemptionPolicy"] == "PreemptLowerPriority"
    assert filled("scheduling.k8s.io/v1", "PriorityClass", preemptionPolicy="Never")["preemptionPolicy"] == "Never"
    assert filled("scheduling.k8s.io/v1", "PriorityClass", preemptionPolicy="")["preemptionPolicy"] == ""


def pod(**spec: Any) -> core_v1.Pod:
    found = default(read({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": spec}), STOCK)
    assert isinstance(found, core_v1.Pod)
    return found


def amounts(**texts: str) -> dict[str, Quantity]:
    return {name: Quantity.parse(text) for name, text in texts.items()}


def test_pods_restart_and_go_to_the_default_scheduler() -> None:
    spec = pod(containers=[{"name": "c", "ports": [{"containerPort": 80}]}]).spec
    assert (spec.restart_policy, spec.scheduler_name) == ("Always", "default-scheduler")
    assert (spec.containers[0].ports[0].protocol, spec.containers[0].ports[0].host_port) == ("TCP", 0)


def test_ports_in_the_hosts_network_are_host_ports() -> None:
    spec = pod(hostNetwork=True, containers=[{"name": "c", "ports": [{"containerPort": 80}]}]).spec
    assert spec.containers[0].ports[0].host_port == 80


def test_limits_are_requests_where_nothing_is_requested() -> None:
    resources = {"limits": {"cpu": "2", "memory": "1Gi"}, "requests": {"cpu": "1"}}
    spec = pod(
        containers=[{"name": "c", "resources": resources}], initContainers=[{"name": "i", "resources": resources}]
    )
    for container in (*spec.spec.containers, *spec.spec.init_containers):
        assert container.resources.requests == amounts(cpu="1", memory="1Gi")


def test_resource_lists_are_rounded_up_to_thousandths() -> None:
    requests = (
        pod(containers=[{"name": "c", "resources": {"requests": {"cpu": "100.1u"}}}]).spec.containers[0].resources
    )
    assert {name: amount.text for name, amount in requests.requests.items()} == {"cpu": "1m"}


def test_pod_level_requests_come_from_containers_and_then_from_limits() -> None:
    containers = [
        {"name": "a", "resources": {"requests": {"cpu": "1"}, "limits": {"hugepages-2Mi": "4Mi"}}},
        {"name": "b", "resources": {"requests": {"cpu": "2"}}},
    ]
    inits = [
        {"name": "sidecar", "restartPolicy": "Always", "resources": {"requests": {"cpu": "1"}}},
        {"name": "setup", "resources": {"requests": {"cpu": "7"}}},
    ]
    limits = {"cpu": "10", "memory": "8Gi"}
    found = pod(containers=containers, initContainers=inits, resources={"limits": limits}).spec.resources
    assert found is not None
    assert found.requests == amounts(cpu="8", memory="8Gi") | {"hugepages-2Mi": Quantity.parse("4Mi")}
    assert found.limits == amounts(**limits) | {"hugepages-2Mi": Quantity.parse("4Mi")}


def test_pod_level_requests_alone_are_left_alone() -> None:
    found = pod(containers=[{"name": "a"}], resources={"requests": {"cpu": "1"}}).spec.resources
    assert found == core_v1.ResourceRequirements(requests=amounts(cpu="1"))


def test_every_pod_waits_on_nodes_that_are_not_ready() -> None:
    own = {"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute"}
    tolerations = pod(containers=[], tolerations=[own]).spec.tolerations
    assert [(toleration.key, toleration.toleration_seconds) for toleration in tolerations] == [
        ("node.kubernetes.io/not-ready", None),
        ("node.kubernetes.io/unreachable", 300),
    ]
    assert len(pod(containers=[], tolerations=[{"operator": "Exists"}]).spec.tolerations) == 1


def test_all_capacity_of_a_node_is_allocatable_unless_it_says_otherwise() -> None:
    node = filled("v1", "Node", status={"capacity": {"cpu": "4"}})
    assert node["status"]["allocatable"] == {"cpu": "4"}
    node = filled("v1", "Node", status={"capacity": {"cpu": "4"}, "allocatable": {"cpu": "3"}})
    assert node["status"]["allocatable"] == {"cpu": "3"}


@given(data=st.data())
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_defaulting_twice_changes_nothing(data: st.DataObject) -> None:
    info = data.draw(st.sampled_from(KINDS))
    model = data.draw(st.sampled_from(list(info.types.values())))
    once = default(data.draw(objects(model)), STOCK, NOW)
    assert default(once, STOCK, NOW) is once
