"""ResourceClaim and ResourceClaimTemplate: what is asked for."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from dravite.api.meta import TEXT, Model, ObjectMeta
from dravite.api.quantity import Quantity
from dravite.api.resource_v1.allocation import ResourceClaimStatus
from dravite.api.resource_v1.classes import DeviceSelector, OpaqueDeviceConfiguration
from dravite.api.resource_v1.taints import DeviceToleration


class CapacityRequirements(Model, frozen=True, kw_only=True):
    requests: Mapping[str, Quantity] = {}


class DeviceDerivedAttribute(Model, frozen=True, kw_only=True):
    name: str = TEXT
    expression: str = TEXT


class DeviceSubRequest(Model, frozen=True, kw_only=True):
    name: str = TEXT
    device_class_name: str = TEXT
    selectors: tuple[DeviceSelector, ...] = ()
    allocation_mode: str = ""
    count: int = 0
    tolerations: tuple[DeviceToleration, ...] = ()
    capacity: CapacityRequirements | None = None
    derived_attributes: tuple[DeviceDerivedAttribute, ...] = ()


class ExactDeviceRequest(Model, frozen=True, kw_only=True):
    """`admin_access` may be present and false, which an allocator with the gate off refuses (R-1)."""

    device_class_name: str = TEXT
    selectors: tuple[DeviceSelector, ...] = ()
    allocation_mode: str = ""
    count: int = 0
    admin_access: bool | None = None
    tolerations: tuple[DeviceToleration, ...] = ()
    capacity: CapacityRequirements | None = None
    derived_attributes: tuple[DeviceDerivedAttribute, ...] = ()


class DeviceRequest(Model, frozen=True, kw_only=True):
    name: str = TEXT
    exactly: ExactDeviceRequest | None = None
    first_available: tuple[DeviceSubRequest, ...] = ()


class DeviceConstraint(Model, frozen=True, kw_only=True):
    requests: tuple[str, ...] = ()
    match_attribute: str | None = None
    distinct_attribute: str | None = None


class DeviceClaimConfiguration(Model, frozen=True, kw_only=True):
    requests: tuple[str, ...] = ()
    opaque: OpaqueDeviceConfiguration | None = None


class DeviceClaim(Model, frozen=True, kw_only=True):
    requests: tuple[DeviceRequest, ...] = ()
    constraints: tuple[DeviceConstraint, ...] = ()
    config: tuple[DeviceClaimConfiguration, ...] = ()


class ResourceClaimSpec(Model, frozen=True, kw_only=True):
    devices: DeviceClaim = DeviceClaim()


class ResourceClaim(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1")
    kind: Literal["ResourceClaim"] = msgspec.field(default_factory=lambda: "ResourceClaim")
    metadata: ObjectMeta = ObjectMeta()
    spec: ResourceClaimSpec = ResourceClaimSpec()
    status: ResourceClaimStatus = ResourceClaimStatus()


class ResourceClaimTemplateSpec(Model, frozen=True, kw_only=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: ResourceClaimSpec = ResourceClaimSpec()


class ResourceClaimTemplate(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1")
    kind: Literal["ResourceClaimTemplate"] = msgspec.field(default_factory=lambda: "ResourceClaimTemplate")
    metadata: ObjectMeta = ObjectMeta()
    spec: ResourceClaimTemplateSpec = ResourceClaimTemplateSpec()
