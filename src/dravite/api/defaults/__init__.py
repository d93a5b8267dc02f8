"""What an API server fills in where an object says nothing, before it validates.

Defaults belong to the version of a request: flat requests of old versions are defaulted by rules of their own, so call
this before `to_hub`, and once more on the hub object as a server does when it reads its storage. Calling it twice
changes nothing. Admission (priorities, quotas) is not defaulting.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from dravite.api import (
    core_v1,
    resource_v1,
    resource_v1alpha3,
    resource_v1beta1,
    resource_v1beta2,
    scheduling_v1,
    scheduling_v1alpha1,
    scheduling_v1alpha2,
    scheduling_v1alpha3,
    scheduling_v1beta1,
)
from dravite.api.defaults import groups, nodes, pods, resources
from dravite.api.defaults.resources import Setting
from dravite.api.meta import Model, Time
from dravite.api.releases import Profile

__all__ = ["default"]

M = TypeVar("M", bound=Model)

_DEFAULTS: Final[Mapping[type[Model], Callable[[Any, Setting], Any]]] = {
    resource_v1.ResourceClaim: resources.default_claim,
    resource_v1beta2.ResourceClaim: resources.default_claim,
    resource_v1beta1.ResourceClaim: resources.default_flat_claim,
    resource_v1alpha3.ResourceClaim: resources.default_flat_claim,
    resource_v1.ResourceClaimTemplate: resources.default_template,
    resource_v1beta2.ResourceClaimTemplate: resources.default_template,
    resource_v1beta1.ResourceClaimTemplate: resources.default_flat_template,
    resource_v1alpha3.ResourceClaimTemplate: resources.default_flat_template,
    resource_v1.ResourceSlice: resources.default_slice,
    resource_v1beta2.ResourceSlice: resources.default_slice,
    resource_v1beta1.ResourceSlice: resources.default_flat_slice,
    resource_v1alpha3.ResourceSlice: resources.default_flat_slice,
    resource_v1.DeviceTaintRule: resources.default_taint_rule,
    resource_v1beta2.DeviceTaintRule: resources.default_taint_rule,
    resource_v1alpha3.DeviceTaintRule: resources.default_taint_rule,
    resource_v1alpha3.ResourcePoolStatusRequest: resources.default_pool_status_request,
    scheduling_v1.PriorityClass: groups.default_priority_class,
    scheduling_v1beta1.PriorityClass: groups.default_priority_class,
    scheduling_v1alpha1.PriorityClass: groups.default_priority_class,
    scheduling_v1beta1.PodGroup: groups.default_pod_group,
    scheduling_v1alpha3.PodGroup: groups.default_pod_group,
    scheduling_v1alpha2.PodGroup: groups.default_worded_pod_group,
    scheduling_v1beta1.CompositePodGroup: groups.default_pod_group,
    core_v1.Pod: pods.default_pod,
    core_v1.Node: nodes.default_node,
}


def default(obj: M, profile: Profile, now: Time | None = None) -> M:
    """The object as a server of this profile would store it; the same object where nothing was missing.

    Kinds without defaults come back as they are. `now` becomes the time of taints that have none; without it they
    stay without.
    """
    rule = _DEFAULTS.get(type(obj))
    filled: M = obj if rule is None else rule(obj, Setting(profile, now))
    return filled
