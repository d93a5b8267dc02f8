"""What Kubernetes writes even where nothing is set: empty objects and nulls, by kind and version.

dravite's types leave out what is not set; a server's answers do not in a few places, and clients see it. A skeleton
says what must be there: an object is made where it is missing, None is written as null, `[]` stands for every item
of a list. Source: answers of 1.31.14, 1.36.5 and 1.37.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

Skeleton = Mapping[str, Any]

_REQUESTS: Final[Skeleton] = {"devices": {"requests": None}}
_CLAIM_STATUS: Final[Skeleton] = {"devices": {"[]": {"conditions": None}, "?": True}}
_CLAIM: Final[Skeleton] = {"spec": _REQUESTS, "status": {"devices": _CLAIM_STATUS["devices"]}}
_TEMPLATE: Final[Skeleton] = {"spec": {"metadata": {}, "spec": _REQUESTS}}
_GROUP_TEMPLATES: Final[Skeleton] = {"[]": {"schedulingConstraints": None}}

_SKELETONS: Final[Mapping[tuple[str, str], Skeleton]] = {
    # kind and version; `*` for all others
    ("DeviceClass", "*"): {"spec": {}},
    ("DeviceTaintRule", "*"): {"spec": {"taint": {}}, "status": {}},
    ("ResourceClaim", "*"): _CLAIM,
    ("ResourceClaim", "v1alpha3"): {"spec": {"devices": {}}, "status": {}},
    ("ResourceClaimTemplate", "*"): _TEMPLATE,
    ("ResourceClaimTemplate", "v1alpha3"): {"spec": {"metadata": {"creationTimestamp": None}, "spec": {"devices": {}}}},
    ("ResourceSlice", "*"): {"spec": {"pool": {}}},
    ("ResourceSlice", "v1alpha3"): {"spec": {"pool": {}, "devices": None}},
    ("ResourcePoolStatusRequest", "*"): {"spec": {}},
    ("PodSchedulingContext", "*"): {"spec": {}, "status": {}},
    ("Workload", "*"): {"spec": {"podGroupTemplates": _GROUP_TEMPLATES}},
    ("PodGroup", "*"): {"spec": {"schedulingPolicy": {}}, "status": {}},
    ("PodGroup", "v1alpha2"): {"spec": {"podGroupTemplateRef": None, "schedulingPolicy": {}}, "status": {}},
    ("CompositePodGroup", "*"): {"spec": {"workloadRef": None, "schedulingPolicy": {}}, "status": {}},
    ("CustomResourceDefinition", "*"): {"spec": {}, "status": {}},
}
_OMITTED: Final[Mapping[str, tuple[str, ...]]] = {"ResourceSlice": ("devices", "sharedCounters")}
"""Lists of a specification that are left out where they hold nothing, though it counts that they were sent."""


def complete(plain: dict[str, Any], kind: str, version: str) -> dict[str, Any]:
    """Write what is missing into an object of a kind, in place; gives the object."""
    plain.setdefault("metadata", {})
    for name in _OMITTED.get(kind, ()):
        if plain["spec"].get(name) == []:
            del plain["spec"][name]
    skeleton = _SKELETONS.get((kind, version)) or _SKELETONS.get((kind, "*"))
    if skeleton is not None:
        _fill(plain, skeleton)
    return plain


def _fill(plain: dict[str, Any], skeleton: Skeleton) -> None:
    for name, inner in skeleton.items():
        value = plain.get(name)
        if inner is None:
            plain.setdefault(name, None)
        elif "[]" in inner:
            if not value and "?" not in inner:
                plain[name] = None
            for item in value or ():
                _fill(item, inner["[]"])
        else:
            if value is None:
                value = plain[name] = {}
            _fill(value, inner)
