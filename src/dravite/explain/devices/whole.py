"""Devices that others could share and that one request takes whole, because it says no amount (CAP-3, CAP-10)."""

from __future__ import annotations

from collections.abc import Iterator

from dravite.api.meta import ObjectRef
from dravite.api.quantity import ZERO
from dravite.api.resource_v1 import Device, DeviceRequestAllocationResult, ResourceClaim
from dravite.diagnosis.reasons import CapacityShort
from dravite.explain import notes as n
from dravite.explain.case import Case
from dravite.explain.devices.gains import demands_with_paths, device_of, got, on_node
from dravite.explain.evidence import Evidence


def taken_whole(case: Case, node: str) -> Iterator[n.TakesWholeDevice]:
    """What the pod itself took, on its node, each request once."""
    devices = {seen.id: seen.device for seen in on_node(case, node)}
    taken = ((one, result) for one in got(case) for result in one.results if device_of(result) in devices)
    notes = (
        note for one, result in taken for note in _whole(one.claim, one.source, result, devices[device_of(result)])
    )
    yield from dict.fromkeys(notes)


def held_whole(case: Case, found: Evidence) -> Iterator[n.TakesWholeDevice]:
    """What is in the way of a pod: its own request, which wants whole devices, or claims that have them."""
    devices = {seen.id: seen.device for seen in found.lacking}
    for group in found.groups:
        for request in group.devices.requests if group.devices is not None else ():
            for short in (one for refusal in request.refusals for one in refusal.rejections):
                if not isinstance(short, CapacityShort):
                    continue
                if short.requested is None and short.rounded == short.value:
                    yield n.TakesWholeDevice(request.request, request.claim, (short.capacity,))
                yield from _held(case, short, devices[short.device])


def _held(case: Case, short: CapacityShort, device: Device) -> Iterator[n.TakesWholeDevice]:
    for ref in short.holders:
        claim = case.snapshot.claim(ref.namespace, ref.name)
        allocation = claim.status.allocation if claim is not None else None
        for result in allocation.devices.results if allocation is not None else ():
            if claim is not None and device_of(result) == short.device:
                yield from _whole(claim, ref, result, device)


def _whole(
    claim: ResourceClaim, source: ObjectRef, result: DeviceRequestAllocationResult, device: Device
) -> Iterator[n.TakesWholeDevice]:
    """The note, if all of some capacity of the device was taken that nobody asked for."""
    asked = next((one for path, one in demands_with_paths(claim) if path.name == result.request), None)
    if result.share_id is None or asked is None:
        return
    amounts = asked.capacity.requests if asked.capacity is not None else {}
    unasked = ((name, capacity.value) for name, capacity in sorted(device.capacity.items()) if name not in amounts)
    names = tuple(name for name, amount in unasked if ZERO < amount == result.consumed_capacity.get(name))
    if names:
        yield n.TakesWholeDevice(result.request, source, names)
