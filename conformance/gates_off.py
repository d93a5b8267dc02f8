"""Objects that were stored while gates were on, and a server whose gates are off: replays recordings of that.

A line holds the stored object, and the answers to an update of a label, to creating the same object again, and for
claims of 1.31 to four updates of the status. Requests that were not written down are told by their names.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from conformance.validate import CURRENT, NOW, in_sight_of, named_profile, shown, stored
from conformance.validate_check import compare
from dravite.admission.bodies import Body, read_body
from dravite.admission.identities import metadata_of
from dravite.admission.requests import Verb, Write, judge
from dravite.api.codec import encode
from dravite.api.meta import Model
from dravite.api.registry import KindInfo, known_kind
from dravite.api.releases import Profile

_UPDATE: Final = "update of a label"
_CREATE: Final = "the same object created now"
_RESULT: Final = {"request": "r", "driver": "d.example.com", "pool": "p", "device": "dev"}
_ALLOCATION: Final = {"devices": {"results": [_RESULT]}, "controller": "a.example.com"}


def differences(line: Mapping[str, Any], release: str = "1.37") -> list[str]:
    """What differs between the recorded answers of a line and ours."""
    chosen = named_profile(release, line["gates now"])
    info = known_kind(line["apiVersion"].rpartition("/")[0], line["kind"])
    assert info is not None, line["kind"]
    old = stored(line["stored"], line["apiVersion"], info, chosen)
    found = []
    for name, verb, body in _requests(line):
        write = _write(line, info, verb, body, None if verb == "create" else old)
        answer = shown(judge(write, in_sight_of(release), chosen, NOW), write)
        expected = _as_read(line[name], line, info, chosen)
        found += [f"{name}: {text}" for text in compare(expected, answer)]
    return found


def _requests(line: Mapping[str, Any]) -> Iterator[tuple[str, Verb, Mapping[str, Any]]]:
    body = line["stored"]
    meta = body["metadata"]
    current = {**meta, "resourceVersion": CURRENT}
    yield _UPDATE, "update", {**body, "metadata": {**current, "labels": {"a": "b"}}}
    yield _CREATE, "create", {**body, "metadata": {**meta, "name": "new"}}
    status = body.get("status") or {}
    for name, sent in (
        ("status: allocation cleared", {}),
        ("status: allocated", {"allocation": _ALLOCATION}),
        ("status: deallocation requested", {**status, "deallocationRequested": "allocation" in status}),
        ("status: sent back as it is", status),
    ):
        if name in line:
            yield name, "update status", {**body, "metadata": current, "status": sent}


def _write(line: Mapping[str, Any], info: KindInfo, verb: Verb, body: Any, old: Model | None) -> Write:
    return Write(
        verb=verb,
        api_version=line["apiVersion"],
        kind=info.kind,
        namespace=body["metadata"].get("namespace", ""),
        name=metadata_of(old).name if old is not None else "",
        body=json.dumps(body, separators=(",", ":")).encode(),
        old=old,
    )


def _as_read(answer: Mapping[str, Any], line: Mapping[str, Any], info: KindInfo, chosen: Profile) -> Mapping[str, Any]:
    """A recorded answer; of a pod only what dravite reads of pods."""
    if info.kind != "Pod" or "object" not in answer:
        return answer
    read = read_body(json.dumps(answer["object"]).encode(), line["apiVersion"], info, chosen)
    assert isinstance(read, Body), read
    return {**answer, "object": json.loads(encode(read.object))}
