"""Topology spread: how evenly pods must or should lie over the values of a node label (PodTopologySpread).

Counts matching pods per domain once per attempt. The default constraints of a cluster apply to pods of a set only
(see `spread_score`), and only to scoring.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from dravite.api.core_v1 import Pod, TopologySpreadConstraint
from dravite.api.meta import LabelSelector
from dravite.api.names import label_selector_matches
from dravite.diagnosis.reasons import SpreadViolated
from dravite.scheduler.affinity_terms import with_label_keys
from dravite.scheduler.node_affinity import selects
from dravite.scheduler.tolerations import untolerated
from dravite.snapshot.node_state import NodeState

HOSTNAME: Final = "kubernetes.io/hostname"
ZONE: Final = "topology.kubernetes.io/zone"


class Constraint(msgspec.Struct, frozen=True):
    """One constraint, ready to count."""

    topology_key: str
    max_skew: int
    selector: LabelSelector | None
    min_domains: int = 1
    honours_affinity: bool = True
    honours_taints: bool = False


class Spread(msgspec.Struct, frozen=True):
    """The constraints that must hold, each with the matching pods in every domain and in the emptiest one."""

    pod: Pod
    constraints: tuple[Constraint, ...]
    counts: tuple[Mapping[str, int], ...]
    least: tuple[int, ...]


def required_spread(pod: Pod, states: Iterable[NodeState]) -> Spread | None:
    """The constraints that must hold, counted over the nodes that have all their labels; None without any."""
    constraints = required_constraints(pod)
    if not constraints:
        return None
    counts: list[dict[str, int]] = [{} for _ in constraints]
    for state in states:
        if all(constraint.topology_key in state.labels for constraint in constraints):
            for constraint, domains in zip(constraints, counts, strict=True):
                if included(constraint, pod, state):
                    value = state.labels[constraint.topology_key]
                    domains[value] = domains.get(value, 0) + matching_pods(constraint, pod, state)
    least = tuple(_least(constraint, domains) for constraint, domains in zip(constraints, counts, strict=True))
    return Spread(pod, constraints, tuple(counts), least)


def why_not_even(spread: Spread, state: NodeState) -> SpreadViolated | None:
    """The first constraint that the node would break."""
    for constraint, domains, least in zip(spread.constraints, spread.counts, spread.least, strict=True):
        value = state.labels.get(constraint.topology_key)
        if value is None:
            return SpreadViolated(constraint.topology_key, label_missing=True)
        itself = label_selector_matches(constraint.selector, spread.pod.metadata.labels) is True
        if domains.get(value, 0) + itself - least > constraint.max_skew:
            return SpreadViolated(constraint.topology_key)
    return None


def required_constraints(pod: Pod) -> tuple[Constraint, ...]:
    """The constraints of the pod that must hold."""
    return _constraints(pod, "DoNotSchedule")


def preferred_constraints(pod: Pod) -> tuple[Constraint, ...]:
    """The constraints of the pod that only count in scoring."""
    return _constraints(pod, "ScheduleAnyway")


def matching_pods(constraint: Constraint, pod: Pod, state: NodeState) -> int:
    """How many pods of the pod's namespace on the node are counted; those being deleted are not."""
    selector = constraint.selector
    if selector is None or not (selector.match_labels or selector.match_expressions):
        return 0
    return sum(
        1
        for running in state.pods
        if running.pod.metadata.deletion_timestamp is None
        and running.pod.metadata.namespace == pod.metadata.namespace
        and label_selector_matches(selector, running.pod.metadata.labels) is True
    )


def _least(constraint: Constraint, domains: Mapping[str, int]) -> int:
    """Pods in the emptiest domain; nothing while there are fewer domains than asked for."""
    return min(domains.values()) if len(domains) >= constraint.min_domains else 0


def _constraints(pod: Pod, action: str) -> tuple[Constraint, ...]:
    return tuple(_ready(pod, one) for one in pod.spec.topology_spread_constraints if one.when_unsatisfiable == action)


def _ready(pod: Pod, constraint: TopologySpreadConstraint) -> Constraint:
    return Constraint(
        topology_key=constraint.topology_key,
        max_skew=constraint.max_skew,
        selector=with_label_keys(constraint.label_selector, pod.metadata.labels, constraint.match_label_keys),
        min_domains=constraint.min_domains or 1,
        honours_affinity=constraint.node_affinity_policy != "Ignore",
        honours_taints=constraint.node_taints_policy == "Honor",
    )


def included(constraint: Constraint, pod: Pod, state: NodeState) -> bool:
    """Whether the pods on a node count for the constraint: the pod could go there as far as its policies say."""
    if constraint.honours_affinity and not selects(pod, state.name, state.labels):
        return False
    return not (constraint.honours_taints and untolerated(state.node.spec.taints, pod.spec.tolerations))
