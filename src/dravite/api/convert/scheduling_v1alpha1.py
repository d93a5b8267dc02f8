"""scheduling.k8s.io/v1alpha1 ⇄ v1beta1: groups that are entries of a Workload and no objects.

Up nothing is lost, but the PodGroup objects that later releases need do not exist: `pod_group_of` makes one for a
pod's reference. Down: `LATER_FIELDS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dravite.api import scheduling_v1alpha1, scheduling_v1beta1
from dravite.api.convert.losses import Converted
from dravite.api.core_v1 import WorkloadReference
from dravite.api.meta import Model, ObjectMeta

LATER_FIELDS: Final[Mapping[type[Model], tuple[str, ...]]] = {
    scheduling_v1beta1.WorkloadSpec: ("composite_pod_group_templates",),
    scheduling_v1beta1.PodGroupTemplate: (
        "scheduling_constraints",
        "resource_claims",
        "disruption_mode",
        "priority_class_name",
        "priority",
        "preemption_policy",
    ),
}


def workload_to_hub(old: scheduling_v1alpha1.Workload) -> Converted:
    templates = tuple(
        scheduling_v1beta1.PodGroupTemplate(name=group.name, scheduling_policy=group.policy)
        for group in old.spec.pod_groups
    )
    spec = scheduling_v1beta1.WorkloadSpec(controller_ref=old.spec.controller_ref, pod_group_templates=templates)
    return Converted(scheduling_v1beta1.Workload(metadata=old.metadata, spec=spec))


def workload_from_hub(hub: scheduling_v1beta1.Workload) -> Converted:
    groups = tuple(
        scheduling_v1alpha1.PodGroup(name=template.name, policy=template.scheduling_policy)
        for template in hub.spec.pod_group_templates
    )
    spec = scheduling_v1alpha1.WorkloadSpec(controller_ref=hub.spec.controller_ref, pod_groups=groups)
    return Converted(scheduling_v1alpha1.Workload(metadata=hub.metadata, spec=spec))


def pod_group_of(
    workload: scheduling_v1beta1.Workload, reference: WorkloadReference
) -> scheduling_v1beta1.PodGroup | None:
    """The group that a pod of 1.35 belongs to, as an object of today; None when the Workload has no such entry.

    1.35 keeps no such object. Each replica key is a group of its own; it becomes part of the name.
    """
    template = next((entry for entry in workload.spec.pod_group_templates if entry.name == reference.pod_group), None)
    if template is None:
        return None
    parts = (workload.metadata.name, template.name, reference.pod_group_replica_key)
    return scheduling_v1beta1.PodGroup(
        metadata=ObjectMeta(name="-".join(filter(None, parts)), namespace=workload.metadata.namespace),
        spec=scheduling_v1beta1.PodGroupSpec(
            workload_ref=scheduling_v1beta1.WorkloadReference(
                workload_name=workload.metadata.name, template_name=template.name
            ),
            scheduling_policy=template.scheduling_policy,
        ),
    )
