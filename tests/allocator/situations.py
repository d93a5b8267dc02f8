"""Devices on nodes and claims for them, said in few words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dravite.allocator.allocate import allocate
from dravite.allocator.outcomes import Allocation, Outcome
from dravite.allocator.problem import Problem, prepare
from dravite.api.core_v1 import Node
from dravite.api.meta import ObjectMeta, ObjectRef
from dravite.api.quantity import Quantity
from dravite.api.resource_v1 import (
    AllocationResult,
    CapacityRequestPolicy,
    CapacityRequestPolicyRange,
    CapacityRequirements,
    CELDeviceSelector,
    Counter,
    CounterSet,
    Device,
    DeviceAllocationResult,
    DeviceAttribute,
    DeviceCapacity,
    DeviceClaim,
    DeviceClass,
    DeviceClassSpec,
    DeviceConstraint,
    DeviceCounterConsumption,
    DeviceRequest,
    DeviceRequestAllocationResult,
    DeviceSelector,
    DeviceSubRequest,
    DeviceTaint,
    DeviceTaintRule,
    ExactDeviceRequest,
    ResourceClaim,
    ResourceClaimConsumerReference,
    ResourceClaimSpec,
    ResourceClaimStatus,
    ResourcePool,
    ResourceSlice,
    ResourceSliceSpec,
)
from dravite.snapshot.inventory import Inventory, build_inventory

DRIVER = "d.io"
FEATURES = frozenset(
    {
        "AdminAccess",
        "ConsumableCapacity",
        "DeviceBindingAndStatus",
        "DeviceTaints",
        "PartitionableDevices",
        "PrioritizedList",
    }
)
N1 = Node(metadata=ObjectMeta(name="n1"))
N2 = Node(metadata=ObjectMeta(name="n2"))


def quantity(text: str) -> Quantity:
    return Quantity.parse(text)


def attribute(value: object) -> DeviceAttribute:
    match value:
        case bool():
            return DeviceAttribute(bool_value=value)
        case int():
            return DeviceAttribute(int_value=value)
        case str():
            return DeviceAttribute(string_value=value)
        case DeviceAttribute():
            return value
    raise TypeError(value)


def policy(default=None, low=None, high=None, step=None, values=()) -> CapacityRequestPolicy:
    limits = CapacityRequestPolicyRange(
        min=quantity(low) if low else None,
        max=quantity(high) if high else None,
        step=quantity(step) if step else None,
    )
    return CapacityRequestPolicy(
        default=quantity(default) if default else None,
        valid_values=tuple(quantity(value) for value in values),
        valid_range=limits if low or high or step else None,
    )


def device(name: str, capacity: Mapping[str, object] | None = None, **fields: object) -> Device:
    """`attributes={"k": 1}`, `capacity={"m": "8Gi"}` or `("8Gi", policy)`, `shared`, `counters={"s": {"c": 1}}`."""
    attributes = {key: attribute(value) for key, value in fields.pop("attributes", {}).items()}
    amounts = {}
    for key, given in (capacity or {}).items():
        value, rule = given if isinstance(given, tuple) else (given, None)
        amounts[key] = DeviceCapacity(value=quantity(value), request_policy=rule)
    groups = tuple(fields.pop("groups", ()))
    consumes = tuple(
        DeviceCounterConsumption(
            counter_set=set_name,
            counters={name: Counter(value=Quantity.of(value)) for name, value in counters.items()},
            compatibility_groups=groups,
        )
        for set_name, counters in fields.pop("counters", {}).items()
    )
    shared = True if fields.pop("shared", False) else None
    return Device(
        name=name,
        attributes=attributes,
        capacity=amounts,
        consumes_counters=consumes,
        allow_multiple_allocations=shared,
        **fields,
    )


def devices_slice(
    *devices: Device, name="s", pool="pool", count=1, generation=1, driver=DRIVER, **place
) -> ResourceSlice:
    """A slice of devices, on n1 unless said otherwise."""
    place = place or {"node_name": "n1"}
    info = ResourcePool(name=pool, generation=generation, resource_slice_count=count)
    return ResourceSlice(
        metadata=ObjectMeta(name=name), spec=ResourceSliceSpec(driver=driver, pool=info, devices=devices, **place)
    )


def counters_slice(name="counters", pool="pool", count=2, node_name="n1", **sets: Mapping[str, int]) -> ResourceSlice:
    made = tuple(
        CounterSet(name=set_name, counters={key: Counter(value=Quantity.of(value)) for key, value in counters.items()})
        for set_name, counters in sets.items()
    )
    info = ResourcePool(name=pool, generation=1, resource_slice_count=count)
    return ResourceSlice(
        metadata=ObjectMeta(name=name),
        spec=ResourceSliceSpec(driver=DRIVER, pool=info, shared_counters=made, node_name=node_name),
    )


def selectors(*expressions: str) -> tuple[DeviceSelector, ...]:
    return tuple(DeviceSelector(cel=CELDeviceSelector(expression=text)) for text in expressions)


def _fields(selects: Sequence[str], capacity: Mapping[str, str], fields: dict[str, object]) -> dict[str, object]:
    fields.setdefault("device_class_name", "any")
    fields.setdefault("allocation_mode", "ExactCount")
    if capacity:
        amounts = {name: quantity(text) for name, text in capacity.items()}
        fields["capacity"] = CapacityRequirements(requests=amounts)
    return {**fields, "selectors": selectors(*selects)}


def exactly(name="r", count=1, selects=(), capacity: Mapping[str, str] | None = None, **fields) -> DeviceRequest:
    fields = _fields(selects, capacity or {}, fields)
    return DeviceRequest(name=name, exactly=ExactDeviceRequest(count=count, **fields))


def everything(name="r", selects=(), **fields) -> DeviceRequest:
    return exactly(name, 0, selects, allocation_mode="All", **fields)


def alternative(name, count=1, selects=(), capacity: Mapping[str, str] | None = None, **fields) -> DeviceSubRequest:
    return DeviceSubRequest(name=name, count=count, **_fields(selects, capacity or {}, fields))


def first_of(name: str, *alternatives: DeviceSubRequest) -> DeviceRequest:
    return DeviceRequest(name=name, first_available=alternatives)


def claim(*requests: DeviceRequest, name="claim", match=(), distinct=()) -> ResourceClaim:
    constraints = (
        *(DeviceConstraint(match_attribute=one) for one in match),
        *(DeviceConstraint(distinct_attribute=one) for one in distinct),
    )
    spec = ResourceClaimSpec(devices=DeviceClaim(requests=requests, constraints=constraints))
    return ResourceClaim(metadata=ObjectMeta(name=name, namespace="ns"), spec=spec)


def holding(*results: DeviceRequestAllocationResult | str, name="holder", pods=()) -> ResourceClaim:
    """An allocated claim; a text is a device of the pool `pool`."""
    made = tuple(
        DeviceRequestAllocationResult(request="r", driver=DRIVER, pool="pool", device=one)
        if isinstance(one, str)
        else one
        for one in results
    )
    consumers = tuple(ResourceClaimConsumerReference(resource="pods", name=pod) for pod in pods)
    status = ResourceClaimStatus(
        allocation=AllocationResult(devices=DeviceAllocationResult(results=made)), reserved_for=consumers
    )
    return ResourceClaim(metadata=ObjectMeta(name=name, namespace="ns"), status=status)


def share(device_name: str, share_id: str = "s", **consumed: str) -> DeviceRequestAllocationResult:
    amounts = {name: quantity(text) for name, text in consumed.items()}
    return DeviceRequestAllocationResult(
        request="r", driver=DRIVER, pool="pool", device=device_name, share_id=share_id, consumed_capacity=amounts
    )


def taint(key="k", value="", effect="NoSchedule") -> DeviceTaint:
    return DeviceTaint(key=key, value=value, effect=effect)


def classes(*expressions: str) -> tuple[DeviceClass, ...]:
    """The class `any`, and one class `c0`, `c1` … per expression."""
    named = (("any", ()), *((f"c{index}", (text,)) for index, text in enumerate(expressions)))
    return tuple(
        DeviceClass(metadata=ObjectMeta(name=name), spec=DeviceClassSpec(selectors=selectors(*texts)))
        for name, texts in named
    )


def inventory(
    *slices: ResourceSlice,
    allocated: Iterable[ResourceClaim] = (),
    rules: Iterable[DeviceTaintRule] = (),
    features: frozenset[str] = FEATURES,
    class_selectors: Sequence[str] = (),
) -> Inventory:
    return build_inventory(slices, classes(*class_selectors), allocated, rules, features)


def problem(stock: Inventory, *claims: ResourceClaim) -> Problem:
    made = prepare(claims, stock)
    assert isinstance(made, Problem)
    return made


def attempt(stock: Inventory, *claims: ResourceClaim, node: Node = N1, budget: int | None = 100_000) -> Outcome:
    return allocate(problem(stock, *claims), node, budget)


def picked(outcome: Outcome) -> list[str]:
    """`request=device` in the order of the results; what is no allocation is a failure of the test."""
    assert isinstance(outcome, Allocation), outcome
    return [f"{one.request}={one.device}" for result in outcome.results for one in result.devices.results]


def holder(name: str = "holder") -> ObjectRef:
    return ObjectRef("ResourceClaim", "ns", name)
