"""resource.k8s.io/v1beta2: field for field what v1 is, under another name."""

from __future__ import annotations

from typing import Literal

import msgspec

from dravite.api.meta import Model, ObjectMeta
from dravite.api.resource_v1 import (
    DeviceClassSpec,
    DeviceTaintRuleSpec,
    DeviceTaintRuleStatus,
    ResourceClaimSpec,
    ResourceClaimStatus,
    ResourceClaimTemplateSpec,
    ResourceSliceSpec,
)


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
    spec: ResourceSliceSpec = ResourceSliceSpec()


class DeviceTaintRule(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1beta2"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1beta2")
    kind: Literal["DeviceTaintRule"] = msgspec.field(default_factory=lambda: "DeviceTaintRule")
    metadata: ObjectMeta = ObjectMeta()
    spec: DeviceTaintRuleSpec = DeviceTaintRuleSpec()
    status: DeviceTaintRuleStatus = DeviceTaintRuleStatus()
