"""Recorded requests to an API server, and what dravite answers to them."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from dravite.admission.admin_access import why_no_admin_access
from dravite.admission.reading import in_namespace, with_metadata
from dravite.api.codec import Decoded, decode
from dravite.api.convert import to_hub
from dravite.api.defaults import default
from dravite.api.document import Document, Origin
from dravite.api.field import FieldError
from dravite.api.field_text import cause_message
from dravite.api.gated_fields import drop_gated
from dravite.api.registry import lookup
from dravite.api.releases import Profile, profile
from dravite.api.resource_v1 import ResourceClaim, ResourceClaimTemplate
from dravite.validation import why_not_create
from dravite.validation.versions import at_version

FILE = Path(__file__).parent.parent / "vectors" / "validation" / "create.jsonl.gz"
NAMESPACES: Mapping[str, Mapping[str, str]] = {
    "default": {},
    "admin": {"resource.kubernetes.io/admin-access": "true"},
    "admin-false": {"resource.kubernetes.io/admin-access": "True"},
}
GATES = {
    "default": "",
    "all": "AllAlpha=true,DRAFractionalCapacityRange=true,GenericWorkload=true,DRAWorkloadResourceClaims=true",
    "few": "DRAPartitionableDevices=false,DRADeviceTaints=false,DRADeviceTaintRules=false,"
    "DRAConsumableCapacity=false,DRAFractionalCapacityRange=false,DRADeviceBindingConditions=false",
}
REPEATED = re.compile(r"⟨(.+?)\*(\d+)⟩")


class Answer(NamedTuple):
    code: int
    causes: tuple[tuple[str, str, str], ...] = ()
    unknown: tuple[str, ...] = ()


@cache
def lines() -> Mapping[tuple[str, str, str], tuple[Mapping[str, Any], ...]]:
    """All lines, by apiVersion, kind and profile."""
    found: dict[tuple[str, str, str], list[Mapping[str, Any]]] = {}
    for text in gzip.decompress(FILE.read_bytes()).decode().splitlines():
        line = json.loads(text)
        found.setdefault((line["apiVersion"], line["kind"], line["profile"]), []).append(line)
    return {key: tuple(value) for key, value in found.items()}


@cache
def named_profile(name: str) -> Profile:
    made = profile("1.37", GATES[name])
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
    return REPEATED.sub(lambda m: m.group(1) * int(m.group(2)), value) if isinstance(value, str) else value


def answer(line: Mapping[str, Any]) -> Answer:
    """What a server made of dravite's rules would say to the request of a line."""
    body, chosen = expand(line["object"]), named_profile(line["profile"])
    version, kind = line["apiVersion"], line["kind"]
    if (body.get("kind") or kind, body.get("apiVersion") or version) != (kind, version):
        return Answer(400)
    info = lookup(version, kind)
    assert info is not None
    body = {**body, "apiVersion": version, "kind": kind}
    namespace = (body.get("metadata") or {}).get("namespace")
    if info.scope == "Namespaced" and namespace not in (None, "", *NAMESPACES):
        return Answer(400)
    raw = msgspec.json.encode(body)
    decoded = decode(Document(origin=Origin("x", 1), api_version=version, kind=kind, body=raw))
    if not isinstance(decoded, Decoded):
        return Answer(400)
    unknown = tuple(f'unknown field "{field.path}"' for field in decoded.unknown)
    obj, _ = drop_gated(to_hub(default(decoded.object, chosen)).object, chosen)
    obj = in_namespace(obj, info, "default")
    obj = with_metadata(obj, msgspec.structs.replace(obj.metadata, uid=""))  # type: ignore[attr-defined]
    errors = at_version((*_admin(obj, chosen), *why_not_create(obj, chosen)), version)
    causes = tuple((error.type.value, error.field, cause_message(error)) for error in errors)
    return Answer(422, causes, unknown) if causes else Answer(201, (), unknown)


def _admin(obj: object, chosen: Profile) -> tuple[FieldError, ...]:
    if not isinstance(obj, ResourceClaim | ResourceClaimTemplate):
        return ()
    found = why_no_admin_access(obj, NAMESPACES, chosen)
    return (found,) if isinstance(found, FieldError) else ()
