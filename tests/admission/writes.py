"""Requests to a server, as tests write them: YAML in, the answer out."""

from __future__ import annotations

import msgspec
import yaml

from dravite.admission.plugins import InSight
from dravite.admission.refusals import Refused
from dravite.admission.requests import Accepted, Verb, Write, judge
from dravite.api.meta import Model
from dravite.api.releases import Profile, profile

NOW = "2026-01-01T00:00:00Z"
HERE = InSight(namespaces={"default": {}})


def server(release: str = "1.37", gates: str = "") -> Profile:
    found = profile(release, gates)
    assert isinstance(found, Profile)
    return found


def written(text: str, verb: Verb = "create", old: Model | None = None) -> Write:
    """The request that writes an object; names are those of the text."""
    raw = yaml.safe_load(text)
    meta = raw["metadata"]
    namespaced = raw["kind"] not in ("DeviceClass", "DeviceTaintRule", "ResourceSlice", "PriorityClass")
    return Write(
        verb=verb,
        api_version=raw["apiVersion"],
        kind=raw["kind"],
        namespace="default" if namespaced else "",
        name="" if verb == "create" else meta["name"],
        body=msgspec.json.encode(raw),
        old=old,
    )


def stored(text: str, profile: Profile, in_sight: InSight = HERE) -> Model:
    """The object as it would be stored, with the version 1."""
    answer = judge(written(text), in_sight, profile, NOW)
    assert isinstance(answer, Accepted), answer
    obj = answer.object
    meta = msgspec.structs.replace(obj.metadata, resource_version="1", uid="u")  # type: ignore[attr-defined]
    return msgspec.structs.replace(obj, metadata=meta)


def faults(answer: Accepted | Refused) -> list[str]:
    """The causes of a 422 as `field: sentence`; nothing for what is accepted."""
    if isinstance(answer, Accepted):
        return []
    assert answer.code == 422, answer
    return [f"{error.field}: {error.type.value}" for error in answer.errors]
