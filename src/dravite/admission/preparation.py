"""What an API server does to an object before it looks at it (5.1): status, metadata, generation, closed gates.

Objects are in the form of the release (`internal`) and defaulted.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from dravite.admission.identities import metadata_of
from dravite.admission.template_gates import drop_from_templates
from dravite.api import (
    resource_v1,
    resource_v1alpha3,
    scheduling_v1,
    scheduling_v1alpha2,
    scheduling_v1beta1,
)
from dravite.api.gated_fields import drop_gated
from dravite.api.meta import Model, ObjectMeta, Time
from dravite.api.releases import Profile
from dravite.validation.alike import alike
from dravite.validation.device_status import allocated_devices, shared_device
from dravite.validation.metadata import MAX_GENERATED

_STATUS_KINDS: Final = (
    resource_v1.DeviceTaintRule,
    resource_v1.ResourceClaim,
    resource_v1alpha3.PodSchedulingContext,
    resource_v1alpha3.ResourceClaim,
    resource_v1alpha3.ResourcePoolStatusRequest,
    scheduling_v1alpha2.PodGroup,
    scheduling_v1beta1.CompositePodGroup,
    scheduling_v1beta1.PodGroup,
)
"""Kinds with a status endpoint: the main endpoint keeps the stored status."""

_COUNTED: Final = (
    resource_v1.DeviceClass,
    resource_v1.DeviceTaintRule,
    resource_v1.ResourceSlice,
    resource_v1alpha3.DeviceClass,
    resource_v1alpha3.ResourceSlice,
)
"""Kinds whose generation counts the changes of their spec."""

_BORN: Final = (*_COUNTED, scheduling_v1.PriorityClass)
"""Kinds whose generation is 1 in the beginning, whatever was sent; that of others stays as it was sent."""

_COUNTED_FIRST: Final = (resource_v1.ResourceSlice, resource_v1alpha3.ResourceSlice)
"""Kinds whose changes are counted before fields of closed gates go."""


def prepare_create(obj: Model, profile: Profile, drawn: str) -> Model:
    """The object as it would be created. `drawn` stands for the characters that complete `generateName`."""
    meta = metadata_of(obj)
    name = meta.name or (meta.generate_name and meta.generate_name[:MAX_GENERATED] + drawn)
    meta = msgspec.structs.replace(
        meta,
        name=name,
        uid="",
        resource_version="",
        creation_timestamp=None,
        deletion_timestamp=None,
        deletion_grace_period_seconds=None,
        generation=1 if isinstance(obj, _BORN) else meta.generation,
    )
    changes: dict[str, Any] = {"metadata": meta}
    if isinstance(obj, _STATUS_KINDS):
        changes["status"] = _no_status(obj)
    return drop_gated(msgspec.structs.replace(obj, **changes), profile)[0]


def prepare_update(obj: Model, old: Model, profile: Profile, now: Time | None) -> Model:
    """The object as it would take the place of the old one. `now` is the time of a taint whose effect changes."""
    changes: dict[str, Any] = {"metadata": _kept_metadata(metadata_of(obj), metadata_of(old))}
    if isinstance(obj, _STATUS_KINDS):
        changes["status"] = old.status  # type: ignore[attr-defined]
    new = msgspec.structs.replace(obj, **changes)
    if isinstance(new, resource_v1.DeviceTaintRule) and isinstance(old, resource_v1.DeviceTaintRule):
        new = _with_new_time(new, old, now)
    cleared = _cleared(new, old, profile)
    if isinstance(obj, _COUNTED):
        compared = new if isinstance(obj, _COUNTED_FIRST) else cleared
        return _counted(cleared, old, changed=not alike(compared.spec, old.spec))  # type: ignore[attr-defined]
    return cleared


def _cleared(new: Model, old: Model, profile: Profile) -> Model:
    workloads = (scheduling_v1alpha2.Workload, scheduling_v1beta1.Workload)
    if isinstance(new, workloads) and isinstance(old, workloads):
        return drop_from_templates(new, old, profile)
    return drop_gated(new, profile, old)[0]


def prepare_status_update(obj: Model, old: Model, profile: Profile) -> Model:
    """The old object with the status of the new one, and with what that says in metadata of itself."""
    meta = _status_metadata(metadata_of(obj), metadata_of(old))
    new = msgspec.structs.replace(old, metadata=meta, status=obj.status)  # type: ignore[attr-defined]
    new = drop_gated(new, profile, old)[0]
    if isinstance(new, resource_v1.ResourceClaim) and isinstance(old, resource_v1.ResourceClaim):
        return _without_deallocated(new, old)
    if isinstance(new, resource_v1alpha3.ResourceClaim) and isinstance(old, resource_v1alpha3.ResourceClaim):
        return new if profile.enabled("DRAControlPlaneController") else _without_controller(new, old)
    return new


def _no_status(obj: Model) -> Any:
    if isinstance(obj, resource_v1alpha3.ResourcePoolStatusRequest):
        return None
    return type(obj.status)()  # type: ignore[attr-defined]


def _kept_metadata(meta: ObjectMeta, old: ObjectMeta) -> ObjectMeta:
    """Metadata with what a server takes from the stored object: what it alone writes, where nothing else was sent."""
    deleting = old.deletion_timestamp is not None
    return msgspec.structs.replace(
        meta,
        uid=meta.uid or old.uid,
        creation_timestamp=old.creation_timestamp,
        deletion_timestamp=old.deletion_timestamp if deleting else meta.deletion_timestamp,
        deletion_grace_period_seconds=(
            old.deletion_grace_period_seconds
            if deleting and meta.deletion_grace_period_seconds is None
            else meta.deletion_grace_period_seconds
        ),
        generation=old.generation,
    )


def _status_metadata(meta: ObjectMeta, old: ObjectMeta) -> ObjectMeta:
    return msgspec.structs.replace(
        _kept_metadata(meta, old),
        labels=old.labels,
        annotations=old.annotations,
        owner_references=old.owner_references,
        finalizers=old.finalizers,
        deletion_timestamp=old.deletion_timestamp,
    )


def _counted(obj: Model, old: Model, *, changed: bool) -> Model:
    if not changed:
        return obj
    meta = msgspec.structs.replace(metadata_of(obj), generation=metadata_of(old).generation + 1)
    return msgspec.structs.replace(obj, metadata=meta)


def _with_new_time(
    rule: resource_v1.DeviceTaintRule, old: resource_v1.DeviceTaintRule, now: Time | None
) -> resource_v1.DeviceTaintRule:
    """A rule whose effect changes, but not its time, begins anew."""
    taint, before = rule.spec.taint, old.spec.taint
    if taint.effect == before.effect or taint.time_added != before.time_added:
        return rule
    taint = msgspec.structs.replace(taint, time_added=now)
    return msgspec.structs.replace(rule, spec=msgspec.structs.replace(rule.spec, taint=taint))


def _without_deallocated(claim: resource_v1.ResourceClaim, old: resource_v1.ResourceClaim) -> resource_v1.ResourceClaim:
    """The claim without what is reported of devices that it had and has no more."""
    gone = allocated_devices(old) - allocated_devices(claim)
    devices = tuple(status for status in claim.status.devices if shared_device(status) not in gone)
    return msgspec.structs.replace(claim, status=msgspec.structs.replace(claim.status, devices=devices))


def _without_controller(
    claim: resource_v1alpha3.ResourceClaim, old: resource_v1alpha3.ResourceClaim
) -> resource_v1alpha3.ResourceClaim:
    """A status of 1.31 without what only drivers with a controller know, unless the stored claim is one of theirs."""
    status, before = claim.status, old.status
    if not old.spec.controller and status.allocation is not None and before.allocation is None:
        allocation = msgspec.structs.replace(status.allocation, controller="")
        status = msgspec.structs.replace(status, allocation=allocation)
    if not before.deallocation_requested and (status.allocation is None or not status.allocation.controller):
        status = msgspec.structs.replace(status, deallocation_requested=False)
    return msgspec.structs.replace(claim, status=status)
