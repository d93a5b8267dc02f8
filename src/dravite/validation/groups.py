"""Rules about Workload, PodGroup and CompositePodGroup: the tables, and what spans several fields (3.2 to 3.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from dravite.api.field import child
from dravite.api.releases import Profile
from dravite.api.scheduling_v1beta1 import (
    CompositePodGroup,
    CompositePodGroupTemplate,
    PodGroup,
    PodGroupTemplate,
    Workload,
    WorkloadSpec,
)
from dravite.validation.conditions import conditions
from dravite.validation.declarations import broken
from dravite.validation.faults import Faults, declared, duplicate, invalid, required
from dravite.validation.group_tables import COMPOSITE_POD_GROUP, POD_GROUP, WORKLOAD
from dravite.validation.metadata import Kept, metadata
from dravite.validation.metadata_updates import metadata_update

MAX_DEPTH: Final = 4

_COMPOSITES: Final = "compositePodGroupTemplates"
_Template: TypeAlias = PodGroupTemplate | CompositePodGroupTemplate


def workload(item: Workload, profile: Profile) -> Faults:
    """A Workload that is created."""
    yield from metadata(item.metadata, profile, Kept.NAMESPACED)
    yield from _tree(item.spec, "spec")
    yield from declared(broken(WORKLOAD, item, None, "", profile))


def workload_update(item: Workload, old: Workload, profile: Profile) -> Faults:
    """A Workload that is updated."""
    yield from metadata_update(item.metadata, old.metadata, profile)
    yield from _tree(item.spec, "spec")
    yield from declared(broken(WORKLOAD, item, old, "", profile))


def pod_group(item: PodGroup, profile: Profile) -> Faults:
    """A PodGroup that is created."""
    yield from metadata(item.metadata, profile, Kept.NAMESPACED)
    if item.spec.parent_composite_pod_group_name is not None and item.spec.workload_ref is None:
        yield required("spec.workloadRef", "must be set when parentCompositePodGroupName is set")
    yield from declared(broken(POD_GROUP, item, None, "", profile))


def pod_group_update(item: PodGroup, old: PodGroup, profile: Profile) -> Faults:
    """A PodGroup that is updated."""
    yield from metadata_update(item.metadata, old.metadata, profile)
    yield from declared(broken(POD_GROUP, item, old, "", profile))


def pod_group_status(item: PodGroup, old: PodGroup, profile: Profile) -> Faults:
    """A PodGroup whose status is updated."""
    yield from conditions(item.status.conditions, profile, "status.conditions")
    names = {claim.name for claim in item.spec.resource_claims}
    for position, status in enumerate(item.status.resource_claim_statuses):
        if status.name not in names:
            place = child("status.resourceClaimStatuses", position, "name")
            yield invalid(place, status.name, "must match the name of an entry in `spec.resourceClaims`")
    yield from declared(broken(POD_GROUP, item, old, "", profile))


def composite_pod_group(item: CompositePodGroup, profile: Profile) -> Faults:
    """A CompositePodGroup that is created."""
    yield from metadata(item.metadata, profile, Kept.NAMESPACED)
    yield from declared(broken(COMPOSITE_POD_GROUP, item, None, "", profile))


def composite_pod_group_update(item: CompositePodGroup, old: CompositePodGroup, profile: Profile) -> Faults:
    """A CompositePodGroup that is updated."""
    yield from metadata_update(item.metadata, old.metadata, profile)
    yield from declared(broken(COMPOSITE_POD_GROUP, item, old, "", profile))


def composite_pod_group_status(item: CompositePodGroup, old: CompositePodGroup, profile: Profile) -> Faults:
    """A CompositePodGroup whose status is updated."""
    yield from conditions(item.status.conditions, profile, "status.conditions")
    yield from declared(broken(COMPOSITE_POD_GROUP, item, old, "", profile))


def _tree(spec: WorkloadSpec, path: str) -> Faults:
    """What must hold for the whole tree of templates."""
    names = {template.name for template in spec.pod_group_templates}
    yield from _repeated_composites(spec.composite_pod_group_templates, child(path, _COMPOSITES), names)
    for position, template in enumerate(spec.composite_pod_group_templates):
        if _depth(template) >= MAX_DEPTH:
            detail = f"maximum template hierarchy depth is {MAX_DEPTH}"
            yield invalid(child(path, _COMPOSITES, position), template.composite_pod_group_templates, detail)
    yield from _priorities(spec, path)
    yield from _childless(spec.composite_pod_group_templates, child(path, _COMPOSITES))


def _repeated_composites(items: Sequence[CompositePodGroupTemplate], path: str, names: set[str]) -> Faults:
    """Names that stand elsewhere in the tree. `names` grows by those of these templates and all below them."""
    yield from _seen(items, path, names)
    for position, item in enumerate(items):
        place = child(path, position)
        yield from _seen(item.pod_group_templates, child(place, "podGroupTemplates"), names)
        yield from _repeated_composites(item.composite_pod_group_templates, child(place, _COMPOSITES), names)


def _seen(items: Sequence[_Template], path: str, names: set[str]) -> Faults:
    for position, item in enumerate(items):
        if item.name in names:
            yield duplicate(child(path, position, "name"), item.name)
    names.update(item.name for item in items)


def _depth(template: CompositePodGroupTemplate) -> int:
    return 1 + max(map(_depth, template.composite_pod_group_templates), default=0)


def _priorities(spec: WorkloadSpec, path: str) -> Faults:
    """All templates of a tree must have the same priority."""
    found = {(item.priority_class_name, item.priority) for item in spec.pod_group_templates}
    if len(found) > 1:
        yield invalid(path, None, "detected multiple priority configurations")
        return
    found |= {(item.priority_class_name, item.priority) for item in _below(spec.composite_pod_group_templates)}
    if len(found) > 1:
        detail = "all priority and priorityClassName values must be identical, detected multiple values"
        yield invalid(path, None, detail)


def _below(items: Sequence[CompositePodGroupTemplate]) -> Iterator[_Template]:
    for item in items:
        yield item
        yield from _below(item.composite_pod_group_templates)
        yield from item.pod_group_templates


def _childless(items: Sequence[CompositePodGroupTemplate], path: str) -> Faults:
    for position, item in enumerate(items):
        place = child(path, position)
        if not item.pod_group_templates and not item.composite_pod_group_templates:
            yield invalid(
                place, item.name, "must have at least one child PodGroupTemplate or CompositePodGroupTemplate"
            )
        yield from _childless(item.composite_pod_group_templates, child(place, _COMPOSITES))
