"""How topology spread scores nodes: the fewer matching pods in a node's domains, the better (PodTopologySpread).

Counts are weighted by the logarithm of the number of domains, in floating point, because Kubernetes does; the score
of a node is whole again.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from dravite.api.core_v1 import Pod
from dravite.api.meta import OwnerReference, controller_of
from dravite.scheduler.spread import HOSTNAME, ZONE, Constraint, included, matching_pods, preferred_constraints
from dravite.snapshot.node_state import NodeState

DEFAULT_CONSTRAINTS: Final = (Constraint(HOSTNAME, 3, None), Constraint(ZONE, 5, None))
"""What a cluster applies to the pods of a set that have no constraints of their own."""

_SETS: Final = frozenset({"Deployment", "ReplicaSet", "ReplicationController", "StatefulSet"})
"""Whose pods are a set. A Deployment stands for the ReplicaSet that it has yet to make."""


class SpreadWish(msgspec.Struct, frozen=True):
    """What scoring counts for a pod: its own soft constraints, or the default ones among the pods of its set."""

    pod: Pod
    constraints: tuple[Constraint, ...]
    siblings_of: OwnerReference | None = None

    @property
    def needs_all_labels(self) -> bool:
        """Whether nodes that lack the label of a constraint are left out; not so for the default constraints."""
        return self.siblings_of is None


def spread_wish(pod: Pod) -> SpreadWish | None:
    """The wish of a pod, or None where spreading does not score."""
    if pod.spec.topology_spread_constraints:
        constraints = preferred_constraints(pod)
        return SpreadWish(pod, constraints) if constraints else None
    owner = controller_of(pod.metadata)
    if owner is None or owner.kind not in _SETS:
        return None
    return SpreadWish(pod, DEFAULT_CONSTRAINTS, owner)


def spread_scores(wish: SpreadWish, feasible: Sequence[NodeState], states: Sequence[NodeState]) -> tuple[int, ...]:
    """The score of each feasible node, 0 to 100; `states` are all nodes."""
    left_out = {state.name for state in feasible if wish.needs_all_labels and not _has_labels(wish, state)}
    scored = [state for state in feasible if state.name not in left_out]
    domains = [_domain_counts(wish, constraint, scored, states) for constraint in wish.constraints]
    weights = [_weight(c, d, len(scored)) for c, d in zip(wish.constraints, domains, strict=True)]
    raw = {state.name: _raw(wish, state, domains, weights) for state in scored}
    most, least = max(raw.values(), default=0), min(raw.values(), default=0)
    return tuple(_normalised(raw.get(state.name), most, least) for state in feasible)


def _has_labels(wish: SpreadWish, state: NodeState) -> bool:
    return all(constraint.topology_key in state.labels for constraint in wish.constraints)


def _domain_counts(
    wish: SpreadWish, constraint: Constraint, scored: Sequence[NodeState], states: Sequence[NodeState]
) -> Mapping[str, int]:
    """Matching pods by domain, for the domains of feasible nodes; hosts are counted one by one, later."""
    if constraint.topology_key == HOSTNAME:
        return {}
    counts = {state.labels.get(constraint.topology_key, ""): 0 for state in scored}
    for state in states:
        if wish.needs_all_labels and not _has_labels(wish, state):
            continue
        value = state.labels.get(constraint.topology_key, "")
        if value in counts and included(constraint, wish.pod, state):
            counts[value] += _matching(wish, constraint, state)
    return counts


def _matching(wish: SpreadWish, constraint: Constraint, state: NodeState) -> int:
    if wish.siblings_of is None:
        return matching_pods(constraint, wish.pod, state)
    kind, name = wish.siblings_of.kind, wish.siblings_of.name
    return sum(
        1
        for running in state.pods
        if running.pod.metadata.deletion_timestamp is None
        and running.pod.metadata.namespace == wish.pod.metadata.namespace
        and (owner := controller_of(running.pod.metadata)) is not None
        and (owner.kind, owner.name) == (kind, name)
    )


def _weight(constraint: Constraint, domains: Mapping[str, int], hosts: int) -> float:
    return math.log((hosts if constraint.topology_key == HOSTNAME else len(domains)) + 2)


def _raw(wish: SpreadWish, state: NodeState, domains: Sequence[Mapping[str, int]], weights: Sequence[float]) -> int:
    score = 0.0
    for constraint, counts, weight in zip(wish.constraints, domains, weights, strict=True):
        value = state.labels.get(constraint.topology_key)
        if value is None:
            continue
        host = constraint.topology_key == HOSTNAME
        matching = _matching(wish, constraint, state) if host else counts[value]
        score += matching * weight + (constraint.max_skew - 1)
    return math.floor(score + 0.5)


def _normalised(raw: int | None, most: int, least: int) -> int:
    if raw is None:
        return 0
    return 100 * (most + least - raw) // most if most else 100
