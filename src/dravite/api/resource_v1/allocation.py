"""What a claim got: AllocationResult, reservations, and the status that drivers report."""

from collections.abc import Mapping

import msgspec

from dravite.api.meta import TEXT, Condition, Model, Time
from dravite.api.node_selector import NodeSelector
from dravite.api.quantity import Quantity
from dravite.api.resource_v1.classes import OpaqueDeviceConfiguration
from dravite.api.resource_v1.taints import DeviceToleration


class DeviceRequestAllocationResult(Model, frozen=True, kw_only=True):
    request: str = TEXT
    driver: str = TEXT
    pool: str = TEXT
    device: str = TEXT
    admin_access: bool | None = None
    tolerations: tuple[DeviceToleration, ...] = ()
    binding_conditions: tuple[str, ...] = ()
    binding_failure_conditions: tuple[str, ...] = ()
    share_id: str | None = None
    consumed_capacity: Mapping[str, Quantity] = {}
    skip_node_operations: tuple[str, ...] = ()


class DeviceAllocationConfiguration(Model, frozen=True, kw_only=True):
    """`source` is `FromClass` or `FromClaim`."""

    source: str = TEXT
    requests: tuple[str, ...] = ()
    opaque: OpaqueDeviceConfiguration | None = None


class DeviceAllocationResult(Model, frozen=True, kw_only=True):
    results: tuple[DeviceRequestAllocationResult, ...] = ()
    config: tuple[DeviceAllocationConfiguration, ...] = ()


class AllocationResult(Model, frozen=True, kw_only=True):
    devices: DeviceAllocationResult = msgspec.field(default_factory=DeviceAllocationResult)
    node_selector: NodeSelector | None = None
    allocation_timestamp: Time | None = None


class ResourceClaimConsumerReference(Model, frozen=True, kw_only=True):
    api_group: str = ""
    resource: str = TEXT
    name: str = TEXT
    uid: str = TEXT


class NetworkDeviceData(Model, frozen=True, kw_only=True):
    interface_name: str = ""
    ips: tuple[str, ...] = ()
    hardware_address: str = ""


class AllocatedDeviceStatus(Model, frozen=True, kw_only=True):
    """What a driver reports about a device. `data` is any JSON object, byte for byte; empty when missing."""

    driver: str = TEXT
    pool: str = TEXT
    device: str = TEXT
    share_id: str | None = None
    conditions: tuple[Condition, ...] = ()
    data: msgspec.Raw = msgspec.Raw()
    network_data: NetworkDeviceData | None = None


class ResourceClaimStatus(Model, frozen=True, kw_only=True):
    allocation: AllocationResult | None = None
    reserved_for: tuple[ResourceClaimConsumerReference, ...] = ()
    devices: tuple[AllocatedDeviceStatus, ...] = ()
