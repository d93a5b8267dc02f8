from __future__ import annotations

import msgspec
import pytest

from dravite.api.core_v1 import Container, Pod, ResourceClaimReference, ResourceRequirements
from dravite.api.quantity import Quantity
from dravite.api.resource_v1 import (
    DeviceCapacity,
    NodeAllocatableMapping,
    NodeAllocatableOverhead,
    NodeAllocatableResource,
    NodeAllocatableResourceMapping,
    ResourceSlice,
)
from dravite.diagnosis.reasons import MappedClaimTaken, PodLevelShort
from dravite.diagnosis.verdicts import Aborted, Scheduled, Unschedulable
from dravite.planning.planner import make_plan
from tests.clusters import claim, cluster, device_class, devices_of, node, pod, release, with_claims

GATE = "DRANodeAllocatableResources=true"


def slices(count: int = 1, **fields: object) -> ResourceSlice:
    bare = devices_of("n1", count)
    devices = tuple(msgspec.structs.replace(one, **fields) for one in bare.spec.devices)
    return msgspec.structs.replace(bare, spec=msgspec.structs.replace(bare.spec, devices=devices))


def cores(amount: str) -> dict[str, NodeAllocatableResource]:
    return {"cpu": NodeAllocatableResource(mapping=NodeAllocatableMapping(device_multiplier=Quantity.parse(amount)))}


def using(name: str, of: str, cpu: str = "1") -> Pod:
    requests = {"cpu": Quantity.parse(cpu)}
    resources = ResourceRequirements(requests=requests, claims=(ResourceClaimReference(name="gpu"),))
    return with_claims(pod(name, containers=(Container(name="main", resources=resources),)), gpu=of)


def decisions(*objects: object, number: str = "1.37", gates: str = GATE):
    plan = make_plan(cluster(node("n1", cpu="4", memory="16Gi"), device_class(), *objects, on=release(number, gates)))
    return plan, {decision.pod.name: decision.decision for decision in plan.decisions}


def test_f8_2_what_a_claim_takes_counts_beside_what_containers_ask_for() -> None:
    plan, told = decisions(
        slices(node_allocatable_resources=cores("2")), claim("c"), using("a", "c"), pod("b", "2"), pod("d", "1")
    )
    assert isinstance(told["a"], Scheduled)
    assert isinstance(told["b"], Unschedulable)
    assert "1 Insufficient cpu" in told["b"].message
    assert isinstance(told["d"], Scheduled)
    (status,) = plan.final.pods[("default", "a")].pod.status.node_allocatable_resource_claim_statuses
    assert (status.resource_claim_name, status.containers) == ("c", ("main",))
    assert [(one.name, one.quantity.text) for one in status.mapping] == [("cpu", "2")]


def test_f8_2_a_pod_whose_claim_takes_more_than_is_left_does_not_fit() -> None:
    _, told = decisions(slices(node_allocatable_resources=cores("4")), claim("c"), using("a", "c"))
    assert isinstance(told["a"], Unschedulable)
    assert "1 Insufficient cpu" in told["a"].message


def test_f8_1_overhead_counts_once_and_for_each_container() -> None:
    overhead = NodeAllocatableOverhead(per_pod=Quantity.parse("1Gi"), per_container=Quantity.parse("512Mi"))
    beside = {"memory": NodeAllocatableResource(overhead=overhead)}
    plan, told = decisions(slices(node_allocatable_resources=beside), claim("c"), using("a", "c"))
    assert isinstance(told["a"], Scheduled)
    assert plan.final.states["n1"].requested["memory"] == 3 * 2**29


def test_f8_3_a_claim_that_stands_for_cores_has_one_pod() -> None:
    offered = slices(node_allocatable_resources=cores("1"))
    _, told = decisions(offered, claim("c"), using("a", "c", "0"), using("b", "c", "0"))
    assert isinstance(told["a"], Scheduled)
    no = told["b"]
    assert isinstance(no, Unschedulable)
    assert isinstance(no.nodes[0].reasons[0], MappedClaimTaken)
    assert "claim c has a mapped device and cannot be shared across pods" in no.message


def test_f8_1_until_1_36_mappings_were_another_field() -> None:
    old = {"cpu": NodeAllocatableResourceMapping(allocation_multiplier=Quantity.parse("2"))}
    offered = slices(node_allocatable_resource_mappings=old)
    plan, told = decisions(offered, claim("c"), using("a", "c"), number="1.36")
    assert isinstance(told["a"], Scheduled)
    (status,) = plan.final.pods[("default", "a")].pod.status.node_allocatable_resource_claim_statuses
    assert {name: quantity.text for name, quantity in status.resources.items()} == {"cpu": "2"}


@pytest.mark.parametrize("number", ["1.36", "1.37"])
def test_without_the_gate_nothing_of_it_counts(number: str) -> None:
    plan, told = decisions(
        slices(node_allocatable_resources=cores("9")), claim("c"), using("a", "c"), number=number, gates=""
    )
    assert isinstance(told["a"], Scheduled)
    assert plan.final.pods[("default", "a")].pod.status.node_allocatable_resource_claim_statuses == ()


def test_f8_2_what_the_pod_asks_for_as_a_whole_has_to_cover_its_claims() -> None:
    offered = slices(2, node_allocatable_resources=cores("2"))
    asks = {amount: ResourceRequirements(requests={"cpu": Quantity.parse(amount)}) for amount in ("2", "3")}
    small, large = (
        msgspec.structs.replace(one, spec=msgspec.structs.replace(one.spec, resources=asks[amount]))
        for one, amount in ((using("small", "c"), "2"), (using("large", "d"), "3"))
    )
    plan, told = decisions(offered, claim("c"), claim("d"), small, large)
    no = told["small"]
    assert isinstance(no, Unschedulable)
    assert no.nodes[0].reasons == (PodLevelShort("cpu"),)
    assert no.message.endswith(
        "1 pod level request for cpu is insufficient to cover the aggregated container and node-allocatable DRA"
        " requests. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."
    )
    assert isinstance(told["large"], Scheduled)
    assert plan.final.states["n1"].requested["cpu"] == 3000


def test_f8_1_a_device_of_which_no_capacity_is_taken_ends_the_attempt() -> None:
    mapping = NodeAllocatableMapping(capacity_key="cores", capacity_multiplier=Quantity.parse("1"))
    offered = slices(
        node_allocatable_resources={"cpu": NodeAllocatableResource(mapping=mapping)},
        capacity={"cores": DeviceCapacity(value=Quantity.parse("2"))},
    )
    _, told = decisions(offered, claim("c"), using("a", "c"))
    ended = told["a"]
    assert isinstance(ended, Aborted)
    assert ended.message == (
        'running "DynamicResources" filter plugin: claim default/c, device gpu-0: ConsumedCapacity is nil, but Capacity'
        " key 'cores' is set in NodeAllocatableResources for resource cpu"
    )
