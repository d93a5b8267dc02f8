"""Every version to the hub and back: one function per kind and version, nothing from one old version to another.

The hub of a kind is its newest version (`registry.KindInfo.hub`). A conversion never fails; what the other version
cannot say is listed with its path.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from dravite.api import registry
from dravite.api import resource_v1alpha3 as v1alpha3_types
from dravite.api import resource_v1beta1 as v1beta1_types
from dravite.api import scheduling_v1alpha1 as workload_v1alpha1_types
from dravite.api import scheduling_v1alpha2 as workload_v1alpha2_types
from dravite.api.convert import resource_v1alpha3, resource_v1beta1, scheduling_v1alpha1, scheduling_v1alpha2
from dravite.api.convert.losses import Converted, Loss
from dravite.api.convert.scheduling_v1alpha1 import pod_group_of
from dravite.api.field_tables import FieldTable
from dravite.api.meta import Model

__all__ = ["Converted", "Loss", "from_hub", "pod_group_of", "to_hub"]

_Pair = tuple[Callable[[Any], Converted], Callable[[Any], Converted]]

_PAIRS: Final[Mapping[type[Model], _Pair]] = {
    v1beta1_types.ResourceClaim: (resource_v1beta1.claim_to_hub, resource_v1beta1.claim_from_hub),
    v1beta1_types.ResourceClaimTemplate: (resource_v1beta1.template_to_hub, resource_v1beta1.template_from_hub),
    v1beta1_types.ResourceSlice: (resource_v1beta1.slice_to_hub, resource_v1beta1.slice_from_hub),
    v1alpha3_types.DeviceClass: (resource_v1alpha3.class_to_hub, resource_v1alpha3.class_from_hub),
    v1alpha3_types.ResourceClaim: (resource_v1alpha3.claim_to_hub, resource_v1alpha3.claim_from_hub),
    v1alpha3_types.ResourceClaimTemplate: (resource_v1alpha3.template_to_hub, resource_v1alpha3.template_from_hub),
    v1alpha3_types.ResourceSlice: (resource_v1alpha3.slice_to_hub, resource_v1alpha3.slice_from_hub),
    v1alpha3_types.DeviceTaintRule: (resource_v1alpha3.rule_to_hub, resource_v1alpha3.rule_from_hub),
    workload_v1alpha1_types.Workload: (scheduling_v1alpha1.workload_to_hub, scheduling_v1alpha1.workload_from_hub),
    workload_v1alpha2_types.Workload: (scheduling_v1alpha2.workload_to_hub, scheduling_v1alpha2.workload_from_hub),
    workload_v1alpha2_types.PodGroup: (scheduling_v1alpha2.pod_group_to_hub, scheduling_v1alpha2.pod_group_from_hub),
}
"""The types that differ from their hub. All others have the same fields under another apiVersion."""

_LATER_FIELDS: Final[Mapping[str, Mapping[type[Model], tuple[str, ...]]]] = {
    v1alpha3_types.__name__: resource_v1alpha3.LATER_FIELDS,
    workload_v1alpha1_types.__name__: scheduling_v1alpha1.LATER_FIELDS,
    workload_v1alpha2_types.__name__: scheduling_v1alpha2.LATER_FIELDS,
}


def to_hub(obj: Model) -> Converted:
    """The object in the newest version of its kind; itself when it is in that version already."""
    info = _info(obj)
    hub = next(iter(info.types.values()))
    if type(obj) is hub:
        return Converted(obj)
    pair = _PAIRS.get(type(obj))
    return pair[0](obj) if pair else Converted(_same_fields(obj, hub))


def from_hub(obj: Model, api_version: str) -> Converted:
    """A hub object in another version.

    Raises:
        ValueError: the kind does not exist in that version.
    """
    info = _info(obj)
    target = info.type_of(api_version)
    if target is None:
        message = f"{info.kind} does not exist in {api_version}"
        raise ValueError(message)
    if type(obj) is target:
        return Converted(obj)
    pair = _PAIRS.get(target)
    if pair is None:
        return Converted(_same_fields(obj, target))
    later = _later_fields(type(obj), target)
    lost = tuple(Loss(found.path, f"{api_version} has no such field") for found in later.find(obj))
    converted = pair[1](later.clear(obj))
    return Converted(converted.object, (*converted.losses, *lost))


def _info(obj: Model) -> registry.KindInfo:
    """The kind of an object that is of one of the registered types."""
    info = registry.lookup(obj.api_version, obj.kind)  # type: ignore[attr-defined]
    if info is None:
        message = f"no such kind: {type(obj).__qualname__}"
        raise ValueError(message)
    return info


def _same_fields(obj: Model, target: type[Model]) -> Model:
    names = (name for name in obj.__struct_fields__ if name not in ("api_version", "kind"))
    return target(**{name: getattr(obj, name) for name in names})


@lru_cache(maxsize=64)
def _later_fields(hub: type[Model], target: type[Model]) -> FieldTable:
    return FieldTable(hub, _LATER_FIELDS.get(target.__module__, {}))
