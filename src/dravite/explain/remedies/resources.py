"""Classes and devices that could serve more: extended resources, and devices that several claims may have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from dravite.api.core_v1 import Container, Pod
from dravite.api.meta import ObjectRef
from dravite.api.quantity import Quantity
from dravite.api.resource_v1 import Device
from dravite.diagnosis.reasons import ConstraintID
from dravite.explain import notes as n
from dravite.explain.case import Case
from dravite.explain.diagnose import Diagnosis
from dravite.explain.objects.editing import edited
from dravite.explain.objects.resources import implicit_name
from dravite.explain.remedies import advice as a
from dravite.explain.remedies.proposals import Proposal, edit_at, is_planned, notes_of, pod_of, value
from dravite.snapshot.changes import SetObject


def serve_resource(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """Let a class serve the extended resource, or ask for the name that it serves anyway."""
    for note in notes_of(found, n.ResourceNotMapped):
        for device_class in note.classes[:2]:
            resource = note.resource
            place = ConstraintID(ObjectRef("DeviceClass", "", device_class), "spec.extendedResourceName")
            changes = edit_at(case.snapshot, place, value(resource))
            yield Proposal(("serve", resource), a.ProvideResource(device_class, resource), changes)
            implicit = implicit_name(device_class)
            pod = _with_resource(pod_of(case), resource, implicit)
            advice = a.RequestImplicitResource(case.ref, resource, implicit)
            yield Proposal(("implicit", resource), advice, (SetObject(pod),))


def _with_resource(pod: Pod, resource: str, other: str) -> Pod:
    """The pod with another resource in the place of one, in all containers."""
    for field in ("containers", "initContainers"):
        pod = edited(pod, f"spec.{field}", lambda all_of: tuple(_renamed(one, resource, other) for one in all_of))
    return pod


def _renamed(container: Container, resource: str, other: str) -> Container:
    def swapped(amounts: Mapping[str, Quantity]) -> Mapping[str, Quantity]:
        return {other if name == resource else name: amount for name, amount in amounts.items()}

    resources = msgspec.structs.replace(
        container.resources,
        requests=swapped(container.resources.requests),
        limits=swapped(container.resources.limits),
    )
    return msgspec.structs.replace(container, resources=resources)


def share_devices(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """A driver that publishes devices for several claims at once."""
    for note in notes_of(found, n.NotShareable):
        if not note.capacity_asked or not note.slice:
            continue
        named = {device.device for device in note.devices}

        def shared(devices: tuple[Device, ...], named: set[str] = named) -> tuple[Device, ...]:
            return tuple(
                msgspec.structs.replace(one, allow_multiple_allocations=True) if one.name in named else one
                for one in devices
            )

        place = ConstraintID(ObjectRef("ResourceSlice", "", note.slice), "spec.devices")
        holders = tuple(pod for holding in found.evidence.holdings for pod in holding.pods if is_planned(case, pod))
        changes = edit_at(case.snapshot, place, shared)
        yield Proposal(("shareable", note.slice), a.ShareDevice(note.slice, note.devices), changes, holders)
