"""Devices with binding conditions: how long a pod waits for them, and what ends the wait (D3.4 to D3.8)."""

from __future__ import annotations

from typing import Any

from dravite.api.releases import newest_profile
from dravite.controllers.scheduling import Scheduling
from tests.controllers.device_parts import device_class, node, slice_of
from tests.controllers.servers import World

DEVICE = {"name": "dev-0", "bindingConditions": ["ready"], "bindingFailureConditions": ["broken"]}
REQUEST = {"name": "r", "exactly": {"deviceClassName": "c"}}
CLAIM = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceClaim",
    "metadata": {"name": "claim"},
    "spec": {"devices": {"requests": [REQUEST]}},
}
PENDING = "BindingConditionsPending"


def pod(name: str) -> dict[str, Any]:
    container = {"name": "m", "image": "i", "resources": {"claims": [{"name": "x"}]}}
    spec = {"containers": [container], "resourceClaims": [{"name": "x", "resourceClaimName": "claim"}]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": spec}


def allocated(stamp: str, *ready: str) -> dict[str, Any]:
    """The claim as somebody allocated it by hand, and what its driver reports."""
    conditions = {name: DEVICE[name] for name in ("bindingConditions", "bindingFailureConditions")}
    result = {"request": "r", "driver": "d.example.com", "pool": "n1", "device": "dev-0", **conditions}
    status: dict[str, Any] = {"allocation": {"devices": {"results": [result]}, "allocationTimestamp": stamp}}
    if ready:
        told = [
            {"type": one, "status": "True", "reason": "R", "message": "m", "lastTransitionTime": stamp} for one in ready
        ]
        place = {"driver": "d.example.com", "pool": "n1", "device": "dev-0"}
        status["devices"] = [{**place, "conditions": told}]
    return {**CLAIM, "status": status}


def world(*objects: dict[str, Any]) -> World:
    there = World(newest_profile(), Scheduling)
    there.apply(node(), slice_of(DEVICE), device_class(), *objects)
    return there


def node_of(there: World, name: str) -> str:
    return str((there.get("Pod", name) or {})["spec"].get("nodeName", ""))


def told(there: World, reason: str) -> list[str]:
    return [message for one, _, message in there.events() if one == reason]


def test_d3_4_it_is_told_that_a_pod_waits_even_where_all_is_ready_at_once():
    there = world(allocated("2026-01-03T00:00:00Z", "ready"), pod("p"))
    assert node_of(there, "p") == "n1"
    assert told(there, PENDING) == ["waiting for binding conditions for device on node n1"]


def test_a_claim_that_is_being_deleted_is_waited_for_all_the_same():
    there = world(CLAIM, pod("p"))
    there.delete("ResourceClaim", "claim")
    there.wait(60)
    assert node_of(there, "p") == ""
    assert told(there, "FailedScheduling") == []


def test_a_claim_that_loses_its_devices_keeps_the_pod_waiting_until_its_time_is_over():
    there = world(CLAIM, pod("p"))
    there.patch("ResourceClaim", "claim", {"status": {"allocation": None, "reservedFor": None}}, "status")
    there.wait(599)
    assert node_of(there, "p") == ""
    assert told(there, "FailedScheduling") == []
    there.wait(1)
    assert told(there, "FailedScheduling") != []


def test_d3_8_the_time_counts_from_the_allocation_for_a_pod_that_comes_later():
    there = world(allocated("2026-01-02T23:51:00Z"), pod("p"))
    there.wait(59)
    assert told(there, "FailedScheduling") == []
    there.wait(1)
    assert told(there, "FailedScheduling")[0].startswith('running PreBind plugin "DynamicResources": device binding')


def test_d3_7_an_allocation_that_had_its_time_is_given_up_before_anybody_waits_for_it():
    there = world(allocated("2026-01-02T00:00:00Z"), pod("p"))
    (given_up,) = told(there, "FailedScheduling")
    assert "1 resourceclaim not available on the node. deallocation of ResourceClaim completed" in given_up
    there.wait(2)
    assert told(there, PENDING) == ["waiting for binding conditions for device on node n1"]
