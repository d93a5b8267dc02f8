"""resource.k8s.io/v1alpha3 ⇄ v1: flat requests, plain capacities, and drivers with a controller of their own.

Up: what only classic drivers had is lost. Down: what came after 1.33 is lost, `LATER_FIELDS`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from dravite.api import resource_v1, resource_v1alpha3
from dravite.api.convert.losses import Converted, Loss
from dravite.api.convert.resource_v1beta1 import (
    claim_spec_to_hub,
    device_claim_from_hub,
    flat_node_losses,
    request_losses,
)
from dravite.api.meta import Model

_REQUEST_LATER: Final = ("capacity", "derived_attributes")

LATER_FIELDS: Final[Mapping[type[Model], tuple[str, ...]]] = {
    # Fields of v1 that came when v1alpha3 no longer held these kinds.
    resource_v1.DeviceClassSpec: ("extended_resource_name",),
    resource_v1.ExactDeviceRequest: _REQUEST_LATER,
    resource_v1.DeviceSubRequest: _REQUEST_LATER,
    resource_v1.DeviceConstraint: ("distinct_attribute",),
    resource_v1.AllocationResult: ("allocation_timestamp",),
    resource_v1.DeviceRequestAllocationResult: (
        "binding_conditions",
        "binding_failure_conditions",
        "share_id",
        "consumed_capacity",
        "skip_node_operations",
    ),
    resource_v1.AllocatedDeviceStatus: ("share_id",),
    resource_v1.ResourceSliceSpec: ("partition_type_attribute", "skip_node_operations"),
    resource_v1.Device: (
        "binds_to_node",
        "binding_conditions",
        "binding_failure_conditions",
        "allow_multiple_allocations",
        "node_allocatable_resources",
        "node_allocatable_resource_mappings",
    ),
    resource_v1.DeviceAttribute: ("int_values", "bool_values", "string_values", "version_values"),
    resource_v1.DeviceCapacity: ("request_policy",),
    resource_v1.DeviceCounterConsumption: ("compatibility_groups",),
}

_CLASSIC: Final = "drivers with a control plane controller were removed in 1.32; the scheduler allocates this claim"
_DEALLOCATION: Final = "the controller of the driver was to take the allocation back; here it stays"


def class_to_hub(old: resource_v1alpha3.DeviceClass) -> Converted:
    spec = resource_v1.DeviceClassSpec(selectors=old.spec.selectors, config=old.spec.config)
    made = resource_v1.DeviceClass(metadata=old.metadata, spec=spec)
    if old.spec.suitable_nodes is None:
        return Converted(made)
    return Converted(made, (Loss("spec.suitableNodes", "device classes no longer restrict nodes since 1.32"),))


def class_from_hub(hub: resource_v1.DeviceClass) -> Converted:
    spec = resource_v1alpha3.DeviceClassSpec(selectors=hub.spec.selectors, config=hub.spec.config)
    return Converted(resource_v1alpha3.DeviceClass(metadata=hub.metadata, spec=spec))


def claim_to_hub(old: resource_v1alpha3.ResourceClaim) -> Converted:
    spec = claim_spec_to_hub(old.spec.devices)
    status, losses = _status_to_hub(old.status)
    made = resource_v1.ResourceClaim(metadata=old.metadata, spec=spec, status=status)
    return Converted(made, (*_controller_losses(old.spec, "spec.controller"), *losses))


def claim_from_hub(hub: resource_v1.ResourceClaim) -> Converted:
    status = resource_v1alpha3.ResourceClaimStatus(
        allocation=_allocation_from_hub(hub.status.allocation),
        reserved_for=hub.status.reserved_for,
        devices=hub.status.devices,
    )
    spec = resource_v1alpha3.ResourceClaimSpec(devices=device_claim_from_hub(hub.spec.devices))
    made = resource_v1alpha3.ResourceClaim(metadata=hub.metadata, spec=spec, status=status)
    return Converted(made, tuple(request_losses(hub.spec.devices, "spec.devices")))


def template_to_hub(old: resource_v1alpha3.ResourceClaimTemplate) -> Converted:
    inner = resource_v1.ResourceClaimTemplateSpec(
        metadata=old.spec.metadata, spec=claim_spec_to_hub(old.spec.spec.devices)
    )
    made = resource_v1.ResourceClaimTemplate(metadata=old.metadata, spec=inner)
    return Converted(made, tuple(_controller_losses(old.spec.spec, "spec.spec.controller")))


def template_from_hub(hub: resource_v1.ResourceClaimTemplate) -> Converted:
    devices = hub.spec.spec.devices
    inner = resource_v1alpha3.ResourceClaimTemplateSpec(
        metadata=hub.spec.metadata, spec=resource_v1alpha3.ResourceClaimSpec(devices=device_claim_from_hub(devices))
    )
    made = resource_v1alpha3.ResourceClaimTemplate(metadata=hub.metadata, spec=inner)
    return Converted(made, tuple(request_losses(devices, "spec.spec.devices")))


def slice_to_hub(old: resource_v1alpha3.ResourceSlice) -> Converted:
    spec = old.spec
    made = resource_v1.ResourceSliceSpec(
        driver=spec.driver,
        pool=spec.pool,
        node_name=spec.node_name or None,
        node_selector=spec.node_selector,
        all_nodes=spec.all_nodes or None,
        per_device_node_selection=spec.per_device_node_selection,
        devices=None if spec.devices is None else tuple(map(_device_to_hub, spec.devices)),
        shared_counters=spec.shared_counters,
    )
    return Converted(resource_v1.ResourceSlice(metadata=old.metadata, spec=made))


def slice_from_hub(hub: resource_v1.ResourceSlice) -> Converted:
    spec = hub.spec
    made = resource_v1alpha3.ResourceSliceSpec(
        driver=spec.driver,
        pool=spec.pool,
        node_name=spec.node_name or "",
        node_selector=spec.node_selector,
        all_nodes=bool(spec.all_nodes),
        per_device_node_selection=spec.per_device_node_selection,
        devices=None if spec.devices is None else tuple(map(_device_from_hub, spec.devices)),
        shared_counters=spec.shared_counters,
    )
    return Converted(resource_v1alpha3.ResourceSlice(metadata=hub.metadata, spec=made), tuple(flat_node_losses(spec)))


def rule_to_hub(old: resource_v1alpha3.DeviceTaintRule) -> Converted:
    old_selector = old.spec.device_selector
    selector = None
    if old_selector is not None:
        selector = resource_v1.DeviceTaintSelector(
            driver=old_selector.driver, pool=old_selector.pool, device=old_selector.device
        )
    spec = resource_v1.DeviceTaintRuleSpec(device_selector=selector, taint=old.spec.taint)
    made = resource_v1.DeviceTaintRule(metadata=old.metadata, spec=spec, status=old.status)
    return Converted(made, tuple(_selector_losses(old_selector)))


def rule_from_hub(hub: resource_v1.DeviceTaintRule) -> Converted:
    selector = None
    if hub.spec.device_selector is not None:
        selector = resource_v1alpha3.DeviceTaintSelector(
            driver=hub.spec.device_selector.driver,
            pool=hub.spec.device_selector.pool,
            device=hub.spec.device_selector.device,
        )
    spec = resource_v1alpha3.DeviceTaintRuleSpec(device_selector=selector, taint=hub.spec.taint)
    return Converted(resource_v1alpha3.DeviceTaintRule(metadata=hub.metadata, spec=spec, status=hub.status))


def _status_to_hub(old: resource_v1alpha3.ResourceClaimStatus) -> tuple[resource_v1.ResourceClaimStatus, list[Loss]]:
    losses = []
    if old.allocation is not None and old.allocation.controller:
        losses.append(Loss("status.allocation.controller", _CLASSIC))
    if old.deallocation_requested:
        losses.append(Loss("status.deallocationRequested", _DEALLOCATION))
    made = resource_v1.ResourceClaimStatus(
        allocation=_allocation_to_hub(old.allocation), reserved_for=old.reserved_for, devices=old.devices
    )
    return made, losses


def _allocation_to_hub(old: resource_v1alpha3.AllocationResult | None) -> resource_v1.AllocationResult | None:
    if old is None:
        return None
    return resource_v1.AllocationResult(devices=old.devices, node_selector=old.node_selector)


def _allocation_from_hub(hub: resource_v1.AllocationResult | None) -> resource_v1alpha3.AllocationResult | None:
    if hub is None:
        return None
    return resource_v1alpha3.AllocationResult(devices=hub.devices, node_selector=hub.node_selector)


def _controller_losses(spec: resource_v1alpha3.ResourceClaimSpec, path: str) -> Iterator[Loss]:
    if spec.controller:
        yield Loss(path, _CLASSIC)


def _selector_losses(selector: resource_v1alpha3.DeviceTaintSelector | None) -> Iterator[Loss]:
    """The rule taints more devices without them, never fewer."""
    if selector is None:
        return
    if selector.device_class_name is not None:
        yield Loss("spec.deviceSelector.deviceClassName", "rules no longer select by class since 1.35")
    if selector.selectors:
        yield Loss("spec.deviceSelector.selectors", "rules no longer select by CEL expression since 1.35")


def _device_to_hub(old: resource_v1alpha3.Device) -> resource_v1.Device:
    basic = old.basic
    if basic is None:
        return resource_v1.Device(name=old.name)
    return resource_v1.Device(
        name=old.name,
        attributes=basic.attributes,
        capacity={name: resource_v1.DeviceCapacity(value=value) for name, value in basic.capacity.items()},
        consumes_counters=basic.consumes_counters,
        node_name=basic.node_name,
        node_selector=basic.node_selector,
        all_nodes=basic.all_nodes,
        taints=basic.taints,
    )


def _device_from_hub(hub: resource_v1.Device) -> resource_v1alpha3.Device:
    basic = resource_v1alpha3.BasicDevice(
        attributes=hub.attributes,
        capacity={name: capacity.value for name, capacity in hub.capacity.items()},
        consumes_counters=hub.consumes_counters,
        node_name=hub.node_name,
        node_selector=hub.node_selector,
        all_nodes=hub.all_nodes,
        taints=hub.taints,
    )
    return resource_v1alpha3.Device(name=hub.name, basic=basic)
