from __future__ import annotations

import msgspec
import pytest

from dravite.api.meta import ObjectRef
from dravite.api.quantity import Quantity
from dravite.api.resource_v1 import (
    AllocationResult,
    CapacityRequestPolicy,
    CapacityRequestPolicyRange,
    Device,
    DeviceAllocationResult,
    DeviceCapacity,
    DeviceRequestAllocationResult,
)
from dravite.snapshot.survey import survey
from dravite.snapshot.usage import AllocatedState
from tests.clusters import DRIVER, cluster, devices_of, node, running


def test_a_device_held_as_a_whole_has_nothing_left():
    published = devices_of("n1", 2)
    memory = {"memory": DeviceCapacity(value=Quantity.parse("80Gi"))}
    devices = tuple(msgspec.structs.replace(one, capacity=memory) for one in published.spec.devices or ())
    published = msgspec.structs.replace(published, spec=msgspec.structs.replace(published.spec, devices=devices))
    inventory = cluster(node("n1"), published, *running("a", "gpu-0")).inventory
    (pool,) = survey(inventory.index.slices, inventory.usage)
    assert [(one.state, one.capacity[0].total, one.capacity[0].left) for one in pool.devices] == [
        ("in-use", "80Gi", "0"),
        ("free", "80Gi", "80Gi"),
    ]


TOTAL = Quantity.parse("80Gi")


@pytest.mark.parametrize(
    ("taken", "policy", "state"),
    [
        ("40Gi", None, "shared"),
        ("80Gi", None, "in-use"),
        ("75Gi", CapacityRequestPolicy(valid_range=CapacityRequestPolicyRange(min=Quantity.parse("5Gi"))), "shared"),
        ("75Gi", CapacityRequestPolicy(valid_range=CapacityRequestPolicyRange(min=Quantity.parse("10Gi"))), "in-use"),
        ("80Gi", CapacityRequestPolicy(valid_range=CapacityRequestPolicyRange(min=Quantity.parse("0"))), "shared"),
        ("75Gi", CapacityRequestPolicy(valid_values=(Quantity.parse("10Gi"), TOTAL)), "in-use"),
        ("80Gi", CapacityRequestPolicy(default=Quantity.parse("0")), "shared"),
        ("80Gi", CapacityRequestPolicy(), "in-use"),
    ],
)
def test_a_device_is_shared_in_part_as_long_as_more_of_it_can_be_had(taken, policy, state):
    capacity = {"memory": DeviceCapacity(value=TOTAL, request_policy=policy)}
    published = devices_of("n1", 1)
    devices = (Device(name="gpu-0", allow_multiple_allocations=True, capacity=capacity),)
    published = msgspec.structs.replace(published, spec=msgspec.structs.replace(published.spec, devices=devices))
    share = DeviceRequestAllocationResult(
        request="gpu",
        driver=DRIVER,
        pool="n1",
        device="gpu-0",
        share_id="s",
        consumed_capacity={"memory": Quantity.parse(taken)},
    )
    held = AllocationResult(devices=DeviceAllocationResult(results=(share,)))
    usage = AllocatedState().with_claim(ObjectRef("ResourceClaim", "ns", "a"), held)
    (pool,) = survey([published], usage)
    assert pool.devices[0].state == state
