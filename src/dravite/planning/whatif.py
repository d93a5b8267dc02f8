"""What would be different: plan a cluster as it is and as it would be, and compare pod by pod.

Whoever runs stays where he is, unless the change sends him away; then his devices are free, and what his controller
makes in his place waits for others. Pods that go at different times go in waves, and each wave is planned on what the
one before has left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import groupby
from typing import Final, Literal, TypeAlias

import msgspec

from dravite.api.meta import ObjectRef
from dravite.diagnosis.verdicts import ClaimAllocation, PodDecision, Scheduled
from dravite.lifecycle.settling import settle
from dravite.planning.leaving import (
    Leaving,
    NodeDrained,
    NodeGone,
    OwnerDeleted,
    PodDeleted,
    leaving_by_taints,
    leaving_nodes,
    without_leaving,
)
from dravite.planning.plan import Plan, Preempted
from dravite.planning.planner import Watch, make_plan
from dravite.planning.settings import NO_SETTINGS, Settings
from dravite.scheduler.binding import claims_told
from dravite.snapshot.pod_edits import without_claims_of
from dravite.snapshot.snapshot import Snapshot, is_finished

Turn: TypeAlias = Literal["placed", "refused", "unplaced", "moved", "evicted", "deleted", "preempted", "gone"]
"""What becomes of a pod because of a change.

`placed`: it has a place and had none, or was not there. `refused`: it is new and has no place. `unplaced`: it waited
and had a place, and has none any more. `moved`: it waited, and has another node or other devices. `evicted`: it ran and
is sent away. `deleted`: it ran, and it, its node or its workload is deleted. `preempted`: it goes to make room. `gone`:
it waited and is not there any more, or it ran and has come to its end.
"""

_DELETIONS: Final = (PodDeleted, OwnerDeleted, NodeGone)


class Supposition(msgspec.Struct, frozen=True, kw_only=True):
    """A cluster as it is, and as it would be.

    Attributes:
        leaving: the pods that go because somebody deletes them.
        drained: the nodes that are drained.
        now: the moment of the change, in seconds since 1970.
    """

    before: Snapshot
    after: Snapshot
    leaving: tuple[Leaving, ...] = ()
    drained: tuple[str, ...] = ()
    now: float = 0.0


class Wave(msgspec.Struct, frozen=True):
    """What is planned once the pods that go `after` so many seconds have gone."""

    after: float
    leaving: tuple[Leaving, ...]
    plan: Plan


class Place(msgspec.Struct, frozen=True):
    """Where a pod is in one of the two clusters.

    Attributes:
        node: its node; empty for a pod without one.
        runs: whether it ran there before anything was planned.
        claims: what its claims hold.
        decision: what was decided, for a pod that waited.
        preempted: whether it went to make room for another one.
    """

    node: str = ""
    runs: bool = False
    claims: tuple[ClaimAllocation, ...] = ()
    decision: PodDecision | None = None
    preempted: bool = False


class PodChange(msgspec.Struct, frozen=True, kw_only=True):
    """What becomes of one pod.

    Attributes:
        before, after: where it is; None where it is not there.
        leaving: why it goes, for one that ran; `after` is then the place of what is made again.
        wave: the number of the wave in which its last decision fell.
    """

    pod: ObjectRef
    turn: Turn
    owner: ObjectRef | None = None
    before: Place | None = None
    after: Place | None = None
    leaving: Leaving | None = None
    wave: int = 0


class WhatIf(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The answer.

    Attributes:
        before: the plan without the change.
        waves: the plans with it, in order of time; the first of them holds what goes at once.
        changes: the pods of which something becomes, in the order of the input.
        same: how many pods are as they are without the change.
        waiting: those of them that have no place.
    """

    before: Plan
    waves: tuple[Wave, ...]
    changes: tuple[PodChange, ...] = ()
    same: int = 0
    waiting: tuple[ObjectRef, ...] = ()

    @property
    def final(self) -> Plan:
        """The last plan: the cluster when all has happened."""
        return self.waves[-1].plan

    def decision(self, pod: ObjectRef) -> tuple[PodDecision, int] | None:
        """The last decision on a pod with the change, and the number of its wave; None for one that never waited."""
        for number in range(len(self.waves) - 1, -1, -1):
            found = self.waves[number].plan.decision(pod)
            if found is not None:
                return found, number
        return None


def what_if(supposed: Supposition, settings: Settings = NO_SETTINGS, watch: Watch | None = None) -> WhatIf:
    """What the change makes different. Nobody is evicted twice: what is made again stays where it is put.

    `watch` is told how far each of the plans is that this takes.
    """
    planned = partial(make_plan, settings=settings, watch=watch)
    before = planned(supposed.before)
    supposed = msgspec.structs.replace(supposed, after=_without_traces(supposed))
    leaving = _each_once(_leaving(supposed, before))
    waves = tuple(_waves(supposed.after, leaving, planned))
    return _changes(WhatIf(before=before, waves=waves), {one.pod: one for one in leaving})


def _without_traces(supposed: Supposition) -> Snapshot:
    """The changed cluster without what pods hold that are not in it: whoever took them out meant that they end."""
    before, after = supposed.before, supposed.after
    ended = (before.pods[key].pod for key in before.pod_order if key not in after.pods)
    traces = {(pod.metadata.namespace, pod.metadata.uid) for pod in ended if pod.spec.node_name}
    return without_claims_of(after, "Pod", traces) if traces else after


def _leaving(supposed: Supposition, before: Plan) -> Iterator[Leaving]:
    after = settle(supposed.after)
    left = {node.metadata.name for node in after.nodes}
    gone = [node.metadata.name for node in supposed.before.nodes if node.metadata.name not in left]
    yield from supposed.leaving
    yield from leaving_nodes(after, gone, NodeGone())
    yield from leaving_nodes(after, supposed.drained, NodeDrained())
    yield from leaving_by_taints(before.start, after, supposed.now)


def _each_once(leaving: Iterable[Leaving]) -> tuple[Leaving, ...]:
    """Each pod at its first time; of several causes at that time the first."""
    first: dict[ObjectRef, Leaving] = {}
    for one in leaving:
        if one.pod not in first or one.after < first[one.pod].after:
            first[one.pod] = one
    return tuple(first.values())


def _waves(snapshot: Snapshot, leaving: Iterable[Leaving], planned: Callable[[Snapshot], Plan]) -> Iterator[Wave]:
    later = sorted(leaving, key=lambda one: one.after)
    at_once = tuple(one for one in later if not one.after)
    plan = planned(without_leaving(snapshot, at_once))
    yield Wave(0.0, at_once, plan)
    for after, members in groupby(later[len(at_once) :], key=lambda one: one.after):
        going = tuple(members)
        plan = planned(without_leaving(plan.final, going))
        yield Wave(after, going, plan)


def _changes(found: WhatIf, leaving: Mapping[ObjectRef, Leaving]) -> WhatIf:
    """The answer with what becomes of each pod."""
    changes: list[PodChange] = []
    waiting: list[ObjectRef] = []
    same = 0
    comparison = _Comparison(found, leaving)
    starts = (found.before.start, *(wave.plan.start for wave in found.waves))
    for pod in (ObjectRef("Pod", *key) for key in dict.fromkeys(key for start in starts for key in start.pod_order)):
        before, after = comparison.before(pod), comparison.after(pod)
        turn = _turn(before, after, leaving.get(pod))
        if turn == "deleted" and comparison.has_ended(pod):
            turn = "gone"
        if turn is not None:
            changes.append(comparison.change(pod, turn, before, after))
        elif after is not None:
            same += 1
            if not after.node:
                waiting.append(pod)
    return msgspec.structs.replace(found, changes=tuple(changes), same=same, waiting=tuple(waiting))


class _Comparison:
    """Where each pod is without the change and with it. Alive only while they are compared."""

    def __init__(self, found: WhatIf, leaving: Mapping[ObjectRef, Leaving]) -> None:
        self._found, self._leaving = found, leaving
        self._victims = _victims(found.before)
        self._later_victims = frozenset(victim for wave in found.waves for victim in _victims(wave.plan))

    def before(self, pod: ObjectRef) -> Place | None:
        """Where it is without the change; None for one that is not there, or has run to its end."""
        return _place(self._found.before, pod, self._victims)

    def after(self, pod: ObjectRef) -> Place | None:
        """The same with the change."""
        plan = self._plan(pod)
        known = plan.start.pod(pod)
        first = self._found.before.start.pod(pod)
        if known is not None and first is not None and known.pod is first.pod and plan.decision(pod) is None:
            return self.before(pod) if pod not in self._later_victims else _place(plan, pod, self._later_victims)
        return _place(plan, pod, self._later_victims)

    def has_ended(self, pod: ObjectRef) -> bool:
        """Whether the pod is there with the change, and has run to its end."""
        planned = self._found.final.start.pod(pod)
        return planned is not None and is_finished(planned.pod)

    def change(self, pod: ObjectRef, turn: Turn, before: Place | None, after: Place | None) -> PodChange:
        """What becomes of a pod, with what belongs to it."""
        decided = self._found.decision(pod)
        planned = self._plan(pod).start.pod(pod) or self._found.before.start.pod(pod)
        leaving = self._leaving.get(pod)
        return PodChange(
            pod=pod,
            turn=turn,
            owner=planned.owner if planned is not None else None,
            before=before,
            after=after if leaving is None or leaving.made_again else None,
            leaving=leaving,
            wave=decided[1] if decided is not None else 0,
        )

    def _plan(self, pod: ObjectRef) -> Plan:
        """The plan with the change in which the pod was decided last."""
        decided = self._found.decision(pod)
        return self._found.final if decided is None else self._found.waves[decided[1]].plan


def _victims(plan: Plan) -> frozenset[ObjectRef]:
    """Who goes to make room."""
    return frozenset(victim for note in plan.notes if isinstance(note, Preempted) for victim in note.victims)


def _place(plan: Plan, pod: ObjectRef, victims: frozenset[ObjectRef]) -> Place | None:
    planned, decision = plan.start.pod(pod), plan.decision(pod)
    if planned is None or is_finished(planned.pod):
        return None
    if decision is not None:
        node = decision.decision.node if isinstance(decision.decision, Scheduled) else ""
        claims = decision.claims if node else ()
        return Place(node=node, claims=claims, decision=decision, preempted=pod in victims)
    node = planned.pod.spec.node_name
    return Place(node=node, runs=bool(node), claims=claims_told(plan.start, planned.pod), preempted=pod in victims)


def _turn(before: Place | None, after: Place | None, leaving: Leaving | None) -> Turn | None:
    """None where a pod is where it is without the change."""
    if leaving is not None:
        return "deleted" if isinstance(leaving.cause, _DELETIONS) else "evicted"
    if after is None:
        return None if before is None else "deleted" if before.runs else "gone"
    if after.preempted:
        return None if before is not None and before.preempted else "preempted"
    if before is None:
        return "placed" if after.node else "refused"
    if bool(before.node) != bool(after.node):
        return "placed" if after.node else "unplaced"
    return "moved" if before is not after and _what(before) != _what(after) else None


def _what(place: Place) -> object:
    """The node, and the devices entry by entry."""
    devices = ((one.entry, one.allocation.devices.results if one.allocation else ()) for one in place.claims)
    return place.node, tuple(devices)
