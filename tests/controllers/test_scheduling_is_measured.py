"""What the scheduler and the claim controller did stands among the metrics, under Kubernetes' names."""

from __future__ import annotations

from typing import Any

from dravite.api.releases import newest_profile
from dravite.controllers.runner import Measure, Runner
from dravite.controllers.scheduling import Scheduling
from tests.controllers.servers import World

CAPACITY = {"cpu": "4", "memory": "16Gi", "pods": "110"}
NODE = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}, "status": {"capacity": CAPACITY}}
CLASS = {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "c"}, "spec": {}}
TEMPLATE = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceClaimTemplate",
    "metadata": {"name": "t"},
    "spec": {"spec": {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "c"}}]}}},
}


def pod(name: str, cpu: str, **spec: Any) -> dict[str, Any]:
    container = {"name": "m", "image": "i", "resources": {"requests": {"cpu": cpu}}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": {"containers": [container], **spec}}


def measured(there: World, seen: list[Measure], name: str) -> dict[tuple[str, ...], float]:
    found: dict[tuple[str, ...], float] = {}
    for one in seen:
        if one.name == name:
            key = tuple(value for _, value in sorted(one.labels.items()))
            found[key] = found.get(key, 0) + one.value if one.how == "count" else one.value
    return found


def world() -> tuple[World, list[Measure]]:
    there, seen = World(newest_profile()), list[Measure]()
    there.runner = Runner(there.client, [Scheduling(newest_profile())], lambda: there.now, seen.append)
    return there, seen


def test_attempts_and_those_who_wait_are_counted() -> None:
    there, seen = world()
    there.apply(NODE, pod("fits", "1"), pod("big", "9"), pod("gated", "1", schedulingGates=[{"name": "g"}]))
    attempts = measured(there, seen, "scheduler_schedule_attempts_total")
    assert attempts == {("default-scheduler", "scheduled"): 1, ("default-scheduler", "unschedulable"): 1}
    waiting = measured(there, seen, "scheduler_pending_pods")
    assert waiting == {("active",): 0, ("backoff",): 0, ("unschedulable",): 1, ("gated",): 1}


def test_victims_of_preemption_are_observed() -> None:
    there, seen = world()
    high = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "high"}, "value": 9}
    there.apply(NODE, high, pod("low", "3"))
    there.apply(pod("urgent", "3", priorityClassName="high"))
    assert measured(there, seen, "scheduler_preemption_attempts_total") == {(): 1}
    assert measured(there, seen, "scheduler_preemption_victims") == {(): 1}


def test_claims_that_are_generated_are_counted_by_who_owns_them() -> None:
    there, seen = world()
    entry = {"name": "x", "resourceClaimTemplateName": "t"}
    there.apply(NODE, CLASS, TEMPLATE, pod("p", "1", resourceClaims=[entry]))
    made = measured(there, seen, "dynamic_resource_allocation_resourceclaim_creates_total")
    assert made == {("false", "", "Pod", "success"): 1}
