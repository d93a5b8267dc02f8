"""Clusters with richer devices and requests than the shared ones, and the explanation of one pod in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from dravite.api.core_v1 import Pod
from dravite.api.meta import ObjectMeta, ObjectRef
from dravite.api.quantity import Quantity
from dravite.api.resource_v1 import (
    AllocationResult,
    CapacityRequirements,
    CELDeviceSelector,
    Counter,
    CounterSet,
    Device,
    DeviceAllocationResult,
    DeviceAttribute,
    DeviceCapacity,
    DeviceClaim,
    DeviceConstraint,
    DeviceCounterConsumption,
    DeviceRequest,
    DeviceRequestAllocationResult,
    DeviceSelector,
    DeviceSubRequest,
    DeviceTaint,
    DeviceToleration,
    ExactDeviceRequest,
    ResourceClaim,
    ResourceClaimConsumerReference,
    ResourceClaimSpec,
    ResourceClaimStatus,
    ResourceClaimTemplate,
    ResourceClaimTemplateSpec,
    ResourcePool,
    ResourceSlice,
    ResourceSliceSpec,
)
from dravite.explain import explain
from dravite.explain.explanation import Explanation
from dravite.planning.plan import Plan
from dravite.planning.planner import make_plan
from tests.clusters import DRIVER, cluster, device_class, node, pod, with_claims

ATTRIBUTES = f'device.attributes["{DRIVER}"]'
MEMORY = f'device.capacity["{DRIVER}"].memory'


def gpu(number: int, memory: str = "40Gi", **attributes: object) -> Device:
    """A GPU `gpu-NUMBER`; attributes by Python type, `version` values as `v1.2.3`."""
    published = {name: _attribute(value) for name, value in attributes.items()}
    capacity = {"memory": DeviceCapacity(value=Quantity.parse(memory))} if memory else {}
    return Device(name=f"gpu-{number}", attributes=published, capacity=capacity)


def _attribute(value: object) -> DeviceAttribute:
    match value:
        case bool():
            return DeviceAttribute(bool_value=value)
        case int():
            return DeviceAttribute(int_value=value)
        case str() if value[:1] == "v" and value[1:2].isdigit():
            return DeviceAttribute(version_value=value[1:])
        case _:
            return DeviceAttribute(string_value=str(value))


def gpus(count: int, **given: Any) -> tuple[Device, ...]:
    return tuple(gpu(number, **given) for number in range(count))


def tainted(device: Device, key: str = "example.com/broken", effect: str = "NoSchedule") -> Device:
    return msgspec.structs.replace(device, taints=(DeviceTaint(key=key, effect=effect),))


def shared(device: Device) -> Device:
    return msgspec.structs.replace(device, allow_multiple_allocations=True)


def using(device: Device, counters: str, **amounts: int) -> Device:
    taken = {name: Counter(value=Quantity.of(amount)) for name, amount in amounts.items()}
    return msgspec.structs.replace(
        device, consumes_counters=(DeviceCounterConsumption(counter_set=counters, counters=taken),)
    )


def published(on: str, *devices: Device, **pool: Any) -> ResourceSlice:
    """A slice of the node's pool; `sets` makes it a counter slice, `slices` is the number the pool claims to have."""
    driver = pool.get("driver", DRIVER)
    sets = pool.get("sets")
    spec = ResourceSliceSpec(
        driver=driver,
        pool=ResourcePool(
            name=pool.get("pool", on), generation=pool.get("generation", 1), resource_slice_count=pool.get("slices", 1)
        ),
        node_name=on,
        devices=None if sets else devices,
        shared_counters=tuple(
            CounterSet(name=name, counters={c: Counter(value=Quantity.of(v)) for c, v in counters.items()})
            for name, counters in sets.items()
        )
        if sets
        else None,
    )
    return ResourceSlice(metadata=ObjectMeta(name=pool.get("name", f"{on}-{driver}")), spec=spec)


def wants(name: str = "gpu", *selectors: str, **more: Any) -> DeviceRequest:
    """A request: `count`, `all_of`, `memory`, `tolerations`, `of` (class)."""
    return DeviceRequest(name=name, exactly=_exact(selectors, more))


def _exact(selectors: Iterable[str], more: Mapping[str, Any]) -> ExactDeviceRequest:
    memory = more.get("memory")
    return ExactDeviceRequest(
        device_class_name=more.get("of", "gpu"),
        selectors=tuple(DeviceSelector(cel=CELDeviceSelector(expression=one)) for one in selectors),
        allocation_mode="All" if more.get("all_of") else "ExactCount",
        count=0 if more.get("all_of") else more.get("count", 1),
        tolerations=more.get("tolerations", ()),
        capacity=CapacityRequirements(requests={"memory": Quantity.parse(memory)}) if memory else None,
    )


def first_of(name: str, **alternatives: tuple[str, dict[str, Any]]) -> DeviceRequest:
    """A request with alternatives: name = (selector, more)."""
    made = []
    for label, (selector, more) in alternatives.items():
        exact = _exact((selector,), more)
        fields = {field: getattr(exact, field) for field in DeviceSubRequest.__struct_fields__ if field != "name"}
        made.append(DeviceSubRequest(name=label, **fields))
    return DeviceRequest(name=name, first_available=tuple(made))


def match(attribute: str, *requests: str) -> DeviceConstraint:
    return DeviceConstraint(match_attribute=attribute, requests=requests)


def tolerates(key: str, effect: str = "") -> DeviceToleration:
    return DeviceToleration(key=key, operator="Exists", effect=effect)


def spec_of(*requests: DeviceRequest, constraints: Iterable[DeviceConstraint] = ()) -> ResourceClaimSpec:
    return ResourceClaimSpec(devices=DeviceClaim(requests=requests, constraints=tuple(constraints)))


def template(
    name: str, *requests: DeviceRequest, constraints: Iterable[DeviceConstraint] = ()
) -> ResourceClaimTemplate:
    return ResourceClaimTemplate(
        metadata=ObjectMeta(name=name, namespace="default"),
        spec=ResourceClaimTemplateSpec(spec=spec_of(*requests, constraints=constraints)),
    )


def held(name: str, on: str, *devices: str, by: str | None = None, driver: str = DRIVER) -> ResourceClaim:
    """A claim that has devices of a node's pool, reserved for a pod."""
    results = tuple(
        DeviceRequestAllocationResult(request="gpu", driver=driver, pool=on, device=device) for device in devices
    )
    users = (ResourceClaimConsumerReference(resource="pods", name=by, uid=f"uid-{by}"),) if by else ()
    return ResourceClaim(
        metadata=ObjectMeta(
            name=name,
            namespace="default",
            uid=f"uid-{name}",
            finalizers=("resource.kubernetes.io/delete-protection",),
        ),
        spec=spec_of(wants(count=len(devices))),
        status=ResourceClaimStatus(
            allocation=AllocationResult(devices=DeviceAllocationResult(results=results)), reserved_for=users
        ),
    )


def running(name: str, on: str, **entries: str) -> Pod:
    return with_claims(pod(name, node_name=on, phase="Running"), **entries)


def waiting(name: str = "p", template: str = "t", **spec: Any) -> Pod:
    return with_claims(pod(name, **spec), a=f"@{template}")


def plan_of(*objects: object) -> Plan:
    """The plan of a cluster with class `gpu`; nodes are made for the slices unless some are given."""
    named = [one for one in objects if type(one).__name__ == "Node"]
    places = dict.fromkeys(one.spec.node_name for one in objects if isinstance(one, ResourceSlice))
    nodes = named or [node(place) for place in places if place]
    rest = [one for one in objects if type(one).__name__ != "Node"]
    return make_plan(cluster(*nodes, device_class(), *rest))


def told(*objects: object, of: str = "p") -> Explanation:
    """The explanation of pod `of`."""
    return explain(plan_of(*objects), ObjectRef("Pod", "default", of))
