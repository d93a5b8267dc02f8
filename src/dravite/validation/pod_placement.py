"""Rules about where a pod may run: labels, affinity, spreading, gates and tolerations of node taints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dravite.api.core_v1 import (
    Affinity,
    NodeAffinity,
    PodAffinity,
    PodAffinityTerm,
    PodSchedulingGate,
    Toleration,
    TopologySpreadConstraint,
)
from dravite.api.field import child
from dravite.api.meta import LabelSelector
from dravite.api.names import why_not_label_key, why_not_label_value
from dravite.validation.faults import Faults, duplicate, forbidden, invalid, invalid_each, not_supported, required
from dravite.validation.node_selectors import node_selector, selector_term

EFFECTS: Final = ("NoSchedule", "PreferNoSchedule", "NoExecute")

_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"
_WHEN: Final = ("DoNotSchedule", "ScheduleAnyway")
_POLICIES: Final = ("Honor", "Ignore")
_OPERATORS: Final = ("Equal", "Exists")


def node_labels(labels: Mapping[str, str], path: str) -> Faults:
    """Labels that a node must have."""
    for key, value in sorted(labels.items()):
        yield from invalid_each(path, key, why_not_label_key(key))
        yield from invalid_each(path, value, why_not_label_value(value))


def affinity(item: Affinity, path: str) -> Faults:
    """All three kinds of affinity."""
    if item.node_affinity is not None:
        yield from _node_affinity(item.node_affinity, child(path, "nodeAffinity"))
    if item.pod_affinity is not None:
        yield from _pod_affinity(item.pod_affinity, child(path, "podAffinity"))
    if item.pod_anti_affinity is not None:
        yield from _pod_affinity(item.pod_anti_affinity, child(path, "podAntiAffinity"))


def _node_affinity(item: NodeAffinity, path: str) -> Faults:
    if item.required is not None:
        yield from node_selector(item.required, child(path, _REQUIRED))
    for position, term in enumerate(item.preferred):
        place = child(path, _PREFERRED, position)
        yield from _weight(term.weight, child(place, "weight"))
        yield from selector_term(term.preference, child(place, "preference"))


def _pod_affinity(item: PodAffinity, path: str) -> Faults:
    for position, term in enumerate(item.required):
        yield from _pod_term(term, child(path, _REQUIRED, position))
    for position, weighted in enumerate(item.preferred):
        place = child(path, _PREFERRED, position)
        yield from _weight(weighted.weight, child(place, "weight"))
        yield from _pod_term(weighted.pod_affinity_term, child(place, "podAffinityTerm"))


def _weight(weight: int, path: str) -> Faults:
    if not 1 <= weight <= 100:
        yield invalid(path, weight, "must be in the range 1-100")


def _pod_term(term: PodAffinityTerm, path: str) -> Faults:
    yield from label_selector(term.label_selector, child(path, "labelSelector"))
    yield from label_selector(term.namespace_selector, child(path, "namespaceSelector"))
    place = child(path, "topologyKey")
    if not term.topology_key:
        yield required(place, "can not be empty")
    yield from invalid_each(place, term.topology_key, why_not_label_key(term.topology_key))


def label_selector(selector: LabelSelector | None, path: str) -> Faults:
    """A label selector, or none."""
    if selector is None:
        return
    yield from node_labels(selector.match_labels, child(path, "matchLabels"))
    for position, rule in enumerate(selector.match_expressions):
        place = child(path, "matchExpressions", position)
        values = child(place, "values")
        if rule.operator in ("In", "NotIn"):
            if not rule.values:
                yield required(values, "must be specified when `operator` is 'In' or 'NotIn'")
        elif rule.operator in ("Exists", "DoesNotExist"):
            if rule.values:
                yield forbidden(values, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")
        else:
            yield invalid(child(place, "operator"), rule.operator, "not a valid selector operator")
        yield from invalid_each(child(place, "key"), rule.key, why_not_label_key(rule.key))
        for index, value in enumerate(rule.values):
            yield from invalid_each(child(values, index), value, why_not_label_value(value))


def spread(items: tuple[TopologySpreadConstraint, ...], path: str) -> Faults:
    """Topology spread constraints, each topology and mode once."""
    keys = [(item.topology_key, item.when_unsatisfiable) for item in items]
    for position, item in enumerate(items):
        place = child(path, position)
        yield from _spread_rules(item, place)
        if keys[position] in keys[position + 1 :]:
            yield duplicate(child(place, "{topologyKey, whenUnsatisfiable}"), "{" + ", ".join(keys[position]) + "}")
        if item.min_domains is not None and item.min_domains <= 0:
            yield invalid(child(place, "minDomains"), item.min_domains, "must be greater than zero")
        policies = (("nodeAffinityPolicy", item.node_affinity_policy), ("nodeTaintsPolicy", item.node_taints_policy))
        for name, policy in policies:
            if policy is not None and policy not in _POLICIES:
                yield not_supported(child(place, name), policy, _POLICIES)
        yield from label_selector(item.label_selector, child(place, "labelSelector"))


def _spread_rules(item: TopologySpreadConstraint, path: str) -> Faults:
    if item.max_skew <= 0:
        yield invalid(child(path, "maxSkew"), item.max_skew, "must be greater than zero")
    if not item.topology_key:
        yield required(child(path, "topologyKey"), "can not be empty")
    if item.when_unsatisfiable not in _WHEN:
        yield not_supported(child(path, "whenUnsatisfiable"), item.when_unsatisfiable, _WHEN)


def scheduling_gates(items: tuple[PodSchedulingGate, ...], path: str) -> Faults:
    """Scheduling gates, each once."""
    seen: set[str] = set()
    for position, item in enumerate(items):
        place = child(path, position)
        yield from invalid_each(place, item.name, why_not_label_key(item.name))
        if item.name in seen:
            yield duplicate(place, item.name)
        seen.add(item.name)


def tolerations(items: tuple[Toleration, ...], path: str) -> Faults:
    """Tolerations of node taints."""
    for position, item in enumerate(items):
        yield from _toleration(item, child(path, position))


def _toleration(item: Toleration, path: str) -> Faults:
    operator = child(path, "operator")
    if item.key:
        yield from invalid_each(child(path, "key"), item.key, why_not_label_key(item.key))
    elif item.operator != "Exists":
        detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"'
        yield invalid(operator, item.operator, detail)
    if item.toleration_seconds is not None and item.effect != "NoExecute":
        detail = "effect must be 'NoExecute' when `tolerationSeconds` is set"
        yield invalid(child(path, "effect"), item.effect, detail)
    if item.operator == "Exists":
        if item.value:
            yield invalid(operator, item.value, "value must be empty when `operator` is 'Exists'")
    elif item.operator in ("", "Equal"):
        yield from invalid_each(operator, item.value, why_not_label_value(item.value))
    elif item.operator not in ("Lt", "Gt"):
        yield not_supported(operator, item.operator, _OPERATORS)
    if item.effect and item.effect not in EFFECTS:
        yield not_supported(child(path, "effect"), item.effect, EFFECTS)
