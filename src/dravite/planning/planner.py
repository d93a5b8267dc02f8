"""Where everything would run: what waits, one after the other, each against what those before have left.

Pods that go to make room are gone, and what waits because of them is tried again. So is what looks at its neighbours,
once more of them have a place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

import msgspec

from dravite.api.meta import ObjectRef
from dravite.diagnosis.reasons import PodAffinityViolated, SpreadViolated
from dravite.diagnosis.verdicts import GroupDecision, PodDecision, Scheduled, Unschedulable, Waiting
from dravite.lifecycle.settling import settle
from dravite.planning.plan import (
    BindingAwaited,
    ClaimFreed,
    Interrupted,
    NodesInferred,
    Note,
    Plan,
    PodOfOtherScheduler,
    Preempted,
    ResourceAllocationOff,
    TakenAsGangs,
)
from dravite.planning.settings import GATE, NO_SETTINGS, Settings, is_off_by_default
from dravite.scheduler.binding_conditions import awaited_devices_of
from dravite.scheduler.cycle import Attempt, ended
from dravite.scheduler.ordering import Unit, order_groups
from dravite.scheduler.unit_attempt import UnitAttempt
from dravite.scheduler.units import schedule_unit
from dravite.snapshot.snapshot import Key, Snapshot, is_pending

MOST_ROUNDS: Final = 8
"""How often what has no node is tried again for the sake of what has happened since."""

MOST_TRIES: Final = 64
"""How often one unit is tried in a row, as long as each attempt brings it further."""


Watch: TypeAlias = Callable[[int, int], object]
"""Is told before each attempt how many pods are decided, and how many there are."""


def make_plan(snapshot: Snapshot, settings: Settings = NO_SETTINGS, watch: Watch | None = None) -> Plan:
    """Decide every waiting pod of the snapshot, in the order of the scheduling queue."""
    planning, notes = _begun(snapshot, settings)
    planning.decide(watch)
    return planning.plan(notes)


def plan_until_interrupted(snapshot: Snapshot, settings: Settings, watch: Watch | None = None) -> Plan:
    """As `make_plan`, but KeyboardInterrupt ends it: what is decided by then stands, and a note tells what is not."""
    planning, notes = _begun(snapshot, settings)
    try:
        planning.decide(watch)
    except KeyboardInterrupt:
        notes = (*notes, Interrupted(len(planning.waiting - {(pod.namespace, pod.name) for pod in planning.attempts})))
    return planning.plan(notes)


def _begun(snapshot: Snapshot, settings: Settings) -> tuple[_Planning, tuple[Note, ...]]:
    """A plan in which nothing is decided yet, and what is to be known of it already."""
    if not settings.gangs:
        return _Planning(settle(snapshot), settings), ()
    from dravite.planning.gangs import as_gangs  # a question that few ask

    gangs = as_gangs(snapshot, settings.gangs)
    notes = (TakenAsGangs(tuple(settings.gangs), gangs.made),) if gangs.made else ()
    return _Planning(settle(gangs.snapshot), settings), notes


def plan_pod(snapshot: Snapshot, key: Key, settings: Settings = NO_SETTINGS) -> Plan:
    """Decide one waiting pod of its own, as if it were alone in the queue; what controllers do has been done."""
    planning = _Planning(snapshot, settings)
    planning.try_unit(Unit((key,), snapshot.pods[key].pod.spec.priority or 0))
    return planning.plan(())


def plan_with_group(snapshot: Snapshot, key: Key, settings: Settings = NO_SETTINGS) -> Plan:
    """As `plan_pod`, but the pod is decided together with the waiting pods of the groups that it belongs to."""
    planning = _Planning(snapshot, settings)
    for unit in order_groups(snapshot):
        if key in unit.pods:
            planning.try_unit(unit)
    return planning.plan(())


class _Planning:
    """A plan in the making. Alive only inside this module's functions."""

    def __init__(self, start: Snapshot, settings: Settings) -> None:
        self.start = self.snapshot = start
        self.settings = settings
        self.attempts: dict[ObjectRef, Attempt] = {}
        self.groups: dict[ObjectRef, GroupDecision] = {}
        self.before: dict[ObjectRef, Snapshot] = {}
        self.preempted: list[tuple[Preempted, tuple[Key, ...]]] = []
        self.made_room = False
        self.turn, self.placed_at = 0, -1
        self.tried_at: dict[Key, int] = {}
        self.waiting: frozenset[Key] = frozenset()

    def decide(self, watch: Watch | None) -> None:
        """Try everything that waits, and again what may fare differently since."""
        units = order_groups(self.start)
        self.waiting = frozenset(key for unit in units for key in unit.pods)
        for _ in range(MOST_ROUNDS):
            for unit in units:
                if watch is not None:
                    watch(len(self.attempts), len(self.waiting))
                self.try_unit(unit)
            units = self.again(units)
            if not units:
                break

    def try_unit(self, unit: Unit) -> None:
        """Try a unit as long as each attempt brings it further: places pods, evicts victims, or frees claims."""
        for _ in range(MOST_TRIES):
            waiting = self._still_waiting(unit)
            if waiting is None:
                break
            attempt = schedule_unit(self.snapshot, waiting, self.settings.limits)
            self._note(waiting, attempt)
            evicts = attempt.preempting is not None and attempt.preempting.outcome == "possible"
            if evicts:
                self._evict(waiting, attempt)
            if not (evicts or attempt.freed or self.placed_at == self.turn):
                break
        self._end_nominations(unit)

    def again(self, units: tuple[Unit, ...]) -> tuple[Unit, ...]:
        """The units that may fare differently now: room was made, or they look at neighbours that came later."""
        left = tuple(unit for unit in units if self._still_waiting(unit) is not None)
        if self.made_room:
            self.made_room = False
            return left
        return tuple(unit for unit in left if any(map(self._has_new_neighbours, unit.pods)))

    def plan(self, notes: tuple[Note, ...]) -> Plan:
        """The plan as far as it has come."""
        return Plan(
            start=self.start,
            decisions=tuple(_decision(self.start, pod, attempt) for pod, attempt in self.attempts.items()),
            final=self.snapshot,
            attempts={pod: attempt.seen for pod, attempt in self.attempts.items()},
            before=self.before,
            groups=tuple(self.groups.values()),
            settings=self.settings,
            notes=(
                *_notes_on_cluster(self.start),
                *notes,
                *(self._judged(one, pods) for one, pods in self.preempted),
                *(note for p, a in self.attempts.items() for note in _notes_on_pod(p, a)),
            ),
        )

    def _still_waiting(self, unit: Unit) -> Unit | None:
        """The unit with those of its pods that still wait for a node."""
        waiting = tuple(key for key in unit.pods if self._waits(key))
        if len(waiting) == len(unit.pods):
            return unit
        if not waiting:
            return None
        queue = {group: tuple(key for key in keys if key in waiting) for group, keys in unit.queue.items()}
        return msgspec.structs.replace(unit, pods=waiting, queue=queue)

    def _waits(self, key: Key) -> bool:
        planned = self.snapshot.pods.get(key)
        return planned is not None and is_pending(planned.pod)

    def _note(self, unit: Unit, attempt: UnitAttempt) -> None:
        self.turn += 1
        before, self.snapshot = self.snapshot, attempt.after
        for key, one in attempt.pods.items():
            self.attempts[ObjectRef("Pod", *key)] = one
            self.tried_at[key] = self.turn
            if isinstance(one.decision, Scheduled):
                self.placed_at = self.turn
        for decision in attempt.groups:
            known = self.groups.get(decision.group)
            if known is None or known.outcome != "scheduled":
                self.groups[decision.group] = decision
                self.before[decision.group] = before

    def _evict(self, unit: Unit, attempt: UnitAttempt) -> None:
        """Take the victims out, and nominate the pods for the nodes that are cleared for them."""
        from dravite.planning.preemptions import preempted  # most plans evict nobody
        from dravite.snapshot.pod_edits import without_pod

        found = attempt.preempting
        assert found is not None  # noqa: S101 (there are victims)
        self.made_room = True
        message = attempt.groups[0].message if attempt.groups else self._message(attempt)
        note = preempted(self.snapshot, unit, found, message)
        for victim in note.victims:
            placed = self.attempts.get(victim)
            self.snapshot = without_pod(self.snapshot, victim)
            if placed is not None:
                planned = self.start.pods[(victim.namespace, victim.name)]
                self.attempts[victim] = ended(self.snapshot, planned, Unschedulable(message="preempted"))
        for key, node in found.nominated.items():
            self._nominate(key, node)
        self.preempted.append((note, unit.pods))

    def _message(self, attempt: UnitAttempt) -> str:
        decision = next(iter(attempt.pods.values())).decision
        return decision.message if isinstance(decision, Unschedulable) else ""

    def _nominate(self, key: Key, node: str) -> None:
        planned = self.snapshot.pods.get(key)
        if planned is not None and planned.pod.status.nominated_node_name != node:
            status = msgspec.structs.replace(planned.pod.status, nominated_node_name=node)
            self.snapshot = self.snapshot.with_pod(msgspec.structs.replace(planned.pod, status=status))

    def _end_nominations(self, unit: Unit) -> None:
        """The unit had its turn: what it was nominated for in this plan counts no more."""
        for key in unit.pods:
            self._nominate(key, self.start.pods[key].pod.status.nominated_node_name)

    def _has_new_neighbours(self, key: Key) -> bool:
        """Whether a pod was refused for its neighbours, and others were placed since."""
        attempt = self.attempts.get(ObjectRef("Pod", *key))
        if attempt is None or not isinstance(attempt.decision, Unschedulable) or self.tried_at[key] >= self.placed_at:
            return False
        reasons = (reason for finding in attempt.decision.nodes for reason in finding.reasons)
        return any(isinstance(reason, PodAffinityViolated | SpreadViolated) for reason in reasons)

    def _judged(self, note: Preempted, pods: tuple[Key, ...]) -> Preempted:
        """The note once it is known whether the preemptor has a place."""
        attempts = (self.attempts[ObjectRef("Pod", *key)] for key in pods)
        placed = any(isinstance(attempt.decision, Scheduled) for attempt in attempts)
        return msgspec.structs.replace(note, in_vain=not placed)


def _decision(start: Snapshot, pod: ObjectRef, attempt: Attempt) -> PodDecision:
    planned = start.pods[(pod.namespace, pod.name)]
    return PodDecision(
        pod=pod, owner=planned.owner, inferred=planned.inferred, decision=attempt.decision, claims=attempt.claims
    )


def _notes_on_cluster(start: Snapshot) -> Iterator[Note]:
    if start.nodes_inferred:
        yield NodesInferred(len(start.nodes))
    if start.profile.enabled(GATE) and is_off_by_default(start.profile):
        yield ResourceAllocationOff(start.profile.release)


def _notes_on_pod(pod: ObjectRef, attempt: Attempt) -> Iterator[Note]:
    for before in attempt.earlier:
        yield ClaimFreed(pod, before.message)
    awaited = awaited_devices_of(attempt.after, pod) if isinstance(attempt.decision, Scheduled) else ()
    if awaited:
        yield BindingAwaited(pod, awaited)
    if isinstance(attempt.decision, Waiting) and attempt.decision.reason == "other-scheduler":
        yield PodOfOtherScheduler(pod, attempt.decision.detail)
