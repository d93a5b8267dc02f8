"""Who may use a claim: adding a consumer, and letting go of those that are done (A3, A4).

Pure functions of a snapshot: what the claim controller brings about before anything new is placed.
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from dravite.api.core_v1 import Pod
from dravite.api.meta import controller_of
from dravite.api.resource_v1 import ResourceClaim, ResourceClaimConsumerReference
from dravite.lifecycle.classic import with_requests
from dravite.scheduler.reserve import FINALIZER, deallocated, is_group, reserved_for_pod, with_consumer
from dravite.snapshot.pod_claims import pod_claims
from dravite.snapshot.snapshot import Key, Snapshot, is_finished


def release_claims(snapshot: Snapshot, gone: Collection[str] = ()) -> Snapshot:
    """The snapshot without the reservations of pods that are finished or replaced, and of whoever is known to be gone.

    A claim that loses its last consumer that way loses its allocation; one that was made for such a pod, or for
    somebody who is gone, goes. Consumers that are not in the input are believed: the input may be a part of the
    cluster. `gone` has the uids of pods and groups that were there and are not any more.
    """
    changed: list[ResourceClaim] = []
    unneeded: list[Key] = []
    idle: list[Key] = []
    for key, claim in sorted(snapshot.claims.items(), key=lambda item: item[0]):
        after = released(snapshot, claim, gone)
        if _owner_is_done(snapshot, after, gone):
            unneeded.append(key)
        elif after is not claim:
            changed.append(after)
            if claim.status.reserved_for and not after.status.reserved_for and after.status.allocation is not None:
                idle.append(key)
    return with_requests(snapshot.with_claims(changed).without_claims(unneeded), idle)


def released(snapshot: Snapshot, claim: ResourceClaim, gone: Collection[str] = ()) -> ResourceClaim:
    """The claim without consumers that are done, and without its allocation where nobody is left (A4.3, A4.5)."""
    status = claim.status
    kept = tuple(
        entry for entry in status.reserved_for if entry.uid not in gone and not _is_done(snapshot, claim, entry)
    )
    protected = FINALIZER in claim.metadata.finalizers
    unused = not kept and protected and (bool(status.reserved_for) or claim.metadata.deletion_timestamp is not None)
    if len(kept) == len(status.reserved_for) and not unused:
        return claim
    if unused:
        return _without_finalizer(deallocated(claim))
    return msgspec.structs.replace(claim, status=msgspec.structs.replace(status, reserved_for=kept))


def reserve_for_bound_pods(snapshot: Snapshot) -> Snapshot:
    """The snapshot in which pods that were bound past the scheduler have reserved their allocated claims (A3.7)."""
    for key in snapshot.pod_order:
        pod = snapshot.pods[key].pod
        if not pod.spec.node_name or is_finished(pod) or not pod.spec.resource_claims:
            continue
        claims = pod_claims(snapshot, pod)
        if isinstance(claims, tuple):
            snapshot = snapshot.with_claims(
                with_consumer(one, pod)
                for one in claims
                if one.claim.status.allocation is not None and not reserved_for_pod(one, pod)
            )
    return snapshot


def _is_done(snapshot: Snapshot, claim: ResourceClaim, entry: ResourceClaimConsumerReference) -> bool:
    if is_group(entry, entry.name):
        group = snapshot.pod_groups.get((claim.metadata.namespace, entry.name))
        return group is not None and group.metadata.uid != entry.uid
    if entry.api_group or entry.resource != "pods":
        return False
    planned = snapshot.pods.get((claim.metadata.namespace, entry.name))
    if planned is None:
        return False
    return planned.pod.metadata.uid != entry.uid or _is_over(planned.pod)


def _is_over(pod: Pod) -> bool:
    """Whether a pod is done with its claims: at its end, or being deleted without ever having had a node (A4.1)."""
    return is_finished(pod) or (pod.metadata.deletion_timestamp is not None and not pod.spec.node_name)


def _owner_is_done(snapshot: Snapshot, claim: ResourceClaim, gone: Collection[str]) -> bool:
    """Whether the claim was made for a pod that is done or replaced, or for who is gone, and nobody uses it (A4.6)."""
    owner = controller_of(claim.metadata)
    if claim.status.reserved_for or owner is None:
        return False
    if owner.uid in gone or owner.kind != "Pod":
        return owner.uid in gone
    planned = snapshot.pods.get((claim.metadata.namespace, owner.name))
    return planned is not None and (planned.pod.metadata.uid != owner.uid or _is_over(planned.pod))


def _without_finalizer(claim: ResourceClaim) -> ResourceClaim:
    kept = tuple(one for one in claim.metadata.finalizers if one != FINALIZER)
    return msgspec.structs.replace(claim, metadata=msgspec.structs.replace(claim.metadata, finalizers=kept))
