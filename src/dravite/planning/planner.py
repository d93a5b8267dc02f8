"""Where everything would run: the waiting pods, one after the other, each against what the ones before left."""

from __future__ import annotations

from collections.abc import Iterator

from dravite.api.meta import ObjectRef
from dravite.diagnosis.verdicts import PodDecision, Scheduled, Waiting
from dravite.lifecycle.settling import settle
from dravite.planning.plan import (
    BindingAwaited,
    ClaimFreed,
    GroupsTakenApart,
    NodesInferred,
    Note,
    Plan,
    PodOfOtherScheduler,
    PreemptionPossible,
    ResourceAllocationOff,
)
from dravite.planning.settings import GATE, Settings, is_off_by_default
from dravite.scheduler.binding_conditions import awaited_devices_of
from dravite.scheduler.cycle import Attempt, schedule_pod
from dravite.scheduler.ordering import order_groups
from dravite.snapshot.snapshot import Snapshot

NO_SETTINGS = Settings()


def make_plan(snapshot: Snapshot, settings: Settings = NO_SETTINGS) -> Plan:
    """Decide every waiting pod of the snapshot, in the order of the scheduling queue."""
    start = snapshot = settle(snapshot)
    attempts: dict[ObjectRef, Attempt] = {}
    for unit in order_groups(snapshot):
        for key in unit.pods:
            attempt = schedule_pod(snapshot, snapshot.pods[key], settings.limits)
            snapshot = attempt.after
            attempts[ObjectRef("Pod", *key)] = attempt
    return _plan(start, snapshot, attempts)


def _plan(start: Snapshot, final: Snapshot, attempts: dict[ObjectRef, Attempt]) -> Plan:
    return Plan(
        start=start,
        decisions=tuple(_decision(start, pod, attempt) for pod, attempt in attempts.items()),
        final=final,
        attempts={pod: attempt.seen for pod, attempt in attempts.items()},
        notes=(*_notes_on_cluster(start), *(note for p, a in attempts.items() for note in _notes_on_pod(p, a))),
    )


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
    members = sum(planned.pod.spec.scheduling_group is not None for planned in start.pending())
    if members and start.profile.enabled("GenericWorkload"):
        yield GroupsTakenApart(members)


def _notes_on_pod(pod: ObjectRef, attempt: Attempt) -> Iterator[Note]:
    for before in attempt.earlier:
        yield ClaimFreed(pod, before.message)
    if attempt.preempting is not None:
        victims = tuple(ObjectRef("Pod", *victim.key) for victim in attempt.preempting.victims)
        yield PreemptionPossible(pod, attempt.preempting.node, victims)
    awaited = awaited_devices_of(attempt.after, pod) if isinstance(attempt.decision, Scheduled) else ()
    if awaited:
        yield BindingAwaited(pod, awaited)
    if isinstance(attempt.decision, Waiting) and attempt.decision.reason == "other-scheduler":
        yield PodOfOtherScheduler(pod, attempt.decision.detail)
