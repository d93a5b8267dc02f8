"""Nodes where nobody gave any: those that the slices name or select.

An inferred node has a name, and the labels that the selectors that led to it ask for. It publishes no resources, so
nothing can be said about cpu, memory and the number of pods on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from dravite.api.core_v1 import Node, Pod
from dravite.api.meta import ObjectMeta
from dravite.api.node_selector import NodeSelector, NodeSelectorTerm
from dravite.api.resource_v1 import ResourceClaim, ResourceSlice

HOSTNAME: Final = "kubernetes.io/hostname"


def infer_nodes(
    slices: Sequence[ResourceSlice], claims: Iterable[ResourceClaim], pods: Iterable[Pod]
) -> tuple[Node, ...]:
    """Nodes named by slices, their devices, allocations and running pods, in the order of their names.

    A selector names nodes by `metadata.name` or by the hostname label, with `In`. What else its term asks of the
    node becomes a label of the node where the term says it with one value. A slice that is reachable only by other
    labels, or from everywhere, stands for one node with those labels, since something must be able to reach it.
    """
    labels: dict[str, dict[str, str]] = {}
    for name, wanted in (*_named(slices, claims), *_running(pods)):
        labels.setdefault(name, {HOSTNAME: name}).update(wanted)
    if not labels:
        labels = _stand_ins(slices)
    return tuple(Node(metadata=ObjectMeta(name=name, labels=labels[name])) for name in sorted(labels))


def _named(slices: Iterable[ResourceSlice], claims: Iterable[ResourceClaim]) -> Iterator[tuple[str, dict[str, str]]]:
    for item in slices:
        if item.spec.node_name:
            yield item.spec.node_name, {}
        yield from _of_selector(item.spec.node_selector)
        for device in item.spec.devices or ():
            if device.node_name:
                yield device.node_name, {}
            yield from _of_selector(device.node_selector)
    for claim in claims:
        if claim.status.allocation is not None:
            yield from _of_selector(claim.status.allocation.node_selector)


def _running(pods: Iterable[Pod]) -> Iterator[tuple[str, dict[str, str]]]:
    for pod in pods:
        if pod.spec.node_name:
            yield pod.spec.node_name, {}


def _of_selector(selector: NodeSelector | None) -> Iterator[tuple[str, dict[str, str]]]:
    for term in selector.node_selector_terms if selector else ():
        for name in _names(term):
            yield name, _single_labels(term)


def _names(term: NodeSelectorTerm) -> tuple[str, ...]:
    rules = [rule for rule in term.match_fields if rule.key == "metadata.name"]
    rules += [rule for rule in term.match_expressions if rule.key == HOSTNAME]
    return tuple(name for rule in rules if rule.operator == "In" for name in rule.values)


def _single_labels(term: NodeSelectorTerm) -> dict[str, str]:
    labels: dict[str, str] = {}
    for rule in term.match_expressions:
        if rule.key == HOSTNAME:
            continue
        if rule.operator == "In" and len(rule.values) == 1:
            labels[rule.key] = rule.values[0]
        elif rule.operator == "Exists":
            labels[rule.key] = ""
    return labels


def _stand_ins(slices: Iterable[ResourceSlice]) -> dict[str, dict[str, str]]:
    """One node per distinct selector that names none, called after the first pool that it reaches."""
    names: dict[tuple[tuple[str, str], ...], str] = {}
    for item in slices:
        terms = item.spec.node_selector.node_selector_terms if item.spec.node_selector else ()
        wanted = tuple(sorted(_single_labels(terms[0]).items())) if terms else ()
        names.setdefault(wanted, f"any-node-of-{item.spec.pool.name.replace('/', '-')}")
    return {name: {HOSTNAME: name, **dict(wanted)} for wanted, name in names.items()}
