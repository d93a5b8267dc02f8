"""Whom a group would have to preempt to fit as a whole, and what kube-scheduler says of it (E6; 1.36 and 1.37).

All lower victims of the cluster are taken away in mind and the group is tried. If it fits, as many as possible are put
back, the most important first and those that budgets protect before all. Nobody is evicted here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec

from dravite.api.core_v1 import Pod
from dravite.diagnosis import upstream
from dravite.scheduler.devices import DevicesFound
from dravite.scheduler.filters import ask_node_in_mind, cycle_of
from dravite.scheduler.gang import PodTry, Trial
from dravite.scheduler.node_choice import Chosen
from dravite.scheduler.unit_attempt import GroupPreemption
from dravite.scheduler.victims import (
    Victim,
    by_importance,
    is_going_for_others,
    priority_among_victims,
    split_by_budgets,
    victims_of_groups,
    with_again,
    without,
)
from dravite.snapshot.groups import Group
from dravite.snapshot.node_state import NodePod
from dravite.snapshot.snapshot import Snapshot

Try = Callable[[Snapshot], Trial]
"""Trying the group on another snapshot."""


class Preemptor(msgspec.Struct, frozen=True, eq=False):
    """The group that may preempt: its priority, its waiting pods, and whether it never does."""

    priority: int
    pods: tuple[Pod, ...]
    never: bool = False


def preemptor_of(snapshot: Snapshot, root: Group, pods: tuple[Pod, ...]) -> Preemptor:
    """A tree as a preemptor. Its own word counts where it may have one, else that of any of its waiting pods."""
    if snapshot.profile.enabled("PodGroupPreemptionPolicy"):
        never = root.preemption_policy == "Never"
    else:
        never = any(pod.spec.preemption_policy == "Never" for pod in pods)
    return Preemptor(root.priority, pods, never)


def preempt_for_group(snapshot: Snapshot, preemptor: Preemptor, attempt: Try) -> GroupPreemption:
    """Who has to go for a group of 1.37, or why nobody."""
    if preemptor.never:
        return GroupPreemption("no", upstream.NEVER_PREEMPTS)
    if _is_ongoing(snapshot, preemptor):
        nominated = {(p.metadata.namespace, p.metadata.name): p.status.nominated_node_name for p in preemptor.pods}
        return GroupPreemption("ongoing", upstream.ONGOING_PREEMPTION, alone=True, nominated=nominated)
    lower = [victim for victim in victims_of_groups(snapshot) if victim.priority < preemptor.priority]
    if not lower:
        return GroupPreemption("no", upstream.NO_GROUP_VICTIMS, alone=True)
    cleared = without(snapshot, _pods(lower))
    trial = attempt(cleared)
    if not trial.succeeded:
        told = trial.result.told
        return GroupPreemption("error" if told.code == "error" else "no", told.message, looked=trial.looked)
    placed = tuple(trial.placed())
    gone = _reprieved(snapshot, cleared, lower, lambda after, back: _still_fit(after, placed, back))
    victims = tuple(_pods(by_importance(gone)))
    text = upstream.preempting_for_group(len(victims))
    nominated = {one.pod: one.node for one in placed}
    return GroupPreemption("possible", text, alone=True, victims=victims, nominated=nominated, looked=trial.looked)


def preempt_with_permits(snapshot: Snapshot, preemptor: Preemptor, attempt: Try) -> GroupPreemption:
    """Who has to go for a group of 1.36: the whole group is tried again for each victim that might stay."""
    if preemptor.never:
        return GroupPreemption("no", upstream.NEVER_PREEMPTS)
    lower = [victim for victim in victims_of_groups(snapshot) if victim.priority < preemptor.priority]
    if not lower:
        return GroupPreemption("no", upstream.NO_GROUP_VICTIMS)
    cleared = without(snapshot, _pods(lower))
    trial = attempt(cleared)
    if not trial.succeeded:
        told = trial.result.told
        return GroupPreemption("error" if told.code == "error" else "no", told.message, looked=trial.looked)
    looked = trial.looked

    def still_fits(after: Snapshot, _: Victim) -> bool:
        nonlocal looked
        again = attempt(after)
        looked = looked.with_more(again.looked)
        return again.succeeded

    gone = _reprieved(snapshot, cleared, lower, still_fits)
    return GroupPreemption("possible", "", victims=tuple(_pods(by_importance(gone))), looked=looked)


def _is_ongoing(snapshot: Snapshot, preemptor: Preemptor) -> bool:
    """Whether lower pods are still going, for anyone's sake, from nodes for which pods of the group are nominated."""
    nominated = {pod.status.nominated_node_name for pod in preemptor.pods} - {""}
    states = (snapshot.states[name] for name in sorted(nominated) if name in snapshot.states)
    return any(
        is_going_for_others(pod.pod) and priority_among_victims(snapshot, pod.pod) < preemptor.priority
        for state in states
        for pod in state.pods
    )


def _reprieved(
    snapshot: Snapshot,
    cleared: Snapshot,
    lower: Sequence[Victim],
    still_fits: Callable[[Snapshot, Victim], bool],
) -> list[Victim]:
    """The victims that have to go after all others were put back, one after the other."""
    violating, others = split_by_budgets(snapshot, by_importance(lower))
    gone: list[Victim] = []
    for victim in (*(one.victim for one in violating), *others):
        after = with_again(cleared, victim.pods)
        if still_fits(after, victim):
            cleared = after
        else:
            gone.append(victim)
    return gone


def _still_fit(snapshot: Snapshot, placed: Sequence[PodTry], back: Victim) -> bool:
    """Whether every pod still fits on its node once a victim is back, each beside those before it.

    Devices play no part: no victim frees any. Where no pod has rules about others, only the victim's nodes matter.
    """
    apart = not snapshot.affine_nodes and not any(map(_looks_around, placed))
    nodes = {pod.pod.spec.node_name for pod in back.pods}
    for one in placed:
        if (apart and one.node not in nodes) or not isinstance(one.choice, Chosen) or one.binding is None:
            continue
        cycle = cycle_of(snapshot, one.choice.cycle.pod, None if apart else one.choice.demand)
        cycle = msgspec.structs.replace(cycle, served=one.choice.cycle.served)
        if not isinstance(ask_node_in_mind(cycle, snapshot.states[one.node]), DevicesFound):
            return False
        snapshot = snapshot.assume(one.binding)
    return True


def _looks_around(one: PodTry) -> bool:
    pod = one.choice.cycle.pod if isinstance(one.choice, Chosen) else None
    return pod is not None and (pod.has_affinity or bool(pod.pod.spec.topology_spread_constraints))


def _pods(victims: Iterable[Victim]) -> Iterable[NodePod]:
    return (pod for victim in victims for pod in victim.pods)
