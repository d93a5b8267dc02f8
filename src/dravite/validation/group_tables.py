"""What is declared at the fields of Workload, PodGroup and CompositePodGroup (3.2 to 3.4)."""

from __future__ import annotations

from typing import Any, Final

from dravite.api.names import (
    why_not_dns_label,
    why_not_dns_subdomain,
    why_not_label_key,
    why_not_path_segment,
)
from dravite.validation.declarations import Rule, Table
from dravite.validation.faults import Faults, invalid, invalid_each, not_supported

MAX_PRIORITY: Final = 1_000_000_000
MAX_TEMPLATES: Final = 8
MAX_CLAIMS: Final = 4
MAX_TOPOLOGIES: Final = 1
PREEMPTION_POLICIES: Final = ("Never", "PreemptLowerPriority")

_TOPOLOGY_GATE: Final = "TopologyAwareWorkloadScheduling"
_POLICY_GATE: Final = "PodGroupPreemptionPolicy"


def dns_label(path: str, text: str) -> Faults:
    """A name that is one label."""
    return invalid_each(path, text, why_not_dns_label(text))


def dns_subdomain(path: str, text: str) -> Faults:
    """A name of labels with dots."""
    return invalid_each(path, text, why_not_dns_subdomain(text))


def _label_key(path: str, text: str) -> Faults:
    return invalid_each(path, text, why_not_label_key(text))


def _segment(path: str, text: str) -> Faults:
    return invalid_each(path, text, why_not_path_segment(text))


def at_least(path: str, number: int, least: int) -> Faults:
    """A number that may not be lower than another."""
    if number < least:
        yield invalid(path, number, f"must be greater than or equal to {least}")


def _at_least_one(path: str, number: int) -> Faults:
    return at_least(path, number, 1)


def priority(path: str, number: int) -> Faults:
    """The priority of a group: what users may give."""
    if number > MAX_PRIORITY:
        yield invalid(path, number, f"must be less than or equal to {MAX_PRIORITY}")


def _preemption_policy(path: str, word: Any) -> Faults:
    if word not in PREEMPTION_POLICIES:
        yield not_supported(path, word, PREEMPTION_POLICIES)


_TOPOLOGY: Final = Table((Rule(name="key", required=True, check=_label_key),))
CONSTRAINTS: Final = Table((Rule(name="topology", most=MAX_TOPOLOGIES, inner=_TOPOLOGY),))
_MODE: Final = Table(one_of=("single", "all"))
CLAIM: Final = Table(
    (
        Rule(name="name", required=True, check=dns_label),
        Rule(name="resource_claim_name", check=dns_subdomain),
        Rule(name="resource_claim_template_name", check=dns_subdomain),
    ),
    one_of=("resource_claim_name", "resource_claim_template_name"),
)
_GANG: Final = Table((Rule(name="min_count", required=True, check=_at_least_one),))
POLICY: Final = Table(
    (Rule(name="basic", immutable=True), Rule(name="gang", settled=True, inner=_GANG)), one_of=("basic", "gang")
)
_COMPOSITE_GANG: Final = Table((Rule(name="min_group_count", required=True, check=_at_least_one),))
_COMPOSITE_POLICY: Final = Table(
    (Rule(name="basic", immutable=True), Rule(name="gang", settled=True, inner=_COMPOSITE_GANG)),
    one_of=("basic", "gang"),
)

_NAME: Final = Rule(name="name", required=True, check=dns_label)
_SCHEDULING: Final = Rule(name="scheduling_policy", inner=POLICY)
_COMPOSITE_SCHEDULING: Final = Rule(name="scheduling_policy", inner=_COMPOSITE_POLICY)
_CONSTRAINED: Final = Rule(name="scheduling_constraints", gate=_TOPOLOGY_GATE, immutable=True, inner=CONSTRAINTS)
_CONSTRAINED_GROUP: Final = Rule(
    name="scheduling_constraints", gate=_TOPOLOGY_GATE, immutable_while_on=True, inner=CONSTRAINTS
)
_CLAIMS: Final = Rule(name="resource_claims", immutable=True, most=MAX_CLAIMS, keys=("name",), inner=CLAIM)
_DISRUPTION: Final = Rule(name="disruption_mode", immutable=True, inner=_MODE)
_PRIORITIES: Final = (
    Rule(name="priority_class_name", immutable=True, check=dns_subdomain),
    Rule(name="priority", immutable=True, check=priority),
    Rule(name="preemption_policy", gate=_POLICY_GATE, immutable=True, check=_preemption_policy),
)

_TEMPLATE: Final = Table((_NAME, _SCHEDULING, _CONSTRAINED, _CLAIMS, _DISRUPTION, *_PRIORITIES))
_COMPOSITE_CONSTRAINED: Final = Rule(name="scheduling_constraints", immutable=True, inner=CONSTRAINTS)
_COMPOSITE_TEMPLATE: Final = Table((_NAME, _COMPOSITE_SCHEDULING, _COMPOSITE_CONSTRAINED, _DISRUPTION, *_PRIORITIES))
_TEMPLATES: Final = Rule(name="pod_group_templates", most=MAX_TEMPLATES, keys=("name",), fixed=True, inner=_TEMPLATE)
_COMPOSITE_TEMPLATE.rules = (
    *_COMPOSITE_TEMPLATE.rules,
    _TEMPLATES,
    Rule(
        name="composite_pod_group_templates",
        most=MAX_TEMPLATES,
        keys=("name",),
        fixed=True,
        inner=_COMPOSITE_TEMPLATE,
    ),
)

CONTROLLER: Final = Table(
    (
        Rule(name="api_group", check=dns_subdomain),
        Rule(name="kind", required=True, check=_segment),
        Rule(name="name", required=True, check=_segment),
    )
)
_WORKLOAD_SPEC: Final = Table(
    (
        Rule(name="controller_ref", immutable=True, inner=CONTROLLER),
        _TEMPLATES,
        Rule(
            name="composite_pod_group_templates",
            gate="CompositePodGroup",
            most=MAX_TEMPLATES,
            keys=("name",),
            fixed=True,
            inner=_COMPOSITE_TEMPLATE,
        ),
    ),
    one_of=("pod_group_templates", "composite_pod_group_templates"),
)
WORKLOAD: Final = Table((Rule(name="spec", inner=_WORKLOAD_SPEC),))

_REFERENCE: Final = Table(
    (
        Rule(name="workload_name", required=True, check=dns_subdomain),
        Rule(name="template_name", required=True, check=dns_label),
    )
)
_MADE_FROM: Final = Rule(name="workload_ref", immutable=True, inner=_REFERENCE)
_POD_GROUP_SPEC: Final = Table(
    (
        Rule(name="parent_composite_pod_group_name", gate="CompositePodGroup", immutable=True, check=dns_subdomain),
        _MADE_FROM,
        _SCHEDULING,
        _CONSTRAINED_GROUP,
        _CLAIMS,
        Rule(name="disruption_mode", immutable=True, required=True, inner=_MODE),
        *_PRIORITIES,
    )
)
CLAIM_STATUSES: Final = Rule(
    name="resource_claim_statuses",
    most=MAX_CLAIMS,
    keys=("name",),
    inner=Table((Rule(name="resource_claim_name", check=dns_subdomain),)),
)
POD_GROUP: Final = Table(
    (Rule(name="spec", inner=_POD_GROUP_SPEC), Rule(name="status", inner=Table((CLAIM_STATUSES,))))
)

COMPOSITE_POD_GROUP: Final = Table(
    (
        Rule(
            name="spec",
            inner=Table(
                (
                    Rule(name="parent_composite_pod_group_name", immutable=True, check=dns_subdomain),
                    Rule(name="workload_ref", immutable=True, required=True, inner=_REFERENCE),
                    Rule(name="scheduling_policy", immutable=True, inner=_COMPOSITE_POLICY),
                    _COMPOSITE_CONSTRAINED,
                    _DISRUPTION,
                    *_PRIORITIES,
                )
            ),
        ),
    )
)
