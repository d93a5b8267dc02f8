"""Workloads taken as gangs although Kubernetes does not know them as such: a question for planning only.

All pods of one workload become a group that starts as a whole; of a LeaderWorkerSet each replica does.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import msgspec

from dravite.api.core_v1 import Pod, PodSchedulingGroup
from dravite.api.meta import ObjectMeta, ObjectRef
from dravite.api.releases import Profile
from dravite.api.scheduling_v1beta1 import (
    GangSchedulingPolicy,
    PodGroup,
    PodGroupSchedulingPolicy,
    PodGroupSpec,
)
from dravite.snapshot.cluster_edits import with_pod_group
from dravite.snapshot.manifests import PlannedPod
from dravite.snapshot.pod_edits import with_other_pod
from dravite.snapshot.snapshot import Key, Snapshot, is_finished, is_pending

ALIASES: Final = {"lws": "leaderworkerset", "statefulsets": "statefulset", "jobsets": "jobset", "jobs": "job"}

_REPLICA: Final = "leaderworkerset.sigs.k8s.io/group-index"
_GATES: Final = frozenset({"GenericWorkload", "GangScheduling"})


class Gangs(msgspec.Struct, frozen=True):
    """The snapshot with the groups, and those that were made."""

    snapshot: Snapshot
    made: tuple[ObjectRef, ...] = ()


def as_gangs(snapshot: Snapshot, kinds: Collection[str]) -> Gangs:
    """The snapshot in which the waiting pods of workloads of these kinds are gangs. `kinds` are in lower case.

    Pods that belong to a group already stay in it. Pods of the workload that run count for the gang.
    """
    wanted = {ALIASES.get(kind, kind) for kind in kinds}
    found: dict[Key, list[PlannedPod]] = {}
    for key in snapshot.pod_order if wanted else ():
        planned = snapshot.pods[key]
        name = _gang_of(planned, wanted)
        if name is not None:
            found.setdefault((key[0], name), []).append(planned)
    gangs = {key: members for key, members in found.items() if any(is_pending(one.pod) for one in members)}
    if not gangs:
        return Gangs(snapshot)
    snapshot = msgspec.structs.replace(snapshot, profile=_with_groups(snapshot.profile))
    for key, members in gangs.items():
        snapshot = with_pod_group(snapshot, _group(key, members))
        for planned in members:
            pod = _member(planned.pod, key[1])
            snapshot = with_other_pod(snapshot, msgspec.structs.replace(planned, pod=pod))
    return Gangs(snapshot, tuple(ObjectRef("PodGroup", *key) for key in gangs))


def _gang_of(planned: PlannedPod, kinds: Collection[str]) -> str | None:
    """The name of the gang that a pod becomes a member of."""
    pod = planned.pod
    owner = planned.owner
    if owner is None or owner.kind.lower() not in kinds or pod.spec.scheduling_group is not None or is_finished(pod):
        return None
    replica = pod.metadata.labels.get(_REPLICA)
    return f"{owner.name}-{replica}" if replica is not None else owner.name


def _with_groups(profile: Profile) -> Profile:
    return msgspec.structs.replace(profile, gates=profile.gates | _GATES)


def _group(key: Key, members: list[PlannedPod]) -> PodGroup:
    policy = PodGroupSchedulingPolicy(gang=GangSchedulingPolicy(min_count=len(members)))
    priority = max(planned.pod.spec.priority or 0 for planned in members)
    metadata = ObjectMeta(namespace=key[0], name=key[1], uid=f"<uid of PodGroup {key[0]}/{key[1]}>")
    return PodGroup(metadata=metadata, spec=PodGroupSpec(scheduling_policy=policy, priority=priority))


def _member(pod: Pod, group: str) -> Pod:
    spec = msgspec.structs.replace(pod.spec, scheduling_group=PodSchedulingGroup(pod_group_name=group))
    return msgspec.structs.replace(pod, spec=spec)
