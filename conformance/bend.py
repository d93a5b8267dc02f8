"""Recorded requests, bent at random: `bend [--requests N] [--seed N] [--controllers] FOLDER…`.

Whatever a client sends, no answer may be a fault of the server. The only answer from 500 on is 504, for a revision that
is still to come. With `--controllers` these work on what comes of it, and none may fail. What breaks this is printed;
the last line counts the answers by code.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from dravite.api.releases import Profile, profile
from dravite.apiserver import ApiServer, Settings
from dravite.apiserver.answers import render
from dravite.apiserver.backend import Watch
from dravite.apiserver.requests import Request
from dravite.apiserver.streams import Lines
from dravite.controllers.kubelets import Habits
from dravite.controllers.roster import controllers_for
from dravite.controllers.runner import Runner
from dravite.embedded.in_process import InProcess
from dravite.store import Store

Plain = Mapping[str, Any]

_GATES: Final = "GenericWorkload=true,TopologyAwareWorkloadScheduling=true,CompositePodGroup=true"
_STEPS_EACH: Final = 100
_TOO_NEW: Final = 504
_OURS: Final = 500
_ODD: Final[Sequence[Any]] = (
    *(None, True, 0, -1, 2**63, 1.5, "", "x", "é\0", "1Gi", "0" * 300, "2025-02-30T00:00:00Z", "device.x ="),
    *([], {}, [None], [[]], {"": None}, {"$patch": "delete"}, [{"$patch": "replace"}], [{"name": "a"}, {"name": "a"}]),
    {"$deleteFromPrimitiveList/finalizers": ["a"]},
    {"$setElementOrder/conditions": [{"type": "a"}, None]},
    {"$retainKeys": ["a", 1]},
)
_MERGE: Final = "application/merge-patch+json"
_NAMES: Final = (
    *("foo", "metadata", "spec", "name", "uid", "resourceVersion", "managedFields", "finalizers", "$patch"),
    *("ownerReferences", "labels", "annotations", "generateName", "deletionTimestamp", "status", "kind", "apiVersion"),
)
_QUERY: Final = (
    *("limit", "continue", "labelSelector", "fieldSelector", "resourceVersion", "watch", "dryRun", "fieldManager"),
    *("resourceVersionMatch", "sendInitialEvents", "timeoutSeconds", "allowWatchBookmarks", "force", "pretty"),
    *("fieldValidation", "propagationPolicy", "gracePeriodSeconds", "orphanDependents", "includeObject"),
)
_VALUES: Final = (
    *("", "0", "-1", "x", "All", "a=b", "a in (b)", "a notin (", "99999999999999999999", "metadata.name=a", "\0", "1"),
    *("true", "Exact", "NotOlderThan", "Strict", "Foreground", "Orphan", "e30", "!a,b", "a>1", "metadata.namespace!=x"),
)
_HEADERS: Final = {
    "accept": (
        *("", "*/*", "text/html", "application/json;as=Table;v=v1;g=meta.k8s.io", "application/yaml", ";;;,"),
        *("application/vnd.kubernetes.protobuf", "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"),
    ),
    "content-type": (
        *("", "application/json", "application/yaml", "application/vnd.kubernetes.protobuf", "text/plain", "a;b=c;"),
        *("application/merge-patch+json", "application/json-patch+json", "application/apply-patch+yaml"),
        "application/strategic-merge-patch+json",
    ),
    "impersonate-user": ("", "jane", "system:serviceaccount:default:a", "system:serviceaccount:"),
    "user-agent": ("", "é/1", "x" * 300),
}
_CONTAINER: Final = {"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}}
_POD: Final = {"containers": [_CONTAINER], "resourceClaims": [{"name": "a", "resourceClaimName": "a"}]}
_LABELS: Final = {"matchLabels": {"a": "b"}}
_TEMPLATE: Final = {"metadata": {"labels": {"a": "b"}}, "spec": _POD}
_NAMES_OF_CUSTOM: Final = {"plural": "as", "kind": "A", "singular": "a"}
_CUSTOM: Final = {
    "spec": {
        "group": "b.c",
        "names": _NAMES_OF_CUSTOM,
        "scope": "Namespaced",
        "versions": [{"name": "v1", "served": True, "storage": True}],
    }
}
_PLAIN: Final[Sequence[tuple[str, Any]]] = (
    ("/api/v1/namespaces/default/pods", {"spec": _POD, "status": {"phase": "Running", "conditions": []}}),
    ("/api/v1/namespaces/default/serviceaccounts", {"secrets": [{"name": "s"}]}),
    ("/api/v1/namespaces", {"spec": {"finalizers": ["kubernetes"]}}),
    ("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", _CUSTOM),
    ("/api/v1/nodes", {"spec": {}, "status": {"addresses": [{"type": "InternalIP", "address": "1.2.3.4"}]}}),
    ("/api/v1/namespaces/default/resourcequotas", {"spec": {"hard": {"count/resourceclaims.resource.k8s.io": "9"}}}),
    ("/api/v1/namespaces/default/events", {"involvedObject": {"kind": "Pod", "name": "a"}, "message": "m"}),
    ("/apis/apps/v1/namespaces/default/deployments", {"spec": {"selector": _LABELS, "template": _TEMPLATE}}),
    ("/apis/batch/v1/namespaces/default/jobs", {"spec": {"completions": 2, "template": _TEMPLATE}, "status": {}}),
    ("/apis/policy/v1/namespaces/default/poddisruptionbudgets", {"spec": {"maxUnavailable": 0, "selector": _LABELS}}),
    ("/apis/rbac.authorization.k8s.io/v1/clusterroles", {"rules": [{"verbs": ["*"], "resources": ["*"]}]}),
)
"""Kinds that are kept as they come: a collection and an object."""

_TOKEN: Final = {
    "audiences": ["a"],
    "expirationSeconds": 3600,
    "boundObjectRef": {"kind": "Pod", "name": "a", "uid": "u"},
}
_METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "")
_STEPS: Final = ("%00", "%2F", "..", "é", "", "status", "namespaces", "v1", "apis", "x" * 300, "binding", "eviction")


def main(arguments: Sequence[str]) -> Iterator[str]:
    """The requests that were answered badly, and what answers there were. Exit code 1 if any was."""
    parser = argparse.ArgumentParser(prog="conformance bend")
    parser.add_argument("--requests", type=int, default=100_000, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--controllers", action="store_true")
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    options = parser.parse_args(arguments)
    dice = random.Random(options.seed)  # noqa: S311 (no secret)
    codes: Counter[int] = Counter()
    asked = recorded_requests([Path(folder) for folder in options.folders])
    faults = list(bend(asked, dice, options.requests, codes, controllers=options.controllers))
    yield from faults
    yield ", ".join(f"{count} x {code}" for code, count in sorted(codes.items()))
    if faults:
        raise SystemExit(1)


def recorded_requests(folders: Sequence[Path]) -> Sequence[Plain]:
    """The requests of all recordings in folders."""
    recordings = [
        json.loads(gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes())
        for folder in folders
        for path in sorted((*folder.glob("*.json"), *folder.glob("*.json.gz")))
    ]
    found = [one for one in recordings if isinstance(one, dict) and isinstance(one.get("steps"), list)]
    return [step["request"] for one in found for step in one["steps"] if "request" in step]


def plain_requests() -> Iterator[Plain]:
    """Requests to kinds of which there are no recordings."""
    table = {"Accept": "application/json;as=Table;v=v1;g=meta.k8s.io"}
    for path, body in _PLAIN:
        for name in ("a", "b", "as.b.c"):
            one, named = f"{path}/{name}", {"metadata": {"name": name, "labels": {"a": "b"}}, **body}
            yield {"method": "POST", "path": path, "body": named}
            yield {"method": "PUT", "path": one, "body": named}
            yield {"method": "PATCH", "path": one, "body": body, "headers": {"Content-Type": _MERGE}}
            yield {"method": "GET", "path": path, "headers": table}
            yield {"method": "POST", "path": f"{one}/eviction", "body": {"metadata": {"name": name}}}
            yield {"method": "POST", "path": f"{one}/token", "body": {"spec": _TOKEN}}
            yield {"method": "DELETE", "path": one}


def bend(
    asked: Sequence[Plain], dice: random.Random, count: int, codes: Counter[int], *, controllers: bool = False
) -> Iterator[str]:
    """Ask a server so many bent requests; which of them were answered badly, or made a controller fail."""
    made = profile("1.37", _GATES)
    assert isinstance(made, Profile)
    server = ApiServer(Store(), Settings(profile=made))
    work = _Work(server, made) if controllers else None
    asked = (*asked, *plain_requests())
    for _ in range(count):
        request = _bent_request(dice.choice(asked), dice)
        try:
            code = _answered(server, request)
            if work is not None:
                work.go_on()
        except Exception as error:
            yield f"{type(error).__name__}: {error}: {request}"
            continue
        codes[code] += 1
        if code >= _OURS and code != _TOO_NEW:
            yield f"{code}: {request}"


class _Work:
    """Controllers at a server in which a second passes with every request."""

    def __init__(self, server: ApiServer, made: Profile) -> None:
        self._now = time.time()
        self._runner = Runner(InProcess(server), controllers_for(made, kubelets=Habits()), lambda: self._now)

    def go_on(self) -> None:
        self._now += 1
        for _ in range(_STEPS_EACH):
            if not self._runner.step():
                return


def _answered(server: ApiServer, request: Request) -> int:
    """The code of an answer, which must be whole."""
    answer = server.handle(request)
    if isinstance(answer, Watch):
        for line in Lines(server.backend, answer).initial():
            if answer.accepted.format == "json":
                json.loads(line)
        return 200
    code, _, _ = render(answer, request)
    return code


def _bent_request(asked: Plain, dice: random.Random) -> Request:
    query = {name: (str(value),) for name, value in asked.get("query", {}).items()}
    if dice.random() < 0.3:
        query[dice.choice(_QUERY)] = (dice.choice(_VALUES),)
    headers = {name.lower(): value for name, value in asked.get("headers", {}).items() if value}
    if dice.random() < 0.1:
        name = dice.choice(sorted(_HEADERS))
        headers[name] = dice.choice(_HEADERS[name])
    method = asked["method"] if dice.random() > 0.05 else dice.choice(_METHODS)
    path = asked["path"].partition("?")[0]
    if dice.random() < 0.05:
        steps = path.split("/")
        steps[dice.randrange(len(steps))] = dice.choice(_STEPS)
        path = "/".join(steps)
    return Request(method=method, path=path, query=query, headers=headers, body=_bent_body(asked, dice))


def _bent_body(asked: Plain, dice: random.Random) -> bytes:
    if "body" not in asked:
        return b""
    body = asked.get("rawBody", "").encode() or msgspec.json.encode(_bent(asked["body"], dice))
    chance = dice.random()
    if chance < 0.03:
        return dice.randbytes(20)
    if chance < 0.06:
        return body[: dice.randrange(len(body) + 1)]
    return b"k8s\0" + body if chance < 0.07 else body


def _bent(value: Any, dice: random.Random) -> Any:
    """A JSON value in which a few things are missing, added or of another type."""
    if dice.random() < 0.05:
        return dice.choice(_ODD)
    if isinstance(value, dict):
        made = {key: _bent(item, dice) for key, item in value.items() if dice.random() > 0.04}
        return {**made, dice.choice(_NAMES): dice.choice(_ODD)} if dice.random() < 0.05 else made
    return [_bent(item, dice) for item in value] if isinstance(value, list) else value
