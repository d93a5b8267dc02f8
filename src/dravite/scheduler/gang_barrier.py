"""One scheduling attempt for a gang of 1.35: its pods are tried one by one and wait for each other before they bind.

Kubernetes lets them wait for five minutes. Who waits holds the node and the devices that were found; if too few get
that far, all of them lose what they held.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from dravite.api.meta import ObjectRef
from dravite.diagnosis import upstream
from dravite.diagnosis.findings import PlacementFinding
from dravite.diagnosis.verdicts import GroupDecision, GroupOutcome, HeldBack, Scheduled, Unschedulable
from dravite.scheduler.cycle import Attempt, ended, schedule_pod
from dravite.scheduler.group_decisions import certainty_of_no
from dravite.scheduler.node_choice import Limits
from dravite.scheduler.unit_attempt import GroupPreemption, UnitAttempt
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
        decision = _decided(group, "scheduled") if placed else _refused(snapshot, group, attempts)
        return UnitAttempt(pods=attempts, after=current, groups=(decision,), preempting=preempting if victims else None)
    after = msgspec.structs.replace(snapshot, search_start=current.search_start)
    return UnitAttempt(
        pods={key: _rejected(after, group, key, attempt) for key, attempt in attempts.items()},
        after=after,
        groups=(_refused(snapshot, group, attempts),),
        preempting=preempting if victims else None,
    )


def _decided(group: Group, outcome: GroupOutcome) -> GroupDecision:
    return GroupDecision(group=group.ref, root=group.ref, outcome=outcome, minimum=group.minimum)


def _refused(snapshot: Snapshot, group: Group, attempts: Mapping[Key, Attempt]) -> GroupDecision:
    """The answer for a gang of which too few pods found a node, with what the first of the others was told."""
    decisions = [(ObjectRef("Pod", *key), attempt.decision) for key, attempt in attempts.items()]
    placed = tuple((pod, one.node) for pod, one in decisions if isinstance(one, Scheduled))
    refused = next(((pod, one) for pod, one in decisions if isinstance(one, Unschedulable)), None)
    finding = PlacementFinding(
        domain="",
        nodes=len(snapshot.choices),
        placed=placed,
        needed=max(0, (group.minimum or 1) - len(placed_members(snapshot, group.key))),
        refused=refused[0] if refused is not None else None,
        reasons=refused[1].nodes if refused is not None else (),
        message=refused[1].message if refused is not None else "",
    )
    certainty = certainty_of_no(snapshot, attempts, "some-placed" if placed else "none-placed")
    return msgspec.structs.replace(_decided(group, "unschedulable"), placements=(finding,), certainty=certainty)


def _rejected(snapshot: Snapshot, group: Group, key: Key, attempt: Attempt) -> Attempt:
    """A pod that has waited for the others in vain; one that found no node keeps what it was told."""
    if not isinstance(attempt.decision, Scheduled):
        return msgspec.structs.replace(attempt, after=snapshot)
    held = HeldBack(group=group.ref, node=attempt.decision.node)
    return ended(snapshot, snapshot.pods[key], Unschedulable(message=upstream.GANG_TIMED_OUT, held_back=held))
