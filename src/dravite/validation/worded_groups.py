"""Rules about Workload and PodGroup of 1.36, and about Workload of 1.35 (3.6).

Nothing in them could be changed, and a disruption mode was a word.
"""

from __future__ import annotations

from typing import Final

from dravite.api import scheduling_v1alpha1, scheduling_v1alpha2
from dravite.api.field import child
from dravite.api.releases import Profile
from dravite.validation.conditions import conditions
from dravite.validation.declarations import Rule, Table, broken
from dravite.validation.faults import Faults, declared, invalid, not_supported
from dravite.validation.group_tables import (
    CLAIM,
    CLAIM_STATUSES,
    CONSTRAINTS,
    CONTROLLER,
    POLICY,
    dns_label,
    dns_subdomain,
    priority,
)
from dravite.validation.metadata import Kept, metadata
from dravite.validation.metadata_updates import metadata_update

MAX_TEMPLATES: Final = 8
MAX_CLAIMS: Final = 4

_MODES: Final = ("Pod", "PodGroup")
_TOPOLOGY: Final = "TopologyAwareWorkloadScheduling"
_PREEMPTION: Final = "WorkloadAwarePreemption"


def workload(item: scheduling_v1alpha2.Workload, profile: Profile) -> Faults:
    """A Workload that is created."""
    yield from metadata(item.metadata, profile, Kept.NAMESPACED)
    yield from declared(broken(_WORKLOAD, item, None, "", profile))


def workload_update(item: scheduling_v1alpha2.Workload, old: scheduling_v1alpha2.Workload, profile: Profile) -> Faults:
    """A Workload that is updated."""
    yield from metadata_update(item.metadata, old.metadata, profile)
    yield from declared(broken(_WORKLOAD, item, old, "", profile))


def pod_group(item: scheduling_v1alpha2.PodGroup, profile: Profile) -> Faults:
    """A PodGroup that is created."""
    yield from metadata(item.metadata, profile, Kept.NAMESPACED)
    yield from declared(broken(_POD_GROUP, item, None, "", profile))


def pod_group_update(item: scheduling_v1alpha2.PodGroup, old: scheduling_v1alpha2.PodGroup, profile: Profile) -> Faults:
    """A PodGroup that is updated."""
    yield from metadata_update(item.metadata, old.metadata, profile)
    yield from declared(broken(_POD_GROUP, item, old, "", profile))


def pod_group_status(item: scheduling_v1alpha2.PodGroup, old: scheduling_v1alpha2.PodGroup, profile: Profile) -> Faults:
    """A PodGroup whose status is updated."""
    yield from conditions(item.status.conditions, profile, "status.conditions")
    names = {claim.name for claim in item.spec.resource_claims}
    for position, status in enumerate(item.status.resource_claim_statuses):
        if status.name not in names:
            place = child("status.resourceClaimStatuses", position, "name")
            yield invalid(place, status.name, "must match the name of an entry in `spec.resourceClaims`")
    yield from declared(broken(_POD_GROUP, item, old, "", profile))


def first_workload(item: scheduling_v1alpha1.Workload, profile: Profile) -> Faults:
    """A Workload of 1.35 that is created."""
    yield from metadata(item.metadata, profile, Kept.NAMESPACED)
    yield from declared(broken(_FIRST_WORKLOAD, item, None, "", profile))


def first_workload_update(
    item: scheduling_v1alpha1.Workload, old: scheduling_v1alpha1.Workload, profile: Profile
) -> Faults:
    """A Workload of 1.35 that is updated. Whose it is may be said later, once."""
    yield from metadata_update(item.metadata, old.metadata, profile)
    first = old.spec.controller_ref is None
    yield from declared(broken(_FIRST_WORKLOAD_NAMED if first else _FIRST_WORKLOAD, item, old, "", profile))


def _mode(path: str, word: str) -> Faults:
    if word not in _MODES:
        yield not_supported(path, word, _MODES)


_NAME: Final = Rule(name="name", required=True, check=dns_label)
_CLAIMS: Final = Rule(name="resource_claims", immutable=True, most=MAX_CLAIMS, keys=("name",), inner=CLAIM)
_PRIORITIES: Final = (
    Rule(name="disruption_mode", gate=_PREEMPTION, immutable_while_on=True, check=_mode),
    Rule(name="priority_class_name", gate=_PREEMPTION, immutable_while_on=True, check=dns_subdomain),
    Rule(name="priority", gate=_PREEMPTION, immutable_while_on=True, check=priority),
)
_CONSTRAINED: Final = Rule(name="scheduling_constraints", gate=_TOPOLOGY, immutable_while_on=True, inner=CONSTRAINTS)
_TEMPLATE: Final = Table((_NAME, Rule(name="scheduling_policy", inner=POLICY), _CONSTRAINED, _CLAIMS, *_PRIORITIES))
_CONTROLLED: Final = Rule(name="controller_ref", immutable=True, inner=CONTROLLER)
_TEMPLATES: Final = Rule(
    name="pod_group_templates", required=True, immutable=True, most=MAX_TEMPLATES, keys=("name",), inner=_TEMPLATE
)
_WORKLOAD: Final = Table((Rule(name="spec", inner=Table((_CONTROLLED, _TEMPLATES))),))

_REFERENCE: Final = Table(
    (
        Rule(
            name="workload",
            inner=Table(
                (
                    Rule(name="workload_name", required=True, check=dns_subdomain),
                    Rule(name="pod_group_template_name", required=True, check=dns_label),
                )
            ),
        ),
    ),
    one_of=("workload",),
)
_POD_GROUP_SPEC: Final = Table(
    (
        Rule(name="pod_group_template_ref", immutable=True, inner=_REFERENCE),
        Rule(name="scheduling_policy", immutable=True, inner=POLICY),
        _CONSTRAINED,
        _CLAIMS,
        *_PRIORITIES,
    )
)
_POD_GROUP: Final = Table(
    (Rule(name="spec", inner=_POD_GROUP_SPEC), Rule(name="status", inner=Table((CLAIM_STATUSES,))))
)

_FIRST_GROUP: Final = Table((_NAME, Rule(name="policy", inner=POLICY)))
_FIRST_GROUPS: Final = Rule(
    name="pod_groups", required=True, immutable=True, most=MAX_TEMPLATES, keys=("name",), inner=_FIRST_GROUP
)
_FIRST_WORKLOAD: Final = Table((Rule(name="spec", inner=Table((_CONTROLLED, _FIRST_GROUPS))),))
_FIRST_WORKLOAD_NAMED: Final = Table(
    (Rule(name="spec", inner=Table((Rule(name="controller_ref", inner=CONTROLLER), _FIRST_GROUPS))),)
)
