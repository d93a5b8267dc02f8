"""Pods that have their node and wait until their devices are ready (D3.4 to D3.8)."""

from __future__ import annotations

import msgspec

from dravite.api.meta import ObjectRef
from dravite.diagnosis import upstream
from dravite.diagnosis.verdicts import Aborted, AttemptError, Scheduled
from dravite.lifecycle.conditions import with_decision
from dravite.rehearsal.agenda import Rank
from dravite.rehearsal.scheduling import CHECKED_EVERY, tell_bound, tell_refusal
from dravite.rehearsal.world import World
from dravite.scheduler.binding_conditions import awaited_devices, failure
from dravite.snapshot.pod_claims import claim_keys, present_claims
from dravite.snapshot.pod_edits import with_other_pod
from dravite.snapshot.snapshot import Key, key_of

ERROR_BACKOFF = 1.0


def check_binding(world: World, key: Key) -> None:
    """Bind the pod if its devices are ready, give up if they never will be, or look again later."""
    binding = world.bindings.get(key)
    if binding is None:
        return
    fault = _fault(world, key)
    if fault is not None:
        _give_up(world, key, fault)
    elif _is_ready(world, key):
        del world.bindings[key]
        pod = with_decision(world.snapshot.pods[key].pod, Scheduled(node=binding.node))
        status = msgspec.structs.replace(pod.status, nominated_node_name="")
        world.change(world.snapshot.with_pod(msgspec.structs.replace(pod, status=status)))
        tell_bound(world, key, binding.node)
    elif binding.deadline <= world.now:
        claims = present_claims(world.snapshot, world.snapshot.pods[key].pod)
        late = frozenset(key_of(claim.metadata) for claim in claims)
        world.change(msgspec.structs.replace(world.snapshot, expired=world.snapshot.expired | late))
        _give_up(world, key, upstream.BINDING_TIMED_OUT)
    else:
        time = min(world.now + CHECKED_EVERY, binding.deadline)
        world.agenda.note(time, Rank.BINDING, "binding-check", ObjectRef("Pod", *key))


def is_decided(world: World, key: Key) -> bool:
    """Whether the next look at a binding will bring something about."""
    if key not in world.bindings:
        return False
    return _fault(world, key) is not None or _is_ready(world, key)


def _is_ready(world: World, key: Key) -> bool:
    """Whether the devices of a pod are there and ready. A claim that has lost its devices keeps the pod waiting."""
    pod, features = world.snapshot.pods[key].pod, world.snapshot.profile.features
    claims = present_claims(world.snapshot, pod)
    return all(claim.status.allocation and not awaited_devices(claim, features) for claim in claims)


def _fault(world: World, key: Key) -> str | None:
    """Why the devices of a pod will never be ready for it."""
    pod = world.snapshot.pods[key].pod
    gone = next((one for one in claim_keys(pod) if one not in world.snapshot.claims), None)
    if gone is not None:
        return upstream.claim_vanished("/".join(gone))
    for claim in present_claims(world.snapshot, pod):
        failed = failure(claim)
        if failed is not None:
            return upstream.binding_failed(claim.metadata.name, failed[1].reason, failed[1].message)
    return None


def _give_up(world: World, key: Key, fault: str) -> None:
    """The pod leaves its node and its reservations; its claims keep their devices (F5.5)."""
    del world.bindings[key]
    planned = world.snapshot.pods[key]
    aborted = Aborted(message=upstream.pre_bind_error(fault), error=AttemptError(kind="reservation", message=fault))
    tell_refusal(world, key, aborted)
    pod = with_decision(planned.pod, aborted)
    status = msgspec.structs.replace(pod.status, nominated_node_name="")
    pod = msgspec.structs.replace(pod, spec=msgspec.structs.replace(pod.spec, node_name=""), status=status)
    after = with_other_pod(world.snapshot, msgspec.structs.replace(planned, pod=pod))
    released = []
    for claim in present_claims(world.snapshot, pod):
        kept = tuple(entry for entry in claim.status.reserved_for if entry.uid != pod.metadata.uid)
        if len(kept) != len(claim.status.reserved_for):
            held = msgspec.structs.replace(claim.status, reserved_for=kept)
            released.append(msgspec.structs.replace(claim, status=held))
    world.held_back[key] = world.now + ERROR_BACKOFF
    world.change(after.with_claims(released))
