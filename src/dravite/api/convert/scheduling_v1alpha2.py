"""scheduling.k8s.io/v1alpha2 ⇄ v1beta1: disruption modes in words, and references to templates.

Up: nothing is lost but words that are no disruption mode. Down: `LATER_FIELDS`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from dravite.api import scheduling_v1alpha2, scheduling_v1beta1
from dravite.api.convert.losses import Converted, Loss
from dravite.api.field import child
from dravite.api.meta import Model
from dravite.api.scheduling_v1beta1 import AllDisruptionMode, DisruptionMode, SingleDisruptionMode

LATER_FIELDS: Final[Mapping[type[Model], tuple[str, ...]]] = {
    scheduling_v1beta1.WorkloadSpec: ("composite_pod_group_templates",),
    scheduling_v1beta1.PodGroupTemplate: ("preemption_policy",),
    scheduling_v1beta1.PodGroupSpec: ("parent_composite_pod_group_name", "preemption_policy"),
}

_MODES: Final = {
    "Pod": DisruptionMode(single=SingleDisruptionMode()),
    "PodGroup": DisruptionMode(all=AllDisruptionMode()),
}
_WORDS: Final = {mode: word for word, mode in _MODES.items()}
_SCHEDULED: Final = "PodGroupScheduled"
_INITIALLY: Final = "PodGroupInitiallyScheduled"


def workload_to_hub(old: scheduling_v1alpha2.Workload) -> Converted:
    templates = old.spec.pod_group_templates
    spec = scheduling_v1beta1.WorkloadSpec(
        controller_ref=old.spec.controller_ref, pod_group_templates=tuple(map(_template_to_hub, templates))
    )
    losses = [
        loss
        for position, template in enumerate(templates)
        for loss in _word_losses(template.disruption_mode, child("spec.podGroupTemplates", position))
    ]
    return Converted(scheduling_v1beta1.Workload(metadata=old.metadata, spec=spec), tuple(losses))


def workload_from_hub(hub: scheduling_v1beta1.Workload) -> Converted:
    templates = hub.spec.pod_group_templates
    spec = scheduling_v1alpha2.WorkloadSpec(
        controller_ref=hub.spec.controller_ref, pod_group_templates=tuple(map(_template_from_hub, templates))
    )
    losses = [
        loss
        for position, template in enumerate(templates)
        for loss in _mode_losses(template.disruption_mode, child("spec.podGroupTemplates", position))
    ]
    return Converted(scheduling_v1alpha2.Workload(metadata=hub.metadata, spec=spec), tuple(losses))


def pod_group_to_hub(old: scheduling_v1alpha2.PodGroup) -> Converted:
    reference = _reference_to_hub(old.spec.pod_group_template_ref)
    spec = scheduling_v1beta1.PodGroupSpec(
        workload_ref=reference,
        scheduling_policy=old.spec.scheduling_policy,
        scheduling_constraints=old.spec.scheduling_constraints,
        resource_claims=old.spec.resource_claims,
        disruption_mode=_MODES.get(old.spec.disruption_mode or ""),
        priority_class_name=old.spec.priority_class_name,
        priority=old.spec.priority,
    )
    losses = tuple(_word_losses(old.spec.disruption_mode, "spec"))
    if old.spec.pod_group_template_ref is not None and reference is None:
        losses = (Loss("spec.podGroupTemplateRef", "a reference that refers to nothing is not kept"), *losses)
    status = _renamed(old.status, _SCHEDULED, _INITIALLY)
    return Converted(scheduling_v1beta1.PodGroup(metadata=old.metadata, spec=spec, status=status), losses)


def pod_group_from_hub(hub: scheduling_v1beta1.PodGroup) -> Converted:
    spec = scheduling_v1alpha2.PodGroupSpec(
        pod_group_template_ref=_reference_from_hub(hub.spec.workload_ref),
        scheduling_policy=hub.spec.scheduling_policy,
        scheduling_constraints=hub.spec.scheduling_constraints,
        resource_claims=hub.spec.resource_claims,
        disruption_mode=_word(hub.spec.disruption_mode),
        priority_class_name=hub.spec.priority_class_name,
        priority=hub.spec.priority,
    )
    status = _renamed(hub.status, _INITIALLY, _SCHEDULED)
    made = scheduling_v1alpha2.PodGroup(metadata=hub.metadata, spec=spec, status=status)
    return Converted(made, tuple(_mode_losses(hub.spec.disruption_mode, "spec")))


def _template_to_hub(old: scheduling_v1alpha2.PodGroupTemplate) -> scheduling_v1beta1.PodGroupTemplate:
    return scheduling_v1beta1.PodGroupTemplate(
        name=old.name,
        scheduling_policy=old.scheduling_policy,
        scheduling_constraints=old.scheduling_constraints,
        resource_claims=old.resource_claims,
        disruption_mode=_MODES.get(old.disruption_mode or ""),
        priority_class_name=old.priority_class_name,
        priority=old.priority,
    )


def _template_from_hub(hub: scheduling_v1beta1.PodGroupTemplate) -> scheduling_v1alpha2.PodGroupTemplate:
    return scheduling_v1alpha2.PodGroupTemplate(
        name=hub.name,
        scheduling_policy=hub.scheduling_policy,
        scheduling_constraints=hub.scheduling_constraints,
        resource_claims=hub.resource_claims,
        disruption_mode=_word(hub.disruption_mode),
        priority_class_name=hub.priority_class_name,
        priority=hub.priority,
    )


def _reference_to_hub(
    old: scheduling_v1alpha2.PodGroupTemplateReference | None,
) -> scheduling_v1beta1.WorkloadReference | None:
    if old is None or old.workload is None:
        return None
    return scheduling_v1beta1.WorkloadReference(
        workload_name=old.workload.workload_name, template_name=old.workload.pod_group_template_name
    )


def _reference_from_hub(
    hub: scheduling_v1beta1.WorkloadReference | None,
) -> scheduling_v1alpha2.PodGroupTemplateReference | None:
    if hub is None:
        return None
    workload = scheduling_v1alpha2.WorkloadPodGroupTemplateReference(
        workload_name=hub.workload_name, pod_group_template_name=hub.template_name
    )
    return scheduling_v1alpha2.PodGroupTemplateReference(workload=workload)


def _word(mode: DisruptionMode | None) -> str | None:
    return None if mode is None else _WORDS.get(mode)


def _word_losses(word: str | None, path: str) -> Iterator[Loss]:
    if word is not None and word not in _MODES:
        yield Loss(child(path, "disruptionMode"), f'"{word}" is no disruption mode')


def _mode_losses(mode: DisruptionMode | None, path: str) -> Iterator[Loss]:
    if mode is not None and mode not in _WORDS:
        yield Loss(child(path, "disruptionMode"), "a mode that is neither `single` nor `all` has no word")


def _renamed(status: scheduling_v1beta1.PodGroupStatus, old: str, new: str) -> scheduling_v1beta1.PodGroupStatus:
    """The one condition of a group has two names. In 1.36 it may turn false again, in 1.37 it stays true once it is."""
    conditions = tuple(
        msgspec.structs.replace(condition, type=new) if condition.type == old else condition
        for condition in status.conditions
    )
    return msgspec.structs.replace(status, conditions=conditions)
