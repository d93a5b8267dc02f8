from __future__ import annotations

import msgspec

from dravite.api.meta import ObjectRef
from dravite.diagnosis.verdicts import Aborted, Scheduled, Unschedulable, Waiting
from dravite.planning.plan import ResourceAllocationOff
from dravite.planning.planner import make_plan
from dravite.planning.settings import planned_profile
from tests.clusters import (
    claim,
    cluster,
    device_class,
    devices_of,
    node,
    pod,
    release,
    template,
    with_claims,
)

GPUS = (node("n1"), node("n2"), devices_of("n1", 1), devices_of("n2", 1), device_class(), template("gpu"))


def places(plan) -> dict[str, str | None]:
    return {one.pod.name: getattr(one.decision, "node", None) for one in plan.decisions}


def devices(plan) -> dict[str, list[str]]:
    return {
        one.pod.name: [r.device for c in one.claims if c.allocation for r in c.allocation.devices.results]
        for one in plan.decisions
    }


def wanting(name: str, **more: object):
    return with_claims(pod(name, **more), gpu="@gpu")


def test_each_pod_sees_what_the_ones_before_took():
    plan = make_plan(cluster(*GPUS, wanting("a"), wanting("b"), wanting("c")))
    assert places(plan) == {"a": "n1", "b": "n2", "c": None}
    assert devices(plan) == {"a": ["gpu-0"], "b": ["gpu-0"], "c": []}
    assert [type(one.decision) for one in plan.unplaced] == [Unschedulable]


def test_f11_1_higher_priority_comes_first_and_equals_in_the_order_given():
    plan = make_plan(cluster(*GPUS, wanting("a"), wanting("b"), wanting("c", priority=10)))
    assert [one.pod.name for one in plan.decisions] == ["c", "a", "b"]
    assert places(plan) == {"c": "n1", "a": "n2", "b": None}


def test_what_an_undecided_pod_saw_is_kept():
    plan = make_plan(cluster(*GPUS, wanting("a"), wanting("b"), wanting("c")))
    seen = plan.seen(ObjectRef("Pod", "default", "c"))
    assert [pod.pod.metadata.name for name in ("n1", "n2") for pod in seen.states[name].pods] == ["a", "b"]
    assert plan.start.states["n1"].pods == ()
    assert [pod.pod.metadata.name for pod in plan.final.states["n1"].pods] == ["a"]


def test_pods_that_share_a_claim_share_its_devices_and_its_node():
    pods = [with_claims(pod(name), gpu="shared") for name in ("a", "b")]
    plan = make_plan(cluster(*GPUS, claim("shared"), *pods))
    assert places(plan) == {"a": "n1", "b": "n1"}
    shared = plan.final.claim("default", "shared")
    assert [entry.name for entry in shared.status.reserved_for] == ["a", "b"]
    assert [one.claims[0].fresh for one in plan.decisions] == [True, False]


def test_a_shared_claim_keeps_a_pod_from_other_nodes():
    pods = [with_claims(pod("a", "3"), gpu="shared"), with_claims(pod("b", "3"), gpu="shared")]
    plan = make_plan(cluster(*GPUS, claim("shared"), *pods))
    assert plan.decisions[1].decision.message == (
        "0/2 nodes are available: 1 Insufficient cpu, 1 resourceclaim not available on the node. "
        "preemption: 0/2 nodes are available: 1 No preemption victims found for incoming pod, "
        "1 Preemption is not helpful for scheduling."
    )


def test_f4_1_an_idle_claim_on_a_full_node_is_freed_and_allocated_anew():
    filler = pod("filler", "4", node_name="n1", phase="Running")
    first = make_plan(cluster(*GPUS, claim("c"), with_claims(pod("before"), gpu="c"))).final.claim("default", "c")
    idle = msgspec.structs.replace(first, status=msgspec.structs.replace(first.status, reserved_for=()))
    plan = make_plan(cluster(*GPUS, idle, filler, with_claims(pod("p"), gpu="c")))
    assert places(plan) == {"p": "n2"}
    assert "deallocation of ResourceClaim completed, preemption: 0/2" in plan.notes[0].message


def test_f1_3_a_missing_class_is_told_before_any_node():
    plan = make_plan(cluster(node("n1"), claim("c", device_class="none"), with_claims(pod("p"), gpu="c")))
    decision = plan.decisions[0].decision
    assert decision.message == (
        "0/1 nodes are available: request gpu: device class none does not exist. "
        "preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."
    )
    assert decision.claim_problem.missing == ObjectRef("DeviceClass", "", "none")
    assert decision.claim_problem.field == "spec.devices.requests[0].exactly.deviceClassName"


def test_d3_3_a_claim_that_was_allocated_by_hand_cannot_be_reserved():
    first = make_plan(cluster(*GPUS, claim("c"), with_claims(pod("before"), gpu="c"))).final.claim("default", "c")
    status = msgspec.structs.replace(first.status, reserved_for=())
    plan = make_plan(cluster(*GPUS, msgspec.structs.replace(first, status=status), with_claims(pod("p"), gpu="c")))
    decision = plan.decisions[0].decision
    assert isinstance(decision, Aborted)
    assert decision.message.startswith(
        'running PreBind plugin "DynamicResources": add reservation to claim default/c: '
    )


def test_a5_1_pods_that_never_reach_the_scheduler_wait():
    gated = pod("gated", scheduling_gates=())
    foreign = pod("foreign", scheduler_name="other")
    plan = make_plan(cluster(node("n1"), with_claims(pod("p"), gpu="gone"), foreign, gated))
    reasons = {one.pod.name: one.decision.reason for one in plan.decisions if isinstance(one.decision, Waiting)}
    assert reasons == {"p": "claim-missing", "foreign": "other-scheduler"}


def test_dynamic_resource_allocation_is_on_unless_the_gates_say_otherwise():
    assert planned_profile("1.31").enabled("DynamicResourceAllocation")
    assert not planned_profile("1.31", "DynamicResourceAllocation=false").enabled("DynamicResourceAllocation")
    plan = make_plan(cluster(*GPUS, on=planned_profile("1.32")))
    assert plan.notes == (ResourceAllocationOff("1.32"),)
    off = make_plan(cluster(*GPUS, wanting("a"), on=release("1.31")))
    assert isinstance(off.decisions[0].decision, Scheduled)
    assert devices(off) == {"a": []}
