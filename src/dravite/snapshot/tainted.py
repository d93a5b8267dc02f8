"""DeviceTaintRules put onto slices, as Kubernetes' slice tracker does before anything is allocated (P-22 to P-24).

Which rule added a taint is remembered, because a person who reads "tainted" needs to know by whom.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from dravite.api.resource_v1 import Device, DeviceTaintRule, ResourceSlice


class TaintedSlices(msgspec.Struct, frozen=True):
    """Slices with all taints on their devices.

    Attributes:
        slices: in their order; a slice that no rule matches is the same object as before.
        rules: by position of slice and device, the names of the rules that added the last taints of the device.
    """

    slices: tuple[ResourceSlice, ...]
    rules: Mapping[tuple[int, int], tuple[str, ...]] = {}


def apply_taint_rules(slices: Sequence[ResourceSlice], rules: Iterable[DeviceTaintRule]) -> TaintedSlices:
    """Append each rule's taint to the devices that it selects, behind the driver's own; rules go by name."""
    ordered = sorted(rules, key=lambda rule: rule.metadata.name)
    if not ordered:
        return TaintedSlices(tuple(slices))
    patched: list[ResourceSlice] = []
    added: dict[tuple[int, int], tuple[str, ...]] = {}
    for position, resource_slice in enumerate(slices):
        selecting = [rule for rule in ordered if _selects_slice(rule, resource_slice)]
        devices = list(resource_slice.spec.devices or ())
        for index, device in enumerate(devices):
            matching = [rule for rule in selecting if _selects_device(rule, device)]
            if matching:
                taints = (*device.taints, *(rule.spec.taint for rule in matching))
                devices[index] = msgspec.structs.replace(device, taints=taints)
                added[position, index] = tuple(rule.metadata.name for rule in matching)
        patched.append(_with_devices(resource_slice, devices) if selecting else resource_slice)
    return TaintedSlices(tuple(patched), added)


def _selects_slice(rule: DeviceTaintRule, resource_slice: ResourceSlice) -> bool:
    selector, spec = rule.spec.device_selector, resource_slice.spec
    return (
        selector is not None
        and selector.driver in (None, spec.driver)
        and selector.pool in (None, spec.pool.name)
        and bool(spec.devices)
    )


def _selects_device(rule: DeviceTaintRule, device: Device) -> bool:
    selector = rule.spec.device_selector
    return selector is not None and selector.device in (None, device.name)


def _with_devices(resource_slice: ResourceSlice, devices: list[Device]) -> ResourceSlice:
    spec = msgspec.structs.replace(resource_slice.spec, devices=tuple(devices))
    return msgspec.structs.replace(resource_slice, spec=spec)
