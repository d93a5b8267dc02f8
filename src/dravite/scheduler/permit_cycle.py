"""One scheduling attempt for a group of 1.36: what its pods are told, who is preempted for it, and which pods bind."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from dravite.api.meta import ObjectRef
from dravite.diagnosis import upstream
from dravite.diagnosis.verdicts import Aborted, AttemptError, HeldBack, Unschedulable
from dravite.scheduler.cycle import Attempt, ended, placed
from dravite.scheduler.gang import GroupResult, PodTry, Trial
from dravite.scheduler.gang_permits import WAITS, PermitAsk, try_with_permits
from dravite.scheduler.group_binding import unbound
from dravite.scheduler.group_decisions import decision_of
from dravite.scheduler.group_preempt import Preemptor, preempt_with_permits
from dravite.scheduler.group_status import Told
from dravite.scheduler.node_choice import Chosen, Ended, Limits
from dravite.scheduler.unit_attempt import GroupPreemption, UnitAttempt
from dravite.snapshot.groups import Group
from dravite.snapshot.node_state import NodePod
from dravite.snapshot.snapshot import Key, Snapshot


def schedule_with_permits(snapshot: Snapshot, group: Group, pods: tuple[Key, ...], limits: Limits) -> UnitAttempt:
    """Try a group whose pods may all be scheduled."""
    trial = try_with_permits(snapshot, group, PermitAsk(pods, limits))
    rest = tuple(PodTry(key, told=trial.result.told) for key in pods[len(trial.result.tries) :])
    preempting = _preempted_by_pods(trial)
    result, found = trial.result, None
    if result.told.code == "unschedulable" and snapshot.profile.enabled("WorkloadAwarePreemption"):
        found = _preempt(snapshot, group, pods, limits)
        result = msgspec.structs.replace(result, told=_with_text(result.told, found))
    rest = tuple(msgspec.structs.replace(one, told=result.told) for one in rest)
    result = msgspec.structs.replace(result, tries=(*result.tries, *rest))
    waits = result.told is WAITS or (found is not None and found.outcome == "possible")
    after = msgspec.structs.replace(snapshot, search_start=trial.after.search_start)
    for one in result.tries:
        if one.refused is not None:
            after = one.refused.freed.taken_from(after)
    attempts: dict[Key, Attempt] = {}
    taken: set[str] = set()
    for one in result.tries:
        attempt = _told(after, one, result, taken, waits=waits)
        attempts[one.pod], after = attempt, attempt.after
    return UnitAttempt(
        pods=attempts,
        groups=(decision_of(after, group, {group.ref: result}, group),),
        after=after,
        preempting=_nominated(found or preempting, result, waits=waits),
        looked=trial.looked.with_more(found.looked) if found is not None else trial.looked,
        awakened=any(one.told.code == "wait" for one in trial.result.tries),
        freed=any(one.refused is not None and bool(one.refused.freed) for one in result.tries),
    )


def _preempt(snapshot: Snapshot, group: Group, pods: tuple[Key, ...], limits: Limits) -> GroupPreemption:
    """Preemption for the group as a whole; not for one with a topology constraint (E6.3)."""
    if group.topology_key is not None:
        return GroupPreemption("no", upstream.NO_PREEMPTION_IN_PLACEMENTS)
    waiting = tuple(snapshot.pods[key].pod for key in pods)
    never = any(pod.spec.preemption_policy == "Never" for pod in waiting)
    ask = PermitAsk(pods, limits, "in-mind")
    return preempt_with_permits(
        snapshot, Preemptor(group.priority, waiting, never), lambda seen: try_with_permits(seen, group, ask)
    )


def _with_text(told: Told, found: GroupPreemption) -> Told:
    if found.outcome == "error":
        return Told("error", (), found.text)
    return Told(told.code, (*told.reasons, found.text), told.error) if found.outcome == "no" else told


def _told(snapshot: Snapshot, one: PodTry, result: GroupResult, taken: set[str], *, waits: bool) -> Attempt:
    """What becomes of one pod. `taken` collects the claims that pods of this attempt have allocated."""
    planned = snapshot.pods[one.pod]
    if result.told.code == "success" and isinstance(one.choice, Chosen):
        return _bound(snapshot, one, one.choice, taken)
    if result.told.code == "error":
        held: Unschedulable | Aborted = Aborted(
            message=result.told.message, error=AttemptError(kind="group", message=result.told.message)
        )
        return unbound(snapshot, one, held)
    fits = isinstance(one.choice, Chosen)
    if one.refused is not None and (waits or one.binding is None):
        return ended(snapshot, planned, one.refused.decision)
    if isinstance(one.choice, Ended):
        return ended(snapshot, planned, one.choice.decision)
    if one.choice is None or (fits and waits):
        message = result.told.message
    else:
        message = f"{upstream.GROUP_UNSCHEDULABLE}, {one.told.message}"
    node = one.node or None
    return ended(
        snapshot, planned, Unschedulable(message=message, held_back=HeldBack(group=result.group.ref, node=node))
    )


def _bound(snapshot: Snapshot, one: PodTry, chosen: Chosen, taken: set[str]) -> Attempt:
    """Bind a pod, unless a sibling has allocated one of its claims just now: then it needs another attempt."""
    claims = chosen.demand.allocated if chosen.demand is not None else ()
    for claim in claims:
        if claim.claim.metadata.name in taken:
            ref = ObjectRef("ResourceClaim", claim.claim.metadata.namespace, claim.claim.metadata.name)
            text = upstream.allocated_elsewhere(f"{ref.namespace}/{ref.name}")
            error = AttemptError(kind="reservation", message=text, claim=ref)
            decision = Aborted(message=upstream.pre_bind_error(text), error=error)
            return ended(snapshot, snapshot.pods[one.pod], decision)
    taken |= {fresh.claim.metadata.name for fresh in chosen.demand.fresh} if chosen.demand is not None else set()
    return placed(snapshot, snapshot.pods[one.pod], chosen)


def _preempted_by_pods(trial: Trial) -> GroupPreemption | None:
    """The victims of pods that preempt by themselves: those go whether or not the group fits then."""
    victims: dict[Key, NodePod] = {}
    for one in trial.result.tries:
        if one.refused is not None and one.refused.preempting is not None:
            victims |= {victim.key: victim for victim in one.refused.preempting.victims}
    return GroupPreemption("possible", "", victims=tuple(victims.values())) if victims else None


def _nominated(found: GroupPreemption | None, result: GroupResult, *, waits: bool) -> GroupPreemption | None:
    """What preemption came to, with the nodes for which pods are nominated meanwhile."""
    if found is None or not waits:
        return found
    nodes: Iterable[tuple[Key, str]] = (
        (one.pod, one.binding.pod.spec.node_name) for one in result.tries if one.binding is not None
    )
    return msgspec.structs.replace(found, nominated=dict(nodes))
