"""How pods start, end and vanish: the kubelets, and what a request to delete a pod brings about."""

from __future__ import annotations

import msgspec

from dravite.api.core_v1 import Pod
from dravite.api.meta import ObjectRef
from dravite.rehearsal.agenda import Rank
from dravite.rehearsal.world import Happening, World
from dravite.snapshot.pod_edits import taken_out, with_going_pod
from dravite.snapshot.snapshot import Key, is_finished


def delete_pod(world: World, key: Key) -> None:
    """A pod that runs is ended by its kubelet after the grace period, any other is gone at once."""
    planned = world.snapshot.pods.get(key)
    if planned is None:
        return
    pod = planned.pod
    if not world.is_bound(pod) or is_finished(pod):
        remove_pod(world, key)
    elif pod.metadata.deletion_timestamp is None:
        metadata = msgspec.structs.replace(pod.metadata, deletion_timestamp=world.stamp)
        world.change(with_going_pod(world.snapshot, msgspec.structs.replace(pod, metadata=metadata)))
        world.agenda.note(world.now + world.terms.grace, Rank.KUBELET, "pod-ends", ObjectRef("Pod", *key))


def end_pod(world: World, key: Key) -> None:
    """The containers of a pod have ended; without kubelets nobody notices."""
    planned = world.snapshot.pods.get(key)
    if world.kubelets_run and planned is not None and planned.pod.metadata.deletion_timestamp is not None:
        remove_pod(world, key)


def remove_pod(world: World, key: Key) -> None:
    """The pod is gone."""
    pod = world.snapshot.pods[key].pod
    world.record.removed[key] = pod
    world.gone.add(pod.metadata.uid)
    world.bindings.pop(key, None)
    world.change(taken_out(world.snapshot, key), Happening("pod-gone", pod=pod))


def run_pods(world: World) -> None:
    """The kubelets start what is bound to their nodes."""
    if not world.kubelets_run:
        return
    for key in world.snapshot.pod_order:
        pod = world.snapshot.pods[key].pod
        if world.is_bound(pod) and pod.status.phase in ("", "Pending"):
            world.note(world.snapshot.with_pod(_running(pod, world.stamp)))


def resume_kubelets(world: World) -> None:
    """The kubelets run again, and notice which pods were to end meanwhile."""
    world.kubelets_run = True
    for key in world.snapshot.pod_order:
        pod = world.snapshot.pods[key].pod
        if world.is_bound(pod) and pod.metadata.deletion_timestamp is not None:
            world.agenda.note(world.now + world.terms.grace, Rank.KUBELET, "pod-ends", ObjectRef("Pod", *key))


def _running(pod: Pod, stamp: str) -> Pod:
    started = pod.status.start_time or stamp
    return msgspec.structs.replace(pod, status=msgspec.structs.replace(pod.status, phase="Running", start_time=started))
