"""What rules a pod's claims out before any node is looked at: missing classes, requests of an unknown kind (F1.3)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from dravite.api.meta import ObjectRef
from dravite.api.resource_v1 import ResourceClaim
from dravite.diagnosis import upstream
from dravite.diagnosis.findings import MissingObject
from dravite.diagnosis.verdicts import AttemptError
from dravite.snapshot.snapshot import Snapshot


class Refusal(msgspec.Struct, frozen=True):
    """The pod is unschedulable on every node: the scheduler's text, and what is missing where that can be told."""

    text: str
    problem: MissingObject | None = None


def why_not_asked(snapshot: Snapshot, claim: ResourceClaim) -> Refusal | AttemptError | None:
    """Why an unallocated claim is not even put to the allocator; the first request that is wrong decides."""
    ref = ObjectRef("ResourceClaim", claim.metadata.namespace, claim.metadata.name)
    place = f"{ref.namespace}/{ref.name}"
    for position, request in enumerate(claim.spec.devices.requests):
        path = f"spec.devices.requests[{position}]"
        if request.exactly is None and not request.first_available:
            return Refusal(upstream.unknown_request(place, request.name))
        if request.exactly is None and not snapshot.profile.enabled("DRAPrioritizedList"):
            return Refusal(upstream.alternatives_disabled(place, request.name))
        for name, field, device_class in _classes(claim, position):
            if not device_class:
                message = upstream.unsupported_request(name)
                return AttemptError(kind="request", message=message, claim=ref, request=name, path=f"{path}.{field}")
            if device_class not in snapshot.classes:
                missing = MissingObject(ref, f"{path}.{field}", ObjectRef("DeviceClass", "", device_class))
                return Refusal(upstream.class_missing(name, device_class), missing)
    return None


def _classes(claim: ResourceClaim, position: int) -> Iterator[tuple[str, str, str]]:
    """Request, field and class of one request; of its alternatives one by one."""
    request = claim.spec.devices.requests[position]
    if request.exactly is not None:
        yield request.name, "exactly.deviceClassName", request.exactly.device_class_name
        return
    for index, alternative in enumerate(request.first_available):
        field = f"firstAvailable[{index}].deviceClassName"
        yield f"{request.name}/{alternative.name}", field, alternative.device_class_name
