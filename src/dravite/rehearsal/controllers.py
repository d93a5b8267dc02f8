"""What the controllers around pods, claims and groups bring about, until none of them has anything more to do."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from dravite.api.core_v1 import PodCondition
from dravite.api.meta import ObjectRef
from dravite.diagnosis.upstream import NODE_EVICTION
from dravite.lifecycle.claim_templates import make_claims
from dravite.lifecycle.classic import talk_for_bound_pods
from dravite.lifecycle.conditions import with_condition
from dravite.lifecycle.device_evictions import EVICTED, eviction_times
from dravite.lifecycle.group_claims import make_group_claims
from dravite.lifecycle.group_protection import guarded
from dravite.lifecycle.node_evictions import EVICTED_FROM_NODE, node_eviction_times
from dravite.lifecycle.reservations import release_claims, reserve_for_bound_pods
from dravite.rehearsal.agenda import Rank
from dravite.rehearsal.pods import delete_pod, run_pods
from dravite.rehearsal.world import Told, World
from dravite.snapshot.cluster_edits import with_pod_group
from dravite.snapshot.groups import members
from dravite.snapshot.persistent import PersistentMap
from dravite.snapshot.snapshot import Key, Snapshot


def reconcile(world: World) -> None:
    """Let the controllers and kubelets act until nothing changes any more at this moment."""
    while True:
        before = world.snapshot
        keep_claims(world)
        _protect_groups(world)
        _evict(world)
        run_pods(world)
        if world.snapshot is before:
            return


def keep_claims(world: World) -> None:
    """Release, reserve and make claims; those that are deleted and that nothing holds are gone."""
    after = reserve_for_bound_pods(release_claims(world.snapshot, world.gone))
    after = talk_for_bound_pods(world.snapshot, after)
    after = after.without_claims(_deleted_claims(after))
    after = make_claims(make_group_claims(after))
    if len(after.made_claims):
        after = msgspec.structs.replace(after, made_claims=PersistentMap())
    if not _is_same(world.snapshot, after):
        world.change(after)


def _is_same(before: Snapshot, after: Snapshot) -> bool:
    """Whether the controllers have changed nothing, though the snapshot may be a new one."""
    return (
        after.claims is before.claims
        and after.pods is before.pods
        and after.pod_groups is before.pod_groups
        and after.made_claims is before.made_claims
        and after.classic is before.classic
    )


def _deleted_claims(snapshot: Snapshot) -> tuple[Key, ...]:
    return tuple(
        sorted(
            key
            for key, claim in snapshot.claims.items()
            if claim.metadata.deletion_timestamp is not None and not claim.metadata.finalizers
        )
    )


def _protect_groups(world: World) -> None:
    """Admission has given every PodGroup the finalizer; one that is deleted is gone once no pod of it runs or waits."""
    for key, group in tuple(world.snapshot.pod_groups.items()):
        is_going = group.metadata.deletion_timestamp is not None
        if world.snapshot.profile.enabled("GenericWorkload"):
            after = guarded(group, is_used=not is_going or bool(members(world.snapshot, key)))
            world.note(with_pod_group(world.snapshot, after) if after is not group else world.snapshot)
            group = after
        if is_going and not group.metadata.finalizers:
            remove_group(world, key)


def remove_group(world: World, key: Key) -> None:
    """The PodGroup is gone; its claims follow once nobody uses them."""
    group = world.snapshot.pod_groups[key]
    world.gone.add(group.metadata.uid)
    groups = {other: one for other, one in world.snapshot.pod_groups.items() if other != key}
    world.change(msgspec.structs.replace(world.snapshot, pod_groups=groups))


def _evict(world: World) -> None:
    """Pods on devices or nodes with a NoExecute taint go at their time; for those whose time is to come it is noted."""
    _evict_at(world, eviction_times(world.snapshot, world.now), EVICTED)
    nodes = world.node_taints.look(world.snapshot.nodes, world.stamp)
    for key in _evict_at(world, node_eviction_times(world.snapshot, nodes, world.now), EVICTED_FROM_NODE):
        message = f"Marking for deletion Pod {'/'.join(key)}"
        ref, component = ObjectRef("Pod", *key), "taint-eviction-controller"
        world.record.told.append(Told(about=ref, reason=NODE_EVICTION, message=message, component=component))


def _evict_at(world: World, times: Mapping[Key, float], condition: PodCondition) -> tuple[Key, ...]:
    """The pods that go now."""
    noted = {(event.subject, event.time) for event in world.agenda.all() if event.kind == "evict"}
    for key, time in times.items():
        ref = ObjectRef("Pod", *key)
        if time <= world.now:
            pod = world.snapshot.pods[key].pod
            world.note(world.snapshot.with_pod(with_condition(pod, condition)))
            delete_pod(world, key)
        elif (ref, time) not in noted:
            world.agenda.note(time, Rank.CONTROLLER, "evict", ref)
    return tuple(key for key, time in times.items() if time <= world.now)
