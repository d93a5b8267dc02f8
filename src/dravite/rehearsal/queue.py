"""The scheduling queue: who is tried next, who waits for something to happen, and who for a moment to pass.

A pod of its own that was refused waits until something may help it. A tree of groups is tried again after its backoff
in any case; an attempt that could not go differently is passed over. What ended in an error is tried again as well.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from dravite.api.core_v1 import Pod
from dravite.diagnosis.findings import MissingObject
from dravite.diagnosis.verdicts import Aborted, Decision, Scheduled, Unschedulable, Waiting
from dravite.rehearsal.hints import may_help
from dravite.rehearsal.world import Happening, World
from dravite.scheduler.ordering import SCHEDULER_NAME, Unit
from dravite.scheduler.unit_attempt import UnitAttempt
from dravite.scheduler.waiting import claims_or_waiting, is_complete, why_group_waits
from dravite.snapshot.groups import Group, root_of, scheme_of, tree, waiting_members
from dravite.snapshot.snapshot import Key, Snapshot, group_key, is_pending, key_of

FIRST_BACKOFF: Final = 1.0
LONGEST_BACKOFF: Final = 10.0

MOST_KNOWN: Final = 1_000
"""So many pods that are gone are remembered before they are forgotten together."""

Name = tuple[str, Key]
"""Kind and key of what is tried as one: a pod, or the root of a tree that is scheduled as a whole."""


class Entry(msgspec.Struct):
    """One element of the queue. It changes with every attempt.

    Attributes:
        since: its place among equals: when it came, then in which order.
        attempts: how often it was tried in vain.
        active: whether it may be tried as soon as its backoff is over.
        not_before: when that is.
        version: the state of the cluster in which a new attempt would be in vain; -1 for none.
        last: what came of its last attempt.
    """

    since: tuple[float, int]
    attempts: int = 0
    active: bool = True
    not_before: float = 0.0
    version: int = -1
    last: Decision | None = None


class Queue:
    """All that waits for a node and may be tried."""

    def __init__(self) -> None:
        self._entries: dict[Name, Entry] = {}
        self._turns: dict[Key, int] = {}
        self._attempts: dict[Key, int] = {}
        self._number = 0

    def hear(self, world: World) -> None:
        """Note who may be tried since the last time, and who is to be tried again for what has happened."""
        happened, world.happenings = world.happenings, []
        self._entries = {name: entry for name, entry in self._entries.items() if _is_there(world.snapshot, name)}
        if len(self._attempts) > MOST_KNOWN + 2 * len(world.snapshot.pods):
            there = world.snapshot.pods
            self._attempts = {key: number for key, number in self._attempts.items() if key in there}
            self._turns = {key: turn for turn, key in enumerate(key for key in self._turns if key in there)}
        for name, entry in self._entries.items():
            if not entry.active and _is_helped(entry, name, happened, world.snapshot):
                self._activate(entry, world.now)
        new = tuple(_ready(world, self._entries))
        for name in sorted(new, key=lambda name: name[1] != world.touched):
            self._entries[name] = Entry(self._place(world.now), not_before=world.held_back.pop(name[1], 0.0))

    def next(self, world: World) -> Unit | None:
        """What is tried now, if anything is."""
        found = sorted(
            (-_priority(world.snapshot, name), entry.since, name)
            for name, entry in self._entries.items()
            if entry.active and entry.version != world.version and entry.not_before <= world.now
        )
        first = next((name for _, _, name in found if _is_ready(world.snapshot, name)), None)
        return self._unit(world, first) if first is not None else None

    def sizes(self, world: World) -> Mapping[str, int]:
        """How many pods and trees are in which part of the queue; `gated` are those that are not let in."""
        counts = Counter(
            "unschedulable" if not entry.active else "backoff" if entry.not_before > world.now else "active"
            for entry in self._entries.values()
        )
        waiting = sum(_is_ours(planned.pod) for planned in world.snapshot.pending())
        known = sum(kind == "Pod" for kind, _ in self._entries)
        in_groups = sum(
            len(waiting_members(world.snapshot, leaf.key))
            for name in self._entries
            if name[0] != "Pod"
            for leaf in _tree(world.snapshot, name).leaves()
        )
        return {**counts, "gated": max(0, waiting - known - in_groups)}

    def retries(self, world: World) -> Iterator[float]:
        """When elements are tried again that may fare differently then."""
        return (entry.not_before for _, entry in self._active(world))

    def conclude(self, world: World, unit: Unit, attempt: UnitAttempt) -> None:
        """Note what came of a unit, once that has taken effect."""
        for key in unit.pods:
            self._attempts[key] = self._attempts.get(key, 0) + 1
        if unit.root is not None and scheme_of(world.snapshot.profile) == "as-a-whole":
            self._conclude_tree(world, unit, unit.root, attempt)
            return
        for key, tried in attempt.pods.items():
            entry = self._entries.get(("Pod", key))
            if entry is not None:
                self._conclude_pod(world, key, entry, tried.decision)
        if attempt.awakened:
            self._awaken(world, attempt)

    def _conclude_tree(self, world: World, unit: Unit, root: Group, attempt: UnitAttempt) -> None:
        """What is left over after a success is tried at once; a tree that failed is tried after its backoff."""
        name = (root.ref.kind, root.key)
        entry = self._entries[name]
        if not any(is_pending(world.snapshot.pods[key].pod) for key in unit.pods if key in world.snapshot.pods):
            del self._entries[name]
        elif any(isinstance(tried.decision, Scheduled) for tried in attempt.pods.values()):
            entry.attempts, entry.version, entry.not_before = 0, -1, world.now
        else:
            entry.attempts += 1
            waits = attempt.preempting is not None and attempt.preempting.outcome == "possible"
            entry.version = -1 if waits else world.version
            entry.not_before = world.now + backoff(entry.attempts, len(unit.pods))

    def _conclude_pod(self, world: World, key: Key, entry: Entry, decision: Decision) -> None:
        if isinstance(decision, Scheduled):
            del self._entries[("Pod", key)]
            return
        again = isinstance(decision, Aborted)
        entry.attempts += 1
        entry.active = again
        entry.since = self._place(world.now)
        entry.not_before = world.now + backoff(entry.attempts)
        entry.version = world.version if not again or decision == entry.last else -1
        entry.last = decision

    def _awaken(self, world: World, attempt: UnitAttempt) -> None:
        """Siblings of pods that waited for their gang are tried again after their backoff, if anything has changed."""
        some_placed = any(isinstance(tried.decision, Scheduled) for tried in attempt.pods.values())
        for key in attempt.pods:
            entry = self._entries.get(("Pod", key))
            if entry is not None and not entry.active:
                entry.active = True
                entry.version = -1 if some_placed else world.version
                entry.not_before = world.now + backoff(entry.attempts)

    def _active(self, world: World) -> Iterator[tuple[Name, Entry]]:
        """The elements that may be tried and whose next attempt is not in vain."""
        for name, entry in self._entries.items():
            if entry.active and entry.version != world.version and _is_ready(world.snapshot, name):
                yield name, entry

    def _activate(self, entry: Entry, now: float) -> None:
        entry.active, entry.version, entry.since = True, -1, self._place(now)

    def _place(self, now: float) -> tuple[float, int]:
        self._number += 1
        return (now, self._number)

    def _unit(self, world: World, name: Name) -> Unit:
        snapshot, (kind, key) = world.snapshot, name
        if kind == "Pod":
            group = _group_of(snapshot, snapshot.pods[key].pod)
            if group is None:
                return Unit((key,), snapshot.pods[key].pod.spec.priority or 0)
            return self._gang(world, group, key)
        root = _tree(snapshot, name)
        queue = {leaf.key: self._in_turn(world, leaf) for leaf in root.leaves()}
        return Unit(tuple(pod for leaf in root.leaves() for pod in queue[leaf.key]), root.priority, root, queue)

    def _gang(self, world: World, group: Group, first: Key) -> Unit:
        """The siblings of a pod that are in the queue with it, in the order of their first attempts (E3.6)."""
        pods = world.snapshot.pods
        siblings = [key_of(pod.metadata) for pod in waiting_members(world.snapshot, group.key)]
        siblings = [key for key in siblings if ("Pod", key) in self._entries]
        for key in (first, *siblings):
            self._turns.setdefault(key, len(self._turns))
        ordered = tuple(sorted(siblings, key=lambda key: (-(pods[key].pod.spec.priority or 0), self._turns[key])))
        return Unit(ordered, pods[first].pod.spec.priority or 0, group, {group.key: ordered})

    def _in_turn(self, world: World, leaf: Group) -> tuple[Key, ...]:
        """The waiting pods of a group: higher priority first, then those tried more often, then as they came."""
        pods = [pod for pod in waiting_members(world.snapshot, leaf.key) if _is_ours(pod)]
        pods.sort(key=lambda pod: (-(pod.spec.priority or 0), -self._attempts.get(key_of(pod.metadata), 0)))
        return tuple(key_of(pod.metadata) for pod in pods)


def backoff(attempts: int, pods: int = 1) -> float:
    """Seconds until what was tried so often is tried again; the longest time grows with the root of the pods."""
    return min(FIRST_BACKOFF * float(2 ** (attempts - 1)), LONGEST_BACKOFF * math.sqrt(pods))


def _is_helped(entry: Entry, name: Name, happened: Sequence[Happening], snapshot: Snapshot) -> bool:
    planned = snapshot.pods.get(name[1])
    if planned is None or not isinstance(entry.last, Unschedulable) or entry.last.held_back is not None:
        return False
    last = entry.last
    return any(may_help(happening, last, planned.pod) for happening in happened)


def _is_ready(snapshot: Snapshot, name: Name) -> bool:
    """Whether an element still waits for a node and is let into the queue."""
    kind, key = name
    if kind == "Pod":
        planned = snapshot.pods.get(key)
        return (
            planned is not None
            and is_pending(planned.pod)
            and _is_ours(planned.pod)
            and _is_let_in(snapshot, planned.pod)
        )
    root = _tree(snapshot, name)
    waiting = _waiting_in(snapshot, root)
    return bool(waiting) and not why_group_waits(snapshot, root, waiting)


def _waiting_in(snapshot: Snapshot, root: Group) -> tuple[Key, ...]:
    """The pods of a tree that wait for a node and are ours."""
    waiting = (pod for leaf in root.leaves() for pod in waiting_members(snapshot, leaf.key))
    return tuple(key_of(pod.metadata) for pod in waiting if _is_ours(pod))


def _ready(world: World, known: Collection[Name]) -> Iterator[Name]:
    """What waits for a node, is let into the queue and not known to be there, by the order of the pods."""
    snapshot = world.snapshot
    scheme = scheme_of(snapshot.profile)
    seen: set[Name] = set()
    for planned in snapshot.pending():
        pod = planned.pod
        if not _is_ours(pod):
            continue
        if scheme != "as-a-whole" or group_key(pod) is None:
            name = ("Pod", key_of(pod.metadata))
            if name not in known and _is_let_in(snapshot, pod):
                yield name
            continue
        root = root_of(snapshot, pod)
        if root is None or isinstance(root, MissingObject):
            continue
        name = (root.ref.kind, root.key)
        if name not in seen:
            seen.add(name)
            if name not in known and not why_group_waits(snapshot, root, _waiting_in(snapshot, root)):
                yield name


def _is_let_in(snapshot: Snapshot, pod: Pod) -> bool:
    """Whether a pod that is tried by itself, or pulls its gang along, may be tried."""
    if isinstance(claims_or_waiting(snapshot, pod), Waiting):
        return False
    group = _group_of(snapshot, pod)
    return group is None or is_complete(snapshot, group)


def _group_of(snapshot: Snapshot, pod: Pod) -> Group | None:
    """The group that a pod pulls along."""
    if scheme_of(snapshot.profile) not in ("with-permits", "one-by-one"):
        return None
    root = root_of(snapshot, pod)
    return root if isinstance(root, Group) else None


def _tree(snapshot: Snapshot, name: Name) -> Group:
    """The tree of a root that is there."""
    kind, key = name
    return tree(snapshot, snapshot.pod_groups[key] if kind == "PodGroup" else snapshot.composite_pod_groups[key])


def _is_there(snapshot: Snapshot, name: Name) -> bool:
    kind, key = name
    groups = snapshot.pod_groups if kind == "PodGroup" else snapshot.composite_pod_groups
    return key in snapshot.pods if kind == "Pod" else key in groups


def _priority(snapshot: Snapshot, name: Name) -> int:
    kind, key = name
    return (snapshot.pods[key].pod.spec.priority or 0) if kind == "Pod" else _tree(snapshot, name).priority


def _is_ours(pod: Pod) -> bool:
    return pod.spec.scheduler_name in ("", SCHEDULER_NAME)
