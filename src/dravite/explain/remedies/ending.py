"""Other pods that could make room: on a node that is full, or in a domain where they keep the pod out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, TypeAlias

from dravite.api.core_v1 import pod_ref
from dravite.api.meta import ObjectRef
from dravite.api.names import label_selector_matches
from dravite.diagnosis.reasons import PodAffinityViolated, SpreadViolated
from dravite.explain.case import Case
from dravite.explain.diagnose import Diagnosis
from dravite.explain.explanation import NodeGroup
from dravite.explain.fewest import fewest
from dravite.explain.nodes.neighbours import pods_in_the_way
from dravite.explain.objects.owners import is_of_same_workload
from dravite.explain.remedies import advice as a
from dravite.explain.remedies.asking import questions
from dravite.explain.remedies.proposals import Proposal, is_planned
from dravite.planning.leaving import is_of_its_node
from dravite.scheduler.devices import DevicesFound
from dravite.scheduler.filters import Cycle, ask_node_in_mind
from dravite.scheduler.refusing_nodes import is_resolvable
from dravite.scheduler.victims import own_priority, start_of
from dravite.snapshot.changes import Change, RemoveObject
from dravite.snapshot.node_state import NodePod, NodeState
from dravite.snapshot.topology import domains

SYSTEM_PRIORITY: Final = 2_000_000_000
"""From here on priorities are those of what keeps a cluster alive."""

WAYS_COMPARED: Final = 8
"""Of how many nodes and domains it is found out who would have to end."""

MOST_PODS: Final = 32
"""Among how many pods of a node, the least important ones, those are looked for; more are not ended."""

_Neighbours: TypeAlias = PodAffinityViolated | SpreadViolated


def end_pods(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """As few and as unimportant pods as possible, where that costs least."""
    ways = [(node, gone) for node, gone in islice(_ways(case, found), WAYS_COMPARED) if gone]
    if ways:
        node, gone = min(ways, key=lambda one: _harm(one[1]))
        pods = tuple(pod_ref(pod.pod) for pod in gone)
        changes: tuple[Change, ...] = tuple(RemoveObject(pod) for pod in pods)
        yield Proposal(("room",), a.EndPods(pods, node), changes, nodes=(node,))


def _ways(case: Case, found: Diagnosis) -> Iterator[tuple[str, Sequence[NodePod]]]:
    """Nodes, and the pods that would have to end for the pod to run there."""
    groups = [group for group in found.evidence.groups if group.reasons and all(map(is_resolvable, group.reasons))]
    if not groups:
        return
    cycle = questions(case)
    for group in groups:
        reason = group.reasons[0]
        if isinstance(reason, PodAffinityViolated | SpreadViolated):
            yield from _in_domains(case, cycle, group, reason)
        else:
            yield from ((node, _on_node(case, cycle, case.snapshot.state(node))) for node in group.nodes)


def _on_node(case: Case, cycle: Cycle, state: NodeState) -> Sequence[NodePod]:
    """Pods of a full node, as few as have to end; what they mean to their neighbours a plan tells."""
    pods = sorted((pod for pod in state.pods if _may_end(case, pod)), key=_importance)

    def takes(gone: Sequence[NodePod]) -> bool:
        left = state.without_pods(frozenset(pod.key for pod in gone))
        return isinstance(ask_node_in_mind(cycle, left), DevicesFound)

    return fewest(pods[-MOST_PODS:], takes)


def _in_domains(
    case: Case, cycle: Cycle, group: NodeGroup, reason: _Neighbours
) -> Iterator[tuple[str, Sequence[NodePod]]]:
    """For the first node of each domain the pods that a rule between pods counts there."""
    everywhere = domains(case.snapshot, reason.topology_key, case.snapshot.order)
    for value, nodes in domains(case.snapshot, reason.topology_key, group.nodes).items():
        states = (case.snapshot.state(node) for node in everywhere[value])
        pods = pods_in_the_way(case.snapshot, case.pod, states, reason)
        if isinstance(reason, SpreadViolated):
            free = sorted((pod for pod in pods if _may_end(case, pod)), key=_importance)
            excess = _excess(cycle, reason.topology_key, value)
            pods = tuple(free[-excess:]) if 0 < excess <= len(free) else ()
        yield nodes[0], pods if len(pods) <= MOST_PODS and all(_may_end(case, pod) for pod in pods) else ()


def _excess(cycle: Cycle, key: str, value: str) -> int:
    """By how many pods a domain has more than a spread lets it have, with the pod itself."""
    spread = cycle.spread
    if spread is None:
        return 0
    return max(
        counts.get(value, 0)
        + (label_selector_matches(one.selector, cycle.pod.pod.metadata.labels) is True)
        - least
        - one.max_skew
        for one, counts, least in zip(spread.constraints, spread.counts, spread.least, strict=True)
        if one.topology_key == key
    )


def _may_end(case: Case, pod: NodePod) -> bool:
    """Whether ending it makes room: neither what comes back at once, nor what was placed in this very plan."""
    system = own_priority(pod.pod) >= SYSTEM_PRIORITY
    comes_back = system or is_of_its_node(pod.pod) or is_of_same_workload(case, pod.pod)
    return not (comes_back or is_planned(case, ObjectRef("Pod", *pod.key)))


def _importance(pod: NodePod) -> tuple[int, str]:
    """The most important first: priority, then who has run longest."""
    return (-own_priority(pod.pod), start_of(pod.pod))


def _harm(gone: Sequence[NodePod]) -> tuple[int, int]:
    return (max(own_priority(pod.pod) for pod in gone), len(gone))
