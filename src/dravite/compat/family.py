"""What the classes of a client look like: per module of `dravite.api` every class, its fields, and their types.

Clients are generated from the OpenAPI document of one release; the models of `dravite.api` hold what all releases
had. The difference is in the tables here: fields that the newest release with the class does not have, and names
under which Kubernetes has one of our types a second time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from typing import Final

import msgspec

from dravite.api import meta as own_meta
from dravite.api.gates import RELEASES
from dravite.api.meta import Condition, Model, OwnerReference
from dravite.api.node_selector import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from dravite.api.registry import KINDS, served
from dravite.api.required_fields import own_type, required_fields
from dravite.api.shapes import Shape, Word, shape_of
from dravite.compat import meta

MODULES: Final = (
    "resource_v1",
    "resource_v1alpha3",
    "resource_v1beta1",
    "resource_v1beta2",
    "scheduling_v1",
    "scheduling_v1alpha1",
    "scheduling_v1alpha2",
    "scheduling_v1alpha3",
    "scheduling_v1beta1",
)

_SHARED: Final[Mapping[str, tuple[type[Model], ...]]] = {
    "core_v1": (NodeSelector, NodeSelectorRequirement, NodeSelectorTerm),
    "meta_v1": (
        Condition,
        meta.ListMeta,
        meta.ManagedFieldsEntry,
        meta.ObjectMeta,
        OwnerReference,
        meta.ShardInfo,
    ),
}
_SHARED_HOME: Final = {model: home for home, models in _SHARED.items() for model in models}
_WIDER: Final[Mapping[type[Model], type[Model]]] = {
    own_meta.ObjectMeta: meta.ObjectMeta,
    own_meta.ListMeta: meta.ListMeta,
}
"""Types of ours that leave out what clients have."""

_GONE: Final[Mapping[tuple[str, str], str]] = {
    ("resource_v1", "Device"): "nodeAllocatableResourceMappings",
    ("resource_v1beta1", "BasicDevice"): "nodeAllocatableResourceMappings",
    ("resource_v1beta2", "Device"): "nodeAllocatableResourceMappings",
    ("resource_v1alpha3", "AllocatedDeviceStatus"): "shareID",
    ("resource_v1alpha3", "AllocationResult"): "controller",
    ("resource_v1alpha3", "DeviceAttribute"): "bools ints strings versions",
    ("resource_v1alpha3", "DeviceClassSpec"): "suitableNodes",
    ("resource_v1alpha3", "DeviceConstraint"): "distinctAttribute",
    ("resource_v1alpha3", "DeviceCounterConsumption"): "compatibilityGroups",
    ("resource_v1alpha3", "DeviceRequest"): "capacity derivedAttributes",
    ("resource_v1alpha3", "DeviceRequestAllocationResult"): (
        "bindingConditions bindingFailureConditions consumedCapacity shareID skipNodeOperations"
    ),
    ("resource_v1alpha3", "ResourceClaimSpec"): "controller",
    ("resource_v1alpha3", "ResourceClaimStatus"): "deallocationRequested",
    ("resource_v1alpha3", "DeviceSubRequest"): "capacity derivedAttributes",
    ("resource_v1alpha3", "DeviceTaintSelector"): "deviceClassName selectors",
}
"""Fields that the newest client with the class does not have (wire names)."""

_SECOND_NAMES: Final[Mapping[tuple[str, str], str]] = {
    ("CompositePodGroupSpec", "disruptionMode"): "CompositeDisruptionMode",
    ("CompositePodGroupSpec", "schedulingConstraints"): "CompositePodGroupSchedulingConstraints",
    ("CompositePodGroupTemplate", "disruptionMode"): "CompositeDisruptionMode",
    ("CompositePodGroupTemplate", "schedulingConstraints"): "CompositePodGroupSchedulingConstraints",
    ("PodGroup", "policy"): "PodGroupPolicy",
}
"""Fields whose type Kubernetes calls by another name than we do."""

_ROOTLESS: Final = "WorkloadPodGroup"
"""How the names of types begin that no object of the two groups holds; the batch group does."""


class ClientType(msgspec.Struct, frozen=True):
    """The type of a value. `home` and `name` say which class an object has; an object without fields has none."""

    word: Word
    item: ClientType | None = None
    home: str = ""
    name: str = ""


class ClientField(msgspec.Struct, frozen=True):
    wire: str
    required: bool
    type: ClientType


class ClientClass(msgspec.Struct, frozen=True):
    """A class of a client; its fields are in the order of their wire names.

    Attributes:
        home: the module, as in `dravite.api`; `core_v1` and `meta_v1` for what the two groups share with others.
        api_version, kind: of an object; empty otherwise.
    """

    home: str
    name: str
    fields: tuple[ClientField, ...]
    api_version: str = ""
    kind: str = ""


@lru_cache(maxsize=16)
def classes_of(home: str) -> Mapping[str, ClientClass]:
    """Every class of a module by name, as the newest client has it that has it; those without fields too."""
    if home in _SHARED:
        return {model.__name__: _client_class(home, model.__name__, model) for model in _SHARED[home]}
    module = import_module(f"dravite.api.{home}")
    names: list[str] = module.__all__
    found = {name: _client_class(home, name, getattr(module, name)) for name in sorted(names)}
    return {name: made for name, made in found.items() if made.api_version in ("", api_version_of(home))}


def api_version_of(home: str) -> str:
    """`resource_v1` is the module of resource.k8s.io/v1."""
    return home.replace("_", ".k8s.io/")


def newest_classes() -> tuple[ClientClass, ...]:
    """The classes that the newest release has, with everything that they hold: what its kinds reach, and the rest."""
    pending = [root for home in MODULES for root in _roots(home)]
    seen: dict[tuple[str, str], ClientClass] = {}
    while pending:
        made = pending.pop()
        if (made.home, made.name) not in seen:
            seen[made.home, made.name] = made
            held = (_innermost(field.type) for field in made.fields)
            pending += [classes_of(inner.home)[inner.name] for inner in held if inner.name]
    return tuple(made for _, made in sorted(seen.items()))


def _roots(home: str) -> Iterator[ClientClass]:
    version = home.rpartition("_")[2]
    group = home.partition("_")[0] + ".k8s.io"
    classes = classes_of(home)
    own = [info for info in KINDS if info.group == group]
    kinds = [info.kind for info in own if served(info.api_version(version), info.kind, RELEASES[-1]) != "never"]
    for name, made in classes.items():
        is_root = name.removesuffix("List") in kinds or (name.startswith(_ROOTLESS) and bool(made.fields))
        if kinds and is_root:
            yield made


def _innermost(kind: ClientType) -> ClientType:
    while kind.item is not None:
        kind = kind.item
    return kind


def _client_class(home: str, name: str, model: type[Model]) -> ClientClass:
    gone = _GONE.get((home, name), "").split()
    shape = shape_of(model)
    required = required_fields(model)
    infos = {info.encode_name: info for info in msgspec.structs.fields(model)}
    fields = [
        ClientField(wire, infos[wire].name in required, _client_type(shape.fields[wire], home, (name, wire)))
        for wire in sorted(infos)
        if wire not in gone
    ]
    own = {wire: own_type(info) or "" for wire, info in infos.items() if wire in ("apiVersion", "kind")}
    return ClientClass(home, name, tuple(fields), own.get("apiVersion", ""), own.get("kind", ""))


def _client_type(shape: Shape, home: str, place: tuple[str, str]) -> ClientType:
    if shape.item is not None:
        return ClientType(shape.word, _client_type(shape.item, home, place))
    if shape.owner is None:
        return ClientType(shape.word)
    owner = _WIDER.get(shape.owner, shape.owner)
    if not owner.__struct_fields__:
        return ClientType("object")
    shared = _SHARED_HOME.get(owner)
    if shared is not None:
        return ClientType("object", home=shared, name=owner.__name__)
    return ClientType("object", home=home, name=_SECOND_NAMES.get(place, owner.__name__))
