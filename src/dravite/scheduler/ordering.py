"""Which pods come next: higher priority first, then as they were created, then as they were given (F11.1, E3.5).

A tree of groups is one element of the queue: it comes at the time at which it is complete.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

import msgspec

from dravite.api.core_v1 import Pod
from dravite.diagnosis.findings import MissingObject
from dravite.snapshot.groups import Group, root_of, scheme_of
from dravite.snapshot.snapshot import Key, Snapshot, group_key, is_pending, key_of

SCHEDULER_NAME: Final = "default-scheduler"

Turn: TypeAlias = tuple[bool, str, int]
"""When a pod came: those without a creation time after those that have one, and else in the order of the input."""


class Unit(msgspec.Struct, frozen=True):
    """Pods that are scheduled together. A pod without a group is a unit of its own.

    Attributes:
        pods: the pods, in the order in which they are tried.
        priority: of the pod, or of the root of its groups.
        root: the tree to which they belong.
        queue: the pods by their PodGroup.
        is_queued: whether it was let into the queue before: then it is tried also where pods of the tree, or a claim of
            the pod, have gone since.
    """

    pods: tuple[Key, ...]
    priority: int
    root: Group | None = None
    queue: Mapping[Key, tuple[Key, ...]] = {}
    is_queued: bool = False


def order_groups(snapshot: Snapshot) -> tuple[Unit, ...]:
    """All waiting pods in the order of the queue."""
    turns: dict[Key, Turn] = {}
    for position, key in enumerate(snapshot.pod_order):
        pod = snapshot.pods[key].pod
        if is_pending(pod):
            created = pod.metadata.creation_timestamp
            turns[key] = (created is None, created or "", position)
    units: list[tuple[int, Turn, Unit]] = []
    seen: set[tuple[str, Key]] = set()
    for key, turn in turns.items():
        pod = snapshot.pods[key].pod
        root = root_of(snapshot, pod) if _counts_groups(snapshot, pod) else None
        if root is None or isinstance(root, MissingObject):
            priority = pod.spec.priority or 0
            units.append((-priority, turn, Unit((key,), priority)))
        elif (root.ref.kind, root.key) not in seen:
            seen.add((root.ref.kind, root.key))
            unit = unit_of(snapshot, root, turns)
            units.append((-unit.priority, _completed(root, unit.queue, turns), unit))
    return tuple(unit for _, _, unit in sorted(units, key=lambda one: one[:2]))


def unit_of(snapshot: Snapshot, root: Group, turns: Mapping[Key, Turn]) -> Unit:
    """A tree with its waiting pods as far as `turns` has them."""
    queue = {
        leaf.key: tuple(sorted(_known(snapshot, leaf, turns), key=lambda key: _rank(snapshot, key, turns)))
        for leaf in root.leaves()
    }
    pods = tuple(key for leaf in root.leaves() for key in queue[leaf.key])
    priority = root.priority
    if scheme_of(snapshot.profile) != "as-a-whole":
        priority = max((snapshot.pods[key].pod.spec.priority or 0 for key in pods), default=0)
    return Unit(pods, priority, root, queue)


def _counts_groups(snapshot: Snapshot, pod: Pod) -> bool:
    """Whether the pod is scheduled with its group. Pods that name another scheduler are none of ours."""
    grouped = group_key(pod) is not None and scheme_of(snapshot.profile) != "none"
    return grouped and pod.spec.scheduler_name in ("", SCHEDULER_NAME)


def _known(snapshot: Snapshot, leaf: Group, turns: Mapping[Key, Turn]) -> Iterable[Key]:
    for key in snapshot.members.get(leaf.key) or ():
        pod = snapshot.pods[key].pod
        if key in turns and _counts_groups(snapshot, pod):
            yield key_of(pod.metadata)


def _rank(snapshot: Snapshot, key: Key, turns: Mapping[Key, Turn]) -> tuple[int, Turn]:
    return (-(snapshot.pods[key].pod.spec.priority or 0), turns[key])


def _completed(group: Group, queue: Mapping[Key, tuple[Key, ...]], turns: Mapping[Key, Turn]) -> Turn:
    """When a tree had as many members as it needs, or all that it has."""
    if group.is_composite:
        arrivals = sorted(_completed(child, queue, turns) for child in group.children)
    else:
        arrivals = sorted(turns[key] for key in queue.get(group.key, ()))
    last = min(group.minimum or 1, len(arrivals))
    return arrivals[last - 1] if last else (True, "", len(turns))
