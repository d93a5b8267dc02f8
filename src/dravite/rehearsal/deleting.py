"""What a request to delete an object brings about: finalizers hold it, and what it owned goes with it."""

from __future__ import annotations

from typing import Final

import msgspec

from dravite.api.meta import ObjectRef
from dravite.rehearsal.controllers import remove_group
from dravite.rehearsal.editing import take_out
from dravite.rehearsal.pods import delete_pod
from dravite.rehearsal.world import World
from dravite.snapshot.cluster_edits import with_pod_group
from dravite.snapshot.snapshot import Key

_UNHELD: Final = (
    *("CompositePodGroup", "Node", "ResourceSlice", "DeviceClass", "DeviceTaintRule"),
    *("ResourceClaimTemplate", "PodDisruptionBudget", "Namespace"),
)
"""The kinds that are gone as soon as somebody deletes them."""


def delete(world: World, ref: ObjectRef) -> None:
    """Ask for an object to be deleted. Of kinds that are not known here what they own is deleted: pods and groups."""
    key = (ref.namespace, ref.name)
    match ref.kind:
        case "Pod":
            delete_pod(world, key)
        case "ResourceClaim":
            _delete_claim(world, key)
        case "PodGroup":
            _delete_group(world, key)
        case _ if ref.kind in _UNHELD:
            take_out(world, ref)
        case _:
            _delete_owned(world, ref)


def _delete_owned(world: World, ref: ObjectRef) -> None:
    for pod in world.snapshot.pod_order:
        if world.snapshot.pods[pod].owner == ref:
            delete_pod(world, pod)
    for key, group in tuple(world.snapshot.pod_groups.items()):
        owners = group.metadata.owner_references
        if key[0] == ref.namespace and any((one.kind, one.name) == (ref.kind, ref.name) for one in owners):
            _delete_group(world, key)


def _delete_claim(world: World, key: Key) -> None:
    claim = world.snapshot.claims.get(key)
    if claim is None or claim.metadata.deletion_timestamp is not None:
        return
    if not claim.metadata.finalizers:
        world.change(world.snapshot.without_claims((key,)))
        return
    metadata = msgspec.structs.replace(claim.metadata, deletion_timestamp=world.stamp)
    after = world.snapshot.with_claims((msgspec.structs.replace(claim, metadata=metadata),))
    world.change(after)


def _delete_group(world: World, key: Key) -> None:
    group = world.snapshot.pod_groups.get(key)
    if group is None or group.metadata.deletion_timestamp is not None:
        return
    if not group.metadata.finalizers:
        remove_group(world, key)
        return
    metadata = msgspec.structs.replace(group.metadata, deletion_timestamp=world.stamp)
    world.change(with_pod_group(world.snapshot, msgspec.structs.replace(group, metadata=metadata)))
