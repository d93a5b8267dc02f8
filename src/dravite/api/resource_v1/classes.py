"""DeviceClass, and the selectors and opaque configuration that classes and claims share."""

from typing import Literal

import msgspec

from dravite.api.meta import TEXT, Model, ObjectMeta


class CELDeviceSelector(Model, frozen=True, kw_only=True):
    expression: str = TEXT


class DeviceSelector(Model, frozen=True, kw_only=True):
    cel: CELDeviceSelector | None = None


class OpaqueDeviceConfiguration(Model, frozen=True, kw_only=True):
    """Parameters for a driver: any JSON object, kept byte for byte."""

    driver: str = TEXT
    parameters: msgspec.Raw = msgspec.Raw(b"null")


class DeviceClassConfiguration(Model, frozen=True, kw_only=True):
    opaque: OpaqueDeviceConfiguration | None = None


class DeviceClassSpec(Model, frozen=True, kw_only=True):
    selectors: tuple[DeviceSelector, ...] = ()
    config: tuple[DeviceClassConfiguration, ...] = ()
    extended_resource_name: str | None = None


class DeviceClass(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1")
    kind: Literal["DeviceClass"] = msgspec.field(default_factory=lambda: "DeviceClass")
    metadata: ObjectMeta = ObjectMeta()
    spec: DeviceClassSpec = DeviceClassSpec()
