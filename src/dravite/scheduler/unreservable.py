"""Why the API server would refuse to reserve a claim for a pod, after a node was found for it (PreBind, A3.1, D3.3).

The texts are those of the refused status update; the claims are looked at in the order of the pod's entries.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from dravite.api.core_v1 import Pod
from dravite.api.meta import ObjectRef
from dravite.api.resource_v1 import ResourceClaim
from dravite.diagnosis import upstream
from dravite.diagnosis.verdicts import AttemptError
from dravite.scheduler.reserve import MOST_CONSUMERS, reserved_for_pod
from dravite.snapshot.pod_claims import PodClaim
from dravite.snapshot.snapshot import Snapshot, key_of

_MOST_IN_1_31: Final = 32
_TIMED_BY: Final = ("DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus")
"""With both gates on, an allocation has the time at which it was made."""


def why_not_reservable(snapshot: Snapshot, pod: Pod, claims: Sequence[PodClaim]) -> AttemptError | None:
    """The first refusal among the pod's claims: full, allocated by hand without a time, or named by two entries."""
    seen: set[str] = set()
    for one in claims:
        name = one.claim.metadata.name
        fault = _why_not_again(snapshot, one, pod) if name in seen else _why_not_one_more(snapshot, one, pod)
        seen.add(name)
        if fault:
            return _refused(one.claim, fault)
    return None


def _why_not_one_more(snapshot: Snapshot, one: PodClaim, pod: Pod) -> str:
    claim = one.claim
    if claim.status.allocation is None or reserved_for_pod(one, pod):
        return ""
    number = len(claim.status.reserved_for) + 1
    if snapshot.profile.release == "1.31" and number > _MOST_IN_1_31:
        return f"status.reservedFor: Too long: may not be longer than {_MOST_IN_1_31}"
    if number > MOST_CONSUMERS:
        return f"status.reservedFor: Too many: {number}: must have at most {MOST_CONSUMERS} items"
    has_time = (
        claim.status.allocation.allocation_timestamp is not None or key_of(claim.metadata) in snapshot.allocated_here
    )
    if not has_time and all(map(snapshot.profile.enabled, _TIMED_BY)):
        from dravite.api.field_text import cause_message  # the wording of a rare refusal
        from dravite.validation.claim_status import allocated_already

        timed = msgspec.structs.replace(claim.status.allocation, allocation_timestamp=upstream.TIME_OF_ATTEMPT)
        fault = allocated_already(timed, snapshot.profile)
        return f"{fault.field}: {cause_message(fault)}"
    return ""


def _why_not_again(snapshot: Snapshot, one: PodClaim, pod: Pod) -> str:
    """The scheduler reserves a claim once per entry, and a consumer may stand in the list once.

    Before 1.37 only its uid is told (observed on 1.37.2 and 1.36.5).
    """
    if one.consumer is not None or reserved_for_pod(one, pod):
        return ""
    entry = {"resource": "pods", "name": pod.metadata.name, "uid": pod.metadata.uid}
    told = msgspec.json.encode(entry if snapshot.profile.is_at_least("1.37") else pod.metadata.uid).decode()
    place = len(one.claim.status.reserved_for) + 1
    return f"status.reservedFor[{place}]: Duplicate value: {told}"


def _refused(claim: ResourceClaim, fault: str) -> AttemptError:
    ref = ObjectRef("ResourceClaim", claim.metadata.namespace, claim.metadata.name)
    message = (
        f"add reservation to claim {ref.namespace}/{ref.name}: "
        f'ResourceClaim.resource.k8s.io "{ref.name}" is invalid: {fault}'
    )
    return AttemptError(kind="reservation", message=message, claim=ref)
