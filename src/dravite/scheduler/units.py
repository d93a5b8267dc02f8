"""The next element of the queue: a pod of its own, or a tree of groups, each as its release schedules it."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from dravite.diagnosis.verdicts import GroupDecision, Waiting
from dravite.scheduler.cycle import ended, refused_without_claim, schedule_pod
from dravite.scheduler.node_choice import Limits
from dravite.scheduler.ordering import Unit
from dravite.scheduler.unit_attempt import GroupPreemption, UnitAttempt, Weighed
from dravite.scheduler.waiting import why_group_waits
from dravite.snapshot.groups import Group, scheme_of
from dravite.snapshot.snapshot import Key, Snapshot


def schedule_unit(snapshot: Snapshot, unit: Unit, limits: Limits) -> UnitAttempt:
    """One attempt for everything in the unit. What keeps pods before the queue is told as well."""
    if unit.root is None:
        return _alone(snapshot, unit, limits)
    # Most plans have no groups, and no release has more than one of these.
    from dravite.scheduler.gang_barrier import schedule_one_by_one
    from dravite.scheduler.group_cycle import schedule_tree
    from dravite.scheduler.permit_cycle import schedule_with_permits

    waits = why_group_waits(snapshot, unit.root, unit.pods) if not unit.is_queued else {}
    ready = tuple(key for key in unit.pods if key not in waits)
    if not ready:
        return _waiting(snapshot, unit, waits)
    scheme = scheme_of(snapshot.profile)
    if scheme == "as-a-whole":
        return schedule_tree(snapshot, unit.root, unit.queue, limits)
    schedule = schedule_one_by_one if scheme == "one-by-one" else schedule_with_permits
    attempt = schedule(snapshot, unit.root, ready, limits)
    others = {key: ended(snapshot, snapshot.pods[key], waiting) for key, waiting in waits.items()}
    return msgspec.structs.replace(attempt, pods={**attempt.pods, **others})


def _alone(snapshot: Snapshot, unit: Unit, limits: Limits) -> UnitAttempt:
    key = unit.pods[0]
    attempt = schedule_pod(snapshot, snapshot.pods[key], limits)
    if unit.is_queued and isinstance(attempt.decision, Waiting) and attempt.decision.reason == "claim-missing":
        attempt = refused_without_claim(snapshot, snapshot.pods[key], attempt.decision.missing[0])
    found = attempt.preempting
    preempting = (
        GroupPreemption("possible", "", victims=found.victims, nominated={key: found.node}, chosen=found)
        if found is not None
        else None
    )
    looked = Weighed({key: attempt.scores} if attempt.scores else {})
    return UnitAttempt(pods={key: attempt}, after=attempt.after, preempting=preempting, looked=looked)


def _waiting(snapshot: Snapshot, unit: Unit, waits: Mapping[Key, Waiting]) -> UnitAttempt:
    root = unit.root
    leaves: tuple[Group, ...] = tuple(root.leaves()) if root is not None else ()
    return UnitAttempt(
        pods={key: ended(snapshot, snapshot.pods[key], waits[key]) for key in unit.pods},
        after=snapshot,
        groups=tuple(
            GroupDecision(group=leaf.ref, root=root.ref, outcome="waiting", minimum=leaf.minimum)
            for leaf in leaves
            if root is not None
        ),
    )
