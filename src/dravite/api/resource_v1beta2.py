"""resource.k8s.io/v1beta2: field for field what v1 is, under another name."""

from typing import Literal

import msgspec

from dravite.api.meta import LIST, ListMeta, Model, ObjectMeta
from dravite.api.resource_v1 import (
    AllocatedDeviceStatus,
    AllocationResult,
    CapacityRequestPolicy,
    CapacityRequestPolicyRange,
    CapacityRequirements,
    CELDeviceSelector,
    Counter,
    CounterSet,
    Device,
    DeviceAllocationConfiguration,
    DeviceAllocationResult,
    DeviceAttribute,
    DeviceCapacity,
    DeviceClaim,
    DeviceClaimConfiguration,
    DeviceClassConfiguration,
    DeviceClassSpec,
    DeviceConstraint,
    DeviceCounterConsumption,
    DeviceDerivedAttribute,
    DeviceRequest,
    DeviceRequestAllocationResult,
    DeviceSelector,
    DeviceSubRequest,
    DeviceTaint,
    DeviceTaintRuleSpec,
    DeviceTaintRuleStatus,
    DeviceTaintSelector,
    DeviceToleration,
    ExactDeviceRequest,
    NetworkDeviceData,
    NodeAllocatableMapping,
    NodeAllocatableOverhead,
    NodeAllocatableResource,
    NodeAllocatableResourceMapping,
    OpaqueDeviceConfiguration,
    ResourceClaimConsumerReference,
    ResourceClaimSpec,
    ResourceClaimStatus,
    ResourceClaimTemplateSpec,
    ResourcePool,
    ResourceSliceSpec,
)

__all__ = [
    "AllocatedDeviceStatus",
    "AllocationResult",
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
    "DeviceTaintRule",
    "DeviceTaintRuleList",
    "DeviceTaintRuleSpec",
    "DeviceTaintRuleStatus",
    "DeviceTaintSelector",
    "DeviceToleration",
    "ExactDeviceRequest",
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
    api_version: Literal["resource.k8s.io/v1beta2"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1beta2")
    kind: Literal["DeviceClass"] = msgspec.field(default_factory=lambda: "DeviceClass")
    metadata: ObjectMeta = ObjectMeta()
    spec: DeviceClassSpec = DeviceClassSpec()


class ResourceClaim(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1beta2"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1beta2")
    kind: Literal["ResourceClaim"] = msgspec.field(default_factory=lambda: "ResourceClaim")
    metadata: ObjectMeta = ObjectMeta()
    spec: ResourceClaimSpec = ResourceClaimSpec()
    status: ResourceClaimStatus = ResourceClaimStatus()


class ResourceClaimTemplate(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1beta2"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1beta2")
    kind: Literal["ResourceClaimTemplate"] = msgspec.field(default_factory=lambda: "ResourceClaimTemplate")
    metadata: ObjectMeta = ObjectMeta()
    spec: ResourceClaimTemplateSpec = ResourceClaimTemplateSpec()


class ResourceSlice(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1beta2"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1beta2")
    kind: Literal["ResourceSlice"] = msgspec.field(default_factory=lambda: "ResourceSlice")
    metadata: ObjectMeta = ObjectMeta()
    spec: ResourceSliceSpec = msgspec.field(default_factory=ResourceSliceSpec)


class DeviceTaintRule(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1beta2"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1beta2")
    kind: Literal["DeviceTaintRule"] = msgspec.field(default_factory=lambda: "DeviceTaintRule")
    metadata: ObjectMeta = ObjectMeta()
    spec: DeviceTaintRuleSpec = msgspec.field(default_factory=DeviceTaintRuleSpec)
    status: DeviceTaintRuleStatus = DeviceTaintRuleStatus()


class DeviceClassList(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1beta2"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1beta2")
    kind: Literal["DeviceClassList"] = msgspec.field(default_factory=lambda: "DeviceClassList")
    metadata: ListMeta = ListMeta()
    items: tuple[DeviceClass, ...] = LIST


class DeviceTaintRuleList(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1beta2"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1beta2")
    kind: Literal["DeviceTaintRuleList"] = msgspec.field(default_factory=lambda: "DeviceTaintRuleList")
    metadata: ListMeta = ListMeta()
    items: tuple[DeviceTaintRule, ...] = LIST


class ResourceClaimList(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1beta2"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1beta2")
    kind: Literal["ResourceClaimList"] = msgspec.field(default_factory=lambda: "ResourceClaimList")
    metadata: ListMeta = ListMeta()
    items: tuple[ResourceClaim, ...] = LIST


class ResourceClaimTemplateList(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1beta2"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1beta2")
    kind: Literal["ResourceClaimTemplateList"] = msgspec.field(default_factory=lambda: "ResourceClaimTemplateList")
    metadata: ListMeta = ListMeta()
    items: tuple[ResourceClaimTemplate, ...] = LIST


class ResourceSliceList(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1beta2"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1beta2")
    kind: Literal["ResourceSliceList"] = msgspec.field(default_factory=lambda: "ResourceSliceList")
    metadata: ListMeta = ListMeta()
    items: tuple[ResourceSlice, ...] = LIST
