"""Trying a group as 1.36 does: every pod is tried, and a gang is let through once enough pods have a node (E4.6).

Pods that are refused are refused like pods of their own, with what is freed and who is preempted for them. Pods that
share a claim do not see on which node a sibling has just allocated it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from dravite.diagnosis import upstream
from dravite.scheduler.binding import reserve
from dravite.scheduler.gang import (
    GroupResult,
    PodTry,
    Trial,
    error_of,
    in_placement,
    only,
    placed_pods,
    weighed,
)
from dravite.scheduler.group_status import FITS, Told, failed, unschedulable
from dravite.scheduler.node_choice import Chosen, Limits, Unfit, choose_node
from dravite.scheduler.placements import choose_placement, placements_of
from dravite.scheduler.refusals import refused
from dravite.scheduler.unit_attempt import Weighed
from dravite.snapshot.groups import Group, placed_members
from dravite.snapshot.snapshot import Binding, Key, Snapshot

Mode = Literal["for-real", "in-mind"]
"""Whether what is freed and preempted for pods is looked for, or the group is only tried."""

WAITS = unschedulable(upstream.WAITS_FOR_PREEMPTION)
"""Enough pods have a node, some of them only once lower pods are gone."""


class PermitAsk(msgspec.Struct, frozen=True):
    """What is tried: the waiting pods of the group, how hard, and with what consequences."""

    pods: tuple[Key, ...]
    limits: Limits
    mode: Mode = "for-real"


def try_with_permits(snapshot: Snapshot, group: Group, ask: PermitAsk) -> Trial:
    """Try a group, in each of its placements where such count."""
    if not snapshot.profile.enabled("TopologyAwareWorkloadScheduling"):
        return _try_all(snapshot, group, ask)
    placements = placements_of(snapshot, group)
    if isinstance(placements, Told):
        return only(GroupResult(group=group, told=placements), snapshot)
    trials: list[Trial] = []
    looked = Weighed()
    for placement in placements:
        confined = placement.nodes if placement.key else None
        trial = _try_all(msgspec.structs.replace(snapshot, placement=confined), group, ask)
        trial = _with_result(trial, msgspec.structs.replace(trial.result, placement=placement))
        snapshot = msgspec.structs.replace(snapshot, search_start=trial.after.search_start)
        looked = looked.with_more(trial.looked)
        if trial.result.told.code == "error":
            return trial
        trials.append(trial)
    good = [trial for trial in trials if trial.succeeded or trial.result.told is WAITS]
    if not good:
        return msgspec.structs.replace(_nowhere(trials), looked=looked)
    found = [(trial.result.placement or placements[0], placed_pods(trial)) for trial in good]
    choice = choose_placement(snapshot, group, found, ask.limits.seed)
    best = good[choice.position]
    best = _with_result(best, msgspec.structs.replace(best.result, scores=choice.scores, tied=choice.tied))
    looked = looked.with_more(Weighed(placements={group.ref: choice.scores} if choice.scores else {}))
    return msgspec.structs.replace(best, after=msgspec.structs.replace(best.after, placement=None), looked=looked)


def _try_all(snapshot: Snapshot, group: Group, ask: PermitAsk) -> Trial:
    tries: list[PodTry] = []
    current, told, needs_victims = snapshot, unschedulable(), False
    for key in ask.pods:
        one, current = _try_pod(current, key, group, ask)
        tries.append(one)
        error = error_of(one)
        if error is not None:
            told = failed(upstream.other_pod_failed(error))
            break
        if one.binding is None:
            continue
        needs_victims = needs_victims or isinstance(one.choice, Unfit)
        if one.told.code == "success":
            told = WAITS if needs_victims else FITS
    result = GroupResult(group=group, told=told, tries=tuple(tries))
    return Trial(result=result, results={group.ref: result}, after=current, looked=weighed(result))


def _try_pod(snapshot: Snapshot, key: Key, group: Group, ask: PermitAsk) -> tuple[PodTry, Snapshot]:
    planned = snapshot.pods[key]
    choice = choose_node(snapshot, planned, ask.limits)
    after = msgspec.structs.replace(snapshot, search_start=choice.next_start)
    if isinstance(choice, Chosen):
        binding = reserve(after, planned.pod, choice)
        after = after.assume(_without_places(binding, choice))
        return PodTry(key, choice, binding, _permit(after, group)), after
    if not isinstance(choice, Unfit) or ask.mode == "in-mind":
        return PodTry(key, choice), after
    answer = refused(snapshot, choice, _barred(snapshot, group))
    if answer.preempting is None:
        return PodTry(key, choice, refused=answer), after
    spec = msgspec.structs.replace(planned.pod.spec, node_name=answer.preempting.node)
    binding = Binding(msgspec.structs.replace(planned.pod, spec=spec))
    after = after.assume(binding)
    return PodTry(key, choice, binding, _permit(after, group), answer), after


def _permit(snapshot: Snapshot, group: Group) -> Told:
    """Whether a pod that has just got a node may go on, or waits for others of its gang."""
    enough = group.minimum is None or len(placed_members(snapshot, group.key)) >= group.minimum
    return FITS if enough else Told("wait", (upstream.WAITS_FOR_GANG,))


def _barred(snapshot: Snapshot, group: Group) -> str | None:
    """Why a pod of the group may not preempt by itself, if so."""
    if snapshot.profile.enabled("TopologyAwareWorkloadScheduling") and group.topology_key is not None:
        return upstream.GROUP_IS_PLACED_AS_ONE
    return upstream.GROUP_PREEMPTS_AS_ONE if snapshot.profile.enabled("WorkloadAwarePreemption") else None


def _without_places(binding: Binding, choice: Chosen) -> Binding:
    """The binding as siblings see it: what it has just allocated could be anywhere."""
    fresh = {one.claim.metadata.name for one in choice.demand.fresh} if choice.demand is not None else set()
    claims = []
    for claim in binding.claims:
        allocation = claim.status.allocation
        if allocation is not None and claim.metadata.name in fresh:
            anywhere = msgspec.structs.replace(allocation, node_selector=None)
            status = msgspec.structs.replace(claim.status, allocation=anywhere)
            claim = msgspec.structs.replace(claim, status=status)
        claims.append(claim)
    return msgspec.structs.replace(binding, claims=tuple(claims))


def _nowhere(trials: Sequence[Trial]) -> Trial:
    """No placement takes the group: what the first says stands for all."""
    first = trials[0]
    text = upstream.no_placement(len(trials), first.result.told.as_error)
    told = Told("unschedulable", (text,))
    tried = tuple(in_placement(trial.result) for trial in trials)
    return _with_result(first, msgspec.structs.replace(first.result, told=told, tried=tried))


def _with_result(trial: Trial, result: GroupResult) -> Trial:
    return msgspec.structs.replace(trial, result=result, results={result.group.ref: result})
