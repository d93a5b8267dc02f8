"""Which part of a pod's node selection keeps nodes out, and what those nodes have instead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from dravite.api.core_v1 import Node, Pod, pod_ref
from dravite.api.names import requirement_matches
from dravite.api.node_selector import NodeSelectorRequirement
from dravite.diagnosis.reasons import ConstraintID
from dravite.explain.insights import UnmetLabel

_AFFINITY = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms"


def unmet_labels(pod: Pod, nodes: Sequence[Node]) -> tuple[UnmetLabel, ...]:
    """The requirements that `nodes`, which the pod's node selection keeps out, do not meet.

    Each requirement is judged by itself, in the order of the pod; of several affinity terms, which are
    alternatives, every one is told.
    """
    ref = pod_ref(pod)
    demands = [(f"spec.nodeSelector[{key}]", _equal(key, value)) for key, value in pod.spec.node_selector.items()]
    demands += _required(pod)
    found = (_unmet(ConstraintID(ref, path), requirement, nodes) for path, requirement in demands)
    return tuple(unmet for unmet in found if unmet is not None)


def _equal(key: str, value: str) -> NodeSelectorRequirement:
    return NodeSelectorRequirement(key=key, operator="In", values=(value,))


def _required(pod: Pod) -> list[tuple[str, NodeSelectorRequirement]]:
    affinity = pod.spec.affinity and pod.spec.affinity.node_affinity
    if not affinity or affinity.required is None:
        return []
    return [
        (f"{_AFFINITY}[{i}].matchExpressions[{j}]", requirement)
        for i, term in enumerate(affinity.required.node_selector_terms)
        for j, requirement in enumerate(term.match_expressions)
    ]


def _unmet(asked: ConstraintID, requirement: NodeSelectorRequirement, nodes: Sequence[Node]) -> UnmetLabel | None:
    values = [node.metadata.labels.get(requirement.key) for node in nodes]
    out = [value for value in values if not requirement_matches(requirement.operator, requirement.values, value)]
    if not out:
        return None
    ordered = sorted(Counter(out).items(), key=lambda item: (-item[1], item[0] or ""))
    return UnmetLabel(
        asked_by=asked,
        key=requirement.key,
        operator=requirement.operator,
        values=requirement.values,
        nodes=len(out),
        values_seen=tuple(ordered),
    )
