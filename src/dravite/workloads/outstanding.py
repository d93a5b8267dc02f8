"""Which pods of a workload are still to be made, given those that exist: no pod is planned twice.

A Deployment whose template changed is replaced in steps. Only the next step is told, because what follows depends on
where its pods end up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from dravite.api.core_v1 import Pod
from dravite.api.plain import PlainView
from dravite.workloads.expansion import ExpandedPod
from dravite.workloads.raw_paths import mapping

_HASH = "pod-template-hash"
_ENDED = ("Succeeded", "Failed")
_SHRINKING = ("ReplicaSet", "ReplicationController", "Job")


class Outstanding(msgspec.Struct, frozen=True, kw_only=True):
    """What a workload needs next.

    Attributes:
        planned: pods to make now.
        removed: names of pods that go: those of an old template, to make room, or those that are too many.
        later: how many more pods the rollout makes after this step.
        covered: for kinds with one pod a node, the nodes that have theirs; `planned` still stands for all others.
    """

    planned: tuple[ExpandedPod, ...]
    removed: tuple[str, ...] = ()
    later: int = 0
    covered: frozenset[str] = frozenset()


def outstanding(expanded: Sequence[ExpandedPod], existing: Sequence[Pod]) -> Outstanding:
    """The pods that are missing, for every kind but a Deployment in a rollout.

    `existing` are the pods that belong to the workload. Finished pods hold no place. A pod that is being deleted
    holds its place only if its name is needed again.
    """
    pods = [pod for pod in existing if pod.status.phase not in _ENDED]
    if any(item.per_node for item in expanded):
        covered = frozenset(pod.spec.node_name for pod in pods if pod.metadata.deletion_timestamp is None)
        return Outstanding(planned=tuple(expanded), covered=covered - {""})
    names = {pod.metadata.name for pod in pods}
    spare = [pod for pod in pods if pod.metadata.deletion_timestamp is None]
    planned = []
    for item in expanded:
        if item.name in names:
            spare = [pod for pod in spare if pod.metadata.name != item.name]
        elif not item.inferred:
            planned.append(item)
        else:
            place = next((pod for pod in spare if _fills(pod, item)), None)
            if place is None:
                planned.append(item)
            else:
                spare.remove(place)
    return Outstanding(planned=tuple(planned))


def rollout(
    deployment: PlainView, expanded: Sequence[ExpandedPod], existing: Sequence[Pod], replica_sets: Sequence[PlainView]
) -> Outstanding:
    """The next step of a Deployment: like `outstanding`, where every pod that exists has the current template.

    `replica_sets` are the ReplicaSets of the Deployment that were read. A pod is old when its ReplicaSet was read and
    its template differs from the Deployment's in something that the Deployment says. `expanded` are all pods of the
    Deployment. Source: the Deployment controller, strategies Recreate and RollingUpdate.
    """
    hashes = _old_hashes(deployment, replica_sets)
    alive = [pod for pod in existing if pod.status.phase not in _ENDED and pod.metadata.deletion_timestamp is None]
    old = [pod for pod in alive if pod.metadata.labels.get(_HASH) in hashes]
    missing = tuple(expanded[len(alive) - len(old) :])
    if not old:
        return Outstanding(planned=missing, removed=_too_many(alive, len(expanded)))
    if not missing:
        return Outstanding(planned=missing)
    strategy = mapping(mapping(deployment.get("spec")).get("strategy"))
    if strategy.get("type") == "Recreate":
        return Outstanding(planned=missing, removed=tuple(pod.metadata.name for pod in old))
    surge, unavailable = margins(mapping(strategy.get("rollingUpdate")), len(expanded))
    room = len(expanded) + surge - len(alive)
    removed = tuple(pod.metadata.name for pod in old[:unavailable]) if room <= 0 else ()
    planned = missing[: max(room, 0) + len(removed)]
    return Outstanding(planned=planned, removed=removed, later=len(missing) - len(planned))


def surplus(kind: str, expanded: Sequence[ExpandedPod], existing: Sequence[Pod]) -> tuple[str, ...]:
    """The pods of a workload that go because it wants fewer; of kinds whose controllers are not known none.

    A StatefulSet keeps the names that it wants, the others as many pods as they want.
    """
    alive = [pod for pod in existing if pod.status.phase not in _ENDED and pod.metadata.deletion_timestamp is None]
    if kind == "StatefulSet":
        wanted = {item.name for item in expanded}
        return tuple(pod.metadata.name for pod in alive if pod.metadata.name not in wanted)
    return _too_many(alive, len(expanded)) if kind in _SHRINKING else ()


def least_wanted(pods: Iterable[Pod]) -> list[Pod]:
    """The pods in the order in which too many of them go: first those that have got least far, then the newest."""
    youngest = sorted(pods, key=lambda pod: (pod.metadata.creation_timestamp or "", pod.metadata.name), reverse=True)
    return sorted(youngest, key=lambda pod: (bool(pod.spec.node_name), pod.status.phase == "Running", is_ready(pod)))


def is_ready(pod: Pod) -> bool:
    """Whether a pod says that it is ready."""
    return any(one.type == "Ready" and one.status == "True" for one in pod.status.conditions)


def _too_many(alive: Sequence[Pod], wanted: int) -> tuple[str, ...]:
    return tuple(pod.metadata.name for pod in least_wanted(alive)[: max(0, len(alive) - wanted)])


def says_no_more(said: Any, stored: Any) -> bool:
    """Whether everything that a manifest says is so in what a server stored, which has defaults besides."""
    if isinstance(said, Mapping):
        return isinstance(stored, Mapping) and all(says_no_more(value, stored.get(key)) for key, value in said.items())
    if isinstance(said, Sequence) and not isinstance(said, str):
        return (
            isinstance(stored, Sequence)
            and len(said) == len(stored)
            and all(says_no_more(one, other) for one, other in zip(said, stored, strict=True))
        )
    return bool(said == stored) or (said is None and not stored)


def _fills(pod: Pod, item: ExpandedPod) -> bool:
    return all(pod.metadata.labels.get(key) == value for key, value in item.marks.items())


def _old_hashes(deployment: PlainView, replica_sets: Sequence[PlainView]) -> frozenset[str]:
    template = mapping(deployment.get("spec")).get("template")
    hashes = set()
    for replica_set in replica_sets:
        stored = mapping(mapping(replica_set.get("spec")).get("template"))
        labels = mapping(mapping(stored.get("metadata")).get("labels"))
        if _HASH in labels and not says_no_more(template, stored):
            hashes.add(str(labels[_HASH]))
    return frozenset(hashes)


def margins(update: Mapping[str, Any], replicas: int) -> tuple[int, int]:
    """How many pods more than wanted there may be, and how many fewer, not both none. Shares round up and down."""
    surge = _share(update.get("maxSurge", "25%"), replicas, up=True)
    unavailable = _share(update.get("maxUnavailable", "25%"), replicas, up=False)
    return surge, unavailable if surge or unavailable else 1


def _share(value: Any, replicas: int, *, up: bool) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return max(0, value)
    number = str(value).removesuffix("%")
    percent = int(number) if number.isdecimal() else 25
    return -(-percent * replicas // 100) if up else percent * replicas // 100
