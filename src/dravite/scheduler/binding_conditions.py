"""Whether the devices of a claim are ready for the pod to be bound: their drivers report conditions (D3.4 to D3.6)."""

from __future__ import annotations

from dravite.api.meta import Condition, DeviceID, ObjectRef
from dravite.api.resource_v1 import DeviceRequestAllocationResult, ResourceClaim
from dravite.snapshot.pod_claims import present_claims
from dravite.snapshot.snapshot import Snapshot


def awaited_devices(claim: ResourceClaim, features: frozenset[str]) -> tuple[DeviceID, ...]:
    """The allocated devices whose binding conditions are not all true yet; none where the feature is off."""
    allocation = claim.status.allocation
    if allocation is None or "DeviceBindingAndStatus" not in features:
        return ()
    return tuple(
        DeviceID(result.driver, result.pool, result.device)
        for result in allocation.devices.results
        if not set(result.binding_conditions) <= reported(claim, result)
    )


def awaited_devices_of(snapshot: Snapshot, pod: ObjectRef) -> tuple[DeviceID, ...]:
    """The devices of a pod's claims that have to report before it is bound."""
    planned, features = snapshot.pod(pod), snapshot.profile.features
    claims = present_claims(snapshot, planned.pod) if planned is not None else ()
    return tuple(device for claim in claims for device in awaited_devices(claim, features))


def has_conditions(claim: ResourceClaim, features: frozenset[str]) -> bool:
    """Whether a claim holds devices that report whether they are ready."""
    allocation = claim.status.allocation
    results = allocation.devices.results if allocation and "DeviceBindingAndStatus" in features else ()
    return any(result.binding_conditions for result in results)


def failed_condition(claim: ResourceClaim) -> tuple[DeviceID, str] | None:
    """The first device that reports failure, with the reason; only devices with binding conditions can fail."""
    found = failure(claim)
    return (found[0], found[1].reason) if found is not None else None


def failure(claim: ResourceClaim) -> tuple[DeviceID, Condition] | None:
    """The first device that reports failure, with the condition that says so."""
    results = claim.status.allocation.devices.results if claim.status.allocation else ()
    for result in results:
        if not result.binding_conditions:
            continue
        for condition in _conditions(claim, result):
            if condition.type in result.binding_failure_conditions and condition.status == "True":
                return DeviceID(result.driver, result.pool, result.device), condition
    return None


def reported(claim: ResourceClaim, result: DeviceRequestAllocationResult) -> frozenset[str]:
    """The types of the conditions that are true for a device; share ids play no part (D3.6)."""
    return frozenset(condition.type for condition in _conditions(claim, result) if condition.status == "True")


def _conditions(claim: ResourceClaim, result: DeviceRequestAllocationResult) -> tuple[Condition, ...]:
    """The conditions of the first status that names the device."""
    wanted = (result.driver, result.pool, result.device)
    found = (one for one in claim.status.devices if (one.driver, one.pool, one.device) == wanted)
    status = next(found, None)
    return status.conditions if status is not None else ()
