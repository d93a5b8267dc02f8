"""What binding a pod writes into its claims: the finalizer, the allocation, and the pod as a consumer (F5.3, A3).

Values in, values out; when it is written is for the caller to say. Timestamps are not known here.
"""

from __future__ import annotations

from typing import Final

import msgspec

from dravite.api.core_v1 import Pod
from dravite.api.resource_v1 import AllocationResult, ResourceClaim, ResourceClaimConsumerReference
from dravite.snapshot.pod_claims import PodClaim

FINALIZER: Final = "resource.kubernetes.io/delete-protection"
MOST_CONSUMERS: Final = 256
"""How many entries `status.reservedFor` may have (A3.1)."""


def with_allocation(claim: ResourceClaim, allocation: AllocationResult) -> ResourceClaim:
    """The claim with devices, and protected from vanishing."""
    metadata = claim.metadata
    if FINALIZER not in metadata.finalizers:
        metadata = msgspec.structs.replace(metadata, finalizers=(*metadata.finalizers, FINALIZER))
    status = msgspec.structs.replace(claim.status, allocation=allocation)
    return msgspec.structs.replace(claim, metadata=metadata, status=status)


def with_consumer(one: PodClaim, pod: Pod) -> ResourceClaim:
    """The claim reserved for the pod as well, or for its group; one that is stays as it is."""
    if reserved_for_pod(one, pod):
        return one.claim
    entry = one.consumer or pod_as_consumer(pod)
    status = msgspec.structs.replace(one.claim.status, reserved_for=(*one.claim.status.reserved_for, entry))
    return msgspec.structs.replace(one.claim, status=status)


def pod_as_consumer(pod: Pod) -> ResourceClaimConsumerReference:
    """What stands for a pod in `status.reservedFor`."""
    return ResourceClaimConsumerReference(resource="pods", name=pod.metadata.name, uid=pod.metadata.uid)


def deallocated(claim: ResourceClaim) -> ResourceClaim:
    """The claim without devices and consumers; the finalizer stays (F4.1, F4.3)."""
    status = msgspec.structs.replace(claim.status, allocation=None, reserved_for=(), devices=())
    return msgspec.structs.replace(claim, status=status)


def reserved_for_pod(one: PodClaim, pod: Pod) -> bool:
    """Whether the pod is among the consumers of the claim, by itself or with its group (A3.4)."""
    return any(
        (entry.uid == pod.metadata.uid and entry.resource == "pods" and not entry.api_group)
        or (bool(one.group) and is_group(entry, one.group))
        for entry in one.claim.status.reserved_for
    )


def is_group(entry: ResourceClaimConsumerReference, name: str) -> bool:
    """Whether a consumer is the PodGroup of this name."""
    return (entry.api_group, entry.resource, entry.name) == ("scheduling.k8s.io", "podgroups", name)


def is_idle_but_for(claim: ResourceClaim, pod: Pod) -> bool:
    """Whether nobody else uses the claim, so that it may be freed for the pod's sake (F4.1)."""
    return all(entry.uid == pod.metadata.uid for entry in claim.status.reserved_for)
