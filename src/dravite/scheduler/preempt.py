"""Whether taking lower pods away would help a pod that fits nowhere, and what kube-scheduler says of it (F11.3).

Nodes that refuse a pod for good are passed over. On each of the others all lower pods are taken away in mind; if the
pod then fits, as many as possible are put back, the most important first. Nobody is evicted here, and disruption
budgets are not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from dravite.diagnosis import upstream
from dravite.diagnosis.findings import NodeFinding
from dravite.diagnosis.reasons import NodeRejection, PodAffinityViolated, PortTaken, ResourceShort, SpreadViolated
from dravite.scheduler.devices import DevicesFound
from dravite.scheduler.filters import Cycle, NodeAnswer, ask_node, ask_node_in_mind, cycle_without
from dravite.snapshot.node_state import NodePod, NodeState

_NOW: Final = "9999"
"""Sorts after every time: a pod without a start time counts as started just now."""


class Candidate(msgspec.Struct, frozen=True):
    """A node on which the pod would fit once `victims` are gone, the most important first."""

    node: str
    victims: tuple[NodePod, ...]


class Preemption(msgspec.Struct, frozen=True):
    """What preemption comes to: the scheduler's text, and the node that would be cleared, if any."""

    text: str
    chosen: Candidate | None = None


def priority_of(pod: NodePod) -> int:
    """The priority of a pod; 0 where it has none."""
    return pod.pod.spec.priority or 0


def is_resolvable(reason: NodeRejection) -> bool:
    """Whether the reason could go away with pods of the node; devices are never freed that way (F2.7)."""
    match reason:
        case ResourceShort(resolvable=resolvable):
            return resolvable
        case SpreadViolated(label_missing=missing):
            return not missing
        case PodAffinityViolated(rule=rule):
            return rule != "affinity"
        case _:
            return isinstance(reason, PortTaken)


def refused_outright(nodes: int) -> Preemption:
    """Preemption for a pod that was refused before any node was looked at."""
    return Preemption(upstream.counted(nodes, [(upstream.NOT_HELPFUL,)] * nodes))


def preemption(cycle: Cycle, findings: Sequence[NodeFinding]) -> Preemption:
    """What becomes of preemption for the pod of this cycle, given why each node refused it."""
    if cycle.pod.pod.spec.preemption_policy == "Never":
        return Preemption(upstream.NEVER_PREEMPTS)
    texts: list[tuple[str, ...]] = []
    candidates: list[Candidate] = []
    for finding in findings:
        if not all(is_resolvable(reason) for reason in finding.reasons):
            texts.append((upstream.NOT_HELPFUL,))
            continue
        answer = _dry_run(cycle, cycle.snapshot.states[finding.node])
        if isinstance(answer, Candidate):
            candidates.append(answer)
        else:
            texts.append(answer)
    if not candidates:
        return Preemption(upstream.counted(len(findings), texts))
    chosen = _least_harm(candidates)
    return Preemption(upstream.preempting(chosen.node, len(chosen.victims)), chosen)


def _dry_run(cycle: Cycle, state: NodeState) -> Candidate | tuple[str, ...]:
    """The node without lower pods: who has to go, or what still stands in the way."""
    priority = priority_of(cycle.pod)
    lower = [pod for pod in state.pods if priority_of(pod) < priority]
    if not lower:
        return (upstream.NO_VICTIMS,)
    answer = _without(cycle, state, lower)
    if not isinstance(answer, DevicesFound):
        return upstream.node_texts(NodeFinding(state.name, answer)) if isinstance(answer, tuple) else ()
    victims = sorted(lower, key=_importance)
    gone = list(victims)
    for pod in victims:
        spared = [one for one in gone if one is not pod]
        if isinstance(_without(cycle, state, spared), DevicesFound):
            gone = spared
    return Candidate(state.name, tuple(gone))


def _without(cycle: Cycle, state: NodeState, pods: Iterable[NodePod]) -> NodeAnswer:
    keys = frozenset(pod.key for pod in pods)
    if not keys:
        return ask_node(cycle, state)
    return ask_node_in_mind(cycle_without(cycle, state.name, keys), state.without_pods(keys))


def _importance(pod: NodePod) -> tuple[int, str]:
    """Most important first: higher priority, then longer running."""
    return (-priority_of(pod), pod.pod.status.start_time or _NOW)


def _least_harm(candidates: Sequence[Candidate]) -> Candidate:
    """The node whose victims matter least; of equals the first whose most important victims started last (E6.11)."""
    least = min(map(_harm, candidates))
    equals = [candidate for candidate in candidates if _harm(candidate) == least]
    return max(equals, key=_first_start)


def _harm(candidate: Candidate) -> tuple[int, int, int]:
    """The highest priority of the victims, the sum of all (each made positive), and their number."""
    priorities = [priority_of(pod) for pod in candidate.victims]
    return (max(priorities), sum(priority + 2**31 for priority in priorities), len(priorities))


def _first_start(candidate: Candidate) -> str:
    highest = max(priority_of(pod) for pod in candidate.victims)
    return min(pod.pod.status.start_time or _NOW for pod in candidate.victims if priority_of(pod) == highest)
