"""The door: which rules an object of each kind must keep when it is created."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
from dravite.validation import worded_groups
from dravite.validation.claims import claim, template
from dravite.validation.classes import device_class, priority_class
from dravite.validation.classic import claims as classic_claims
from dravite.validation.classic import classes as classic_classes
from dravite.validation.classic import slices as classic_slices
from dravite.validation.faults import Faults, in_server_order
from dravite.validation.groups import composite_pod_group, pod_group, workload
from dravite.validation.metadata import Kept, metadata
from dravite.validation.nodes import node
from dravite.validation.pods import pod
from dravite.validation.pool_requests import pool_request
from dravite.validation.slices import resource_slice
from dravite.validation.taints import taint_rule
from dravite.validation.wording import in_words_of


def _only_metadata(kept: Kept) -> Callable[[Any, Profile], Faults]:
    return lambda item, profile: metadata(item.metadata, profile, kept)


_RULES: Final[Mapping[type[Model], Callable[[Any, Profile], Faults]]] = {
    DeviceClass: device_class,
    DeviceTaintRule: taint_rule,
    ResourceClaim: claim,
    ResourceClaimTemplate: template,
    ResourcePoolStatusRequest: pool_request,
    ResourceSlice: resource_slice,
    PriorityClass: priority_class,
    Workload: workload,
    PodGroup: pod_group,
    CompositePodGroup: composite_pod_group,
    resource_v1alpha3.DeviceClass: classic_classes.device_class,
    resource_v1alpha3.PodSchedulingContext: classic_classes.context,
    resource_v1alpha3.ResourceClaim: classic_claims.claim,
    resource_v1alpha3.ResourceClaimTemplate: classic_claims.template,
    resource_v1alpha3.ResourceSlice: classic_slices.resource_slice,
    scheduling_v1alpha1.Workload: worded_groups.first_workload,
    scheduling_v1alpha2.PodGroup: worded_groups.pod_group,
    scheduling_v1alpha2.Workload: worded_groups.workload,
    Node: node,
    Pod: pod,
    Namespace: _only_metadata(Kept.CLUSTER),
}


def why_not_create(obj: Model, profile: Profile) -> tuple[FieldError, ...]:
    """Every reason why an API server of this profile would refuse to create the object.

    The object is at the hub version, defaulted, and without fields whose gates are off. What needs other objects in
    sight (admin access, priorities, quotas) is admission's to say.
    """
    rules = _RULES.get(type(obj))
    if rules is None:
        return ()
    return in_words_of(in_server_order(rules(obj, profile), profile), profile)
