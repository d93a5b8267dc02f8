"""Objects that were created in one version and read in every other: replays recordings of that.

A line holds `createdIn`, `object`, `status` where one was written afterwards, and `readIn`: the answer by version.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from conformance.validate import NOW, expand, in_sight_of, named_profile
from conformance.validate_check import dense, unlike
from dravite.admission.bodies import Body, read_body
from dravite.admission.identities import metadata_of
from dravite.admission.internal import from_internal, to_internal
from dravite.admission.plugins import changed_by_plugins
from dravite.admission.preparation import prepare_create
from dravite.admission.reading import with_metadata
from dravite.api.codec import encode
from dravite.api.defaults import default
from dravite.api.meta import Model
from dravite.api.registry import known_kind
from dravite.api.releases import Profile

PROFILE = "all"


def differences(line: Mapping[str, Any], release: str = "1.37") -> list[str]:
    """What differs between what was read in some version and what we make of the object."""
    chosen = named_profile(release, PROFILE)
    stored = _stored(line, chosen)
    return [text for version, expected in line["readIn"].items() for text in _read(stored, version, expected, chosen)]


def _stored(line: Mapping[str, Any], chosen: Profile) -> Model:
    made = changed_by_plugins(_internal(line["object"], line, chosen), in_sight_of(chosen.release), chosen)
    assert not isinstance(made, str), made
    made = prepare_create(made, chosen, "")
    if "status" not in line:
        return made
    written = _internal({**line["object"], "status": line["status"]}, line, chosen)
    return msgspec.structs.replace(made, status=written.status)  # type: ignore[attr-defined]


def _internal(body: Any, line: Mapping[str, Any], chosen: Profile) -> Model:
    version = line["createdIn"]
    info = known_kind(version.rpartition("/")[0], line["kind"])
    assert info is not None, line["kind"]
    read = read_body(json.dumps(expand(body), separators=(",", ":")).encode(), version, info, chosen)
    assert isinstance(read, Body), read
    return to_internal(default(read.object, chosen, NOW), chosen)


def _read(stored: Model, version: str, expected: Any, chosen: Profile) -> Iterator[str]:
    """A server defaults what it reads from its storage once more, in the version of the request."""
    found = default(from_internal(stored, version), chosen, NOW)
    meta = msgspec.structs.replace(metadata_of(found), finalizers=())  # the recordings leave out what servers add
    plain = json.loads(encode(with_metadata(found, meta)))
    return (f"{version}: {text}" for text in unlike(dense(expand(expected)), dense(plain)))
