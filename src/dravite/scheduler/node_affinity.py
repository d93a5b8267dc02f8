"""Which nodes a pod selects by label and name, and which it prefers (F9.5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from dravite.api.core_v1 import Pod
from dravite.api.names import node_matches
from dravite.api.names import node_matches_lazily as matches
from dravite.api.node_selector import NodeSelector, NodeSelectorTerm

NamedNodes: TypeAlias = frozenset[str] | Literal["any", "conflict"]
"""Nodes that a pod names by field: these, any, or none at all because a term contradicts itself."""


def selects(pod: Pod, name: str, labels: Mapping[str, str]) -> bool:
    """Whether node selector and required affinity admit the node; a term that cannot be read admits none."""
    if any(labels.get(key) != value for key, value in pod.spec.node_selector.items()):
        return False
    required = _required(pod)
    return required is None or matches(required, name, labels) is True


def named_nodes(pod: Pod) -> NamedNodes:
    """The nodes that every term of the required affinity names by `metadata.name` (`In`).

    Only they are looked at; where one term names none, all are. A term whose names have nothing in common admits no
    node, and if that is so for all terms the pod is refused at once.
    """
    required = _required(pod)
    if required is None or not required.node_selector_terms:
        return "any"
    names: frozenset[str] = frozenset()
    for term in required.node_selector_terms:
        named = _names(term)
        if named is None:
            return "any"
        names |= named
    return names or "conflict"


def preference(pod: Pod, name: str, labels: Mapping[str, str]) -> int:
    """The sum of the weights of the preferred terms that the node matches."""
    affinity = pod.spec.affinity.node_affinity if pod.spec.affinity else None
    if affinity is None:
        return 0
    return sum(term.weight for term in affinity.preferred if _prefers(term.preference, name, labels))


def _required(pod: Pod) -> NodeSelector | None:
    affinity = pod.spec.affinity.node_affinity if pod.spec.affinity else None
    return affinity.required if affinity else None


def _names(term: NodeSelectorTerm) -> frozenset[str] | None:
    named: frozenset[str] | None = None
    for rule in term.match_fields:
        if rule.key == "metadata.name" and rule.operator == "In":
            values = frozenset(rule.values)
            named = values if named is None else named & values
    return named


def _prefers(term: NodeSelectorTerm, name: str, labels: Mapping[str, str]) -> bool:
    return node_matches(NodeSelector(node_selector_terms=(term,)), name, labels) is True
