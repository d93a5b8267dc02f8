"""Replaying recorded requests against a server of ours, step by step, and naming the steps that differ.

Uids, resource versions and times are placeholders in a recording: what they stand for here is learned from the
answers. Writes that a recording only describes are done where its README says that they were.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from conformance.likeness import Likeness
from dravite.api.releases import Profile, profile
from dravite.apiserver import ApiServer, Settings
from dravite.apiserver.asgi import render
from dravite.apiserver.backend import Response, Watch
from dravite.apiserver.requests import Request, parse_query
from dravite.apiserver.streams import Lines
from dravite.store import Compacted, Store

_PLACEHOLDER: Final = re.compile(r"<(?:uid|rv)-\d+>")
_LABELS: Final = {"c": {"app": "y"}, "d": {"app": "y"}}
_DRA_OF_1_37: Final = (
    *("DRADerivedAttributes", "DRADeviceCompatibilityGroups", "DRAFractionalCapacityRange"),
    *("DRAListTypeAttributes", "DRANodeAllocatableResources", "DRAOptionalNodeOperations"),
    *("DRAPartitionableDevicesType", "DRAResourcePoolStatus", "DRAWorkloadResourceClaims"),
    *("GenericWorkload", "CompositePodGroup", "PodGroupPreemptionPolicy"),
    *("TopologyAwareWorkloadScheduling", "WorkloadWithJob"),
)

ALL_GATES: Final[Mapping[str, str]] = {
    "1.37": ",".join(f"{gate}=true" for gate in _DRA_OF_1_37),
    "1.36": "AllAlpha=true,AllBeta=true",
    "1.31": "AllAlpha=true,AllBeta=true",
}
"""What was on in the servers that were recorded with all gates."""

_HOST: Final = "127.0.0.1:18443"


class Step(msgspec.Struct, frozen=True):
    """One recorded request and how our answer differs; nothing where it does not."""

    what: str
    differences: tuple[str, ...]


class Recorded(msgspec.Struct, frozen=True):
    """The server that was recorded: its release, and whether all gates and versions were on."""

    release: str
    everything: bool = True


def is_transcript(value: Any) -> bool:
    """Whether a JSON value is a recording of requests that can be replayed."""
    return isinstance(value, dict) and isinstance(value.get("steps"), list) and "request" in (value["steps"] or [{}])[0]


def replay(recording: Mapping[str, Any], recorded: Recorded) -> Iterator[Step]:
    """Every step of a recording, replayed on a fresh server.

    Raises:
        LookupError: there is no such release.
    """
    made = profile(recorded.release, ALL_GATES.get(recorded.release, "") if recorded.everything else "")
    if not isinstance(made, Profile):
        message = f"no such release: {recorded.release}"
        raise LookupError(message)
    settings = Settings(profile=made, enabled=None if recorded.everything else frozenset())
    player = _Player(ApiServer(Store(), settings), recording)
    for step in recording["steps"]:
        yield player.play(step)


class _Player:
    """A server and what its placeholders stand for."""

    def __init__(self, server: ApiServer, recording: Mapping[str, Any]) -> None:
        self.server = server
        self.likeness = Likeness()
        self.recording = recording
        self.first: dict[str, Any] | None = None
        self.what = ""

    def play(self, step: Mapping[str, Any]) -> Step:
        what, asked, wanted = step["what"], step["request"], step["response"]
        self.what = what
        self._before(what, step)
        request = self._request(asked, what)
        answer = self.server.handle(request)
        if isinstance(answer, Watch):
            events = self._watched(answer, what, asked)
            differences = self.likeness.watch(wanted, events)
        else:
            got, headers, body = render(answer, request)
            differences = self.likeness.response(wanted, got, headers, body)
            if "<hash>" in json.dumps(wanted) and headers.get("etag"):
                self.likeness.known["<hash>"] = headers["etag"].strip('"')
        if what == "create with a uid of one's own":
            self._ask("DELETE", f"{asked['path']}/own")
        return Step(what, tuple(differences))

    def _before(self, what: str, step: Mapping[str, Any]) -> None:
        """Writes that the recording only describes."""
        asked = step["request"]
        if what == "list at the start":
            for item in step["response"]["body"]["items"]:
                self._ask("POST", asked["path"], {**item, "metadata": {"name": item["metadata"]["name"]}})
        if what == "create" and asked["method"] == "POST":
            self.first = asked["body"]
        if self.first is None:
            return
        path = asked["path"]
        if what == "list" and "query" not in asked:
            for name in "cd":
                self._ask("POST", path, self._copy(name, _LABELS[name]))
        if what == "delete an object with a finalizer":
            self._ask("PATCH", path, {"metadata": {"finalizers": ["example.com/hold"]}})

    def _copy(self, name: str, labels: Mapping[str, str] | None) -> dict[str, Any]:
        assert self.first is not None
        meta = {key: value for key, value in self.first["metadata"].items() if key != "labels"}
        meta["name"] = name
        return {**self.first, "metadata": {**meta, "labels": labels} if labels else meta}

    def _watched(self, watch: Watch, what: str, asked: Mapping[str, Any]) -> list[Any]:
        """The events of a watch during which things happen."""
        lines = Lines(self.server.backend, watch)
        data = b"".join(lines.initial())
        self._meanwhile(what, asked["path"])
        found = self.server.store.events(watch.target.kind.resource, watch.since)
        if isinstance(found, Compacted):
            data += lines.expired(watch.since, found.oldest)
        else:
            data += b"".join(lines.following(found))
        return [json.loads(line) for line in data.splitlines()]

    def _meanwhile(self, what: str, path: str) -> None:
        if what.endswith("a is labelled, w is created and deleted"):
            self._ask("PATCH", f"{path}/a", {"metadata": {"labels": {"app": "z"}}})
            self._ask("POST", path, self._copy("w", None))
            self._ask("DELETE", f"{path}/w")
            self._ask("PATCH", f"{path}/w", {"metadata": {"finalizers": None}})
        if what.endswith("c leaves it, changes outside, comes back"):
            for word in "qry":
                self._ask("PATCH", f"{path}/c", {"metadata": {"labels": {"app": word}}})

    def _ask(self, method: str, path: str, body: Any = None) -> bytes:
        media = "application/merge-patch+json" if method == "PATCH" else "application/json"
        headers = {"content-type": media, "user-agent": "recorder"}
        data = b"" if body is None else msgspec.json.encode(body)
        request = Request(method=method, path=path, headers=headers, body=data)
        answer = self.server.handle(request)
        assert isinstance(answer, Response)
        return render(answer, request)[2]

    def _request(self, asked: Mapping[str, Any], what: str) -> Request:
        path, _, inline = asked["path"].partition("?")
        query = dict(parse_query(inline))
        for name, value in asked.get("query", {}).items():
            query[name] = tuple(self._text(item, what) for item in (value if isinstance(value, list) else [value]))
        headers = {"user-agent": "recorder", "accept": "application/json", "host": _HOST}
        if asked["path"].startswith("/openapi/v2"):
            headers.pop("accept")
        body = self._body(asked)
        if body:
            headers["content-type"] = "application/json"
        for name, value in asked.get("headers", {}).items():
            if value is None:
                headers.pop(name.lower(), None)
            else:
                headers[name.lower()] = self.likeness.known.get(value, value)
        return Request(method=asked["method"], path=self._filled(path), query=query, headers=headers, body=body)

    def _body(self, asked: Mapping[str, Any]) -> bytes:
        if "rawBody" in asked:
            return self._filled(asked["rawBody"]).encode()
        return self._filled(json.dumps(asked["body"])).encode() if "body" in asked else b""

    def _text(self, value: Any, what: str) -> str:
        if isinstance(value, dict):
            token = json.loads(self._filled(json.dumps(value["$base64json"])))
            if isinstance(token["rv"], str):
                token["rv"] = int(token["rv"])
            return base64.urlsafe_b64encode(json.dumps(token).encode()).decode().rstrip("=")
        if what == "watch from resourceVersion 1":
            self.likeness.known.setdefault(value, "1")
        return self._filled(str(value))

    def _filled(self, text: str) -> str:
        """The text with what its placeholders stand for; an unknown one is learned to be the newest revision."""
        text = text.replace("<hash>", self.likeness.known.get("<hash>", ""))
        return _PLACEHOLDER.sub(self._known, text).replace("<time>", "2025-01-01T00:00:00Z")

    def _known(self, match: re.Match[str]) -> str:
        newest = "1" if self.what.endswith("stale") else str(self.server.store.revision)
        return self.likeness.known.setdefault(match.group(), newest)
