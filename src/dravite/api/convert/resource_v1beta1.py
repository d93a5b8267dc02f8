"""resource.k8s.io/v1beta1 ⇄ v1: flat requests and `basic` devices.

Nothing is lost on the way up. On the way down only what v1 tells apart and v1beta1 does not, all of it in objects
that no API server accepts: an empty `exactly`, an empty node name, `allNodes: false`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from dravite.api import resource_v1, resource_v1beta1
from dravite.api.convert.losses import Converted, Loss
from dravite.api.field import child

_BASIC_FIELDS: Final = tuple(resource_v1beta1.BasicDevice.__struct_fields__)
_EMPTY: Final = resource_v1.ExactDeviceRequest()


def claim_to_hub(old: resource_v1beta1.ResourceClaim) -> Converted:
    spec = claim_spec_to_hub(old.spec.devices)
    return Converted(resource_v1.ResourceClaim(metadata=old.metadata, spec=spec, status=old.status))


def claim_from_hub(hub: resource_v1.ResourceClaim) -> Converted:
    spec = resource_v1beta1.ResourceClaimSpec(devices=device_claim_from_hub(hub.spec.devices))
    made = resource_v1beta1.ResourceClaim(metadata=hub.metadata, spec=spec, status=hub.status)
    return Converted(made, tuple(request_losses(hub.spec.devices, "spec.devices")))


def template_to_hub(old: resource_v1beta1.ResourceClaimTemplate) -> Converted:
    spec = claim_spec_to_hub(old.spec.spec.devices)
    inner = resource_v1.ResourceClaimTemplateSpec(metadata=old.spec.metadata, spec=spec)
    return Converted(resource_v1.ResourceClaimTemplate(metadata=old.metadata, spec=inner))


def template_from_hub(hub: resource_v1.ResourceClaimTemplate) -> Converted:
    devices = hub.spec.spec.devices
    spec = resource_v1beta1.ResourceClaimSpec(devices=device_claim_from_hub(devices))
    inner = resource_v1beta1.ResourceClaimTemplateSpec(metadata=hub.spec.metadata, spec=spec)
    made = resource_v1beta1.ResourceClaimTemplate(metadata=hub.metadata, spec=inner)
    return Converted(made, tuple(request_losses(devices, "spec.spec.devices")))


def slice_to_hub(old: resource_v1beta1.ResourceSlice) -> Converted:
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
        partition_type_attribute=spec.partition_type_attribute,
        skip_node_operations=spec.skip_node_operations,
    )
    return Converted(resource_v1.ResourceSlice(metadata=old.metadata, spec=made))


def slice_from_hub(hub: resource_v1.ResourceSlice) -> Converted:
    spec = hub.spec
    made = resource_v1beta1.ResourceSliceSpec(
        driver=spec.driver,
        pool=spec.pool,
        node_name=spec.node_name or "",
        node_selector=spec.node_selector,
        all_nodes=bool(spec.all_nodes),
        per_device_node_selection=spec.per_device_node_selection,
        devices=None if spec.devices is None else tuple(map(_device_from_hub, spec.devices)),
        shared_counters=spec.shared_counters,
        partition_type_attribute=spec.partition_type_attribute,
        skip_node_operations=spec.skip_node_operations,
    )
    return Converted(resource_v1beta1.ResourceSlice(metadata=hub.metadata, spec=made), tuple(flat_node_losses(spec)))


def claim_spec_to_hub(devices: resource_v1beta1.DeviceClaim) -> resource_v1.ResourceClaimSpec:
    """The spec of a claim whose requests are flat; v1alpha3 has such requests too."""
    made = resource_v1.DeviceClaim(
        requests=tuple(map(_request_to_hub, devices.requests)),
        constraints=devices.constraints,
        config=devices.config,
    )
    return resource_v1.ResourceClaimSpec(devices=made)


def device_claim_from_hub(devices: resource_v1.DeviceClaim) -> resource_v1beta1.DeviceClaim:
    """The same requests, flat."""
    return resource_v1beta1.DeviceClaim(
        requests=tuple(map(_request_from_hub, devices.requests)),
        constraints=devices.constraints,
        config=devices.config,
    )


def request_losses(devices: resource_v1.DeviceClaim, path: str) -> Iterator[Loss]:
    """Requests for exact devices that say nothing: flattened, nothing remains of them."""
    for position, request in enumerate(devices.requests):
        if request.exactly == _EMPTY:
            yield Loss(child(path, "requests", position, "exactly"), "an empty `exactly` is not kept by flat requests")


def flat_node_losses(spec: resource_v1.ResourceSliceSpec) -> Iterator[Loss]:
    """Node fields whose empty form cannot be told from a missing one."""
    if spec.node_name == "":
        yield Loss("spec.nodeName", "an empty name becomes no name")
    if spec.all_nodes is False:
        yield Loss("spec.allNodes", "`false` becomes no value")


def _request_to_hub(old: resource_v1beta1.DeviceRequest) -> resource_v1.DeviceRequest:
    """Any main field that is set, and be it an empty list, makes this a request for exact devices."""
    is_set = (
        old.device_class_name != ""
        or old.selectors is not None
        or old.allocation_mode != ""
        or old.count != 0
        or old.admin_access is not None
        or old.tolerations is not None
        or old.capacity is not None
        or old.derived_attributes is not None
    )
    exactly = resource_v1.ExactDeviceRequest(
        device_class_name=old.device_class_name,
        selectors=old.selectors or (),
        allocation_mode=old.allocation_mode,
        count=old.count,
        admin_access=old.admin_access,
        tolerations=old.tolerations or (),
        capacity=old.capacity,
        derived_attributes=old.derived_attributes or (),
    )
    return resource_v1.DeviceRequest(
        name=old.name, exactly=exactly if is_set else None, first_available=old.first_available
    )


def _request_from_hub(hub: resource_v1.DeviceRequest) -> resource_v1beta1.DeviceRequest:
    exactly = hub.exactly or _EMPTY
    return resource_v1beta1.DeviceRequest(
        name=hub.name,
        device_class_name=exactly.device_class_name,
        selectors=exactly.selectors or None,
        allocation_mode=exactly.allocation_mode,
        count=exactly.count,
        admin_access=exactly.admin_access,
        first_available=hub.first_available,
        tolerations=exactly.tolerations or None,
        capacity=exactly.capacity,
        derived_attributes=exactly.derived_attributes or None,
    )


def _device_to_hub(old: resource_v1beta1.Device) -> resource_v1.Device:
    if old.basic is None:
        return resource_v1.Device(name=old.name)
    return resource_v1.Device(name=old.name, **msgspec.structs.asdict(old.basic))


def _device_from_hub(hub: resource_v1.Device) -> resource_v1beta1.Device:
    """`basic` is always there, even with nothing in it."""
    basic = resource_v1beta1.BasicDevice(**{name: getattr(hub, name) for name in _BASIC_FIELDS})
    return resource_v1beta1.Device(name=hub.name, basic=basic)
