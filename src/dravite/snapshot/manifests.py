"""What was read: typed, defaulted and checked objects, with the place that each came from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from dravite.api.core_v1 import Namespace, Node, Pod
from dravite.api.document import Document, Origin, Problem
from dravite.api.meta import ObjectRef
from dravite.api.policy_v1 import PodDisruptionBudget
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
        template_path: for pods made from a template, the field path of the pod template in the owner
            (`spec.template`); empty otherwise.
    """

    pod: Pod
    owner: ObjectRef | None = None
    inferred: bool = False
    template_path: str = ""


class Place(msgspec.Struct, frozen=True):
    """The text in which the fields of an object stand, and under which path."""

    document: Document
    prefix: str = ""

    def line_of(self, path: str) -> int | None:
        """The line of a field of the object."""
        return self.document.line_of(f"{self.prefix}.{path}" if self.prefix and path else path or self.prefix)


class Manifests(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that was read, at the hub version, in input order, each object once.

    Attributes:
        quotas: ResourceQuotas as they are written; who counts by them reads them.
        origins: where each object was read; `Pod` objects made from a workload share its origin.
        places: the text that each object was read from, in which `line_of` finds its fields.
        problems: all faults of all files, in order of file and line. An object with an `error` is not planned.
        unknown_kinds: kinds that were read and play no part, with their number.
        promised: templates that the controllers of such kinds make, with the objects that they make them for.
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
    budgets: tuple[PodDisruptionBudget, ...] = ()
    quotas: tuple[Mapping[str, Any], ...] = ()
    origins: Mapping[ObjectRef, Origin] = {}
    places: Mapping[ObjectRef, Place] = {}
    problems: tuple[Problem, ...] = ()
    unknown_kinds: Mapping[str, int] = {}
    promised: Mapping[ObjectRef, ObjectRef] = {}

    def line_of(self, ref: ObjectRef, path: str) -> int | None:
        """The line of a field of an object, or of the nearest thing around it; None for objects that were not read.

        For a pod that was made from a workload, the path is the pod's own; the line is that in the pod template.
        """
        place = self.places.get(ref)
        return None if place is None else place.line_of(path)
