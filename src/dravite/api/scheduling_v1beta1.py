"""Workload, PodGroup and CompositePodGroup: the hub of scheduling.k8s.io, for every version of the three kinds.

Workload and PodGroup are those of v1beta1. CompositePodGroup exists only in v1alpha3 and lives here with its template.
A policy or mode is one of two members, and an empty member (`basic: {}`) is a choice: members are `None` when missing.
"""

from typing import Literal

import msgspec

from dravite.api.meta import LIST, NUMBER, TEXT, Condition, ListMeta, Model, ObjectMeta

__all__ = [
    "AllCompositeDisruptionMode",
    "AllDisruptionMode",
    "BasicSchedulingPolicy",
    "CompositeBasicSchedulingPolicy",
    "CompositeDisruptionMode",
    "CompositeGangSchedulingPolicy",
    "CompositePodGroup",
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
    "PriorityClass",
    "PriorityClassList",
    "SingleCompositeDisruptionMode",
    "SingleDisruptionMode",
    "TopologyConstraint",
    "TypedLocalObjectReference",
    "Workload",
    "WorkloadList",
    "WorkloadReference",
    "WorkloadSpec",
]


class TypedLocalObjectReference(Model, frozen=True, kw_only=True):
    api_group: str = ""
    kind: str = TEXT
    name: str = TEXT


class BasicSchedulingPolicy(Model, frozen=True, kw_only=True):
    """Pods of the group are scheduled one by one."""


class GangSchedulingPolicy(Model, frozen=True, kw_only=True):
    """At least `min_count` pods start together."""

    min_count: int = NUMBER


class PodGroupSchedulingPolicy(Model, frozen=True, kw_only=True):
    basic: BasicSchedulingPolicy | None = None
    gang: GangSchedulingPolicy | None = None


class CompositeGangSchedulingPolicy(Model, frozen=True, kw_only=True):
    """At least `min_group_count` child groups start together."""

    min_group_count: int = NUMBER


CompositeBasicSchedulingPolicy = BasicSchedulingPolicy


class CompositePodGroupSchedulingPolicy(Model, frozen=True, kw_only=True):
    basic: BasicSchedulingPolicy | None = None
    gang: CompositeGangSchedulingPolicy | None = None


class TopologyConstraint(Model, frozen=True, kw_only=True):
    """`key` is a node label; the whole group goes to nodes with one value of it."""

    key: str = TEXT


class PodGroupSchedulingConstraints(Model, frozen=True, kw_only=True):
    """Serves composite groups too, under both of Kubernetes' names."""

    topology: tuple[TopologyConstraint, ...] = ()


CompositePodGroupSchedulingConstraints = PodGroupSchedulingConstraints


class SingleDisruptionMode(Model, frozen=True, kw_only=True):
    """Members may be disrupted one by one."""


class AllDisruptionMode(Model, frozen=True, kw_only=True):
    """Members are disrupted together or not at all."""


class DisruptionMode(Model, frozen=True, kw_only=True):
    """Serves composite groups too, under both of Kubernetes' names."""

    single: SingleDisruptionMode | None = None
    all: AllDisruptionMode | None = None


SingleCompositeDisruptionMode = SingleDisruptionMode
AllCompositeDisruptionMode = AllDisruptionMode
CompositeDisruptionMode = DisruptionMode


class PodGroupResourceClaim(Model, frozen=True, kw_only=True):
    name: str = TEXT
    resource_claim_name: str | None = None
    resource_claim_template_name: str | None = None


class PodGroupTemplate(Model, frozen=True, kw_only=True):
    name: str = TEXT
    scheduling_policy: PodGroupSchedulingPolicy = msgspec.field(default_factory=PodGroupSchedulingPolicy)
    scheduling_constraints: PodGroupSchedulingConstraints | None = None
    resource_claims: tuple[PodGroupResourceClaim, ...] = ()
    disruption_mode: DisruptionMode | None = None
    priority_class_name: str = ""
    priority: int | None = None
    preemption_policy: str | None = None


class CompositePodGroupTemplate(Model, frozen=True, kw_only=True):
    name: str = TEXT
    scheduling_policy: CompositePodGroupSchedulingPolicy = msgspec.field(
        default_factory=CompositePodGroupSchedulingPolicy
    )
    scheduling_constraints: PodGroupSchedulingConstraints | None = None
    disruption_mode: DisruptionMode | None = None
    priority_class_name: str = ""
    priority: int | None = None
    preemption_policy: str | None = None
    pod_group_templates: tuple[PodGroupTemplate, ...] = ()
    composite_pod_group_templates: tuple["CompositePodGroupTemplate", ...] = ()


class WorkloadSpec(Model, frozen=True, kw_only=True):
    controller_ref: TypedLocalObjectReference | None = None
    pod_group_templates: tuple[PodGroupTemplate, ...] = ()
    composite_pod_group_templates: tuple["CompositePodGroupTemplate", ...] = ()


class Workload(Model, frozen=True, kw_only=True):
    """A tree of group templates. It has no status and no effect of its own on scheduling."""

    api_version: Literal["scheduling.k8s.io/v1beta1"] = msgspec.field(
        default_factory=lambda: "scheduling.k8s.io/v1beta1"
    )
    kind: Literal["Workload"] = msgspec.field(default_factory=lambda: "Workload")
    metadata: ObjectMeta = ObjectMeta()
    spec: WorkloadSpec = msgspec.field(default_factory=WorkloadSpec)


class WorkloadReference(Model, frozen=True, kw_only=True):
    """Which template of which Workload a group was made from."""

    workload_name: str = TEXT
    template_name: str = TEXT


class PodGroupSpec(Model, frozen=True, kw_only=True):
    parent_composite_pod_group_name: str | None = None
    workload_ref: WorkloadReference | None = None
    scheduling_policy: PodGroupSchedulingPolicy = msgspec.field(default_factory=PodGroupSchedulingPolicy)
    scheduling_constraints: PodGroupSchedulingConstraints | None = None
    resource_claims: tuple[PodGroupResourceClaim, ...] = ()
    disruption_mode: DisruptionMode | None = None
    priority_class_name: str = ""
    priority: int | None = None
    preemption_policy: str | None = None


class PodGroupResourceClaimStatus(Model, frozen=True, kw_only=True):
    name: str = TEXT
    resource_claim_name: str | None = None


class PodGroupStatus(Model, frozen=True, kw_only=True):
    conditions: tuple[Condition, ...] = ()
    resource_claim_statuses: tuple[PodGroupResourceClaimStatus, ...] = ()


class PodGroup(Model, frozen=True, kw_only=True):
    api_version: Literal["scheduling.k8s.io/v1beta1"] = msgspec.field(
        default_factory=lambda: "scheduling.k8s.io/v1beta1"
    )
    kind: Literal["PodGroup"] = msgspec.field(default_factory=lambda: "PodGroup")
    metadata: ObjectMeta = ObjectMeta()
    spec: PodGroupSpec = msgspec.field(default_factory=PodGroupSpec)
    status: PodGroupStatus = PodGroupStatus()


class CompositePodGroupSpec(Model, frozen=True, kw_only=True):
    parent_composite_pod_group_name: str | None = None
    workload_ref: WorkloadReference | None = None
    scheduling_policy: CompositePodGroupSchedulingPolicy = msgspec.field(
        default_factory=CompositePodGroupSchedulingPolicy
    )
    scheduling_constraints: PodGroupSchedulingConstraints | None = None
    disruption_mode: DisruptionMode | None = None
    priority_class_name: str = ""
    priority: int | None = None
    preemption_policy: str | None = None


class CompositePodGroupStatus(Model, frozen=True, kw_only=True):
    conditions: tuple[Condition, ...] = ()


class CompositePodGroup(Model, frozen=True, kw_only=True):
    """The one hub kind that is not of v1beta1: it exists only in v1alpha3."""

    api_version: Literal["scheduling.k8s.io/v1alpha3"] = msgspec.field(
        default_factory=lambda: "scheduling.k8s.io/v1alpha3"
    )
    kind: Literal["CompositePodGroup"] = msgspec.field(default_factory=lambda: "CompositePodGroup")
    metadata: ObjectMeta = ObjectMeta()
    spec: CompositePodGroupSpec = msgspec.field(default_factory=CompositePodGroupSpec)
    status: CompositePodGroupStatus = CompositePodGroupStatus()


class PriorityClass(Model, frozen=True, kw_only=True):
    """Field for field that of v1; no release since 1.22 serves it here."""

    api_version: Literal["scheduling.k8s.io/v1beta1"] = msgspec.field(
        default_factory=lambda: "scheduling.k8s.io/v1beta1"
    )
    kind: Literal["PriorityClass"] = msgspec.field(default_factory=lambda: "PriorityClass")
    metadata: ObjectMeta = ObjectMeta()
    value: int = NUMBER
    global_default: bool = False
    description: str = ""
    preemption_policy: str | None = None


class WorkloadList(Model, frozen=True, kw_only=True):
    api_version: Literal["scheduling.k8s.io/v1beta1"] = msgspec.field(
        default_factory=lambda: "scheduling.k8s.io/v1beta1"
    )
    kind: Literal["WorkloadList"] = msgspec.field(default_factory=lambda: "WorkloadList")
    metadata: ListMeta = ListMeta()
    items: tuple[Workload, ...] = LIST


class PodGroupList(Model, frozen=True, kw_only=True):
    api_version: Literal["scheduling.k8s.io/v1beta1"] = msgspec.field(
        default_factory=lambda: "scheduling.k8s.io/v1beta1"
    )
    kind: Literal["PodGroupList"] = msgspec.field(default_factory=lambda: "PodGroupList")
    metadata: ListMeta = ListMeta()
    items: tuple[PodGroup, ...] = LIST


class PriorityClassList(Model, frozen=True, kw_only=True):
    api_version: Literal["scheduling.k8s.io/v1beta1"] = msgspec.field(
        default_factory=lambda: "scheduling.k8s.io/v1beta1"
    )
    kind: Literal["PriorityClassList"] = msgspec.field(default_factory=lambda: "PriorityClassList")
    metadata: ListMeta = ListMeta()
    items: tuple[PriorityClass, ...] = LIST
