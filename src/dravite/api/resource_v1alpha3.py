"""resource.k8s.io/v1alpha3: the types of 1.31 to 1.33, and the kinds that later releases put there.

1.31 knew drivers with a controller in the control plane: `controller`, `suitableNodes`, `deallocationRequested` and
PodSchedulingContext are theirs. Capacities are plain quantities. DeviceTaintRule has been here since 1.33, with two
selector fields until 1.34; ResourcePoolStatusRequest (since 1.36) exists in no other version and is its own hub.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec

from dravite.api.meta import LIST, NUMBER, TEXT, Condition, ListMeta, Model, ObjectMeta
from dravite.api.node_selector import NodeSelector
from dravite.api.quantity import Quantity
from dravite.api.resource_v1 import (
    AllocatedDeviceStatus,
    CELDeviceSelector,
    Counter,
    CounterSet,
    DeviceAllocationConfiguration,
    DeviceAllocationResult,
    DeviceAttribute,
    DeviceClaimConfiguration,
    DeviceClassConfiguration,
    DeviceConstraint,
    DeviceCounterConsumption,
    DeviceRequestAllocationResult,
    DeviceSelector,
    DeviceSubRequest,
    DeviceTaint,
    DeviceTaintRuleStatus,
    DeviceToleration,
    NetworkDeviceData,
    OpaqueDeviceConfiguration,
    ResourceClaimConsumerReference,
    ResourcePool,
)
from dravite.api.resource_v1beta1 import (
    DeviceClaim,
    DeviceRequest,
)

__all__ = [
    "AllocatedDeviceStatus",
    "AllocationResult",
    "BasicDevice",
    "CELDeviceSelector",
    "Counter",
    "CounterSet",
    "Device",
    "DeviceAllocationConfiguration",
    "DeviceAllocationResult",
    "DeviceAttribute",
    "DeviceClaim",
    "DeviceClaimConfiguration",
    "DeviceClass",
    "DeviceClassConfiguration",
    "DeviceClassList",
    "DeviceClassSpec",
    "DeviceConstraint",
    "DeviceCounterConsumption",
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
    "NetworkDeviceData",
    "OpaqueDeviceConfiguration",
    "PartitionTypeStatus",
    "PodSchedulingContext",
    "PodSchedulingContextList",
    "PodSchedulingContextSpec",
    "PodSchedulingContextStatus",
    "PoolStatus",
    "ResourceClaim",
    "ResourceClaimConsumerReference",
    "ResourceClaimList",
    "ResourceClaimSchedulingStatus",
    "ResourceClaimSpec",
    "ResourceClaimStatus",
    "ResourceClaimTemplate",
    "ResourceClaimTemplateList",
    "ResourceClaimTemplateSpec",
    "ResourcePool",
    "ResourcePoolStatusRequest",
    "ResourcePoolStatusRequestList",
    "ResourcePoolStatusRequestSpec",
    "ResourcePoolStatusRequestStatus",
    "ResourceSlice",
    "ResourceSliceList",
    "ResourceSliceSpec",
    "ShareableCapacityStatus",
    "ShareableSummaryStatus",
]


class DeviceClassSpec(Model, frozen=True, kw_only=True):
    selectors: tuple[DeviceSelector, ...] = ()
    config: tuple[DeviceClassConfiguration, ...] = ()
    suitable_nodes: NodeSelector | None = None


class DeviceClass(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1alpha3"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1alpha3")
    kind: Literal["DeviceClass"] = msgspec.field(default_factory=lambda: "DeviceClass")
    metadata: ObjectMeta = ObjectMeta()
    spec: DeviceClassSpec = msgspec.field(default_factory=DeviceClassSpec)


class ResourceClaimSpec(Model, frozen=True, kw_only=True):
    """With `controller` the named driver allocates, without it the scheduler does."""

    devices: DeviceClaim = DeviceClaim()
    controller: str = ""


class AllocationResult(Model, frozen=True, kw_only=True):
    devices: DeviceAllocationResult = msgspec.field(default_factory=DeviceAllocationResult)
    node_selector: NodeSelector | None = None
    controller: str = ""


class ResourceClaimStatus(Model, frozen=True, kw_only=True):
    allocation: AllocationResult | None = None
    reserved_for: tuple[ResourceClaimConsumerReference, ...] = ()
    deallocation_requested: bool = False
    devices: tuple[AllocatedDeviceStatus, ...] = ()


class ResourceClaim(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1alpha3"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1alpha3")
    kind: Literal["ResourceClaim"] = msgspec.field(default_factory=lambda: "ResourceClaim")
    metadata: ObjectMeta = ObjectMeta()
    spec: ResourceClaimSpec = msgspec.field(default_factory=ResourceClaimSpec)
    status: ResourceClaimStatus = ResourceClaimStatus()


class ResourceClaimTemplateSpec(Model, frozen=True, kw_only=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: ResourceClaimSpec = msgspec.field(default_factory=ResourceClaimSpec)


class ResourceClaimTemplate(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1alpha3"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1alpha3")
    kind: Literal["ResourceClaimTemplate"] = msgspec.field(default_factory=lambda: "ResourceClaimTemplate")
    metadata: ObjectMeta = ObjectMeta()
    spec: ResourceClaimTemplateSpec = msgspec.field(default_factory=ResourceClaimTemplateSpec)


class BasicDevice(Model, frozen=True, kw_only=True):
    attributes: Mapping[str, DeviceAttribute] = {}
    capacity: Mapping[str, Quantity] = {}
    consumes_counters: tuple[DeviceCounterConsumption, ...] = ()
    node_name: str | None = None
    node_selector: NodeSelector | None = None
    all_nodes: bool | None = None
    taints: tuple[DeviceTaint, ...] = ()


class Device(Model, frozen=True, kw_only=True):
    name: str = TEXT
    basic: BasicDevice | None = None


class ResourceSliceSpec(Model, frozen=True, kw_only=True):
    driver: str = TEXT
    pool: ResourcePool = msgspec.field(default_factory=ResourcePool)
    node_name: str = ""
    node_selector: NodeSelector | None = None
    all_nodes: bool = False
    per_device_node_selection: bool | None = None
    devices: tuple[Device, ...] | None = None
    shared_counters: tuple[CounterSet, ...] | None = None


class ResourceSlice(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1alpha3"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1alpha3")
    kind: Literal["ResourceSlice"] = msgspec.field(default_factory=lambda: "ResourceSlice")
    metadata: ObjectMeta = ObjectMeta()
    spec: ResourceSliceSpec = msgspec.field(default_factory=ResourceSliceSpec)


class PodSchedulingContextSpec(Model, frozen=True, kw_only=True):
    selected_node: str = ""
    potential_nodes: tuple[str, ...] = ()


class ResourceClaimSchedulingStatus(Model, frozen=True, kw_only=True):
    """`name` is the pod's entry, not the claim."""

    name: str = TEXT
    unsuitable_nodes: tuple[str, ...] = ()


class PodSchedulingContextStatus(Model, frozen=True, kw_only=True):
    resource_claims: tuple[ResourceClaimSchedulingStatus, ...] = ()


class PodSchedulingContext(Model, frozen=True, kw_only=True):
    """How scheduler and drivers agreed on a node in 1.31. It exists in no other release."""

    api_version: Literal["resource.k8s.io/v1alpha3"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1alpha3")
    kind: Literal["PodSchedulingContext"] = msgspec.field(default_factory=lambda: "PodSchedulingContext")
    metadata: ObjectMeta = ObjectMeta()
    spec: PodSchedulingContextSpec = msgspec.field(default_factory=PodSchedulingContextSpec)
    status: PodSchedulingContextStatus = PodSchedulingContextStatus()


class DeviceTaintSelector(Model, frozen=True, kw_only=True):
    """`device_class_name` and `selectors` were read by 1.33 and 1.34 only."""

    device_class_name: str | None = None
    driver: str | None = None
    pool: str | None = None
    device: str | None = None
    selectors: tuple[DeviceSelector, ...] = ()


class DeviceTaintRuleSpec(Model, frozen=True, kw_only=True):
    device_selector: DeviceTaintSelector | None = None
    taint: DeviceTaint = msgspec.field(default_factory=DeviceTaint)


class DeviceTaintRule(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1alpha3"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1alpha3")
    kind: Literal["DeviceTaintRule"] = msgspec.field(default_factory=lambda: "DeviceTaintRule")
    metadata: ObjectMeta = ObjectMeta()
    spec: DeviceTaintRuleSpec = msgspec.field(default_factory=DeviceTaintRuleSpec)
    status: DeviceTaintRuleStatus = DeviceTaintRuleStatus()


class ResourcePoolStatusRequestSpec(Model, frozen=True, kw_only=True):
    driver: str = TEXT
    pool_name: str | None = None
    limit: int | None = None
    default_partition_type_attribute: str | None = None


class PartitionTypeStatus(Model, frozen=True, kw_only=True):
    """How many devices of one type there are, and how many more of them the counters allow. Missing is not zero."""

    attribute: str = ""
    type: str = ""
    total: int | None = None
    allocatable: int | None = None


class ShareableCapacityStatus(Model, frozen=True, kw_only=True):
    name: str = ""
    total: Quantity | None = None
    consumed: Quantity | None = None
    available: Quantity | None = None


class ShareableSummaryStatus(Model, frozen=True, kw_only=True):
    fully_available_devices: int | None = None
    partially_available_devices: int | None = None
    capacity: tuple[ShareableCapacityStatus, ...] = ()


class PoolStatus(Model, frozen=True, kw_only=True):
    """One pool. The counts are missing while a pool is incomplete; `validation_error` then says why."""

    driver: str = ""
    pool_name: str = ""
    generation: int = NUMBER
    resource_slice_count: int | None = None
    total_devices: int | None = None
    allocated_devices: int | None = None
    available_devices: int | None = None
    unavailable_devices: int | None = None
    node_name: str | None = None
    validation_error: str | None = None
    partition_summary: tuple[PartitionTypeStatus, ...] = ()
    shareable_summary: ShareableSummaryStatus | None = None


class ResourcePoolStatusRequestStatus(Model, frozen=True, kw_only=True):
    pool_count: int | None = None
    pools: tuple[PoolStatus, ...] = ()
    conditions: tuple[Condition, ...] = ()


class ResourcePoolStatusRequest(Model, frozen=True, kw_only=True):
    """A question about a driver's pools. Without status it has not been answered yet."""

    api_version: Literal["resource.k8s.io/v1alpha3"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1alpha3")
    kind: Literal["ResourcePoolStatusRequest"] = msgspec.field(default_factory=lambda: "ResourcePoolStatusRequest")
    metadata: ObjectMeta = msgspec.field(default_factory=ObjectMeta)
    spec: ResourcePoolStatusRequestSpec = msgspec.field(default_factory=ResourcePoolStatusRequestSpec)
    status: ResourcePoolStatusRequestStatus | None = None


class DeviceClassList(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1alpha3"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1alpha3")
    kind: Literal["DeviceClassList"] = msgspec.field(default_factory=lambda: "DeviceClassList")
    metadata: ListMeta = ListMeta()
    items: tuple[DeviceClass, ...] = LIST


class ResourceClaimList(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1alpha3"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1alpha3")
    kind: Literal["ResourceClaimList"] = msgspec.field(default_factory=lambda: "ResourceClaimList")
    metadata: ListMeta = ListMeta()
    items: tuple[ResourceClaim, ...] = LIST


class ResourceClaimTemplateList(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1alpha3"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1alpha3")
    kind: Literal["ResourceClaimTemplateList"] = msgspec.field(default_factory=lambda: "ResourceClaimTemplateList")
    metadata: ListMeta = ListMeta()
    items: tuple[ResourceClaimTemplate, ...] = LIST


class ResourceSliceList(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1alpha3"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1alpha3")
    kind: Literal["ResourceSliceList"] = msgspec.field(default_factory=lambda: "ResourceSliceList")
    metadata: ListMeta = ListMeta()
    items: tuple[ResourceSlice, ...] = LIST


class DeviceTaintRuleList(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1alpha3"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1alpha3")
    kind: Literal["DeviceTaintRuleList"] = msgspec.field(default_factory=lambda: "DeviceTaintRuleList")
    metadata: ListMeta = ListMeta()
    items: tuple[DeviceTaintRule, ...] = LIST


class PodSchedulingContextList(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1alpha3"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1alpha3")
    kind: Literal["PodSchedulingContextList"] = msgspec.field(default_factory=lambda: "PodSchedulingContextList")
    metadata: ListMeta = ListMeta()
    items: tuple[PodSchedulingContext, ...] = LIST


class ResourcePoolStatusRequestList(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1alpha3"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1alpha3")
    kind: Literal["ResourcePoolStatusRequestList"] = msgspec.field(
        default_factory=lambda: "ResourcePoolStatusRequestList"
    )
    metadata: ListMeta = ListMeta()
    items: tuple[ResourcePoolStatusRequest, ...] = LIST
