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
from conformance.states import making_states, shows_states
from dravite.api.releases import Profile, profile
from dravite.apiserver import ApiServer, Settings
from dravite.apiserver.answers import render
from dravite.apiserver.asgi import UNAUTHORIZED
from dravite.apiserver.backend import Response, Watch
from dravite.apiserver.identity import ADMIN, ANONYMOUS, User
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

_MINUTE: Final = 60
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
    controls_access = any("granular" in step["what"] for step in recording["steps"])
    enabled = None if recorded.everything else frozenset[str]()
    settings = Settings(profile=made, enabled=enabled, controls_access=controls_access)
    player = _Player(ApiServer(Store(), settings), recording)
    if shows_states(recording):
        for method, path, body in making_states(recording, recorded.release):
            player.ask(method, path, body)
    for step in recording["steps"]:
        yield player.play(step)


_SUBJECTS: Final = [
    {"kind": "User", "name": "reader"},
    {"kind": "ServiceAccount", "name": "driver", "namespace": "default"},
]


def _user(what: str) -> User | None:
    """Who asked; None for somebody with a wrong token."""
    if what == "as a wrong token":
        return None
    if what.startswith("as nobody"):
        return ANONYMOUS
    if "by service account" in what:
        node = "" if "unbound" in what else "n1"
        return User("system:serviceaccount:default:driver", node=node)
    return User("reader") if what.startswith(("as user reader", "granular")) else ADMIN


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
        user = _user(what)
        if user is None:
            answer: Response | Watch = UNAUTHORIZED
        else:
            answer = self.server.handle(msgspec.structs.replace(request, user=user))
        if isinstance(answer, Watch):
            events = self._watched(answer, what, asked)
            differences = self.likeness.watch(wanted, events)
        else:
            got, headers, body = render(answer, request)
            differences = self.likeness.response(wanted, got, headers, body)
            if "<hash>" in json.dumps(wanted) and headers.get("etag"):
                self.likeness.known["<hash>"] = headers["etag"].strip('"')
        if what == "create with a uid of one's own":
            self.ask("DELETE", f"{asked['path']}/own")
        return Step(what, tuple(differences))

    def _before(self, what: str, step: Mapping[str, Any]) -> None:
        """Writes that the recording only describes."""
        asked = step["request"]
        if what == "list at the start":
            for item in step["response"]["body"]["items"]:
                self.ask("POST", asked["path"], {**item, "metadata": {"name": item["metadata"]["name"]}})
        if what == "create" and asked["method"] == "POST":
            self.first = asked["body"]
        if "granular" in what:
            self._claim_with_roles(step)
        if what == "list, exact resourceVersion that was compacted":
            self._grow_old()
        if self.first is None:
            return
        path = asked["path"]
        if what == "list" and "query" not in asked:
            for name in "cd":
                self.ask("POST", path, self._copy(name, _LABELS[name]))
        if what == "delete an object with a finalizer":
            self.ask("PATCH", path, {"metadata": {"finalizers": ["example.com/hold"]}})

    def _claim_with_roles(self, step: Mapping[str, Any]) -> None:
        """The claim that a user without rights of his own then writes the status of; it is a new one each time."""
        self.likeness.known.clear()
        claims = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims"
        request = {"name": "r", "exactly": {"deviceClassName": "c"}}
        self.ask("DELETE", f"{claims}/g")
        self.ask("POST", claims, {"metadata": {"name": "g"}, "spec": {"devices": {"requests": [request]}}})
        if "stored status" in step:
            self.ask("PATCH", f"{claims}/g/status", {"status": step["stored status"]})
        own = {"apiGroups": ["resource.k8s.io"], "resources": ["resourceclaims/status"], "verbs": ["*"]}
        rules = {"rules": [own, *step.get("rules beyond resourceclaims/status", ())]}
        roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles"
        binding = {"roleRef": {"kind": "ClusterRole", "name": "r"}, "subjects": _SUBJECTS}
        for path, body in ((roles, rules), (roles.replace("roles", "rolebindings"), binding)):
            self.ask("DELETE", f"{path}/r")
            self.ask("POST", path, {"metadata": {"name": "r"}, **body})

    def _grow_old(self) -> None:
        """A store that has forgotten its beginning, with some claims in it."""
        claims = "/apis/resource.k8s.io/v1/namespaces/kube-system/resourceclaims"
        for name, size in (("a", 90_000), ("b", 0), ("g0", 90_000)):
            annotations = {"annotations": {"a": "x" * size}} if size else {}
            self.ask("POST", claims, {"metadata": {"name": name, **annotations}})
        revision = self.server.store.revision
        self.server.store.compact(revision)
        self.likeness.known |= {"<rv-1>": "5", "<rv-3>": str(revision - 1), "<rv-4>": "99999999"}

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
        if watch.bookmarks and watch.seconds > _MINUTE:
            data += lines.bookmark(watch.since)
        return [json.loads(line) for line in data.splitlines()]

    def _meanwhile(self, what: str, path: str) -> None:
        if what.endswith("a is labelled, w is created and deleted"):
            self.ask("PATCH", f"{path}/a", {"metadata": {"labels": {"app": "z"}}})
            self.ask("POST", path, self._copy("w", None))
            self.ask("DELETE", f"{path}/w")
            self.ask("PATCH", f"{path}/w", {"metadata": {"finalizers": None}})
        if what.endswith("c leaves it, changes outside, comes back"):
            for word in "qry":
                self.ask("PATCH", f"{path}/c", {"metadata": {"labels": {"app": word}}})

    def ask(self, method: str, path: str, body: Any = None) -> bytes:
        """The body of an answer to a request that no step is."""
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
        agent = "python-requests" if what.startswith("granular") else "recorder"
        headers = {"user-agent": agent, "accept": "application/json", "host": _HOST}
        if asked["path"].startswith("/openapi/v2"):
            headers.pop("accept")
        body = self._body(asked)
        if body:
            headers["content-type"] = "application/json"
        if self.what.startswith("JSON patch of 10001"):
            headers["content-type"] = "application/json-patch+json"
        for name, value in asked.get("headers", {}).items():
            if value is None:
                headers.pop(name.lower(), None)
            else:
                headers[name.lower()] = self.likeness.known.get(value, value)
        return Request(method=asked["method"], path=self._filled(path), query=query, headers=headers, body=body)

    def _body(self, asked: Mapping[str, Any]) -> bytes:
        if self.what.startswith("create, body over"):
            return json.dumps({"metadata": {"name": "big", "annotations": {"a": "x" * ((3 << 20) + 100)}}}).encode()
        if self.what.startswith("JSON patch of 10001"):
            return json.dumps([{"op": "test", "path": "/kind", "value": "x"}] * 10_001).encode()
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
