"""Pod affinity and anti-affinity: which nodes its neighbours leave a pod, and which it likes better (InterPodAffinity).

What the pods in the cluster say about a domain is counted once per attempt; asking one node is then cheap.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from dravite.api.core_v1 import Pod
from dravite.diagnosis.reasons import PodAffinityViolated
from dravite.scheduler.affinity_terms import Namespaces, PodTerms, Term, means, pod_terms
from dravite.snapshot.node_state import NodePod, NodeState

HARD_AFFINITY_WEIGHT: Final = 1
"""How much a required affinity term of a running pod attracts others in scoring (default configuration)."""

Domain = tuple[str, str]


class Neighbourhood(msgspec.Struct, frozen=True):
    """What the running pods mean for one pod.

    Attributes:
        near: domains with pods that match all required affinity terms.
        apart: domains with pods that match a required anti-affinity term.
        refusing: domains in which running pods keep the pod away.
        first_of_its_kind: whether no pod anywhere matches the affinity terms, but the pod itself does.
        refusing_keys: the label keys of those domains.
        attraction: the summed weights by label key and value.
    """

    terms: PodTerms
    near: frozenset[Domain] = frozenset()
    apart: frozenset[Domain] = frozenset()
    refusing: frozenset[Domain] = frozenset()
    refusing_keys: tuple[str, ...] = ()
    first_of_its_kind: bool = False
    attraction: Mapping[str, Mapping[str, int]] = {}


def neighbourhood(pod: Pod, states: Iterable[NodeState], namespaces: Namespaces) -> Neighbourhood:
    """Look at every running pod once; `states` are the nodes on which pods run that could matter."""
    terms = pod_terms(pod)
    near: set[Domain] = set()
    apart: set[Domain] = set()
    refusing: set[Domain] = set()
    pulls: Counter[Domain] = Counter()
    for state in states:
        for running in state.pods:
            if terms.near and all(means(term, running.pod, namespaces) for term in terms.near):
                near |= _domains(terms.near, state)
            apart |= _domains((term for term in terms.apart if means(term, running.pod, namespaces)), state)
            if running.has_affinity:
                theirs = pod_terms(running.pod)
                refusing |= _domains((term for term in theirs.apart if means(term, pod, namespaces)), state)
            else:
                theirs = PodTerms()
            _attract(pulls, state, _pulls(terms, theirs, pod, running, namespaces))
    alone = bool(terms.near) and not near and all(means(term, pod, namespaces) for term in terms.near)
    return Neighbourhood(
        terms=terms,
        near=frozenset(near),
        apart=frozenset(apart),
        refusing=frozenset(refusing),
        refusing_keys=tuple(sorted({key for key, _ in refusing})),
        first_of_its_kind=alone,
        attraction=_by_key(pulls),
    )


def why_not_here(around: Neighbourhood, state: NodeState) -> PodAffinityViolated | None:
    """The first rule between pods that the node would break."""
    labels = state.labels
    for term in around.terms.near:
        value = labels.get(term.topology_key)
        if value is None or ((term.topology_key, value) not in around.near and not around.first_of_its_kind):
            return PodAffinityViolated("affinity", term.topology_key)
    for term in around.terms.apart:
        if (term.topology_key, labels.get(term.topology_key)) in around.apart:
            return PodAffinityViolated("anti-affinity", term.topology_key)
    for key in around.refusing_keys:
        if (key, labels.get(key)) in around.refusing:
            return PodAffinityViolated("existing-anti-affinity", key)
    return None


def attraction(around: Neighbourhood, state: NodeState) -> int:
    """How much the neighbours draw the pod to the node; negative where they push it away."""
    labels = state.labels
    return sum(weights.get(labels.get(key, ""), 0) for key, weights in around.attraction.items() if key in labels)


def _pulls(
    ours: PodTerms, theirs: PodTerms, pod: Pod, running: NodePod, namespaces: Namespaces
) -> Iterable[tuple[Term, int]]:
    yield from ((term, term.weight) for term in ours.prefers_near if means(term, running.pod, namespaces))
    yield from ((term, -term.weight) for term in ours.prefers_apart if means(term, running.pod, namespaces))
    yield from ((term, HARD_AFFINITY_WEIGHT) for term in theirs.near if means(term, pod, namespaces))
    yield from ((term, term.weight) for term in theirs.prefers_near if means(term, pod, namespaces))
    yield from ((term, -term.weight) for term in theirs.prefers_apart if means(term, pod, namespaces))


def _attract(attraction: Counter[Domain], state: NodeState, pulls: Iterable[tuple[Term, int]]) -> None:
    for term, weight in pulls:
        value = state.labels.get(term.topology_key)
        if value is not None:
            attraction[(term.topology_key, value)] += weight


def _by_key(pulls: Mapping[Domain, int]) -> Mapping[str, Mapping[str, int]]:
    weights: dict[str, dict[str, int]] = {}
    for (key, value), weight in pulls.items():
        weights.setdefault(key, {})[value] = weight
    return weights


def _domains(terms: Iterable[Term], state: NodeState) -> set[Domain]:
    found = set()
    for term in terms:
        value = state.labels.get(term.topology_key)
        if value is not None:
            found.add((term.topology_key, value))
    return found
