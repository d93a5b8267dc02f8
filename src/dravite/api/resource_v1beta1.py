"""resource.k8s.io/v1beta1: what differs from v1.

Requests are flat (no `exactly`) and devices keep everything but their name under `basic`.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec

from dravite.api.meta import LIST, TEXT, ListMeta, Model, ObjectMeta
from dravite.api.node_selector import NodeSelector
from dravite.api.resource_v1 import (
    AllocatedDeviceStatus,
    AllocationResult,
    CapacityRequestPolicy,
    CapacityRequestPolicyRange,
    CapacityRequirements,
    CELDeviceSelector,
    Counter,
    CounterSet,
    DeviceAllocationConfiguration,
    DeviceAllocationResult,
    DeviceAttribute,
    DeviceCapacity,
    DeviceClaimConfiguration,
    DeviceClassConfiguration,
    DeviceClassSpec,
    DeviceConstraint,
    DeviceCounterConsumption,
    DeviceDerivedAttribute,
    DeviceRequestAllocationResult,
    DeviceSelector,
    DeviceSubRequest,
    DeviceTaint,
    DeviceToleration,
    NetworkDeviceData,
    NodeAllocatableMapping,
    NodeAllocatableOverhead,
    NodeAllocatableResource,
    NodeAllocatableResourceMapping,
    OpaqueDeviceConfiguration,
    ResourceClaimConsumerReference,
    ResourceClaimStatus,
    ResourcePool,
)

__all__ = [
    "AllocatedDeviceStatus",
    "AllocationResult",
    "BasicDevice",
    "CELDeviceSelector",
    "CapacityRequestPolicy",
    "CapacityRequestPolicyRange",
    "CapacityRequirements",
    "Counter",
    "CounterSet",
    "Device",
    "DeviceAllocationConfiguration",
    "DeviceAllocationResult",
    "DeviceAttribute",
    "DeviceCapacity",
    "DeviceClaim",
    "DeviceClaimConfiguration",
    "DeviceClass",
    "DeviceClassConfiguration",
    "DeviceClassList",
    "DeviceClassSpec",
    "DeviceConstraint",
    "DeviceCounterConsumption",
    "DeviceDerivedAttribute",
    "DeviceRequest",
    "DeviceRequestAllocationResult",
    "DeviceSelector",
    "DeviceSubRequest",
    "DeviceTaint",
    "DeviceToleration",
    "NetworkDeviceData",
    "NodeAllocatableMapping",
    "NodeAllocatableOverhead",
    "NodeAllocatableResource",
    "NodeAllocatableResourceMapping",
    "OpaqueDeviceConfiguration",
    "ResourceClaim",
    "ResourceClaimConsumerReference",
    "ResourceClaimList",
    "ResourceClaimSpec",
    "ResourceClaimStatus",
    "ResourceClaimTemplate",
    "ResourceClaimTemplateList",
    "ResourceClaimTemplateSpec",
    "ResourcePool",
    "ResourceSlice",
    "ResourceSliceList",
    "ResourceSliceSpec",
]


class DeviceClass(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1beta1"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1beta1")
    kind: Literal["DeviceClass"] = msgspec.field(default_factory=lambda: "DeviceClass")
    metadata: ObjectMeta = ObjectMeta()
    spec: DeviceClassSpec = DeviceClassSpec()


class DeviceRequest(Model, frozen=True, kw_only=True):
    """A request and its one device class, or `first_available`.

    A list that is present and empty counts as set and so turns the request into one for exact devices: such lists may
    be `None`.
    """

    name: str = TEXT
    device_class_name: str = TEXT
    selectors: tuple[DeviceSelector, ...] | None = None
    allocation_mode: str = ""
    count: int = 0
    admin_access: bool | None = None
    first_available: tuple[DeviceSubRequest, ...] = ()
    tolerations: tuple[DeviceToleration, ...] | None = None
    capacity: CapacityRequirements | None = None
    derived_attributes: tuple[DeviceDerivedAttribute, ...] | None = None


class DeviceClaim(Model, frozen=True, kw_only=True):
    requests: tuple[DeviceRequest, ...] = ()
    constraints: tuple[DeviceConstraint, ...] = ()
    config: tuple[DeviceClaimConfiguration, ...] = ()


class ResourceClaimSpec(Model, frozen=True, kw_only=True):
    devices: DeviceClaim = DeviceClaim()


class ResourceClaim(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1beta1"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1beta1")
    kind: Literal["ResourceClaim"] = msgspec.field(default_factory=lambda: "ResourceClaim")
    metadata: ObjectMeta = ObjectMeta()
    spec: ResourceClaimSpec = ResourceClaimSpec()
    status: ResourceClaimStatus = ResourceClaimStatus()


class ResourceClaimTemplateSpec(Model, frozen=True, kw_only=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: ResourceClaimSpec = ResourceClaimSpec()


class ResourceClaimTemplate(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1beta1"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1beta1")
    kind: Literal["ResourceClaimTemplate"] = msgspec.field(default_factory=lambda: "ResourceClaimTemplate")
    metadata: ObjectMeta = ObjectMeta()
    spec: ResourceClaimTemplateSpec = ResourceClaimTemplateSpec()


class BasicDevice(Model, frozen=True, kw_only=True):
    """Everything about a device but its name."""

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


class Device(Model, frozen=True, kw_only=True):
    name: str = TEXT
    basic: BasicDevice | None = None


class ResourceSliceSpec(Model, frozen=True, kw_only=True):
    """`node_name` and `all_nodes` cannot be told from missing when they are empty and false."""

    driver: str = TEXT
    pool: ResourcePool = msgspec.field(default_factory=ResourcePool)
    node_name: str = ""
    node_selector: NodeSelector | None = None
    all_nodes: bool = False
    per_device_node_selection: bool | None = None
    devices: tuple[Device, ...] | None = None
    shared_counters: tuple[CounterSet, ...] | None = None
    partition_type_attribute: str | None = None
    skip_node_operations: tuple[str, ...] = ()


class ResourceSlice(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1beta1"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1beta1")
    kind: Literal["ResourceSlice"] = msgspec.field(default_factory=lambda: "ResourceSlice")
    metadata: ObjectMeta = ObjectMeta()
    spec: ResourceSliceSpec = msgspec.field(default_factory=ResourceSliceSpec)


class DeviceClassList(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1beta1"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1beta1")
    kind: Literal["DeviceClassList"] = msgspec.field(default_factory=lambda: "DeviceClassList")
    metadata: ListMeta = ListMeta()
    items: tuple[DeviceClass, ...] = LIST


class ResourceClaimList(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1beta1"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1beta1")
    kind: Literal["ResourceClaimList"] = msgspec.field(default_factory=lambda: "ResourceClaimList")
    metadata: ListMeta = ListMeta()
    items: tuple[ResourceClaim, ...] = LIST


class ResourceClaimTemplateList(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1beta1"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1beta1")
    kind: Literal["ResourceClaimTemplateList"] = msgspec.field(default_factory=lambda: "ResourceClaimTemplateList")
    metadata: ListMeta = ListMeta()
    items: tuple[ResourceClaimTemplate, ...] = LIST


class ResourceSliceList(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1beta1"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1beta1")
    kind: Literal["ResourceSliceList"] = msgspec.field(default_factory=lambda: "ResourceSliceList")
    metadata: ListMeta = ListMeta()
    items: tuple[ResourceSlice, ...] = LIST
