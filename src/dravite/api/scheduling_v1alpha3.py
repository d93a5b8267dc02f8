"""scheduling.k8s.io/v1alpha3: Workload and PodGroup field for field as in v1beta1, and CompositePodGroup."""

from typing import Literal

import msgspec

from dravite.api.meta import LIST, TEXT, ListMeta, Model, ObjectMeta
from dravite.api.scheduling_v1beta1 import (
    AllCompositeDisruptionMode,
    AllDisruptionMode,
    BasicSchedulingPolicy,
    CompositeBasicSchedulingPolicy,
    CompositeDisruptionMode,
    CompositeGangSchedulingPolicy,
    CompositePodGroup,
    CompositePodGroupSchedulingConstraints,
    CompositePodGroupSchedulingPolicy,
    CompositePodGroupSpec,
    CompositePodGroupStatus,
    CompositePodGroupTemplate,
    DisruptionMode,
    GangSchedulingPolicy,
    PodGroupResourceClaim,
    PodGroupResourceClaimStatus,
    PodGroupSchedulingConstraints,
    PodGroupSchedulingPolicy,
    PodGroupSpec,
    PodGroupStatus,
    PodGroupTemplate,
    SingleCompositeDisruptionMode,
    SingleDisruptionMode,
    TopologyConstraint,
    TypedLocalObjectReference,
    WorkloadReference,
    WorkloadSpec,
)

__all__ = [
    "AllCompositeDisruptionMode",
    "AllDisruptionMode",
    "BasicSchedulingPolicy",
    "CompositeBasicSchedulingPolicy",
    "CompositeDisruptionMode",
    "CompositeGangSchedulingPolicy",
    "CompositePodGroup",
    "CompositePodGroupList",
    "CompositePodGroupSchedulingConstraints",
    "CompositePodGroupSchedulingPolicy",
    "CompositePodGroupSpec",
    "CompositePodGroupStatus",
    "CompositePodGroupTemplate",
    "DisruptionMode",
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
    "SingleCompositeDisruptionMode",
    "SingleDisruptionMode",
    "TopologyConstraint",
    "TypedLocalObjectReference",
    "Workload",
    "WorkloadList",
    "WorkloadPodGroupAllDisruptionMode",
    "WorkloadPodGroupBasicSchedulingPolicy",
    "WorkloadPodGroupDisruptionMode",
    "WorkloadPodGroupGangSchedulingPolicy",
    "WorkloadPodGroupResourceClaim",
    "WorkloadPodGroupSchedulingConstraints",
    "WorkloadPodGroupSchedulingPolicy",
    "WorkloadPodGroupSingleDisruptionMode",
    "WorkloadReference",
    "WorkloadSpec",
]


class Workload(Model, frozen=True, kw_only=True):
    api_version: Literal["scheduling.k8s.io/v1alpha3"] = msgspec.field(
        default_factory=lambda: "scheduling.k8s.io/v1alpha3"
    )
    kind: Literal["Workload"] = msgspec.field(default_factory=lambda: "Workload")
    metadata: ObjectMeta = ObjectMeta()
    spec: WorkloadSpec = msgspec.field(default_factory=WorkloadSpec)


class PodGroup(Model, frozen=True, kw_only=True):
    api_version: Literal["scheduling.k8s.io/v1alpha3"] = msgspec.field(
        default_factory=lambda: "scheduling.k8s.io/v1alpha3"
    )
    kind: Literal["PodGroup"] = msgspec.field(default_factory=lambda: "PodGroup")
    metadata: ObjectMeta = ObjectMeta()
    spec: PodGroupSpec = msgspec.field(default_factory=PodGroupSpec)
    status: PodGroupStatus = PodGroupStatus()


class WorkloadList(Model, frozen=True, kw_only=True):
    api_version: Literal["scheduling.k8s.io/v1alpha3"] = msgspec.field(
        default_factory=lambda: "scheduling.k8s.io/v1alpha3"
    )
    kind: Literal["WorkloadList"] = msgspec.field(default_factory=lambda: "WorkloadList")
    metadata: ListMeta = ListMeta()
    items: tuple[Workload, ...] = LIST


class PodGroupList(Model, frozen=True, kw_only=True):
    api_version: Literal["scheduling.k8s.io/v1alpha3"] = msgspec.field(
        default_factory=lambda: "scheduling.k8s.io/v1alpha3"
    )
    kind: Literal["PodGroupList"] = msgspec.field(default_factory=lambda: "PodGroupList")
    metadata: ListMeta = ListMeta()
    items: tuple[PodGroup, ...] = LIST


class CompositePodGroupList(Model, frozen=True, kw_only=True):
    api_version: Literal["scheduling.k8s.io/v1alpha3"] = msgspec.field(
        default_factory=lambda: "scheduling.k8s.io/v1alpha3"
    )
    kind: Literal["CompositePodGroupList"] = msgspec.field(default_factory=lambda: "CompositePodGroupList")
    metadata: ListMeta = ListMeta()
    items: tuple[CompositePodGroup, ...] = LIST


class WorkloadPodGroupResourceClaim(Model, frozen=True, kw_only=True):
    name: str = TEXT
    resource_claim_name: str | None = None
    resource_claim_template_name: str | None = None


class WorkloadPodGroupSchedulingConstraints(Model, frozen=True, kw_only=True):
    topology: tuple[TopologyConstraint, ...] = ()


class WorkloadPodGroupBasicSchedulingPolicy(Model, frozen=True, kw_only=True):
    """Pods of the group are scheduled one by one."""


class WorkloadPodGroupGangSchedulingPolicy(Model, frozen=True, kw_only=True):
    """At least `min_count` pods start together; without it the workload's own size counts."""

    min_count: int | None = None


class WorkloadPodGroupSchedulingPolicy(Model, frozen=True, kw_only=True):
    basic: WorkloadPodGroupBasicSchedulingPolicy | None = None
    gang: WorkloadPodGroupGangSchedulingPolicy | None = None


class WorkloadPodGroupSingleDisruptionMode(Model, frozen=True, kw_only=True):
    """Members may be disrupted one by one."""


class WorkloadPodGroupAllDisruptionMode(Model, frozen=True, kw_only=True):
    """Members are disrupted together or not at all."""


class WorkloadPodGroupDisruptionMode(Model, frozen=True, kw_only=True):
    single: WorkloadPodGroupSingleDisruptionMode | None = None
    all: WorkloadPodGroupAllDisruptionMode | None = None
