"""The door: which rules an object of each kind must keep when it is created."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any, Final

from dravite.api import resource_v1alpha3, scheduling_v1alpha1, scheduling_v1alpha2
from dravite.api.core_v1 import Namespace, Node, Pod
from dravite.api.field import FieldError
from dravite.api.meta import Model
from dravite.api.releases import Profile
from dravite.api.resource_v1 import (
    DeviceClass,
    DeviceTaintRule,
    ResourceClaim,
    ResourceClaimTemplate,
    ResourceSlice,
)
from dravite.api.resource_v1alpha3 import ResourcePoolStatusRequest
from dravite.api.scheduling_v1 import PriorityClass
from dravite.api.scheduling_v1beta1 import CompositePodGroup, PodGroup, Workload
from dravite.validation.faults import Faults, in_server_order
from dravite.validation.wording import in_words_of

_RULES: Final[Mapping[type[Model], str]] = {
    DeviceClass: "classes:device_class",
    DeviceTaintRule: "taints:taint_rule",
    ResourceClaim: "claims:claim",
    ResourceClaimTemplate: "claims:template",
    ResourcePoolStatusRequest: "pool_requests:pool_request",
    ResourceSlice: "slices:resource_slice",
    PriorityClass: "classes:priority_class",
    Workload: "groups:workload",
    PodGroup: "groups:pod_group",
    CompositePodGroup: "groups:composite_pod_group",
    resource_v1alpha3.DeviceClass: "classic.classes:device_class",
    resource_v1alpha3.PodSchedulingContext: "classic.classes:context",
    resource_v1alpha3.ResourceClaim: "classic.claims:claim",
    resource_v1alpha3.ResourceClaimTemplate: "classic.claims:template",
    resource_v1alpha3.ResourceSlice: "classic.slices:resource_slice",
    scheduling_v1alpha1.Workload: "worded_groups:first_workload",
    scheduling_v1alpha2.PodGroup: "worded_groups:pod_group",
    scheduling_v1alpha2.Workload: "worded_groups:workload",
    Node: "nodes:node",
    Pod: "pods:pod",
    Namespace: "namespaces:namespace",
}
"""Where the rules of a kind are. Modules are loaded with the first object that they are about."""


@cache
def _rules_of(kind: type[Model]) -> Callable[[Any, Profile], Faults] | None:
    module, _, function = _RULES.get(kind, "").partition(":")
    if not module:
        return None
    found: Callable[[Any, Profile], Faults] = getattr(import_module(f"dravite.validation.{module}"), function)
    return found


def why_not_create(obj: Model, profile: Profile) -> tuple[FieldError, ...]:
    """Every reason why an API server of this profile would refuse to create the object.

    The object is at the hub version, defaulted, and without fields whose gates are off. What needs other objects in
    sight (admin access, priorities, quotas) is admission's to say.
    """
    rules = _rules_of(type(obj))
    if rules is None:
        return ()
    return in_words_of(in_server_order(rules(obj, profile), profile), profile)
