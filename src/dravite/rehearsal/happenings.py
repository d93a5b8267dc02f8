"""What a changed object means for pods that the scheduler has refused.

An object that is gone says little: a slice or a class that is missing helps nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dravite.api.core_v1 import Node, Pod
from dravite.api.meta import ObjectRef
from dravite.api.resource_v1 import DeviceClass, DeviceTaintRule, ResourceSlice
from dravite.rehearsal.world import Happening
from dravite.scheduler.extended_resources import names_of
from dravite.snapshot.changes import Editable
from dravite.snapshot.snapshot import Key, Snapshot, is_finished, key_of


def happenings_of(snapshot: Snapshot, obj: Editable) -> tuple[Happening, ...]:
    """What it means for the scheduler that an object is now so; the snapshot is that of before."""
    match obj:
        case Node():
            state = snapshot.states.get(obj.metadata.name)
            return (Happening("node", node=obj, before=state.node if state is not None else None),)
        case ResourceSlice() if snapshot.profile.release == "1.31":
            return ()  # its scheduler does not hear of slices
        case ResourceSlice() | DeviceTaintRule():
            return (Happening("devices"),)
        case DeviceClass():
            return (Happening("class", resources=_newly_served(snapshot.classes.get(obj.metadata.name), obj)),)
        case Pod() if is_finished(obj):
            return (Happening("pod-gone", pod=obj),)
        case Pod() if (planned := snapshot.pod(ObjectRef("Pod", *key_of(obj.metadata)))) is not None:
            return (Happening("pod-changed", pod=obj, before=planned.pod),)
        case Pod() if obj.spec.node_name:
            return (Happening("pod-placed", pod=obj),)
        case _:
            return ()


def happenings_without(ref: ObjectRef) -> tuple[Happening, ...]:
    """What it means for the scheduler that an object other than a pod is gone."""
    match ref.kind:
        case "Node":
            return (Happening("node-gone"),)
        case "DeviceTaintRule":
            return (Happening("devices"),)
        case _:
            return ()


def happenings_of_claims(before: Snapshot, after: Snapshot) -> tuple[Happening, ...]:
    """What it means for the scheduler that claims are others now: devices that become free may help anybody (A5.2)."""
    changed = tuple(_changed(before, after, after.claims.differing(before.claims)))
    if not changed:
        return ()
    if after.profile.release == "1.31" or any(_is_freed(before, after, key) for key in changed):
        return (Happening("claims"),)
    there = frozenset(key for key in changed if key in after.claims)
    return (Happening("claims", claims=there),) if there else ()


def _changed(before: Snapshot, after: Snapshot, keys: Iterable[Key]) -> Iterator[Key]:
    """Of some claims those that are new or gone, and those with another status."""
    for key in keys:
        was, is_ = before.claims.get(key), after.claims.get(key)
        if was is None or is_ is None or was.status != is_.status:
            yield key


def _is_freed(before: Snapshot, after: Snapshot, key: Key) -> bool:
    was, is_ = before.claims.get(key), after.claims.get(key)
    had, has = (one is not None and one.status.allocation is not None for one in (was, is_))
    return had and not has


def _newly_served(before: DeviceClass | None, after: DeviceClass) -> frozenset[str]:
    return frozenset(names_of(after)) - frozenset(names_of(before) if before is not None else ())
