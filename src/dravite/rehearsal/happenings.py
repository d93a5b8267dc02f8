"""What a changed object means for pods that the scheduler has refused."""

from __future__ import annotations

from dravite.api.core_v1 import Node, Pod
from dravite.api.meta import ObjectRef
from dravite.api.resource_v1 import DeviceClass, DeviceTaintRule, ResourceClaim, ResourceClaimTemplate, ResourceSlice
from dravite.api.scheduling_v1beta1 import CompositePodGroup, PodGroup
from dravite.rehearsal.world import Happening
from dravite.snapshot.changes import Editable
from dravite.snapshot.snapshot import Snapshot, is_finished, key_of


def happenings_of(snapshot: Snapshot, obj: Editable) -> tuple[Happening, ...]:
    """What it means for the scheduler that an object is now so; the snapshot is that of before."""
    match obj:
        case Node():
            return (Happening("node", node=obj),)
        case ResourceSlice() if snapshot.profile.release == "1.31":
            return ()  # its scheduler does not hear of slices
        case ResourceSlice() | DeviceClass() | DeviceTaintRule():
            return (Happening("devices"),)
        case ResourceClaim() | ResourceClaimTemplate():
            return (Happening("claims"),)
        case PodGroup() | CompositePodGroup():
            return (Happening("groups"),)
        case Pod() if is_finished(obj):
            return (Happening("pod-gone", pod=obj),)
        case Pod() if snapshot.pod(ObjectRef("Pod", *key_of(obj.metadata))) is not None:
            return (Happening("pod-changed", pod=obj),)
        case Pod() if obj.spec.node_name:
            return (Happening("pod-placed", pod=obj),)
        case _:
            return ()
