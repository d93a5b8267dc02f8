"""Which release brought a field, where a type is older than its field: what a server of a release does not know.

One table, by type, for all versions that share the type. Fields that came or went together with their type or with a
whole version are not listed. Source: the published types of every release from 1.31 on.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from dravite.api import resource_v1, resource_v1alpha3, resource_v1beta1
from dravite.api.gates import RELEASES
from dravite.api.meta import Model
from dravite.api.shapes import Shape, shape_of

_V1: Final = resource_v1
_FLAT: Final = resource_v1beta1
_OLD: Final = resource_v1alpha3

_LISTS: Final = "ints bools strings versions"
_BINDING: Final = "bindingConditions bindingFailureConditions"
_NODES: Final = "consumesCounters nodeName nodeSelector allNodes taints"
_SHARED: Final = "bindsToNode allowMultipleAllocations"
_NEWEST: Final = RELEASES[-1]

_HISTORY: Final[tuple[tuple[type[Model], str, str, str], ...]] = (
    # type, wire names, first release, last release
    (_V1.DeviceClassSpec, "extendedResourceName", "1.34", _NEWEST),
    (_V1.ExactDeviceRequest, "capacity", "1.34", _NEWEST),
    (_V1.ExactDeviceRequest, "derivedAttributes", "1.37", _NEWEST),
    (_V1.DeviceSubRequest, "capacity", "1.34", _NEWEST),
    (_V1.DeviceSubRequest, "derivedAttributes", "1.37", _NEWEST),
    (_V1.DeviceConstraint, "distinctAttribute", "1.34", _NEWEST),
    (_V1.AllocationResult, "allocationTimestamp", "1.34", _NEWEST),
    (_V1.DeviceRequestAllocationResult, "adminAccess", "1.32", _NEWEST),
    (_V1.DeviceRequestAllocationResult, "tolerations", "1.33", _NEWEST),
    (_V1.DeviceRequestAllocationResult, f"{_BINDING} shareID consumedCapacity", "1.34", _NEWEST),
    (_V1.DeviceRequestAllocationResult, "skipNodeOperations", "1.37", _NEWEST),
    (_V1.AllocatedDeviceStatus, "shareID", "1.34", _NEWEST),
    (_V1.ResourceSliceSpec, "partitionTypeAttribute skipNodeOperations", "1.37", _NEWEST),
    (_V1.Device, f"{_BINDING} {_SHARED}", "1.34", _NEWEST),
    (_V1.Device, "nodeAllocatableResourceMappings", "1.36", "1.36"),
    (_V1.Device, "nodeAllocatableResources", "1.37", _NEWEST),
    (_V1.DeviceAttribute, _LISTS, "1.36", _NEWEST),
    (_V1.DeviceCapacity, "requestPolicy", "1.34", _NEWEST),
    (_V1.DeviceCounterConsumption, "compatibilityGroups", "1.37", _NEWEST),
    (_FLAT.DeviceRequest, "firstAvailable tolerations", "1.33", _NEWEST),
    (_FLAT.DeviceRequest, "capacity", "1.34", _NEWEST),
    (_FLAT.DeviceRequest, "derivedAttributes", "1.37", _NEWEST),
    (_FLAT.BasicDevice, _NODES, "1.33", _NEWEST),
    (_FLAT.BasicDevice, f"{_BINDING} {_SHARED}", "1.34", _NEWEST),
    (_FLAT.BasicDevice, "nodeAllocatableResourceMappings", "1.36", "1.36"),
    (_FLAT.BasicDevice, "nodeAllocatableResources", "1.37", _NEWEST),
    (_FLAT.ResourceSliceSpec, "perDeviceNodeSelection sharedCounters", "1.33", _NEWEST),
    (_FLAT.ResourceSliceSpec, "partitionTypeAttribute skipNodeOperations", "1.37", _NEWEST),
    (_OLD.DeviceClassSpec, "suitableNodes", "1.31", "1.31"),
    (_OLD.ResourceClaimSpec, "controller", "1.31", "1.31"),
    (_OLD.AllocationResult, "controller", "1.31", "1.31"),
    (_OLD.ResourceClaimStatus, "deallocationRequested", "1.31", "1.31"),
    (_OLD.ResourceClaimStatus, "devices", "1.32", _NEWEST),
    (_OLD.BasicDevice, _NODES, "1.33", _NEWEST),
    (_OLD.ResourceSliceSpec, "perDeviceNodeSelection sharedCounters", "1.33", _NEWEST),
    (_OLD.DeviceTaintRule, "status", "1.35", _NEWEST),
    (_OLD.DeviceTaintSelector, "deviceClassName selectors", "1.33", "1.34"),
    (_OLD.PoolStatus, "partitionSummary shareableSummary", "1.37", _NEWEST),
    (_OLD.ResourcePoolStatusRequestSpec, "defaultPartitionTypeAttribute", "1.37", _NEWEST),
)


@lru_cache(maxsize=16)
def absent_fields(release: str) -> Mapping[type[Model], frozenset[str]]:
    """The fields, by type and in wire names, that a known release does not have."""
    number = RELEASES.index(release)
    absent: dict[type[Model], frozenset[str]] = {}
    for owner, names, first, last in _HISTORY:
        if not RELEASES.index(first) <= number <= RELEASES.index(last):
            absent[owner] = absent.get(owner, frozenset()).union(names.split())
    return absent


@lru_cache(maxsize=256)
def shape_in(model: type[Model], release: str) -> Shape:
    """The shape of a type as a release knew it: fields of other releases are as unknown as misspelt ones."""
    return _without(shape_of(model), absent_fields(release), {})


def _without(shape: Shape, absent: Mapping[type[Model], frozenset[str]], made: dict[int, Shape]) -> Shape:
    """A copy without the absent fields. `made` holds the copies, since shapes may hold themselves."""
    known = made.get(id(shape))
    if known is not None:
        return known
    copy = made[id(shape)] = Shape(shape.word, shape.bits, owner=shape.owner)
    if shape.item is not None:
        copy.item = _without(shape.item, absent, made)
    gone = absent.get(shape.owner, frozenset()) if shape.owner is not None else frozenset()
    copy.fields = {name: _without(inner, absent, made) for name, inner in shape.fields.items() if name not in gone}
    return copy
