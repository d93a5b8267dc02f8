"""Rules about core/v1 NodeSelector as far as resource.k8s.io embeds it (2.15)."""

from __future__ import annotations

from dravite.api.field import child
from dravite.api.names import why_not_dns_subdomain, why_not_label_key, why_not_label_value
from dravite.api.node_selector import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from dravite.validation.faults import Faults, forbidden, invalid, invalid_each, required


def node_selector(selector: NodeSelector, path: str, *, reads_values: bool = True) -> Faults:
    """A node selector with at least one term. 1.31 did not look at the values of labels."""
    terms = child(path, "nodeSelectorTerms")
    if not selector.node_selector_terms:
        yield required(terms, "must have at least one node selector term")
    for position, term in enumerate(selector.node_selector_terms):
        yield from selector_term(term, child(terms, position), reads_values=reads_values)


def selector_term(term: NodeSelectorTerm, path: str, *, reads_values: bool = True) -> Faults:
    """One term, of labels and fields."""
    for index, rule in enumerate(term.match_expressions):
        place = child(path, "matchExpressions", index)
        yield from _expression(rule, place)
        for position, value in enumerate(rule.values if reads_values else ()):
            yield from invalid_each(child(place, "values", position), value, why_not_label_value(value))
    for index, rule in enumerate(term.match_fields):
        yield from _field(rule, child(path, "matchFields", index))


def _expression(rule: NodeSelectorRequirement, path: str) -> Faults:
    values = child(path, "values")
    match rule.operator:
        case "In" | "NotIn":
            if not rule.values:
                yield required(values, "must be specified when `operator` is 'In' or 'NotIn'")
        case "Exists" | "DoesNotExist":
            if rule.values:
                yield forbidden(values, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")
        case "Gt" | "Lt":
            if len(rule.values) != 1:
                yield required(values, "must be specified single value when `operator` is 'Lt' or 'Gt'")
        case _:
            yield invalid(child(path, "operator"), rule.operator, "not a valid selector operator")
    yield from invalid_each(child(path, "key"), rule.key, why_not_label_key(rule.key))


def _field(rule: NodeSelectorRequirement, path: str) -> Faults:
    if rule.operator not in ("In", "NotIn"):
        yield invalid(child(path, "operator"), rule.operator, "not a valid selector operator")
    elif len(rule.values) != 1:
        detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"
        yield required(child(path, "values"), detail)
    if rule.key != "metadata.name":
        yield invalid(child(path, "key"), rule.key, "not a valid field selector key")
        return
    for position, value in enumerate(rule.values):
        yield from invalid_each(child(path, "values", position), value, why_not_dns_subdomain(value, "characters"))
