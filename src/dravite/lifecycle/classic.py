"""What the claim controller of 1.31 asks of drivers with a controller (A6.12, A6.14)."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from dravite.snapshot.classic import Talk
from dravite.snapshot.pod_claims import pod_claims
from dravite.snapshot.snapshot import Key, Snapshot


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


def talk_for_bound_pods(snapshot: Snapshot) -> Snapshot:
    """The snapshot in which drivers hear of pods that got their node past the scheduler and still lack devices.

    Neither who is to allocate the claim nor whether the pod has ended is looked at (observed on 1.31.14).
    """
    classic = snapshot.classic
    if classic is None:
        return snapshot
    for key in snapshot.pod_order:
        pod = snapshot.pods[key].pod
        if not pod.spec.node_name or not pod.spec.resource_claims or key in classic.talks:
            continue
        claims = pod_claims(snapshot, pod)
        if isinstance(claims, tuple) and any(one.claim.status.allocation is None for one in claims):
            classic = classic.with_talk(key, Talk(owner=pod.metadata.uid, selected=pod.spec.node_name))
    return snapshot if classic is snapshot.classic else msgspec.structs.replace(snapshot, classic=classic)
