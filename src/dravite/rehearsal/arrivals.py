"""Who waits for a node outside the scheduling queue, and who of them may come in.

A pod is looked at when it is another one than before, and all are when something else has changed that may let them in.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterable, Iterator
from typing import TypeAlias

from dravite.api.core_v1 import Pod
from dravite.diagnosis.findings import MissingObject
from dravite.diagnosis.verdicts import Waiting
from dravite.scheduler.ordering import SCHEDULER_NAME
from dravite.scheduler.waiting import claims_or_waiting, is_complete, why_group_waits
from dravite.snapshot.groups import Group, root_of, scheme_of, tree, waiting_members
from dravite.snapshot.snapshot import Key, Snapshot, group_key, is_pending, key_of

Name: TypeAlias = tuple[str, Key]
"""Kind and key of what is tried as one: a pod, or the root of a tree that is scheduled as a whole."""


class Arrivals:
    """The pods that wait for a node and are not in the queue by their own name."""

    def __init__(self) -> None:
        self._outside: dict[Key, None] = {}
        self._admitting: tuple[object, ...] = ()

    def hear(self, snapshot: Snapshot, changed: Collection[Key], known: Collection[Name]) -> tuple[Name, ...]:
        """Note the pods that are others now, and find what may come in, by the order of the pods."""
        for key in changed:
            planned = snapshot.pods.get(key)
            if planned is not None and ("Pod", key) not in known and is_pending(planned.pod) and is_ours(planned.pod):
                self._outside[key] = None
            else:
                self._outside.pop(key, None)
        before, self._admitting = self._admitting, _admitting(snapshot)
        is_same = len(before) == len(self._admitting) and all(map(operator.is_, before, self._admitting))
        looked_at: Collection[Key] = self._outside
        if is_same and not any(_has_group(snapshot, key) for key in changed):
            looked_at = [key for key in changed if key in self._outside]
        new = tuple(dict.fromkeys(_ready(snapshot, _in_order(snapshot, looked_at), known)))
        for _, key in new:
            self._outside.pop(key, None)
        return new


def _admitting(snapshot: Snapshot) -> tuple[object, ...]:
    """What lets pods in, besides themselves."""
    groups = (snapshot.pod_groups, snapshot.composite_pod_groups, snapshot.members)
    return (*groups, snapshot.claims, snapshot.templates, snapshot.profile)


def _has_group(snapshot: Snapshot, key: Key) -> bool:
    planned = snapshot.pods.get(key)
    return planned is not None and group_key(planned.pod) is not None


def _in_order(snapshot: Snapshot, keys: Collection[Key]) -> Iterable[Key]:
    if len(keys) <= 1:
        return tuple(keys)
    wanted = frozenset(keys)
    return (key for key in snapshot.pod_order if key in wanted)


def _ready(snapshot: Snapshot, keys: Iterable[Key], known: Collection[Name]) -> Iterator[Name]:
    """What of these pods, and of the trees to which they belong, is let into the queue and not there yet."""
    as_a_whole = scheme_of(snapshot.profile) == "as-a-whole"
    seen: set[Name] = set()
    for key in keys:
        pod = snapshot.pods[key].pod
        if not as_a_whole or group_key(pod) is None:
            if is_let_in(snapshot, pod):
                yield ("Pod", key)
            continue
        root = root_of(snapshot, pod)
        if root is None or isinstance(root, MissingObject):
            continue
        name = (root.ref.kind, root.key)
        if name not in seen:
            seen.add(name)
            if name not in known and not why_group_waits(snapshot, root, _waiting_in(snapshot, root)):
                yield name


def is_ours(pod: Pod) -> bool:
    """Whether the pod is left to this scheduler."""
    return pod.spec.scheduler_name in ("", SCHEDULER_NAME)


def is_ready(snapshot: Snapshot, name: Name) -> bool:
    """Whether what is in the queue still waits for a node; a pod of its own also has to be let in again."""
    kind, key = name
    if kind == "Pod":
        planned = snapshot.pods.get(key)
        return (
            planned is not None
            and is_pending(planned.pod)
            and is_ours(planned.pod)
            and is_let_in(snapshot, planned.pod)
        )
    return bool(_waiting_in(snapshot, tree_of(snapshot, name)))


def lost_its_claim(snapshot: Snapshot, name: Name) -> bool:
    """Whether a pod of its own waits for a node and names a claim that is gone."""
    kind, key = name
    planned = snapshot.pods.get(key) if kind == "Pod" else None
    if planned is None or not is_pending(planned.pod) or gang_of(snapshot, planned.pod) is not None:
        return False
    waits = claims_or_waiting(snapshot, planned.pod)
    return isinstance(waits, Waiting) and waits.reason == "claim-missing"


def is_let_in(snapshot: Snapshot, pod: Pod) -> bool:
    """Whether a pod that is tried by itself, or pulls its gang along, may be tried."""
    if isinstance(claims_or_waiting(snapshot, pod), Waiting):
        return False
    group = gang_of(snapshot, pod)
    return group is None or is_complete(snapshot, group)


def gang_of(snapshot: Snapshot, pod: Pod) -> Group | None:
    """The group that a pod pulls along."""
    if scheme_of(snapshot.profile) not in ("with-permits", "one-by-one"):
        return None
    root = root_of(snapshot, pod)
    return root if isinstance(root, Group) else None


def tree_of(snapshot: Snapshot, name: Name) -> Group:
    """The tree of a root that is there."""
    kind, key = name
    return tree(snapshot, snapshot.pod_groups[key] if kind == "PodGroup" else snapshot.composite_pod_groups[key])


def _waiting_in(snapshot: Snapshot, root: Group) -> tuple[Key, ...]:
    """The pods of a tree that wait for a node and are ours."""
    waiting = (pod for leaf in root.leaves() for pod in waiting_members(snapshot, leaf.key))
    return tuple(key_of(pod.metadata) for pod in waiting if is_ours(pod))
