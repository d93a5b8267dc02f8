"""How long devices have to become ready, which is counted from the allocation of their claim (D3.4, D3.7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from dravite.api.core_v1 import Pod
from dravite.api.resource_v1 import ResourceClaim
from dravite.lifecycle.instants import seconds_of
from dravite.rehearsal.world import World
from dravite.scheduler.binding_conditions import awaited_devices
from dravite.snapshot.pod_claims import present_claims
from dravite.snapshot.snapshot import Key, key_of


def deadline(world: World, pod: Pod) -> float:
    """Until when a pod that has found its node waits for its devices."""
    return min((_end(world, claim) for claim in _awaited(world, pod)), default=world.now)


def note_expired(world: World, pods: Iterable[Key]) -> None:
    """Note which claims of pods that are tried now had their time: the scheduler takes no more interest in them."""
    claims = (claim for key in pods for claim in _awaited(world, world.snapshot.pods[key].pod))
    late = frozenset(key_of(claim.metadata) for claim in claims if _end(world, claim) <= world.now)
    if not late <= world.snapshot.expired:
        world.note(msgspec.structs.replace(world.snapshot, expired=world.snapshot.expired | late))


def _awaited(world: World, pod: Pod) -> Iterator[ResourceClaim]:
    features = world.snapshot.profile.features
    return (claim for claim in present_claims(world.snapshot, pod) if awaited_devices(claim, features))


def _end(world: World, claim: ResourceClaim) -> float:
    allocation = claim.status.allocation
    since = seconds_of(allocation.allocation_timestamp) if allocation is not None else None
    return (world.now if since is None else min(since, world.now)) + world.terms.binding_timeout
