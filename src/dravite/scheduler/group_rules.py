"""What must hold for the pods of a tree before it is tried: one scheduler, one priority, one preemption policy (E4)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from dravite.api.core_v1 import Pod
from dravite.snapshot.groups import Group, placed_members
from dravite.snapshot.snapshot import Snapshot

_PREEMPTS: Final = "PreemptLowerPriority"


def why_not_one(snapshot: Snapshot, root: Group, waiting: tuple[Pod, ...]) -> str | None:
    """What the first pod that differs does differently, in the scheduler's words; those that run count too."""
    running = [pod for leaf in root.leaves() for pod in placed_members(snapshot, leaf.key)]
    return _why_not_alike(snapshot, root, (*waiting, *running))


def _why_not_alike(snapshot: Snapshot, root: Group, pods: Iterable[Pod]) -> str | None:
    scheduler: str | None = None
    policy: str | None = None
    own_word = snapshot.profile.enabled("PodGroupPreemptionPolicy")
    if own_word:
        policy = root.preemption_policy or _PREEMPTS
    for pod in pods:
        scheduler = pod.spec.scheduler_name if scheduler is None else scheduler
        if pod.spec.scheduler_name != scheduler:
            return (
                "all pods in a single pod group should have the same .spec.schedulerName set, "
                f'got: "{pod.spec.scheduler_name}" and "{scheduler}"'
            )
        if (pod.spec.priority or 0) != root.priority:
            return (
                "all pods in a single pod group should have the same priority as the pod group's priority, "
                f"got {pod.spec.priority or 0} and {root.priority}"
            )
        wanted = pod.spec.preemption_policy or _PREEMPTS
        policy = wanted if policy is None else policy
        if wanted != policy:
            of_group = " as the pod group's preemption policy" if own_word else ""
            return (
                f"all pods in a single pod group should have the same preemption policy{of_group}, "
                f"got {wanted} and {policy}"
            )
    return None
