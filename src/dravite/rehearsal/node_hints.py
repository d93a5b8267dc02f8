"""Whether a node that is new, or another one than before, may help a pod that nodes have refused (F11.2).

Each plugin asks no more than whether the node would have been refused for the plugin's own reason before and would not
be now. It does not look at what runs there.
"""

from __future__ import annotations

from collections.abc import Callable

from dravite.api.core_v1 import Node, Pod
from dravite.diagnosis.reasons import (
    AffinityNotMatched,
    NodeNameDiffers,
    NodeRejection,
    NodeTainted,
    NodeUnschedulable,
    PodAffinityViolated,
    PortTaken,
    ResourceShort,
    SpreadViolated,
)
from dravite.scheduler.affinity_terms import Term, pod_terms
from dravite.scheduler.fit import why_not_enough
from dravite.scheduler.node_affinity import selects
from dravite.scheduler.spread import required_constraints
from dravite.scheduler.tolerations import untolerated
from dravite.snapshot.node_state import empty_node, node_pod
from dravite.snapshot.requests import PODS


def node_may_help(pod: Pod, reason: NodeRejection, node: Node, before: Node | None) -> bool:
    """Whether the plugin behind a reason takes the node for helpful; `before` is None for a new one."""

    def begins(holds: Callable[[Node], bool]) -> bool:
        return holds(node) and (before is None or not holds(before))

    match reason:
        case ResourceShort():
            return _would_fit(pod, node) and (before is None or _has_more_for(pod, node, before))
        case NodeTainted():
            return begins(lambda one: not untolerated(one.spec.taints, pod.spec.tolerations))
        case NodeUnschedulable():
            return begins(lambda one: not one.spec.unschedulable)
        case AffinityNotMatched():
            return begins(lambda one: selects(pod, one.metadata.name, one.metadata.labels))
        case NodeNameDiffers() | PortTaken():
            return before is None
        case SpreadViolated():
            return _spreads_otherwise(pod, node, before)
        case PodAffinityViolated():
            return _has_another_domain(pod, node, before)
        case _:
            return True


def _would_fit(pod: Pod, node: Node) -> bool:
    return not why_not_enough(node_pod(pod), empty_node(node), ())


def _has_more_for(pod: Pod, node: Node, before: Node) -> bool:
    """Whether the node has more than before of anything that the pod needs, or room for more pods."""
    now, then = empty_node(node).allocatable, empty_node(before).allocatable
    return any(now.get(name, 0) > then.get(name, 0) for name in (PODS, *node_pod(pod).request.amounts))


def _spreads_otherwise(pod: Pod, node: Node, before: Node | None) -> bool:
    """Whether the node counts for the spread of the pod, and did not in that way before."""
    keys = [one.topology_key for one in required_constraints(pod)]
    now = _values(node, keys)
    if before is None:
        return now is not None
    return _values(before, keys) != now


def _values(node: Node, keys: list[str]) -> list[str] | None:
    """The domains of a node; None for one that does not count, because it is in none for one of the keys."""
    labels = node.metadata.labels
    return [labels[key] for key in keys] if all(key in labels for key in keys) else None


def _has_another_domain(pod: Pod, node: Node, before: Node | None) -> bool:
    """Whether the node came into a domain near which the pod has to be, or left one from which it has to be apart."""
    terms = pod_terms(pod)
    if before is None:
        return bool(terms.apart) or any(term.topology_key in node.metadata.labels for term in terms.near)

    def moved(term: Term, one: Node, other: Node) -> bool:
        value = one.metadata.labels.get(term.topology_key)
        return value is not None and other.metadata.labels.get(term.topology_key) != value

    came = any(moved(term, node, before) for term in terms.near)
    return came or any(moved(term, before, node) for term in terms.apart)
