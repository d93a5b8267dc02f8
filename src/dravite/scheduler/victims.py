"""Whom preemption may take away: running pods, one by one or a whole group at once, and which matter most (E6).

Nobody is evicted here. What a budget says is counted, not enforced: preemption only prefers other victims.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from dravite.api.core_v1 import Pod
from dravite.api.meta import ObjectRef
from dravite.api.policy_v1 import PodDisruptionBudget
from dravite.scheduler.budgets import allowed_disruptions, is_meant
from dravite.snapshot.groups import ancestors, is_together, placed_members, scheme_of, tree
from dravite.snapshot.node_state import NodePod, NodeState, node_pod
from dravite.snapshot.snapshot import Key, Snapshot, group_key, key_of, pod_level

PREEMPTED: Final = "PreemptionByScheduler"

_NOW: Final = "9999"
"""Sorts after every time: a pod without a start time counts as started just now."""

_RANKS: Final = {"Pod": 1, "PodGroup": 2, "CompositePodGroup": 3}


class Victim(msgspec.Struct, frozen=True, eq=False):
    """Pods that go together or not at all.

    Attributes:
        pods: the pods, each on its node.
        priority: of the pod, or of the root of its groups.
        rank: of equals a composite group matters more than a group, and that more than a pod.
    """

    pods: tuple[NodePod, ...]
    priority: int
    rank: int = 1

    @property
    def importance(self) -> tuple[int, int, int, str]:
        """Sorts the most important first: priority, rank, number of pods, then who has run longest."""
        started = min(start_of(pod.pod) for pod in self.pods)
        return (-self.priority, -self.rank, -len(self.pods), started)


class Violating(msgspec.Struct, frozen=True):
    """A victim whose eviction would break budgets, with the number of pods that do."""

    victim: Victim
    pods: int


def own_priority(pod: Pod) -> int:
    """The priority of a pod; 0 where it has none."""
    return pod.spec.priority or 0


def start_of(pod: Pod) -> str:
    """When a pod started; after all others where that is not known."""
    return pod.status.start_time or _NOW


def is_going_for_others(pod: Pod) -> bool:
    """Whether a pod is being deleted because preemption took it away."""
    if pod.metadata.deletion_timestamp is None:
        return False
    found = next((one for one in pod.status.conditions if one.type == "DisruptionTarget"), None)
    return found is not None and found.status == "True" and found.reason == PREEMPTED


def priority_among_victims(snapshot: Snapshot, pod: Pod) -> int:
    """What the priority of a running pod counts for: that of its root group, where groups are scheduled as a whole."""
    if scheme_of(snapshot.profile) != "as-a-whole":
        return own_priority(pod)
    above = ancestors(snapshot, pod)
    return (above[-1].spec.priority or 0) if above else own_priority(pod)


def victims_on(snapshot: Snapshot, states: Iterable[NodeState]) -> tuple[Victim, ...]:
    """All pods of some nodes as units of preemption, with the rest of their units on other nodes."""
    if scheme_of(snapshot.profile) != "as-a-whole":
        return tuple(Victim((pod,), own_priority(pod.pod)) for state in states for pod in state.pods)
    found: list[Victim] = []
    seen: set[tuple[str, Key]] = set()
    for state in states:
        for pod in state.pods:
            unit = _unit(snapshot, pod)
            name = ("", pod.key) if unit is None else unit
            if name in seen:
                continue
            seen.add(name)
            found.append(_victim(snapshot, pod, unit))
    return tuple(found)


def victims_of_groups(snapshot: Snapshot) -> tuple[Victim, ...]:
    """All running pods as units for a group that preempts: those that `victims_on` gives, or what 1.36 takes for them.

    In 1.36 a group whose pods go together counts with its own priority, every other pod with the pod's; equals, whose
    order Kubernetes leaves to chance, come in the order of the input.
    """
    if scheme_of(snapshot.profile) == "as-a-whole":
        return victims_on(snapshot, snapshot.states_in_order())
    units: dict[tuple[str, Key], Victim] = {}
    for state in snapshot.states_in_order():
        for pod in state.pods:
            group = next(iter(ancestors(snapshot, pod.pod)), None)
            rank = _RANKS["PodGroup" if group_key(pod.pod) is not None else "Pod"]
            if group is None or not is_together(group):
                units[("", pod.key)] = Victim((pod,), own_priority(pod.pod), rank)
                continue
            name = (group.kind, key_of(group.metadata))
            before = units.get(name)
            pods = (*before.pods, pod) if before is not None else (pod,)
            units[name] = Victim(pods, group.spec.priority or 0, rank)
    places = {key: place for place, key in enumerate(snapshot.pod_order)}
    return tuple(sorted(units.values(), key=lambda victim: places.get(victim.pods[0].key, -1)))


def by_importance(victims: Iterable[Victim]) -> list[Victim]:
    """The most important first; equals stay as they are."""
    return sorted(victims, key=lambda victim: victim.importance)


def split_by_budgets(snapshot: Snapshot, victims: Sequence[Victim]) -> tuple[list[Violating], list[Victim]]:
    """Victims whose eviction would break a budget, and the others. Each victim uses up what the budgets allow."""
    left = allowed_disruptions(snapshot) if snapshot.budgets else {}
    violating: list[Violating] = []
    others: list[Victim] = []
    for victim in victims:
        broken = sum(_breaks(pod.pod, snapshot.budgets, left) for pod in victim.pods)
        if broken:
            violating.append(Violating(victim, broken))
        else:
            others.append(victim)
    return violating, others


def without(snapshot: Snapshot, pods: Iterable[NodePod]) -> Snapshot:
    """The snapshot with pods off their nodes. Their claims stay as they are: preemption frees no devices (F2.7)."""
    changed = states_without(snapshot, pods)
    return msgspec.structs.replace(snapshot, states=snapshot.states.changed(changed))


def with_again(snapshot: Snapshot, pods: Iterable[NodePod]) -> Snapshot:
    """The snapshot with pods back on their nodes."""
    back: dict[str, list[NodePod]] = {}
    for pod in pods:
        back.setdefault(pod.pod.spec.node_name, []).append(pod)
    changed = {name: snapshot.states[name].with_pods(tuple(added)) for name, added in back.items()}
    return msgspec.structs.replace(snapshot, states=snapshot.states.changed(changed))


def states_without(snapshot: Snapshot, pods: Iterable[NodePod]) -> Mapping[str, NodeState]:
    """The nodes of some pods as they are without them."""
    gone: dict[str, set[Key]] = {}
    for pod in pods:
        gone.setdefault(pod.pod.spec.node_name, set()).add(pod.key)
    return {name: snapshot.states[name].without_pods(frozenset(keys)) for name, keys in gone.items()}


def goes_with(snapshot: Snapshot, pod: NodePod) -> ObjectRef | None:
    """The group all of whose pods go if this one does; None for a pod that goes by itself."""
    unit = _unit(snapshot, pod) if scheme_of(snapshot.profile) in ("with-permits", "as-a-whole") else None
    return ObjectRef(unit[0], *unit[1]) if unit is not None else None


def _unit(snapshot: Snapshot, pod: NodePod) -> tuple[str, Key] | None:
    """Kind and key of the topmost group above a pod whose pods go together."""
    if group_key(pod.pod) is None:
        return None
    together = [group for group in ancestors(snapshot, pod.pod) if is_together(group)]
    return (together[-1].kind, key_of(together[-1].metadata)) if together else None


def _victim(snapshot: Snapshot, pod: NodePod, unit: tuple[str, Key] | None) -> Victim:
    priority = priority_among_victims(snapshot, pod.pod)
    if unit is None:
        return Victim((pod,), priority, _RANKS["PodGroup" if group_key(pod.pod) is not None else "Pod"])
    kind, key = unit
    groups = snapshot.composite_pod_groups if kind == "CompositePodGroup" else snapshot.pod_groups
    level = pod_level(snapshot.profile)
    placed = (one for leaf in tree(snapshot, groups[key]).leaves() for one in placed_members(snapshot, leaf.key))
    pods = tuple(node_pod(one, level) for one in placed if one.spec.node_name in snapshot.states)
    return Victim(pods or (pod,), priority, _RANKS[kind])


def _breaks(pod: Pod, budgets: Sequence[PodDisruptionBudget], left: dict[Key, int]) -> bool:
    """Whether the eviction of a pod breaks a budget that means it; those before the broken one are used up."""
    if not pod.metadata.labels:
        return False
    for budget in budgets:
        if not is_meant(budget, pod) or (budget.status and pod.metadata.name in budget.status.disrupted_pods):
            continue
        key = key_of(budget.metadata)
        left[key] -= 1
        if left[key] < 0:
            return True
    return False
