"""scheduling.k8s.io/v1alpha2: Workload and PodGroup of 1.36.

`disruption_mode` is a word (`Pod` or `PodGroup`), and a group refers to its template by `pod_group_template_ref`.
"""

from typing import Literal

import msgspec

from dravite.api.meta import LIST, TEXT, ListMeta, Model, ObjectMeta
from dravite.api.scheduling_v1beta1 import (
    BasicSchedulingPolicy,
    GangSchedulingPolicy,
    PodGroupResourceClaim,
    PodGroupResourceClaimStatus,
    PodGroupSchedulingConstraints,
    PodGroupSchedulingPolicy,
    PodGroupStatus,
    TopologyConstraint,
    TypedLocalObjectReference,
)

__all__ = [
    "BasicSchedulingPolicy",
    "GangSchedulingPolicy",
    "PodGroup",
    "PodGroupList",
    "PodGroupResourceClaim",
    "PodGroupResourceClaimStatus",
    "PodGroupSchedulingConstraints",
    "PodGroupSchedulingPolicy",
    "PodGroupSpec",
    "PodGroupStatus",
    "PodGroupTemplate",
    "PodGroupTemplateReference",
    "TopologyConstraint",
    "TypedLocalObjectReference",
    "Workload",
    "WorkloadList",
    "WorkloadPodGroupTemplateReference",
    "WorkloadSpec",
]


class PodGroupTemplate(Model, frozen=True, kw_only=True):
    name: str = TEXT
    scheduling_policy: PodGroupSchedulingPolicy = msgspec.field(default_factory=PodGroupSchedulingPolicy)
    scheduling_constraints: PodGroupSchedulingConstraints | None = None
    resource_claims: tuple[PodGroupResourceClaim, ...] = ()
    disruption_mode: str | None = None
    priority_class_name: str = ""
    priority: int | None = None


class WorkloadSpec(Model, frozen=True, kw_only=True):
    controller_ref: TypedLocalObjectReference | None = None
    pod_group_templates: tuple[PodGroupTemplate, ...] = LIST


class Workload(Model, frozen=True, kw_only=True):
    api_version: Literal["scheduling.k8s.io/v1alpha2"] = msgspec.field(
        default_factory=lambda: "scheduling.k8s.io/v1alpha2"
    )
    kind: Literal["Workload"] = msgspec.field(default_factory=lambda: "Workload")
    metadata: ObjectMeta = ObjectMeta()
    spec: WorkloadSpec = msgspec.field(default_factory=WorkloadSpec)


class WorkloadPodGroupTemplateReference(Model, frozen=True, kw_only=True):
    workload_name: str = TEXT
    pod_group_template_name: str = TEXT


class PodGroupTemplateReference(Model, frozen=True, kw_only=True):
    workload: WorkloadPodGroupTemplateReference | None = None


class PodGroupSpec(Model, frozen=True, kw_only=True):
    pod_group_template_ref: PodGroupTemplateReference | None = None
    scheduling_policy: PodGroupSchedulingPolicy = msgspec.field(default_factory=PodGroupSchedulingPolicy)
    scheduling_constraints: PodGroupSchedulingConstraints | None = None
    resource_claims: tuple[PodGroupResourceClaim, ...] = ()
    disruption_mode: str | None = None
    priority_class_name: str = ""
    priority: int | None = None


class PodGroup(Model, frozen=True, kw_only=True):
    api_version: Literal["scheduling.k8s.io/v1alpha2"] = msgspec.field(
        default_factory=lambda: "scheduling.k8s.io/v1alpha2"
    )
    kind: Literal["PodGroup"] = msgspec.field(default_factory=lambda: "PodGroup")
    metadata: ObjectMeta = ObjectMeta()
    spec: PodGroupSpec = msgspec.field(default_factory=PodGroupSpec)
    status: PodGroupStatus = PodGroupStatus()


class WorkloadList(Model, frozen=True, kw_only=True):
    api_version: Literal["scheduling.k8s.io/v1alpha2"] = msgspec.field(
        default_factory=lambda: "scheduling.k8s.io/v1alpha2"
    )
    kind: Literal["WorkloadList"] = msgspec.field(default_factory=lambda: "WorkloadList")
    metadata: ListMeta = ListMeta()
    items: tuple[Workload, ...] = LIST


class PodGroupList(Model, frozen=True, kw_only=True):
    api_version: Literal["scheduling.k8s.io/v1alpha2"] = msgspec.field(
        default_factory=lambda: "scheduling.k8s.io/v1alpha2"
    )
    kind: Literal["PodGroupList"] = msgspec.field(default_factory=lambda: "PodGroupList")
    metadata: ListMeta = ListMeta()
    items: tuple[PodGroup, ...] = LIST
