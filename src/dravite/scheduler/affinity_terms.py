"""Terms of pod affinity and anti-affinity, and which pods they mean.

A term names pods by labels and namespaces; the domain it speaks of is decided where the term is used.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from dravite.api.core_v1 import Pod, PodAffinity, PodAffinityTerm
from dravite.api.meta import LabelSelector, LabelSelectorRequirement
from dravite.api.names import label_selector_matches

NAMESPACE_LABEL = "kubernetes.io/metadata.name"


class Term(msgspec.Struct, frozen=True):
    """One term, with `matchLabelKeys` worked into its selector and the namespace of its pod filled in."""

    topology_key: str
    selector: LabelSelector | None
    namespaces: frozenset[str]
    namespace_selector: LabelSelector | None = None
    weight: int = 0


class PodTerms(msgspec.Struct, frozen=True):
    """All terms of one pod."""

    near: tuple[Term, ...] = ()
    apart: tuple[Term, ...] = ()
    prefers_near: tuple[Term, ...] = ()
    prefers_apart: tuple[Term, ...] = ()


class Namespaces(msgspec.Struct, frozen=True):
    """The labels of the namespaces that are known; each has at least the label with its name."""

    labels: Mapping[str, Mapping[str, str]] = {}

    def of(self, namespace: str) -> Mapping[str, str]:
        """The labels of a namespace, known or not."""
        return {NAMESPACE_LABEL: namespace, **self.labels.get(namespace, {})}


def pod_terms(pod: Pod) -> PodTerms:
    """The terms of a pod."""
    affinity = pod.spec.affinity
    near = (affinity.pod_affinity if affinity else None) or PodAffinity()
    apart = (affinity.pod_anti_affinity if affinity else None) or PodAffinity()
    return PodTerms(
        near=tuple(_term(pod, term) for term in near.required),
        apart=tuple(_term(pod, term) for term in apart.required),
        prefers_near=tuple(_term(pod, one.pod_affinity_term, one.weight) for one in near.preferred),
        prefers_apart=tuple(_term(pod, one.pod_affinity_term, one.weight) for one in apart.preferred),
    )


def means(term: Term, pod: Pod, namespaces: Namespaces) -> bool:
    """Whether the term means the pod; a selector that cannot be read means none."""
    namespace = pod.metadata.namespace
    if namespace not in term.namespaces:
        if term.namespace_selector is None:
            return False
        if label_selector_matches(term.namespace_selector, namespaces.of(namespace)) is not True:
            return False
    return label_selector_matches(term.selector, pod.metadata.labels) is True


def with_label_keys(
    selector: LabelSelector | None, labels: Mapping[str, str], same: tuple[str, ...], other: tuple[str, ...] = ()
) -> LabelSelector | None:
    """The selector narrowed to pods with the same (or another) value at these keys; absent labels narrow nothing."""
    if selector is None:
        return None
    extra = [_rule(key, "In", labels[key]) for key in same if key in labels]
    extra += [_rule(key, "NotIn", labels[key]) for key in other if key in labels]
    if not extra:
        return selector
    rules = (*selector.match_expressions, *(rule for rule in extra if rule not in selector.match_expressions))
    return LabelSelector(match_labels=selector.match_labels, match_expressions=rules)


def _rule(key: str, operator: str, value: str) -> LabelSelectorRequirement:
    return LabelSelectorRequirement(key=key, operator=operator, values=(value,))


def _term(pod: Pod, term: PodAffinityTerm, weight: int = 0) -> Term:
    own = not term.namespaces and term.namespace_selector is None
    return Term(
        topology_key=term.topology_key,
        selector=with_label_keys(
            term.label_selector, pod.metadata.labels, term.match_label_keys, term.mismatch_label_keys
        ),
        namespaces=frozenset((pod.metadata.namespace,) if own else term.namespaces),
        namespace_selector=term.namespace_selector,
        weight=weight,
    )
