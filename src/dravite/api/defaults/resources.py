"""Defaults of resource.k8s.io, in every version of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import is_not
from typing import Any, Final, TypeVar

import msgspec
from msgspec.structs import replace

from dravite.api import resource_v1, resource_v1alpha3, resource_v1beta1, resource_v1beta2
from dravite.api.meta import Time
from dravite.api.quantity import Quantity
from dravite.api.releases import Profile

T = TypeVar("T")
Claim = TypeVar("Claim", resource_v1.ResourceClaim, resource_v1beta2.ResourceClaim)
Template = TypeVar("Template", resource_v1.ResourceClaimTemplate, resource_v1beta2.ResourceClaimTemplate)
Slice = TypeVar("Slice", resource_v1.ResourceSlice, resource_v1beta2.ResourceSlice)
FlatClaim = TypeVar("FlatClaim", resource_v1beta1.ResourceClaim, resource_v1alpha3.ResourceClaim)
FlatTemplate = TypeVar("FlatTemplate", resource_v1beta1.ResourceClaimTemplate, resource_v1alpha3.ResourceClaimTemplate)
FlatSlice = TypeVar("FlatSlice", resource_v1beta1.ResourceSlice, resource_v1alpha3.ResourceSlice)
Rule = TypeVar("Rule", resource_v1.DeviceTaintRule, resource_v1beta2.DeviceTaintRule, resource_v1alpha3.DeviceTaintRule)
Asked = TypeVar("Asked", resource_v1.ExactDeviceRequest, resource_v1.DeviceSubRequest, resource_v1beta1.DeviceRequest)

POOL_LIMIT: Final = 100
_ONE: Final = Quantity.of(1)


class Setting(msgspec.Struct, frozen=True):
    """What defaults depend on besides the object."""

    profile: Profile
    now: Time | None


def changed(owner: T, **fields: object) -> T:
    """The object with these fields; the same object when every one of them is what it was."""
    for name, value in fields.items():
        if value is not getattr(owner, name):
            return replace(owner, **fields)  # type: ignore[type-var]
    return owner


def each(items: tuple[T, ...], rule: Callable[[T], T]) -> tuple[T, ...]:
    """Every item by a rule; the same tuple when no item changed."""
    made = tuple(map(rule, items))
    return made if any(map(is_not, made, items)) else items


def default_claim(claim: Claim, _: Setting) -> Claim:
    spec = changed(claim.spec, devices=_default_devices(claim.spec.devices))
    return changed(claim, spec=spec, status=_default_status(claim.status))


def default_template(template: Template, _: Setting) -> Template:
    inner = template.spec.spec
    spec = changed(inner, devices=_default_devices(inner.devices))
    return changed(template, spec=changed(template.spec, spec=spec))


def default_flat_claim(claim: FlatClaim, setting: Setting) -> FlatClaim:
    spec = changed(claim.spec, devices=_default_flat_devices(claim.spec.devices, setting))
    return changed(claim, spec=spec, status=_default_status(claim.status))


def default_flat_template(template: FlatTemplate, setting: Setting) -> FlatTemplate:
    inner = template.spec.spec
    spec = changed(inner, devices=_default_flat_devices(inner.devices, setting))
    return changed(template, spec=changed(template.spec, spec=spec))


def default_slice(slice_: Slice, setting: Setting) -> Slice:
    devices = slice_.spec.devices
    if not devices or not any(device.taints or device.node_allocatable_resource_mappings for device in devices):
        return slice_
    made = each(devices, lambda device: _default_device(device, setting))
    return changed(slice_, spec=changed(slice_.spec, devices=made))


def default_flat_slice(slice_: FlatSlice, setting: Setting) -> FlatSlice:
    devices: Any = slice_.spec.devices
    made = devices and each(devices, lambda device: _default_flat_device(device, setting))
    return changed(slice_, spec=changed(slice_.spec, devices=made))


def default_taint_rule(rule: Rule, setting: Setting) -> Rule:
    return changed(rule, spec=changed(rule.spec, taint=_default_taint(rule.spec.taint, setting)))


def default_pool_status_request(
    request: resource_v1alpha3.ResourcePoolStatusRequest, _: Setting
) -> resource_v1alpha3.ResourcePoolStatusRequest:
    limit = POOL_LIMIT if request.spec.limit is None else request.spec.limit
    return changed(request, spec=changed(request.spec, limit=limit))


def _default_devices(devices: resource_v1.DeviceClaim) -> resource_v1.DeviceClaim:
    return changed(devices, requests=each(devices.requests, _default_request))


def _default_request(request: resource_v1.DeviceRequest) -> resource_v1.DeviceRequest:
    exactly = None if request.exactly is None else _default_asked(request.exactly)
    return changed(request, exactly=exactly, first_available=each(request.first_available, _default_asked))


def _default_flat_devices(devices: resource_v1beta1.DeviceClaim, setting: Setting) -> resource_v1beta1.DeviceClaim:
    """A request without a class may be one with alternatives and gets no count, except before those existed."""
    always = not setting.profile.is_at_least("1.33")

    def filled(request: resource_v1beta1.DeviceRequest) -> resource_v1beta1.DeviceRequest:
        asked = _default_asked(request) if always or request.device_class_name else request
        tolerations = each(asked.tolerations or (), _default_toleration) or asked.tolerations
        return changed(asked, tolerations=tolerations, first_available=each(request.first_available, _default_asked))

    return changed(devices, requests=each(devices.requests, filled))


def _default_asked(asked: Asked) -> Asked:
    mode = asked.allocation_mode or "ExactCount"
    count = 1 if mode == "ExactCount" and asked.count == 0 else asked.count
    tolerations = each(asked.tolerations or (), _default_toleration) or asked.tolerations
    return changed(asked, allocation_mode=mode, count=count, tolerations=tolerations)


def _default_toleration(toleration: resource_v1.DeviceToleration) -> resource_v1.DeviceToleration:
    return changed(toleration, operator=toleration.operator or "Equal")


def _default_status(status: Any) -> Any:
    """Tolerations that were copied into an allocation have the same default."""
    if status.allocation is None:
        return status
    results = each(
        status.allocation.devices.results,
        lambda result: changed(result, tolerations=each(result.tolerations, _default_toleration)),
    )
    devices = changed(status.allocation.devices, results=results)
    return changed(status, allocation=changed(status.allocation, devices=devices))


def _default_device(device: resource_v1.Device, setting: Setting) -> resource_v1.Device:
    if not device.taints and not device.node_allocatable_resource_mappings:
        return device
    return changed(
        device,
        taints=each(device.taints, lambda taint: _default_taint(taint, setting)),
        node_allocatable_resource_mappings=_default_mappings(device.node_allocatable_resource_mappings),
    )


def _default_flat_device(device: Any, setting: Setting) -> Any:
    if device.basic is None:
        return device
    taints = each(device.basic.taints, lambda taint: _default_taint(taint, setting))
    basic = changed(device.basic, taints=taints)
    if isinstance(basic, resource_v1beta1.BasicDevice):
        mappings = _default_mappings(basic.node_allocatable_resource_mappings)
        basic = changed(basic, node_allocatable_resource_mappings=mappings)
    return changed(device, basic=basic)


def _default_mappings(
    mappings: Mapping[str, resource_v1.NodeAllocatableResourceMapping],
) -> Mapping[str, resource_v1.NodeAllocatableResourceMapping]:
    if all(mapping.allocation_multiplier is not None for mapping in mappings.values()):
        return mappings
    return {
        name: mapping if mapping.allocation_multiplier is not None else changed(mapping, allocation_multiplier=_ONE)
        for name, mapping in mappings.items()
    }


def _default_taint(taint: resource_v1.DeviceTaint, setting: Setting) -> resource_v1.DeviceTaint:
    return changed(taint, time_added=taint.time_added or setting.now)
