"""Every version to the hub and back: one function per kind and version, nothing from one old version to another.

The hub of a kind is its newest version (`registry.KindInfo.hub`). A conversion never fails; what the other version
cannot say is listed with its path.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import import_module
from types import ModuleType
from typing import Any, Final

from dravite.api import registry
from dravite.api import resource_v1alpha3 as v1alpha3_types
from dravite.api import resource_v1beta1 as v1beta1_types
from dravite.api import scheduling_v1alpha1 as workload_v1alpha1_types
from dravite.api import scheduling_v1alpha2 as workload_v1alpha2_types
from dravite.api.convert.losses import Converted, Loss
from dravite.api.field_tables import FieldTable
from dravite.api.meta import Model

__all__ = ["Converted", "Loss", "from_hub", "to_hub"]

_Pair = tuple[Callable[[Any], Converted], Callable[[Any], Converted]]

_SPOKES: Final[Mapping[type[Model], str]] = {
    v1beta1_types.ResourceClaim: "claim",
    v1beta1_types.ResourceClaimTemplate: "template",
    v1beta1_types.ResourceSlice: "slice",
    v1alpha3_types.DeviceClass: "class",
    v1alpha3_types.ResourceClaim: "claim",
    v1alpha3_types.ResourceClaimTemplate: "template",
    v1alpha3_types.ResourceSlice: "slice",
    v1alpha3_types.DeviceTaintRule: "rule",
    workload_v1alpha1_types.Workload: "workload",
    workload_v1alpha2_types.Workload: "workload",
    workload_v1alpha2_types.PodGroup: "pod_group",
}
"""The types that differ from their hub, and what their module here calls them: `claim_to_hub`, `claim_from_hub`. All
others have the same fields under another apiVersion. A module is loaded with the first object of its version."""


def _module_of(kind: type[Model]) -> ModuleType:
    return import_module(f"{__name__}.{kind.__module__.rpartition('.')[2]}")


@lru_cache(maxsize=64)
def _pair(kind: type[Model]) -> _Pair | None:
    """The ways of a type to its hub and back; None where the fields are the same."""
    name = _SPOKES.get(kind)
    if name is None:
        return None
    module = _module_of(kind)
    return getattr(module, f"{name}_to_hub"), getattr(module, f"{name}_from_hub")


def to_hub(obj: Model) -> Converted:
    """The object in the newest version of its kind; itself when it is in that version already."""
    info = _info(obj)
    hub = next(iter(info.types.values()))
    if type(obj) is hub:
        return Converted(obj)
    pair = _pair(type(obj))
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
    pair = _pair(target)
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
    return FieldTable(hub, getattr(_module_of(target), "LATER_FIELDS", {}))
