"""Which pods stand in the way of another one: those on its node, or those that a rule between pods means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dravite.api.core_v1 import Pod
from dravite.api.names import label_selector_matches
from dravite.diagnosis.reasons import NodeRejection, PodAffinityViolated, SpreadViolated
from dravite.scheduler.affinity_terms import Namespaces, Term, means, pod_terms
from dravite.snapshot.node_state import NodePod, NodeState
from dravite.snapshot.snapshot import Snapshot


def pods_in_the_way(
    snapshot: Snapshot, pod: NodePod, state: NodeState, reasons: Sequence[NodeRejection]
) -> tuple[NodePod, ...]:
    """The pods that could be to blame for the reasons of a node, in the order of nodes and arrival."""
    found: dict[tuple[str, str], NodePod] = {}
    for reason in reasons:
        match reason:
            case PodAffinityViolated(rule="anti-affinity", topology_key=key):
                terms = [term for term in pod_terms(pod.pod).apart if term.topology_key == key]
                there = _meant(_domain(snapshot, state, key), terms, snapshot)
            case PodAffinityViolated(topology_key=key):
                there = _refusing(_domain(snapshot, state, key), key, pod.pod, snapshot)
            case SpreadViolated(topology_key=key):
                there = _counted(_domain(snapshot, state, key), key, pod.pod)
            case _:
                there = iter(state.pods)
        found.update((one.key, one) for one in there)
    return tuple(found.values())


def _domain(snapshot: Snapshot, state: NodeState, key: str) -> Iterable[NodeState]:
    """The nodes with the same value of a label."""
    value = state.labels.get(key)
    return (one for one in snapshot.states_in_order() if one.labels.get(key) == value)


def _meant(states: Iterable[NodeState], terms: Sequence[Term], snapshot: Snapshot) -> Iterator[NodePod]:
    namespaces = Namespaces(snapshot.namespaces)
    return (one for state in states for one in state.pods if any(means(term, one.pod, namespaces) for term in terms))


def _refusing(states: Iterable[NodeState], key: str, pod: Pod, snapshot: Snapshot) -> Iterator[NodePod]:
    """The pods that keep the pod away from their domain."""
    namespaces = Namespaces(snapshot.namespaces)
    for state in states:
        for one in state.pods:
            terms = pod_terms(one.pod).apart if one.has_required_anti_affinity else ()
            if any(term.topology_key == key and means(term, pod, namespaces) for term in terms):
                yield one


def _counted(states: Iterable[NodeState], key: str, pod: Pod) -> Iterator[NodePod]:
    """The pods that a constraint of the pod may count."""
    selectors = [one.label_selector for one in pod.spec.topology_spread_constraints if one.topology_key == key]
    for state in states:
        for one in state.pods:
            labels = one.pod.metadata.labels
            if one.pod.metadata.namespace == pod.metadata.namespace and any(
                label_selector_matches(selector, labels) is True for selector in selectors
            ):
                yield one
