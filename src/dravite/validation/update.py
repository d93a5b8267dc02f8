"""The doors for changes: which rules a stored object must keep when it is updated, and when its status is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from dravite.api import resource_v1alpha3, scheduling_v1alpha1, scheduling_v1alpha2
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
from dravite.validation.claim_status import claim_status
from dravite.validation.claims import claim_update, template_update
from dravite.validation.classes import device_class_update, priority_class_update
from dravite.validation.classic import claim_status as classic_claim_status
from dravite.validation.classic import claims as classic_claims
from dravite.validation.classic import classes as classic_classes
from dravite.validation.classic import slices as classic_slices
from dravite.validation.faults import Faults, in_server_order
from dravite.validation.groups import (
    composite_pod_group_status,
    composite_pod_group_update,
    pod_group_status,
    pod_group_update,
    workload_update,
)
from dravite.validation.metadata_updates import metadata_update
from dravite.validation.pool_requests import pool_request_status, pool_request_update
from dravite.validation.slices import resource_slice_update
from dravite.validation.taints import taint_rule_status, taint_rule_update
from dravite.validation.wording import in_words_of

_Rules = Mapping[type[Model], Callable[[Any, Any, Profile], Faults]]

_UPDATE: Final[_Rules] = {
    DeviceClass: device_class_update,
    DeviceTaintRule: taint_rule_update,
    ResourceClaim: claim_update,
    ResourceClaimTemplate: template_update,
    ResourcePoolStatusRequest: pool_request_update,
    ResourceSlice: resource_slice_update,
    PriorityClass: priority_class_update,
    Workload: workload_update,
    PodGroup: pod_group_update,
    CompositePodGroup: composite_pod_group_update,
    resource_v1alpha3.DeviceClass: classic_classes.device_class_update,
    resource_v1alpha3.PodSchedulingContext: classic_classes.context_update,
    resource_v1alpha3.ResourceClaim: classic_claims.claim_update,
    resource_v1alpha3.ResourceClaimTemplate: classic_claims.template_update,
    resource_v1alpha3.ResourceSlice: classic_slices.resource_slice_update,
    scheduling_v1alpha1.Workload: worded_groups.first_workload_update,
    scheduling_v1alpha2.PodGroup: worded_groups.pod_group_update,
    scheduling_v1alpha2.Workload: worded_groups.workload_update,
}

_STATUS: Final[_Rules] = {
    DeviceTaintRule: taint_rule_status,
    ResourceClaim: claim_status,
    ResourcePoolStatusRequest: pool_request_status,
    PodGroup: pod_group_status,
    CompositePodGroup: composite_pod_group_status,
    resource_v1alpha3.PodSchedulingContext: classic_classes.context_status,
    resource_v1alpha3.ResourceClaim: classic_claim_status.claim_status,
    scheduling_v1alpha2.PodGroup: worded_groups.pod_group_status,
}


def why_not_update(obj: Model, old: Model, profile: Profile) -> tuple[FieldError, ...]:
    """Every reason why an API server of this profile would refuse to put the object in the place of the old one.

    Both are of one type: the form that the server works on. The new one is prepared: defaulted, with the stored
    status and what a server keeps of metadata, and without fields whose gates are off unless the old one has them.
    """
    rules = _UPDATE.get(type(obj))
    return () if rules is None else _told(rules(obj, old, profile), profile)


def why_not_update_status(obj: Model, old: Model, profile: Profile) -> tuple[FieldError, ...]:
    """The same for the status endpoint: the object has the stored spec, and a new status."""
    rules = _STATUS.get(type(obj))
    if rules is None:
        return ()
    about = metadata_update(obj.metadata, old.metadata, profile)  # type: ignore[attr-defined]
    return _told((*about, *rules(obj, old, profile)), profile)


def _told(faults: Iterable[FieldError], profile: Profile) -> tuple[FieldError, ...]:
    return in_words_of(in_server_order(faults, profile), profile)
