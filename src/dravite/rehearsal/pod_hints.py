"""Whether a pod that comes, changes or goes may help one that nodes have refused (F11.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from dravite.api.core_v1 import Pod
from dravite.api.names import label_selector_matches
from dravite.diagnosis.reasons import NodeRejection, PodAffinityViolated, PortTaken, ResourceShort, SpreadViolated
from dravite.scheduler.affinity_terms import Namespaces, Term, means, pod_terms
from dravite.scheduler.fit import want_same_port
from dravite.scheduler.spread import required_constraints
from dravite.snapshot.node_state import node_pod


def gone_may_help(pod: Pod, reason: NodeRejection, gone: Pod) -> bool:
    """Whether the plugin behind a reason takes it for helpful that a pod is gone, or has finished."""
    match reason:
        case ResourceShort():
            return bool(gone.spec.node_name or gone.status.nominated_node_name)
        case PortTaken():
            return bool(gone.spec.node_name) and want_same_port(node_pod(pod), node_pod(gone))
        case SpreadViolated():
            return bool(gone.spec.node_name) and any(_counts(pod, gone))
        case PodAffinityViolated():
            kept_apart = any(_means(term, pod) for term in pod_terms(gone).apart)
            return bool(gone.spec.node_name) and (kept_apart or _means_all(pod_terms(pod).apart, gone))
        case _:
            return False


def placed_may_help(pod: Pod, reason: NodeRejection, placed: Pod) -> bool:
    """Whether the plugin behind a reason takes it for helpful that another pod has its node now."""
    match reason:
        case SpreadViolated():
            return any(_counts(pod, placed))
        case PodAffinityViolated():
            return _means_all(pod_terms(pod).near, placed)
        case _:
            return False


def change_may_help(pod: Pod, reason: NodeRejection, now: Pod, before: Pod) -> bool:
    """Whether the plugin behind a reason takes it for helpful that a pod on a node has changed."""
    if not now.spec.node_name:
        return False
    match reason:
        case ResourceShort():
            return _asks_for_less(node_pod(now).request.amounts, node_pod(before).request.amounts)
        case SpreadViolated():
            return _counts(pod, now) != _counts(pod, before)
        case PodAffinityViolated():
            terms = pod_terms(pod)
            was_near, was_apart = (_means_all(some, before) for some in (terms.near, terms.apart))
            is_near, is_apart = (_means_all(some, now) for some in (terms.near, terms.apart))
            return (is_near and not was_near) or (was_apart and not is_apart)
        case _:
            return False


def _counts(pod: Pod, other: Pod) -> list[bool]:
    """Whether each constraint of the pod counts another one."""
    same = pod.metadata.namespace == other.metadata.namespace
    labels = other.metadata.labels
    return [same and label_selector_matches(one.selector, labels) is True for one in required_constraints(pod)]


def _means_all(terms: Sequence[Term], other: Pod) -> bool:
    return bool(terms) and all(_means(term, other) for term in terms)


def _means(term: Term, pod: Pod) -> bool:
    """Whether a term means a pod, as far as can be told without the labels of namespaces (observed on 1.37.2)."""
    chooses = term.namespace_selector
    if chooses is not None and (chooses.match_labels or chooses.match_expressions):
        term = msgspec.structs.replace(term, namespace_selector=None)
    return means(term, pod, Namespaces())


def _asks_for_less(now: Mapping[str, int], before: Mapping[str, int]) -> bool:
    return any(now.get(name, 0) < units for name, units in before.items())
