"""Closed gates in Workloads that are updated: what a template uses decides for that template alone.

A template of pods is compared with the one that stood in its place, a composite template with the one of its name.
"""

from __future__ import annotations

from typing import TypeAlias, TypeVar

import msgspec

from dravite.api import scheduling_v1alpha2
from dravite.api.gated_fields import drop_gated
from dravite.api.releases import Profile
from dravite.api.scheduling_v1beta1 import CompositePodGroupTemplate, PodGroupTemplate, Workload, WorkloadSpec

AnyWorkload: TypeAlias = Workload | scheduling_v1alpha2.Workload
T = TypeVar("T", PodGroupTemplate, scheduling_v1alpha2.PodGroupTemplate)

_Parent: TypeAlias = WorkloadSpec | CompositePodGroupTemplate


def drop_from_templates(new: AnyWorkload, old: AnyWorkload, profile: Profile) -> AnyWorkload:
    """The new Workload without fields whose gates are off and that its template did not have before."""
    if isinstance(new, Workload) and isinstance(old, Workload):
        before = old.spec.pod_group_templates
        spec = msgspec.structs.replace(
            new.spec,
            pod_group_templates=_templates(new.spec.pod_group_templates, before, profile),
            composite_pod_group_templates=_composites(new.spec, old.spec, profile),
        )
        return msgspec.structs.replace(new, spec=spec)
    if isinstance(new, scheduling_v1alpha2.Workload) and isinstance(old, scheduling_v1alpha2.Workload):
        templates = _templates(new.spec.pod_group_templates, old.spec.pod_group_templates, profile)
        return msgspec.structs.replace(new, spec=msgspec.structs.replace(new.spec, pod_group_templates=templates))
    return new


def _templates(items: tuple[T, ...], before: tuple[T, ...], profile: Profile) -> tuple[T, ...]:
    others = (*before, *(None for _ in items))
    return tuple(drop_gated(item, profile, other)[0] for item, other in zip(items, others, strict=False))


def _composites(new: _Parent, old: _Parent | None, profile: Profile) -> tuple[CompositePodGroupTemplate, ...]:
    before = {item.name: item for item in old.composite_pod_group_templates} if old is not None else {}
    if not before and not profile.enabled("CompositePodGroup"):
        return ()
    return tuple(_composite(item, before.get(item.name), profile) for item in new.composite_pod_group_templates)


def _composite(
    item: CompositePodGroupTemplate, old: CompositePodGroupTemplate | None, profile: Profile
) -> CompositePodGroupTemplate:
    has_policy = old is not None and old.preemption_policy is not None
    keeps = has_policy or profile.enabled("PodGroupPreemptionPolicy")
    return msgspec.structs.replace(
        item,
        preemption_policy=item.preemption_policy if keeps else None,
        pod_group_templates=_templates(item.pod_group_templates, old.pod_group_templates if old else (), profile),
        composite_pod_group_templates=_composites(item, old, profile),
    )
