"""Which pods stand in the way of another one because of rules between pods."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dravite.api.core_v1 import Pod
from dravite.api.names import label_selector_matches
from dravite.diagnosis.reasons import PodAffinityViolated, SpreadViolated
from dravite.scheduler.affinity_terms import Namespaces, Term, means, pod_terms
from dravite.snapshot.node_state import NodePod, NodeState
from dravite.snapshot.snapshot import Snapshot


def pods_in_the_way(
    snapshot: Snapshot, pod: NodePod, domain: Iterable[NodeState], reason: PodAffinityViolated | SpreadViolated
) -> tuple[NodePod, ...]:
    """The pods of a domain that are to blame for a reason of its nodes, in the order of nodes and arrival.

    Each of them keeps the pod out by itself, but for a spread: there it is their number.
    """
    match reason:
        case SpreadViolated(topology_key=key):
            return tuple(_counted(domain, key, pod.pod))
        case PodAffinityViolated(rule="anti-affinity", topology_key=key):
            terms = [term for term in pod_terms(pod.pod).apart if term.topology_key == key]
            return tuple(_meant(domain, terms, snapshot))
        case PodAffinityViolated(topology_key=key):
            return tuple(_refusing(domain, key, pod.pod, snapshot))


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
