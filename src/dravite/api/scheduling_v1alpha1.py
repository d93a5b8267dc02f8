"""scheduling.k8s.io/v1alpha1: the Workload of 1.35, whose groups are no objects, and the PriorityClass of old."""

from typing import Literal

import msgspec

from dravite.api.meta import LIST, NUMBER, TEXT, ListMeta, Model, ObjectMeta
from dravite.api.scheduling_v1beta1 import (
    BasicSchedulingPolicy,
    GangSchedulingPolicy,
    PodGroupSchedulingPolicy,
    TypedLocalObjectReference,
)

__all__ = [
    "BasicSchedulingPolicy",
    "GangSchedulingPolicy",
    "PodGroup",
    "PodGroupPolicy",
    "PriorityClass",
    "PriorityClassList",
    "TypedLocalObjectReference",
    "Workload",
    "WorkloadList",
    "WorkloadSpec",
]


PodGroupPolicy = PodGroupSchedulingPolicy


class PodGroup(Model, frozen=True, kw_only=True):
    """An entry of a Workload. Pods name it in `spec.workloadRef`."""

    name: str = TEXT
    policy: PodGroupSchedulingPolicy = msgspec.field(default_factory=PodGroupSchedulingPolicy)


class WorkloadSpec(Model, frozen=True, kw_only=True):
    controller_ref: TypedLocalObjectReference | None = None
    pod_groups: tuple[PodGroup, ...] = LIST


class Workload(Model, frozen=True, kw_only=True):
    api_version: Literal["scheduling.k8s.io/v1alpha1"] = msgspec.field(
        default_factory=lambda: "scheduling.k8s.io/v1alpha1"
    )
    kind: Literal["Workload"] = msgspec.field(default_factory=lambda: "Workload")
    metadata: ObjectMeta = ObjectMeta()
    spec: WorkloadSpec = msgspec.field(default_factory=WorkloadSpec)


class PriorityClass(Model, frozen=True, kw_only=True):
    api_version: Literal["scheduling.k8s.io/v1alpha1"] = msgspec.field(
        default_factory=lambda: "scheduling.k8s.io/v1alpha1"
    )
    kind: Literal["PriorityClass"] = msgspec.field(default_factory=lambda: "PriorityClass")
    metadata: ObjectMeta = ObjectMeta()
    value: int = NUMBER
    global_default: bool = False
    description: str = ""
    preemption_policy: str | None = None


class WorkloadList(Model, frozen=True, kw_only=True):
    api_version: Literal["scheduling.k8s.io/v1alpha1"] = msgspec.field(
        default_factory=lambda: "scheduling.k8s.io/v1alpha1"
    )
    kind: Literal["WorkloadList"] = msgspec.field(default_factory=lambda: "WorkloadList")
    metadata: ListMeta = ListMeta()
    items: tuple[Workload, ...] = LIST


class PriorityClassList(Model, frozen=True, kw_only=True):
    api_version: Literal["scheduling.k8s.io/v1alpha1"] = msgspec.field(
        default_factory=lambda: "scheduling.k8s.io/v1alpha1"
    )
    kind: Literal["PriorityClassList"] = msgspec.field(default_factory=lambda: "PriorityClassList")
    metadata: ListMeta = ListMeta()
    items: tuple[PriorityClass, ...] = LIST
