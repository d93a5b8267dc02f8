"""The admission plugins of an API server that these kinds meet, and the other objects that they look at (5.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

import msgspec

from dravite.admission.priorities import AnyGroup, Priorities, Refusal, priorities
from dravite.admission.quotas import Counting
from dravite.api import scheduling_v1alpha2
from dravite.api.core_v1 import Node
from dravite.api.meta import Model
from dravite.api.names import node_matches
from dravite.api.releases import Profile
from dravite.api.resource_v1 import Device, ResourceSlice
from dravite.api.scheduling_v1 import PriorityClass
from dravite.api.scheduling_v1beta1 import CompositePodGroup, Workload
from dravite.validation.metadata import DRAWN

AnyWorkload: TypeAlias = Workload | scheduling_v1alpha2.Workload

DECLARED = "DRANodeAllocatableResources"
PROTECTION = "scheduling.k8s.io/podgroup-protection"


class InSight(msgspec.Struct, frozen=True, kw_only=True):
    """The other objects of a cluster, as far as they decide what becomes of a request.

    Attributes:
        namespaces: labels by name.
        taken: kind, namespace and name of objects that exist already.
        workloads: by namespace and name; only 1.36 looks at them.
        drawn: the characters that complete a `generateName`.
        counting: quotas, and what they count by.
    """

    namespaces: Mapping[str, Mapping[str, str]] = {}
    nodes: tuple[Node, ...] = ()
    priority_classes: tuple[PriorityClass, ...] = ()
    workloads: Mapping[tuple[str, str], scheduling_v1alpha2.Workload] = {}
    taken: frozenset[tuple[str, str, str]] = frozenset()
    drawn: str = DRAWN
    counting: Counting = Counting()

    @property
    def priorities(self) -> Priorities:
        return priorities(self.priority_classes)


def changed_by_plugins(obj: Model, in_sight: InSight, profile: Profile) -> Model | str:
    """An object that is created, with what plugins fill in; or the sentence with which one of them refuses it."""
    if not isinstance(obj, AnyGroup):
        return obj
    resolves = not isinstance(obj, scheduling_v1alpha2.PodGroup) or profile.enabled("WorkloadAwarePreemption")
    found = in_sight.priorities.resolve_group(obj, profile) if resolves else obj
    if isinstance(found, Refusal):
        return found.message
    return _protected(found)


def _protected(group: AnyGroup) -> AnyGroup:
    """A group of pods with the finalizer that keeps it while pods of it run."""
    if isinstance(group, CompositePodGroup) or PROTECTION in group.metadata.finalizers:
        return group
    meta = msgspec.structs.replace(group.metadata, finalizers=(*group.metadata.finalizers, PROTECTION))
    return msgspec.structs.replace(group, metadata=meta)


def why_not_plugins(obj: Model, old: Model | None, in_sight: InSight, profile: Profile) -> str | None:
    """The sentence with which a plugin refuses a good object, or None. `old` is what it would take the place of."""
    if isinstance(obj, ResourceSlice):
        return next(_why_not_on_nodes(obj, in_sight.nodes, profile), None)
    if isinstance(obj, PriorityClass):
        return _why_no_default(obj, old, in_sight)
    if isinstance(obj, scheduling_v1alpha2.PodGroup) and old is None:
        return _why_no_template(obj, in_sight)
    return None


def _why_no_default(item: PriorityClass, old: Model | None, in_sight: InSight) -> str | None:
    default = in_sight.priorities.default
    if not item.global_default or default is None:
        return None
    if old is not None and default.metadata.name == item.metadata.name:
        return None
    return f"PriorityClass {default.metadata.name} is already marked as default. Only one default can exist"


def _why_no_template(group: scheduling_v1alpha2.PodGroup, in_sight: InSight) -> str | None:
    reference = group.spec.pod_group_template_ref
    if reference is None or reference.workload is None:
        return None
    name, template = reference.workload.workload_name, reference.workload.pod_group_template_name
    workload = in_sight.workloads.get((group.metadata.namespace, name))
    found = missing_template(name, template, workload)
    return None if found is None else found.message


def missing_template(name: str, template: str, workload: AnyWorkload | None) -> Refusal | None:
    """Why 1.36 refuses a group that was made from a template of a Workload of this name; None: it has the template."""
    field = "spec.podGroupTemplateRef.workload"
    if workload is None:
        message = f'PodGroup rejected: Workload "{name}" not found'
        return Refusal(f"{field}.workloadName", message, "add the Workload to the input")
    if template in (item.name for item in workload.spec.pod_group_templates):
        return None
    message = f'PodGroup rejected: PodGroupTemplate "{template}" not found in Workload "{name}"'
    return Refusal(f"{field}.podGroupTemplateName", message)


def _why_not_on_nodes(item: ResourceSlice, nodes: tuple[Node, ...], profile: Profile) -> Iterator[str]:
    """Devices that take resources of their nodes need nodes that declare the feature (2.11)."""
    if not profile.enabled(DECLARED):
        return
    for device in item.spec.devices or ():
        if not device.node_allocatable_resources:
            continue
        name = _only_node(item, device)
        if name is not None and name not in (node.metadata.name for node in nodes):
            yield f'node "{name}" not found for device "{device.name}"'
        for node in nodes:
            if _reaches(item, device, node) and DECLARED not in node.status.declared_features:
                yield f'node "{node.metadata.name}" does not support {DECLARED} feature'


def _placed(item: ResourceSlice, device: Device) -> Device | ResourceSlice:
    return device if item.spec.per_device_node_selection else item


def _only_node(item: ResourceSlice, device: Device) -> str | None:
    placed = _placed(item, device)
    return (placed.node_name if isinstance(placed, Device) else placed.spec.node_name) or None


def _reaches(item: ResourceSlice, device: Device, node: Node) -> bool:
    name = _only_node(item, device)
    if name is not None:
        return node.metadata.name == name
    where = device if item.spec.per_device_node_selection else item.spec
    if where.node_selector is not None:
        return node_matches(where.node_selector, node.metadata.name, node.metadata.labels) is True
    return bool(where.all_nodes)
