"""What was read: typed, defaulted and checked objects, with the place that each came from."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from dravite.api.core_v1 import Namespace, Node, Pod
from dravite.api.document import Origin, Problem
from dravite.api.meta import ObjectRef
from dravite.api.resource_v1 import (
    DeviceClass,
    DeviceTaintRule,
    ResourceClaim,
    ResourceClaimTemplate,
    ResourceSlice,
)
from dravite.api.scheduling_v1 import PriorityClass
from dravite.api.scheduling_v1beta1 import CompositePodGroup, PodGroup, Workload


class PlannedPod(msgspec.Struct, frozen=True):
    """A pod to plan, or one that runs.

    Attributes:
        pod: the pod itself, defaulted.
        owner: the workload object that it was made from, or None for a pod that was read as a pod.
        inferred: whether its name is ours because its controller draws random names.
        paths: for pods made from a template, the field path of the pod template in the owner
            (`spec.template`); empty otherwise.
    """

    pod: Pod
    owner: ObjectRef | None = None
    inferred: bool = False
    template_path: str = ""


class Manifests(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that was read, at the hub version, in input order, each object once.

    Attributes:
        origins: where each object was read; `Pod` objects made from a workload share its origin.
        lines: line of a field path of an object, for those objects whose source has lines (see `line_of`).
        problems: all faults of all files, in order of file and line. An object with an `error` is not planned.
        unknown_kinds: kinds that were read and play no part, with their number.
    """

    nodes: tuple[Node, ...] = ()
    slices: tuple[ResourceSlice, ...] = ()
    classes: tuple[DeviceClass, ...] = ()
    claims: tuple[ResourceClaim, ...] = ()
    templates: tuple[ResourceClaimTemplate, ...] = ()
    taint_rules: tuple[DeviceTaintRule, ...] = ()
    pods: tuple[PlannedPod, ...] = ()
    priority_classes: tuple[PriorityClass, ...] = ()
    namespaces: tuple[Namespace, ...] = ()
    workloads: tuple[Workload, ...] = ()
    pod_groups: tuple[PodGroup, ...] = ()
    composite_pod_groups: tuple[CompositePodGroup, ...] = ()
    origins: Mapping[ObjectRef, Origin] = {}
    problems: tuple[Problem, ...] = ()
    unknown_kinds: Mapping[str, int] = {}
