"""Which fields of a type must be given, as Kubernetes' OpenAPI says of the newest release that has the type.

Nothing inside dravite asks: objects are read with what they have, and validation says what they lack. It is asked by
whoever faces a programmer: `surface`, the client models made in `compat`, and schemas.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, Literal, get_args, get_origin

import msgspec

from dravite.api import resource_v1, resource_v1alpha3, resource_v1beta1, scheduling_v1, scheduling_v1alpha1
from dravite.api import scheduling_v1beta1 as scheduling
from dravite.api.meta import Condition, LabelSelectorRequirement, Model
from dravite.api.node_selector import NodeSelector, NodeSelectorRequirement

_ALSO: Final[Mapping[type[Model], str]] = {
    Condition: "last_transition_time",
    LabelSelectorRequirement: "key operator",
    NodeSelector: "node_selector_terms",
    NodeSelectorRequirement: "key operator",
    resource_v1.CapacityRequestPolicyRange: "min",
    resource_v1.CounterSet: "counters",
    resource_v1.DeviceCounterConsumption: "counters",
    resource_v1.OpaqueDeviceConfiguration: "parameters",
    resource_v1alpha3.PartitionTypeStatus: "attribute type total allocatable",
    resource_v1alpha3.PoolStatus: "driver pool_name",
    resource_v1alpha3.ResourcePoolStatusRequestStatus: "pool_count",
    resource_v1alpha3.ShareableCapacityStatus: "name total consumed available",
    resource_v1alpha3.ShareableSummaryStatus: "fully_available_devices partially_available_devices",
    scheduling.CompositePodGroupSpec: "workload_ref",
}
"""Required, and left out when they have no value."""

_NOT: Final[Mapping[type[Model], str]] = {
    resource_v1.AllocationResult: "devices",
    resource_v1alpha3.AllocationResult: "devices",
    resource_v1beta1.DeviceRequest: "device_class_name",
    scheduling_v1.PriorityClass: "value",
    scheduling.PriorityClass: "value",
    scheduling_v1alpha1.PriorityClass: "value",
}
"""Written always, and not required."""


@lru_cache(maxsize=512)
def required_fields(model: type[Model]) -> frozenset[str]:
    """The Python names of the fields that must be given.

    That a field is written even when it is empty, the models say by a default factory; the tables here hold the
    fields for which the two differ.
    """
    names = {field.name for field in msgspec.structs.fields(model) if _is_always_written(field)}
    return frozenset(names.union(_ALSO.get(model, "").split()).difference(_NOT.get(model, "").split()))


def _is_always_written(field: msgspec.structs.FieldInfo) -> bool:
    """Whether the field has a default factory; msgspec makes one of `{}`, and types of objects fill in themselves."""
    if field.default_factory in (msgspec.NODEFAULT, dict):
        return False
    return not is_own_type(field)


def is_own_type(field: msgspec.structs.FieldInfo) -> bool:
    """Whether the field is the `apiVersion` or `kind` of an object, which can have one value only."""
    return own_type(field) is not None


def own_type(field: msgspec.structs.FieldInfo) -> str | None:
    """The one value that `apiVersion` or `kind` of an object can have; None for any other field."""
    return str(get_args(field.type)[0]) if get_origin(field.type) is Literal else None
