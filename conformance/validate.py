"""Requests to an API server: answers them as the recordings have them, and compares the two.

A request is a JSON object with `verb`, `apiVersion`, `kind` (or `endpoint`), `profile`, `object` and, for updates,
`old`. Other objects of the recorded clusters are built in: namespaces, nodes, priority classes, a Workload.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec

from dravite.admission.bodies import Body, read_body
from dravite.admission.identities import metadata_of
from dravite.admission.internal import from_internal, to_internal
from dravite.admission.plugins import InSight
from dravite.admission.reading import with_metadata
from dravite.admission.refusals import Refused
from dravite.admission.requests import Accepted, Write, judge
from dravite.admission.server_warnings import told as sent
from dravite.api import scheduling_v1alpha2
from dravite.api.codec import encode, from_plain
from dravite.api.core_v1 import Node
from dravite.api.defaults import default
from dravite.api.field_text import cause_message
from dravite.api.meta import Model
from dravite.api.registry import KindInfo, known_kind
from dravite.api.releases import Profile, profile
from dravite.api.scheduling_v1 import PriorityClass
from dravite.validation.metadata import DRAWN as UNDRAWN

Answer = dict[str, Any]

CURRENT: Final = "<current>"
NOW: Final = "<now>"
DRAWN: Final = "<5>"


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_ALL: Final = _words(
    """
    DRADerivedAttributes DRADeviceCompatibilityGroups DRAFractionalCapacityRange DRAListTypeAttributes
    DRANodeAllocatableResources DRAOptionalNodeOperations DRAPartitionableDevicesType DRAResourcePoolStatus
    DRAWorkloadResourceClaims GenericWorkload CompositePodGroup PodGroupPreemptionPolicy
    TopologyAwareWorkloadScheduling WorkloadWithJob
    """
)
_ALL_136: Final = _words(
    """
    DRADeviceTaintRules DRAListTypeAttributes DRANodeAllocatableResources DRAResourcePoolStatus
    DRAWorkloadResourceClaims GenericWorkload GangScheduling WorkloadAwarePreemption
    TopologyAwareWorkloadScheduling WorkloadWithJob
    """
)
_OFF: Final = _words(
    """
    DRAPartitionableDevices DRADeviceTaints DRADeviceTaintRules DRAConsumableCapacity DRADeviceBindingConditions
    DRAResourceClaimGranularStatusAuthorization
    """
)

GATES: Final[Mapping[tuple[str, str], tuple[Sequence[str], Sequence[str]]]] = {
    # release and profile: gates that are on, gates that are off; all others as in a stock cluster
    ("1.37", "default"): ((), ()),
    ("1.37", "all"): (_ALL, ()),
    ("1.37", "few"): (("GenericWorkload",), (*_OFF, "DRAFractionalCapacityRange")),
    ("1.37", "workload gate off"): ((), (*_OFF, "DRAFractionalCapacityRange")),
    ("1.36", "default"): ((), ()),
    ("1.36", "all"): (_ALL_136, ()),
    ("1.36", "few"): (("GenericWorkload",), _OFF),
    ("1.31", "structured"): (("DynamicResourceAllocation",), ()),
    ("1.31", "all"): (("DynamicResourceAllocation", "DRAControlPlaneController"), ()),
}

NAMESPACES: Final[Mapping[str, Mapping[str, str]]] = {
    "default": {},
    "admin": {"resource.kubernetes.io/admin-access": "true"},
    "admin-false": {"resource.kubernetes.io/admin-access": "True"},
}
_ELSEWHERE: Final = "kube-system"
"""A namespace that bodies name and no request was sent to."""

_FEATURES: Final = ["DRANodeAllocatableResources", "DRAOptionalNodeOperations"]
_NODES: Final = (
    {"metadata": {"name": "n"}, "status": {"declaredFeatures": _FEATURES}},
    {"metadata": {"name": "plain"}},
)
_CLASSES: Final = (
    {"metadata": {"name": "high"}, "value": 1000, "preemptionPolicy": "PreemptLowerPriority"},
    {"metadata": {"name": "never"}, "value": 500, "preemptionPolicy": "Never"},
)
_GLOBAL: Final = {
    "metadata": {"name": "globaldef"},
    "value": 7,
    "globalDefault": True,
    "preemptionPolicy": "PreemptLowerPriority",
}
_WORKLOAD: Final = {
    "metadata": {"name": "w", "namespace": "default"},
    "spec": {
        "podGroupTemplates": [
            {"name": "t", "schedulingPolicy": {"gang": {"minCount": 2}}},
            {"name": "u", "schedulingPolicy": {"basic": {}}},
        ]
    },
}
_SAYS_GLOBAL: Final = ("globaldef", "second globalDefault")
"""What the name of a line says where the class with `globalDefault` exists."""

_SYSTEM: Final = frozenset(("PriorityClass", "", f"system-{part}-critical") for part in ("cluster", "node"))
_LEFT_OVER: Final = ("PriorityClass", "", "pc")
"""In the cluster that profile `default` was recorded in, this class existed."""

_REPEATED: Final = re.compile(r"⟨(.+?)\*(\d+)⟩", re.DOTALL)


def main(arguments: Sequence[str]) -> Iterator[str]:
    """One answer for each request on standard input."""
    parser = argparse.ArgumentParser(prog="conformance validate")
    parser.add_argument("--kubernetes", default="1.37", metavar="RELEASE", help="the release whose server answers")
    release = parser.parse_args(arguments).kubernetes
    for line in sys.stdin:
        if line.strip():
            yield json.dumps(answer(json.loads(line), release), ensure_ascii=False, separators=(",", ":"))


def answer(line: Mapping[str, Any], release: str) -> Answer:
    """What a server made of dravite's rules says to the request of a line."""
    chosen = named_profile(release, line["profile"])
    version, info = line["apiVersion"], endpoint(line)
    if info.type_of(version) is None:
        return {"name": line["name"], "code": 404, "reason": "NotFound", "message": "the server could not find it"}
    old = stored(expand(line["old"]), version, info, chosen) if "old" in line else None
    body = expand(line["object"])
    write = Write(
        verb=line["verb"],
        api_version=version,
        kind=info.kind,
        namespace=_namespace(body, old) if info.scope == "Namespaced" else "",
        name=metadata_of(old).name if old is not None else "",
        body=json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass"),
        old=old,
    )
    found = judge(write, in_sight(line, release), chosen, NOW)
    return {"name": line["name"], **shown(found, write)}


def endpoint(line: Mapping[str, Any]) -> KindInfo:
    """The kind of the address, whatever the body says of itself."""
    info = known_kind(line["apiVersion"].rpartition("/")[0], line.get("endpoint") or line["kind"])
    assert info is not None, line["name"]
    return info


@lru_cache(maxsize=16)
def named_profile(release: str, name: str) -> Profile:
    on, off = GATES[release, name]
    made = profile(release, ",".join([*(f"{gate}=true" for gate in on), *(f"{gate}=false" for gate in off)]))
    assert isinstance(made, Profile), made
    return made


def expand(value: Any) -> Any:
    """A value with its repetitions written out."""
    if isinstance(value, dict):
        if set(value) == {"$repeat"}:
            return value["$repeat"][0] * value["$repeat"][1]
        return {expand(key): expand(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [expand(inner) for inner in value]
    return _REPEATED.sub(lambda m: m.group(1) * int(m.group(2)), value) if isinstance(value, str) else value


def stored(body: Any, version: str, info: KindInfo, chosen: Profile) -> Model:
    """A stored object in the form of the release. Server-made metadata was left out of the recording."""
    read = read_body(json.dumps(body).encode(), version, info, chosen)
    assert isinstance(read, Body), read
    obj = to_internal(default(read.object, chosen, NOW), chosen)
    return with_metadata(obj, msgspec.structs.replace(metadata_of(obj), resource_version=CURRENT))


def _namespace(body: Any, old: Model | None) -> str:
    if old is not None:
        return metadata_of(old).namespace
    meta = body.get("metadata") if isinstance(body, dict) else None
    named = meta.get("namespace") if isinstance(meta, dict) else None
    return named if isinstance(named, str) and named not in ("", _ELSEWHERE) else "default"


def in_sight(line: Mapping[str, Any], release: str) -> InSight:
    """The other objects of the cluster that a line was recorded in."""
    around = in_sight_of(release)
    if any(words in line["name"] for words in _SAYS_GLOBAL):
        default_class = _typed(_GLOBAL, PriorityClass)
        around = msgspec.structs.replace(around, priority_classes=(*around.priority_classes, default_class))
    if (release, line["profile"]) == ("1.37", "default"):
        around = msgspec.structs.replace(around, taken=around.taken | {_LEFT_OVER})
    return around


@lru_cache(maxsize=8)
def in_sight_of(release: str) -> InSight:
    """The other objects that all recorded clusters of a release had."""
    workload = _typed(_WORKLOAD, scheduling_v1alpha2.Workload)
    return InSight(
        namespaces=NAMESPACES,
        nodes=tuple(_typed(node, Node) for node in _NODES),
        priority_classes=tuple(_typed(item, PriorityClass) for item in _CLASSES),
        workloads={("default", "w"): workload} if release == "1.36" else {},
        taken=_SYSTEM,
    )


def _typed(raw: Mapping[str, Any], model: type[Any]) -> Any:
    made = from_plain(raw, model)
    assert isinstance(made, model), made
    return made


def shown(found: Accepted | Refused, write: Write) -> Answer:
    """An answer as recordings write it down."""
    warnings = [text.replace("\\", "\\\\").replace('"', '\\"') for text in sent(found.warnings)]
    told = {"warnings": warnings} if warnings else {}
    if isinstance(found, Refused):
        causes = [
            {"reason": error.type.value, "field": error.field, "message": cause_message(error)}
            for error in found.errors
        ]
        listed = {"causes": causes} if causes else {}
        return {"code": found.code, "reason": found.reason, "message": found.message, **listed, **told}
    obj = json.loads(encode(from_internal(found.object, write.api_version)))
    meta = obj["metadata"]
    if meta.get("name", "").endswith(UNDRAWN) and meta.get("generateName"):
        meta["name"] = meta["name"].removesuffix(UNDRAWN) + DRAWN
    for name in ("uid", "resourceVersion", "creationTimestamp"):
        meta.pop(name, None)
    return {"code": 201 if write.verb == "create" else 200, "object": obj, **told}
