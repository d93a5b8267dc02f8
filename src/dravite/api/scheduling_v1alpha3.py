"""scheduling.k8s.io/v1alpha3: Workload and PodGroup field for field as in v1beta1, and CompositePodGroup."""

from __future__ import annotations

from typing import Literal

import msgspec

from dravite.api.meta import Model, ObjectMeta
from dravite.api.scheduling_v1beta1 import CompositePodGroup, PodGroupSpec, PodGroupStatus, WorkloadSpec

__all__ = ["CompositePodGroup", "PodGroup", "Workload"]


class Workload(Model, frozen=True, kw_only=True):
    api_version: Literal["scheduling.k8s.io/v1alpha3"] = msgspec.field(
        default_factory=lambda: "scheduling.k8s.io/v1alpha3"
    )
    kind: Literal["Workload"] = msgspec.field(default_factory=lambda: "Workload")
    metadata: ObjectMeta = ObjectMeta()
    spec: WorkloadSpec = WorkloadSpec()


class PodGroup(Model, frozen=True, kw_only=True):
    api_version: Literal["scheduling.k8s.io/v1alpha3"] = msgspec.field(
        default_factory=lambda: "scheduling.k8s.io/v1alpha3"
    )
    kind: Literal["PodGroup"] = msgspec.field(default_factory=lambda: "PodGroup")
    metadata: ObjectMeta = ObjectMeta()
    spec: PodGroupSpec = PodGroupSpec()
    status: PodGroupStatus = PodGroupStatus()
