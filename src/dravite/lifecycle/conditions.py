"""What is written into the status of pods and groups once the scheduler has decided, or somebody has to go.

Pure functions of an object. A condition that is there already is replaced in its place.
"""

from __future__ import annotations

from typing import Final

import msgspec

from dravite.api.core_v1 import Pod, PodCondition
from dravite.api.meta import Condition
from dravite.api.releases import Profile
from dravite.api.scheduling_v1beta1 import PodGroup
from dravite.diagnosis import upstream
from dravite.diagnosis.verdicts import Aborted, Decision, GroupDecision, Scheduled, Unschedulable
from dravite.scheduler.victims import PREEMPTED

POD_SCHEDULED: Final = "PodScheduled"
DISRUPTION_TARGET: Final = "DisruptionTarget"

_OF_GROUPS: Final = ("PodGroupInitiallyScheduled", "PodGroupScheduled")
"""One condition by its newest name, which objects that were converted have, and by that of 1.36."""


def condition_of(pod: Pod, kind: str) -> PodCondition | None:
    """The condition of a pod of this type."""
    return next((one for one in pod.status.conditions if one.type == kind), None)


def with_decision(pod: Pod, decision: Decision) -> Pod:
    """The pod with what the scheduler tells it; a pod that waits before the queue is told nothing."""
    match decision:
        case Scheduled():
            return with_condition(pod, PodCondition(type=POD_SCHEDULED, status="True"))
        case Unschedulable(message=message):
            return with_condition(pod, _not_scheduled(upstream.UNSCHEDULABLE, message))
        case Aborted(message=message):
            return with_condition(pod, _not_scheduled(upstream.SCHEDULER_ERROR, message))
        case _:
            return pod


def with_gates(pod: Pod) -> Pod:
    """The pod with what an API server tells one that has scheduling gates when it is created."""
    if not pod.spec.scheduling_gates or pod.spec.node_name:
        return pod
    return with_condition(pod, _not_scheduled(upstream.SCHEDULING_GATED, upstream.GATED_MESSAGE))


def preempted(pod: Pod, scheduler: str, preemptor: str) -> Pod:
    """The pod as a victim of preemption; `preemptor` is `pod`, `podgroup` or `compositepodgroup`."""
    message = f"{scheduler}: preempting to accommodate a higher priority {preemptor}"
    return with_condition(pod, PodCondition(type=DISRUPTION_TARGET, status="True", reason=PREEMPTED, message=message))


def with_condition(pod: Pod, condition: PodCondition) -> Pod:
    """The pod with the condition in the place of one of the same type, or after all others."""
    before = pod.status.conditions
    if any(one.type == condition.type for one in before):
        conditions = tuple(condition if one.type == condition.type else one for one in before)
    else:
        conditions = (*before, condition)
    return msgspec.structs.replace(pod, status=msgspec.structs.replace(pod.status, conditions=conditions))


def with_group_decision(group: PodGroup, decision: GroupDecision, profile: Profile) -> PodGroup:
    """The group with what the scheduler tells it. Once it is told that it is scheduled nothing changes that."""
    if decision.outcome == "waiting":
        return group
    kind = "PodGroupInitiallyScheduled" if profile.is_at_least("1.37") else "PodGroupScheduled"
    before = next((one for one in group.status.conditions if one.type in _OF_GROUPS), None)
    if before is not None and before.status == "True":
        return group
    match decision.outcome:
        case "scheduled":
            told = Condition(type=kind, status="True", reason="Scheduled")
        case "unschedulable":
            told = Condition(type=kind, status="False", reason=upstream.UNSCHEDULABLE, message=decision.message)
        case "error":
            told = Condition(type=kind, status="False", reason=upstream.SCHEDULER_ERROR, message=decision.message)
    others = tuple(one for one in group.status.conditions if one.type not in _OF_GROUPS)
    status = msgspec.structs.replace(group.status, conditions=(*others, told))
    return msgspec.structs.replace(group, status=status)


def _not_scheduled(reason: str, message: str) -> PodCondition:
    return PodCondition(type=POD_SCHEDULED, status="False", reason=reason, message=message)
