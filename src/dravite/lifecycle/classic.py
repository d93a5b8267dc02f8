"""What the claim controller of 1.31 asks of drivers with a controller (A6.12, A6.14)."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from dravite.snapshot.classic import Talk
from dravite.snapshot.pod_claims import PodClaim, pod_claims
from dravite.snapshot.snapshot import Key, Snapshot, key_of


def with_requests(snapshot: Snapshot, idle: Iterable[Key]) -> Snapshot:
    """The snapshot in which drivers are asked to free claims whose last consumer has gone.

    They are those that have kept their devices: the scheduler has not allocated them, or they were allocated by hand.
    """
    classic = snapshot.classic
    if classic is None:
        return snapshot
    for key in idle:
        classic = classic.with_control(key, msgspec.structs.replace(classic.control(key), is_to_be_freed=True))
    return snapshot if classic is snapshot.classic else msgspec.structs.replace(snapshot, classic=classic)


def talk_for_bound_pods(before: Snapshot, snapshot: Snapshot) -> Snapshot:
    """The snapshot in which drivers hear of pods that got their node past the scheduler and lack devices.

    Neither who is to allocate a claim nor whether the pod has ended is looked at; a claim that was there before and
    has lost its devices counts although it goes itself (observed on 1.31.14).
    """
    classic = snapshot.classic
    if classic is None:
        return snapshot
    for key in snapshot.pod_order:
        pod = snapshot.pods[key].pod
        if not pod.spec.node_name or not pod.spec.resource_claims or key in classic.talks:
            continue
        claims = pod_claims(before, pod)
        if isinstance(claims, tuple) and any(_lacks_devices(snapshot, one) for one in claims):
            classic = classic.with_talk(key, Talk(owner=pod.metadata.uid, selected=pod.spec.node_name))
    return snapshot if classic is snapshot.classic else msgspec.structs.replace(snapshot, classic=classic)


def _lacks_devices(snapshot: Snapshot, one: PodClaim) -> bool:
    claim = snapshot.claims.get(key_of(one.claim.metadata))
    return claim is None or claim.status.allocation is None
