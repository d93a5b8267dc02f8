"""Which class of ours an object of another client is of, told from the name and the module of its class."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

from msgspec.structs import fields

from dravite.api import core_v1, scheduling_v1alpha3
from dravite.api.meta import (
    Condition,
    LabelSelector,
    LabelSelectorRequirement,
    ListMeta,
    Model,
    ObjectMeta,
    OwnerReference,
)
from dravite.api.node_selector import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from dravite.api.registry import lookup
from dravite.api.required_fields import own_type

_OFFICIAL: Final = re.compile(r"(?:ResourceV1|V(?P<version>\d(?:(?:alpha|beta)\d)?))(?P<name>\w+)\Z")
_LIGHTKUBE: Final = re.compile(r"\.(?:models|resources)\.(?P<home>\w+)\Z")
_GROUPS: Final = ("resource", "scheduling")
_SHARED: Final[Mapping[str, type[Model]]] = {
    model.__name__: model
    for model in (
        Condition,
        LabelSelector,
        LabelSelectorRequirement,
        ListMeta,
        NodeSelector,
        NodeSelectorRequirement,
        NodeSelectorTerm,
        ObjectMeta,
        OwnerReference,
    )
}
"""What objects of many groups hold; clients have it in core/v1 and meta/v1."""

_ONLY_V1ALPHA3: Final = (scheduling_v1alpha3.CompositePodGroupSpec, scheduling_v1alpha3.CompositePodGroupStatus)
"""Our home of these is another version, as the hub is."""


def model_of_kind(api_version: str, kind: str) -> type[Model] | None:
    """The class of an apiVersion and kind, of lists too."""
    info = lookup(api_version, kind)
    if info is not None:
        return info.type_of(api_version)
    group, _, version = api_version.partition("/")
    home = f"{group.removesuffix('.k8s.io')}_{version}"
    return _member(home, kind) if kind.endswith("List") and group.endswith(".k8s.io") else None


def model_of_class(other: type) -> type[Model] | None:
    """The class of ours that a class of another client, or of `dravite.compat`, stands for."""
    for kind in other.__mro__:
        place = _LIGHTKUBE.search(kind.__module__)
        if place is not None:
            return _member(place["home"], kind.__name__)
        name = _OFFICIAL.match(kind.__name__)
        if name is not None:
            return _official(f"v{name['version'] or 1}", name["name"])
    return None


def _official(version: str, name: str) -> type[Model] | None:
    homes = (f"{group}_{version}" for group in _GROUPS)
    found = (_member(home, name) for home in (*homes, "core_v1") if home.endswith(f"_{version}"))
    return next((model for model in found if model is not None), None)


def _member(home: str, name: str) -> type[Model] | None:
    if home in ("core_v1", "meta_v1"):
        found: Any = _SHARED.get(name) or getattr(core_v1, name, None)
    elif home.partition("_")[0] in _GROUPS:
        try:
            found = getattr(import_module(f"dravite.api.{home}"), name, None)
        except ModuleNotFoundError:
            return None
    else:
        return None
    return found if isinstance(found, type) and issubclass(found, Model) else None


def kind_of_model(model: type[Model]) -> tuple[str, str]:
    """The apiVersion and kind that objects of a class have; empty where they have none."""
    own = {field.name: own_type(field) or "" for field in fields(model)}
    return own.get("api_version", ""), own.get("kind", "")


def home_of_model(model: type[Model]) -> str:
    """The module that clients have a class in: `resource_v1`, `meta_v1` …"""
    api_version, _ = kind_of_model(model)
    if model in _ONLY_V1ALPHA3:
        return "scheduling_v1alpha3"
    if "/" in api_version:
        return api_version.replace(".k8s.io/", "_")
    module = model.__module__.removeprefix("dravite.api.").partition(".")[0]
    return {"meta": "meta_v1", "node_selector": "core_v1"}.get(module, module)
