"""Defaults of scheduling.k8s.io. The templates in a Workload have none."""

from __future__ import annotations

from typing import Final, TypeVar

from dravite.api import scheduling_v1, scheduling_v1alpha1, scheduling_v1alpha2, scheduling_v1alpha3, scheduling_v1beta1
from dravite.api.defaults.resources import Setting, changed

AnyPriorityClass = TypeVar(
    "AnyPriorityClass",
    scheduling_v1.PriorityClass,
    scheduling_v1beta1.PriorityClass,
    scheduling_v1alpha1.PriorityClass,
)
AnyPodGroup = TypeVar(
    "AnyPodGroup", scheduling_v1beta1.PodGroup, scheduling_v1alpha3.PodGroup, scheduling_v1beta1.CompositePodGroup
)

PREEMPT: Final = "PreemptLowerPriority"
_SINGLE: Final = scheduling_v1beta1.DisruptionMode(single=scheduling_v1beta1.SingleDisruptionMode())


def default_priority_class(priority_class: AnyPriorityClass, _: Setting) -> AnyPriorityClass:
    """An empty policy is no missing one: it stays, and is refused."""
    policy = PREEMPT if priority_class.preemption_policy is None else priority_class.preemption_policy
    return changed(priority_class, preemption_policy=policy)


def default_pod_group(group: AnyPodGroup, setting: Setting) -> AnyPodGroup:
    mode = _SINGLE if group.spec.disruption_mode is None else group.spec.disruption_mode
    policy = group.spec.preemption_policy
    if policy is None and setting.profile.enabled("PodGroupPreemptionPolicy"):
        policy = PREEMPT
    return changed(group, spec=changed(group.spec, disruption_mode=mode, preemption_policy=policy))


def default_worded_pod_group(group: scheduling_v1alpha2.PodGroup, _: Setting) -> scheduling_v1alpha2.PodGroup:
    mode = "Pod" if group.spec.disruption_mode is None else group.spec.disruption_mode
    return changed(group, spec=changed(group.spec, disruption_mode=mode))
