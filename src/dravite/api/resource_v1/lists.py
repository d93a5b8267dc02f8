"""Lists of the five kinds, as an API server answers with them."""

from typing import Literal

import msgspec

from dravite.api.meta import LIST, ListMeta, Model
from dravite.api.resource_v1.claims import ResourceClaim, ResourceClaimTemplate
from dravite.api.resource_v1.classes import DeviceClass
from dravite.api.resource_v1.slices import ResourceSlice
from dravite.api.resource_v1.taints import DeviceTaintRule


class DeviceClassList(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1")
    kind: Literal["DeviceClassList"] = msgspec.field(default_factory=lambda: "DeviceClassList")
    metadata: ListMeta = ListMeta()
    items: tuple[DeviceClass, ...] = LIST


class DeviceTaintRuleList(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1")
    kind: Literal["DeviceTaintRuleList"] = msgspec.field(default_factory=lambda: "DeviceTaintRuleList")
    metadata: ListMeta = ListMeta()
    items: tuple[DeviceTaintRule, ...] = LIST


class ResourceClaimList(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1")
    kind: Literal["ResourceClaimList"] = msgspec.field(default_factory=lambda: "ResourceClaimList")
    metadata: ListMeta = ListMeta()
    items: tuple[ResourceClaim, ...] = LIST


class ResourceClaimTemplateList(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1")
    kind: Literal["ResourceClaimTemplateList"] = msgspec.field(default_factory=lambda: "ResourceClaimTemplateList")
    metadata: ListMeta = ListMeta()
    items: tuple[ResourceClaimTemplate, ...] = LIST


class ResourceSliceList(Model, frozen=True, kw_only=True):
    api_version: Literal["resource.k8s.io/v1"] = msgspec.field(default_factory=lambda: "resource.k8s.io/v1")
    kind: Literal["ResourceSliceList"] = msgspec.field(default_factory=lambda: "ResourceSliceList")
    metadata: ListMeta = ListMeta()
    items: tuple[ResourceSlice, ...] = LIST
