"""Which resources a command reads, and which of them it cannot do without. A table; rights are printed from it too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal

import msgspec

from dravite.diagnosis.observations import Resource

Need = Literal["essential", "helpful"]
"""Without something essential there is no answer; without something helpful the answer says what it lacks."""

_DEVICES: Final = ("resourceslices", "deviceclasses", "resourceclaims")
_GROUPS: Final[Mapping[str, str]] = {
    "nodes": "",
    "namespaces": "",
    "pods": "",
    "events": "",
    "resourcequotas": "",
    "resourceslices": "resource.k8s.io",
    "deviceclasses": "resource.k8s.io",
    "resourceclaims": "resource.k8s.io",
    "resourceclaimtemplates": "resource.k8s.io",
    "devicetaintrules": "resource.k8s.io",
    "priorityclasses": "scheduling.k8s.io",
    "workloads": "scheduling.k8s.io",
    "podgroups": "scheduling.k8s.io",
    "compositepodgroups": "scheduling.k8s.io",
    "runtimeclasses": "node.k8s.io",
    "poddisruptionbudgets": "policy",
    "deployments": "apps",
    "replicasets": "apps",
    "statefulsets": "apps",
    "daemonsets": "apps",
    "jobs": "batch",
}

_PLANNING: Final = tuple(name for name in _GROUPS if name != "events")
_READ_BY: Final[Mapping[str, tuple[str, ...]]] = {
    "plan": _PLANNING,
    "explain": (*_PLANNING, "events"),
    "what-if": _PLANNING,
    "pools": ("resourceslices", "resourceclaims", "devicetaintrules"),
    "claims": ("resourceclaims", "resourceslices"),
    "lint": _PLANNING,
    "snapshot": _PLANNING,
}
_ESSENTIAL: Final[Mapping[str, tuple[str, ...]]] = {
    "plan": _DEVICES,
    "explain": _DEVICES,
    "what-if": _DEVICES,
    "claims": ("resourceclaims",),
    "pools": ("resourceslices",),
}

COMMANDS: Final = tuple(_READ_BY)


class Wanted(msgspec.Struct, frozen=True):
    """A resource to be read, and how badly."""

    resource: Resource
    need: Need


def resource(plural: str) -> Resource:
    """A resource of the table by its plural name."""
    return Resource(_GROUPS[plural], plural)


def rights_of(command: str) -> tuple[Resource, ...]:
    """Everything that a command lists, events included, in the order of the table."""
    return tuple(resource(plural) for plural in _READ_BY[command])


def wanted_by(command: str, more: Iterable[Resource] = ()) -> tuple[Wanted, ...]:
    """What a command lists before it answers; `more` are resources that the user's files make it look for."""
    essential = _ESSENTIAL.get(command, ())
    named = [plural for plural in _READ_BY[command] if plural != "events"]
    found = [Wanted(resource(plural), "essential" if plural in essential else "helpful") for plural in named]
    known = {one.resource for one in found}
    return (*found, *(Wanted(one, "helpful") for one in dict.fromkeys(more) if one not in known))


def groups_of(wanted: Iterable[Wanted]) -> frozenset[str]:
    """The API groups that must be asked what they serve."""
    return frozenset(one.resource.group for one in wanted) | {"resource.k8s.io"}
