"""ResourceSlice: the devices that a driver publishes."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from dravite.api.meta import NUMBER, TEXT, Model, ObjectMeta
from dravite.api.node_selector import NodeSelector
from dravite.api.quantity import ZERO, Quantity
from dravite.api.resource_v1.taints import DeviceTaint


class DeviceAttribute(Model, frozen=True, kw_only=True):
    """One typed value: exactly one of the fields is set. `None` and an empty list differ."""

    int_value: int | None = msgspec.field(default=None, name="int")
    bool_value: bool | None = msgspec.field(default=None, name="bool")
    string_value: str | None = msgspec.field(default=None, name="string")
    version_value: str | None = msgspec.field(default=None, name="version")
    int_values: tuple[int, ...] | None = msgspec.field(default=None, name="ints")
    bool_values: tuple[bool, ...] | None = msgspec.field(default=None, name="bools")
    string_values: tuple[str, ...] | None = msgspec.field(default=None, name="strings")
    version_values: tuple[str, ...] | None = msgspec.field(default=None, name="versions")


class CapacityRequestPolicyRange(Model, frozen=True, kw_only=True):
    min: Quantity | None = None
    max: Quantity | None = None
    step: Quantity | None = None


class CapacityRequestPolicy(Model, frozen=True, kw_only=True):
    default: Quantity | None = None
    valid_values: tuple[Quantity, ...] = ()
    valid_range: CapacityRequestPolicyRange | None = None


class DeviceCapacity(Model, frozen=True, kw_only=True):
    value: Quantity = msgspec.field(default_factory=lambda: ZERO)
    request_policy: CapacityRequestPolicy | None = None


class Counter(Model, frozen=True, kw_only=True):
    value: Quantity = msgspec.field(default_factory=lambda: ZERO)


class CounterSet(Model, frozen=True, kw_only=True):
    name: str = TEXT
    counters: Mapping[str, Counter] = {}


class DeviceCounterConsumption(Model, frozen=True, kw_only=True):
    counter_set: str = TEXT
    counters: Mapping[str, Counter] = {}
    compatibility_groups: tuple[str, ...] = ()


class NodeAllocatableMapping(Model, frozen=True, kw_only=True):
    capacity_key: str | None = None
    capacity_multiplier: Quantity | None = None
    device_multiplier: Quantity | None = None


class NodeAllocatableOverhead(Model, frozen=True, kw_only=True):
    per_pod: Quantity | None = None
    per_container: Quantity | None = None


class NodeAllocatableResource(Model, frozen=True, kw_only=True):
    mapping: NodeAllocatableMapping | None = None
    overhead: NodeAllocatableOverhead | None = None


class NodeAllocatableResourceMapping(Model, frozen=True, kw_only=True):
    """What 1.36 had instead of `NodeAllocatableResource`; the multiplier is defaulted to 1."""

    capacity_key: str | None = None
    allocation_multiplier: Quantity | None = None


class Device(Model, frozen=True, kw_only=True):
    """One device. `binding_conditions` may be present and empty, which Kubernetes tells from missing (P-18).

    `node_allocatable_resource_mappings` exists in 1.36 only; no later field says the same.
    """

    name: str = TEXT
    attributes: Mapping[str, DeviceAttribute] = {}
    capacity: Mapping[str, DeviceCapacity] = {}
    consumes_counters: tuple[DeviceCounterConsumption, ...] = ()
    node_name: str | None = None
    node_selector: NodeSelector | None = None
    all_nodes: bool | None = None
    taints: tuple[DeviceTaint, ...] = ()
    binds_to_node: bool | None = None
    binding_conditions: tuple[str, ...] | None = None
    binding_failure_conditions: tuple[str, ...] | None = None
    allow_multiple_allocations: bool | None = None
    node_allocatable_resources: Mapping[str, NodeAllocatableResource] = {}
    node_allocatable_resource_mappings: Mapping[str, NodeAllocatableResourceMapping] = {}


class ResourcePool(Model, frozen=True, kw_only=True):
    name: str = TEXT
    generation: int = NUMBER
    resource_slice_count: int = NUMBER


class ResourceSliceSpec(Model, frozen=True, kw_only=True):
    """`devices` and `shared_counters` may be present and empty: a slice may not have both, even empty."""

    driver: str = TEXT
    pool: ResourcePool = msgspec.field(default_factory=ResourcePool)
    node_name: str | None = None
    node_selector: NodeSelector | None = None
    all_nodes: bool | None = None
    per_device_node_selection: bool | None = None
    devices: tuple[Device, ...] | None = None
    shared_counters: tuple[CounterSet, ...] | None = None
    partition_type_attribute: str | None = None
    skip_node_operations: tuple[str, ...] = ()


class ResourceSlice(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1")
    kind: Literal["ResourceSlice"] = msgspec.field(default_factory=lambda: "ResourceSlice")
    metadata: ObjectMeta = ObjectMeta()
    spec: ResourceSliceSpec = msgspec.field(default_factory=ResourceSliceSpec)
