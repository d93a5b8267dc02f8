"""One scheduling attempt for a gang of 1.35: its pods are tried one by one and wait for each other before they bind.

Kubernetes lets them wait for five minutes. Who waits holds the node and the devices that were found; if too few get
that far, all of them lose what they held.
"""

from __future__ import annotations

import msgspec

from dravite.diagnosis import upstream
from dravite.diagnosis.verdicts import GroupDecision, GroupOutcome, HeldBack, Scheduled, Unschedulable
from dravite.scheduler.cycle import Attempt, ended, schedule_pod
from dravite.scheduler.group_preempt import GroupPreemption
from dravite.scheduler.node_choice import Limits
from dravite.scheduler.unit_attempt import UnitAttempt
from dravite.snapshot.groups import Group, placed_members
from dravite.snapshot.node_state import NodePod
from dravite.snapshot.snapshot import Key, Snapshot


def schedule_one_by_one(snapshot: Snapshot, group: Group, pods: tuple[Key, ...], limits: Limits) -> UnitAttempt:
    """Try the pods of a gang whose pods may all be scheduled."""
    current = snapshot
    attempts: dict[Key, Attempt] = {}
    victims: dict[Key, NodePod] = {}
    nominated: dict[Key, str] = {}
    for key in pods:
        attempts[key] = attempt = schedule_pod(current, current.pods[key], limits)
        current = attempt.after
        if attempt.preempting is not None:
            nominated[key] = attempt.preempting.node
            victims |= {victim.key: victim for victim in attempt.preempting.victims}
    preempting = GroupPreemption("possible", "", victims=tuple(victims.values()), nominated=nominated)
    if len(placed_members(current, group.key)) >= (group.minimum or 0):
        placed = any(isinstance(one.decision, Scheduled) for one in attempts.values())
        decision = _decision(group, "scheduled" if placed else "unschedulable")
        return UnitAttempt(pods=attempts, after=current, groups=(decision,), preempting=preempting if victims else None)
    after = msgspec.structs.replace(snapshot, search_start=current.search_start)
    return UnitAttempt(
        pods={key: _rejected(after, group, key, attempt) for key, attempt in attempts.items()},
        after=after,
        groups=(_decision(group, "unschedulable"),),
        preempting=preempting if victims else None,
    )


def _decision(group: Group, outcome: GroupOutcome) -> GroupDecision:
    return GroupDecision(group=group.ref, root=group.ref, outcome=outcome, minimum=group.minimum)


def _rejected(snapshot: Snapshot, group: Group, key: Key, attempt: Attempt) -> Attempt:
    """A pod that has waited for the others in vain; one that found no node keeps what it was told."""
    if not isinstance(attempt.decision, Scheduled):
        return msgspec.structs.replace(attempt, after=snapshot)
    held = HeldBack(group=group.ref, node=attempt.decision.node)
    return ended(snapshot, snapshot.pods[key], Unschedulable(message=upstream.GANG_TIMED_OUT, held_back=held))
