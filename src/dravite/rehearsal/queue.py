"""The scheduling queue: who is tried next, who waits for something to happen, and who for a moment to pass.

A pod of its own that was refused waits until something may help it. A tree of groups is tried again after its backoff
in any case; an attempt that could not go differently is passed over. What ended in an error is tried again as well.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from typing import Final, TypeAlias

import msgspec

from dravite.diagnosis.verdicts import Aborted, Decision, Scheduled, Unschedulable
from dravite.rehearsal.arrivals import Arrivals, Name, gang_of, is_ours, is_ready, lost_its_claim, tree_of
from dravite.rehearsal.happenings import happenings_of_claims
from dravite.rehearsal.hints import NO_HINTS, Hints, hints_of, may_help
from dravite.rehearsal.world import Happening, World
from dravite.scheduler.ordering import Unit
from dravite.scheduler.unit_attempt import UnitAttempt
from dravite.snapshot.groups import Group, root_of, scheme_of, waiting_members
from dravite.snapshot.snapshot import Key, Snapshot, group_key, is_pending, key_of

FIRST_BACKOFF: Final = 1.0
LONGEST_BACKOFF: Final = 10.0

LONGEST_REFUSAL: Final = 300.0
"""After so many seconds a refused pod is tried again in any case: no hint foresees everything."""

MOST_KNOWN: Final = 1_000
"""So many pods that are gone are remembered before they are forgotten together."""

Rank: TypeAlias = tuple[int, tuple[float, int], Name]
"""Where an element stands: higher priority first, then by its place among equals."""


class Entry(msgspec.Struct):
    """One element of the queue. It changes with every attempt.

    Attributes:
        since: its place among equals: when it came, then in which order.
        priority: of the pod, or of the root of the tree.
        attempts: how often it was tried in vain.
        active: whether it may be tried as soon as its backoff is over.
        not_before: when that is.
        version: the state of the cluster in which a new attempt would be in vain; -1 for none.
        last: what came of its last attempt.
        hints: what may help it, where that was refused.
    """

    since: tuple[float, int]
    priority: int
    attempts: int = 0
    active: bool = True
    not_before: float = 0.0
    version: int = -1
    last: Decision | None = None
    hints: Hints = NO_HINTS


class Queue:
    """All that waits for a node and may be tried."""

    def __init__(self) -> None:
        self._entries: dict[Name, Entry] = {}
        self._line: list[Rank] = []
        self._refused: dict[Name, None] = {}
        self._arrivals = Arrivals()
        self._seen: Snapshot | None = None
        self._turns: dict[Key, int] = {}
        self._attempts: dict[Key, int] = {}
        self._number = 0

    def hear(self, world: World) -> None:
        """Note who may be tried since the last time, and who is to be tried again for what has happened."""
        claims = happenings_of_claims(self._seen, world.snapshot) if self._seen is not None else ()
        happened, world.happenings = (*world.happenings, *claims), []
        changed = self._follow(world.snapshot)
        self._forget(world.snapshot)
        overdue = self.overdue()
        if happened or (overdue is not None and overdue <= world.now):
            self._wake_refused(world, happened)
        new = self._arrivals.hear(world.snapshot, changed, self._entries)
        for name in sorted(new, key=lambda name: name[1] != world.touched):
            not_before = world.held_back.pop(name[1], 0.0)
            entry = Entry(self._place(world.now), _priority(world.snapshot, name), not_before=not_before)
            self._entries[name] = entry
            self._line_up(name, entry)

    def next(self, world: World) -> Unit | None:
        """What is tried now, if anything is."""
        passed_over: set[Rank] = set()
        early: list[tuple[int, Rank]] = []
        found: Name | None = None
        while self._line and found is None:
            rank = self._line[0]
            name = rank[2]
            entry = self._entries.get(name)
            if entry is None or not entry.active or rank != _rank(name, entry):
                heappop(self._line)  # it is gone, or stands elsewhere by now
            elif entry.version == world.version or not _may_be_tried(world.snapshot, name, entry):
                passed_over.add(heappop(self._line))
            elif entry.not_before > world.now:
                passed_over.add(heappop(self._line))
                early += [(int(entry.not_before), rank)] if _may_come_early(world.snapshot, name, entry) else []
            else:
                found = name
        for rank in passed_over:
            heappush(self._line, rank)
        if found is None and early:
            found = min(early)[1][2]
        return self._unit(world, found) if found is not None else None

    def sizes(self, world: World) -> Mapping[str, int]:
        """How many pods and trees are in which part of the queue; `gated` are those that are not let in."""
        counts = Counter(
            "unschedulable" if not entry.active else "backoff" if entry.not_before > world.now else "active"
            for entry in self._entries.values()
        )
        waiting = sum(is_ours(planned.pod) for planned in world.snapshot.pending())
        known = sum(kind == "Pod" for kind, _ in self._entries)
        in_groups = sum(
            len(waiting_members(world.snapshot, leaf.key))
            for name in self._entries
            if name[0] != "Pod"
            for leaf in tree_of(world.snapshot, name).leaves()
        )
        return {**counts, "gated": max(0, waiting - known - in_groups)}

    def retries(self, world: World) -> Iterator[float]:
        """When elements are tried again that may fare differently then."""
        return (entry.not_before for _, entry in self._active(world))

    def overdue(self) -> float | None:
        """When the pod that was refused before all others is tried again in any case; None where nobody waits."""
        entries = (self._entries.get(name) for name in self._refused)
        return next((one.since[0] + LONGEST_REFUSAL for one in entries if one is not None and not one.active), None)

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
        entry.hints = hints_of(decision) if isinstance(decision, Unschedulable) else NO_HINTS
        if again:
            self._line_up(("Pod", key), entry)
        else:
            self._refused[("Pod", key)] = None

    def _wake_refused(self, world: World, happened: Sequence[Happening]) -> None:
        """Refused pods are tried again for what may help them, or in time, in the order in which they were refused."""
        refused, self._refused = self._refused, {}
        for name in refused:
            entry, planned = self._entries.get(name), world.snapshot.pods.get(name[1])
            if entry is None or entry.active or planned is None:
                continue
            is_overdue = entry.since[0] + LONGEST_REFUSAL <= world.now
            if is_overdue or any(may_help(happening, entry.hints, planned.pod) for happening in happened):
                entry.active, entry.version, entry.since = True, -1, self._place(world.now)
                self._line_up(name, entry)
            else:
                self._refused[name] = None

    def _awaken(self, world: World, attempt: UnitAttempt) -> None:
        """Siblings of pods that waited for their gang are tried again after their backoff, if anything has changed."""
        some_placed = any(isinstance(tried.decision, Scheduled) for tried in attempt.pods.values())
        for key in attempt.pods:
            entry = self._entries.get(("Pod", key))
            if entry is not None and not entry.active:
                entry.active = True
                entry.version = -1 if some_placed else world.version
                entry.not_before = world.now + backoff(entry.attempts)
                self._line_up(("Pod", key), entry)

    def _follow(self, snapshot: Snapshot) -> tuple[Key, ...]:
        """Let go of what is gone, and give all its priority. The pods that are others than the last time."""
        before, self._seen = self._seen, snapshot
        if before is None:
            return snapshot.pod_order
        changed = tuple(snapshot.pods.differing(before.pods))
        self._drop_empty(before, snapshot, changed)
        names: list[Name] = [("Pod", key) for key in changed if ("Pod", key) in self._entries]
        if not _has_same_groups(before, snapshot):
            names += [name for name in self._entries if name[0] != "Pod"]
        for name in names:
            entry = self._entries[name]
            if not _is_there(snapshot, name):
                del self._entries[name]
            elif entry.priority != (priority := _priority(snapshot, name)):
                entry.priority = priority
                self._line_up(name, entry)
        return changed

    def _drop_empty(self, before: Snapshot, after: Snapshot, changed: Iterable[Key]) -> None:
        """Let go of trees whose last waiting pod is gone: with the next one they have to be let in again."""
        gone = (before.pods[key].pod for key in changed if key not in after.pods)
        roots = (root_of(before, pod) for pod in gone if group_key(pod) is not None)
        for name in {(root.ref.kind, root.key) for root in roots if isinstance(root, Group)}:
            if name in self._entries and (not _is_there(after, name) or not is_ready(after, name)):
                del self._entries[name]

    def _forget(self, snapshot: Snapshot) -> None:
        """Forget pods that are gone, once they are many."""
        there = snapshot.pods
        if len(self._attempts) > MOST_KNOWN + 2 * len(there):
            self._attempts = {key: number for key, number in self._attempts.items() if key in there}
            self._turns = {key: turn for turn, key in enumerate(key for key in self._turns if key in there)}

    def _active(self, world: World) -> Iterator[tuple[Name, Entry]]:
        """The elements that may be tried and whose next attempt is not in vain."""
        for name, entry in self._entries.items():
            if entry.active and entry.version != world.version and _may_be_tried(world.snapshot, name, entry):
                yield name, entry

    def _line_up(self, name: Name, entry: Entry) -> None:
        heappush(self._line, _rank(name, entry))

    def _place(self, now: float) -> tuple[float, int]:
        self._number += 1
        return (now, self._number)

    def _unit(self, world: World, name: Name) -> Unit:
        snapshot, (kind, key) = world.snapshot, name
        if kind == "Pod":
            group = gang_of(snapshot, snapshot.pods[key].pod)
            if group is None:
                failed = isinstance(self._entries[name].last, Aborted)
                return Unit((key,), snapshot.pods[key].pod.spec.priority or 0, is_queued=failed)
            return self._gang(world, group, key)
        root = tree_of(snapshot, name)
        queue = {leaf.key: self._in_turn(world, leaf) for leaf in root.leaves()}
        pods = tuple(pod for leaf in root.leaves() for pod in queue[leaf.key])
        return Unit(pods, root.priority, root, queue, is_queued=True)

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
        pods = [pod for pod in waiting_members(world.snapshot, leaf.key) if is_ours(pod)]
        pods.sort(key=lambda pod: (-(pod.spec.priority or 0), -self._attempts.get(key_of(pod.metadata), 0)))
        return tuple(key_of(pod.metadata) for pod in pods)


def backoff(attempts: int, pods: int = 1) -> float:
    """Seconds until what was tried so often is tried again; the longest time grows with the root of the pods."""
    return min(FIRST_BACKOFF * float(2 ** (attempts - 1)), LONGEST_BACKOFF * math.sqrt(pods))


def _may_be_tried(snapshot: Snapshot, name: Name, entry: Entry) -> bool:
    """Whether an element may be tried. A pod that sits out an error is not asked again whether it may come in."""
    return is_ready(snapshot, name) or (isinstance(entry.last, Aborted) and lost_its_claim(snapshot, name))


def _may_come_early(snapshot: Snapshot, name: Name, entry: Entry) -> bool:
    """Whether an element need not sit out its backoff while nobody else is to be tried (SchedulerPopFromBackoffQ).

    That is so for pods of their own that were refused; of several the one comes first whose backoff ends in the
    earliest second (observed on 1.37.2).
    """
    if name[0] != "Pod" or not isinstance(entry.last, Unschedulable) or not snapshot.profile.is_at_least("1.33"):
        return False
    return gang_of(snapshot, snapshot.pods[name[1]].pod) is None


def _rank(name: Name, entry: Entry) -> Rank:
    return (-entry.priority, entry.since, name)


def _has_same_groups(before: Snapshot, after: Snapshot) -> bool:
    return before.pod_groups is after.pod_groups and before.composite_pod_groups is after.composite_pod_groups


def _is_there(snapshot: Snapshot, name: Name) -> bool:
    kind, key = name
    groups = snapshot.pod_groups if kind == "PodGroup" else snapshot.composite_pod_groups
    return key in snapshot.pods if kind == "Pod" else key in groups


def _priority(snapshot: Snapshot, name: Name) -> int:
    kind, key = name
    return (snapshot.pods[key].pod.spec.priority or 0) if kind == "Pod" else tree_of(snapshot, name).priority
