"""Which fields a feature gate switches, and dropping those whose gate is off.

An API server removes such fields without a word before it validates, unless the stored object already uses the
feature. Here they are removed too, and named. Objects are taken at the hub version, and also in the v1alpha3 form of
1.31 and the v1alpha2 form of groups in 1.36, which had fields of their own.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, TypeVar

import msgspec

from dravite.api import core_v1, resource_v1, resource_v1alpha3, scheduling_v1alpha2, scheduling_v1beta1
from dravite.api.field_tables import FieldTable, Found
from dravite.api.gates import RELEASES
from dravite.api.meta import Model
from dravite.api.releases import Profile

M = TypeVar("M", bound=Model)


class GatedFields(msgspec.Struct, frozen=True):
    """Fields of one type that exist while all of the gates are on, from one release to another.

    Attributes:
        not_in: kinds of objects in which Kubernetes forgets to drop them.
        apart: whether the use of one of them says nothing about the others.
    """

    owner: type[Model]
    names: tuple[str, ...]
    gates: tuple[str, ...]
    since: str = RELEASES[0]
    until: str = RELEASES[-1]
    not_in: tuple[type[Model], ...] = ()
    apart: bool = False


class DroppedField(msgspec.Struct, frozen=True):
    """A field that was set and is not any more: its first gate that is off, and its path without positions.

    `since` and `until` are the releases that have the field where the one at hand is none of them; empty otherwise.
    """

    gate: str
    path: str
    since: str = ""
    until: str = ""

    def __str__(self) -> str:
        return self.path


_BINDING: Final = ("DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus")
_CONTROLLER: Final = ("DRAControlPlaneController",)
_TOPOLOGY: Final = ("TopologyAwareWorkloadScheduling",)
_GROUP_CLAIMS: Final = ("DRAWorkloadResourceClaims",)
_POLICY: Final = ("PodGroupPreemptionPolicy",)
_DISRUPTION: Final = ("WorkloadAwarePreemption",)
_DISRUPTION_NAMES: Final = ("disruption_mode", "priority_class_name", "priority")

_G = GatedFields
_R = resource_v1
_S = scheduling_v1beta1
_A = resource_v1alpha3
_W = scheduling_v1alpha2

GATED_FIELDS: Final = (
    _G(_R.Device, ("taints",), ("DRADeviceTaints",)),
    _G(_R.ExactDeviceRequest, ("tolerations",), ("DRADeviceTaints",)),
    _G(_R.DeviceSubRequest, ("tolerations",), ("DRADeviceTaints",)),
    _G(_R.ResourceSliceSpec, ("shared_counters", "per_device_node_selection"), ("DRAPartitionableDevices",)),
    _G(_R.Device, ("consumes_counters", "node_name", "node_selector", "all_nodes"), ("DRAPartitionableDevices",)),
    _G(_R.Device, ("binds_to_node", "binding_conditions", "binding_failure_conditions"), _BINDING),
    _G(_R.DeviceRequestAllocationResult, ("binding_conditions", "binding_failure_conditions"), _BINDING[:1]),
    _G(_R.Device, ("allow_multiple_allocations",), ("DRAConsumableCapacity",)),
    _G(_R.DeviceCapacity, ("request_policy",), ("DRAConsumableCapacity",)),
    _G(_R.ExactDeviceRequest, ("capacity",), ("DRAConsumableCapacity",)),
    _G(_R.DeviceSubRequest, ("capacity",), ("DRAConsumableCapacity",)),
    _G(_R.DeviceConstraint, ("distinct_attribute",), ("DRAConsumableCapacity",)),
    _G(_R.DeviceRequestAllocationResult, ("share_id", "consumed_capacity"), ("DRAConsumableCapacity",)),
    _G(_R.AllocatedDeviceStatus, ("share_id",), ("DRAConsumableCapacity",)),
    _G(
        _R.DeviceAttribute,
        ("int_values", "bool_values", "string_values", "version_values"),
        ("DRAListTypeAttributes",),
    ),
    _G(_R.Device, ("node_allocatable_resources",), ("DRANodeAllocatableResources",), since="1.37"),
    _G(_R.Device, ("node_allocatable_resource_mappings",), ("DRANodeAllocatableResources",), until="1.36"),
    _G(_R.ResourceSliceSpec, ("partition_type_attribute",), ("DRAPartitionableDevicesType",)),
    _G(_A.ResourcePoolStatusRequestSpec, ("default_partition_type_attribute",), ("DRAPartitionableDevicesType",)),
    _G(_R.ResourceSliceSpec, ("skip_node_operations",), ("DRAOptionalNodeOperations",)),
    _G(_R.DeviceRequestAllocationResult, ("skip_node_operations",), ("DRAOptionalNodeOperations",)),
    _G(_R.DeviceCounterConsumption, ("compatibility_groups",), ("DRADeviceCompatibilityGroups",)),
    _G(_R.ExactDeviceRequest, ("derived_attributes",), ("DRADerivedAttributes",)),
    _G(_R.DeviceSubRequest, ("derived_attributes",), ("DRADerivedAttributes",)),
    _G(_R.DeviceRequest, ("first_available",), ("DRAPrioritizedList",)),
    _G(_R.ExactDeviceRequest, ("admin_access",), ("DRAAdminAccess",)),
    _G(_R.DeviceRequestAllocationResult, ("admin_access",), ("DRAAdminAccess",)),
    _G(_R.ResourceClaimStatus, ("devices",), ("DRAResourceClaimDeviceStatus",)),
    _G(_R.DeviceClassSpec, ("extended_resource_name",), ("DRAExtendedResource",)),
    _G(_A.DeviceClassSpec, ("suitable_nodes",), _CONTROLLER),
    _G(_A.ResourceClaimSpec, ("controller",), _CONTROLLER, not_in=(_A.ResourceClaimTemplate,)),
    _G(_S.PodGroupTemplate, ("scheduling_constraints",), _TOPOLOGY),
    _G(_S.CompositePodGroupTemplate, ("scheduling_constraints",), _TOPOLOGY),
    _G(_S.PodGroupSpec, ("scheduling_constraints",), _TOPOLOGY),
    _G(_S.CompositePodGroupSpec, ("scheduling_constraints",), _TOPOLOGY),
    _G(_S.PodGroupTemplate, ("resource_claims",), _GROUP_CLAIMS),
    _G(_S.PodGroupSpec, ("resource_claims",), _GROUP_CLAIMS),
    _G(_S.PodGroupStatus, ("resource_claim_statuses",), _GROUP_CLAIMS),
    _G(_S.PodGroupTemplate, ("preemption_policy",), _POLICY),
    _G(_S.CompositePodGroupTemplate, ("preemption_policy",), _POLICY),
    _G(_S.PodGroupSpec, ("preemption_policy",), _POLICY),
    _G(_S.CompositePodGroupSpec, ("preemption_policy",), _POLICY),
    _G(_S.WorkloadSpec, ("composite_pod_group_templates",), ("CompositePodGroup",)),
    _G(_S.PodGroupSpec, ("parent_composite_pod_group_name",), ("CompositePodGroup",)),
    _G(_S.PodGroupTemplate, _DISRUPTION_NAMES, _DISRUPTION),
    _G(_S.PodGroupSpec, _DISRUPTION_NAMES, _DISRUPTION),
    _G(_W.PodGroupTemplate, ("scheduling_constraints",), _TOPOLOGY),
    _G(_W.PodGroupSpec, ("scheduling_constraints",), _TOPOLOGY),
    _G(_W.PodGroupTemplate, ("resource_claims",), _GROUP_CLAIMS),
    _G(_W.PodGroupSpec, ("resource_claims",), _GROUP_CLAIMS),
    _G(_W.PodGroupTemplate, _DISRUPTION_NAMES, _DISRUPTION, apart=True),
    _G(_W.PodGroupSpec, _DISRUPTION_NAMES, _DISRUPTION, apart=True),
    _G(core_v1.PodSpec, ("resource_claims",), ("DynamicResourceAllocation",)),
    _G(core_v1.ResourceRequirements, ("claims",), ("DynamicResourceAllocation",)),
    _G(core_v1.PodSpec, ("resources",), ("PodLevelResources",)),
    _G(core_v1.PodSpec, ("scheduling_group",), ("GenericWorkload",), since="1.36"),
    _G(core_v1.PodSpec, ("workload_ref",), ("GenericWorkload",), until="1.35"),
)


def drop_gated(obj: M, profile: Profile, old: Model | None = None) -> tuple[M, tuple[DroppedField, ...]]:
    """The object without the fields whose gates are off, and what was removed, each kind of place once.

    A feature that `old`, the stored object, uses anywhere stays writable. Fields of other releases go as well.
    """
    table = _table(type(obj), profile, _used(old, profile))
    cleared = table.clear(obj)
    if cleared is obj:
        return obj, ()
    return cleared, tuple(dict.fromkeys(_dropped(found, profile) for found in table.find(obj)))


def _used(old: Model | None, profile: Profile) -> frozenset[str]:
    """The features whose gates are off and that an object uses. A field may hide others, hence more than one round."""
    used: frozenset[str] = frozenset()
    while old is not None and (table := _table(type(old), profile, used)).is_any_set(old):
        found = table.find(old)
        more = frozenset(_feature(_RULES[field.owner, field.name], field.name, profile) for field in found)
        if not more:
            break
        used |= more
    return used


_POSITION: Final = re.compile(r"\[[^\]]*\]")


@lru_cache(maxsize=256)
def _table(root: type[Model], profile: Profile, kept: frozenset[str]) -> FieldTable:
    fields: dict[type[Model], tuple[str, ...]] = {}
    for rule in GATED_FIELDS:
        if _missing_gate(rule, profile) is not None and root not in rule.not_in:
            names = (name for name in rule.names if _feature(rule, name, profile) not in kept)
            fields[rule.owner] = (*fields.get(rule.owner, ()), *names)
    return FieldTable(root, fields)


def _missing_gate(rule: GatedFields, profile: Profile) -> str | None:
    """The first gate that keeps the fields of a rule from existing, or None when they exist."""
    if not _is_of_release(rule, profile):
        return rule.gates[0]
    return next((gate for gate in rule.gates if not profile.enabled(gate)), None)


def _is_of_release(rule: GatedFields, profile: Profile) -> bool:
    return RELEASES.index(rule.since) <= RELEASES.index(profile.release) <= RELEASES.index(rule.until)


def _feature(rule: GatedFields, name: str, profile: Profile) -> str:
    """What a field belongs to when use is looked for: its gate, or the gate and itself."""
    gate = _missing_gate(rule, profile) or rule.gates[0]
    return f"{gate} {name}" if rule.apart else gate


def _dropped(found: Found, profile: Profile) -> DroppedField:
    rule = _RULES[found.owner, found.name]
    path = _POSITION.sub("[]", found.path)
    if _is_of_release(rule, profile):
        return DroppedField(_missing_gate(rule, profile) or rule.gates[0], path)
    return DroppedField(rule.gates[0], path, rule.since, rule.until)


_RULES: Final = {(rule.owner, name): rule for rule in GATED_FIELDS for name in rule.names}
