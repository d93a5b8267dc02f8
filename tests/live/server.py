"""An API server that plays what it was given, over a real socket: lists in pages, watches, refusals, and bad days.

It knows just enough of Kubernetes to be read: discovery, limit and continue, exact moments, 403, 410, bookmarks. Every
request is kept, so that tests can say what was asked.
"""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

import yaml

TOKEN = "good-token"  # noqa: S105 (it opens nothing)
Object = dict[str, Any]

EXAMPLES = Path(__file__).parents[2] / "examples"

PLURALS = {
    "Node": ("", "nodes", False),
    "Namespace": ("", "namespaces", False),
    "Pod": ("", "pods", True),
    "Event": ("", "events", True),
    "ResourceQuota": ("", "resourcequotas", True),
    "ResourceClaim": ("resource.k8s.io", "resourceclaims", True),
    "ResourceClaimTemplate": ("resource.k8s.io", "resourceclaimtemplates", True),
    "ResourceSlice": ("resource.k8s.io", "resourceslices", False),
    "DeviceClass": ("resource.k8s.io", "deviceclasses", False),
    "DeviceTaintRule": ("resource.k8s.io", "devicetaintrules", False),
    "PriorityClass": ("scheduling.k8s.io", "priorityclasses", False),
    "PodGroup": ("scheduling.k8s.io", "podgroups", True),
    "Deployment": ("apps", "deployments", True),
    "ReplicaSet": ("apps", "replicasets", True),
    "StatefulSet": ("apps", "statefulsets", True),
    "DaemonSet": ("apps", "daemonsets", True),
    "Job": ("batch", "jobs", True),
}
CORE = ("Node", "Namespace", "Pod", "Event", "ResourceQuota")


def examples(*folders: str) -> list[Object]:
    """All objects of some of the example folders."""
    files = [file for folder in folders for file in sorted((EXAMPLES / folder).glob("*.yaml"))]
    return [one for file in files for one in yaml.safe_load_all(file.read_text()) if one]


class Request(NamedTuple):
    """One request as it came."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]

    @property
    def resource(self) -> str:
        return self.path.rsplit("/", 1)[-1]

    @property
    def is_watch(self) -> bool:
        return self.query.get("watch") == "true"


class Answer(NamedTuple):
    """What a test wants said in place of the usual."""

    code: int
    body: Any = None
    kind: str = "application/json"


Rule = Callable[[Request], Answer | None]
"""A bad day: an answer in place of the usual one, or None for the usual one."""


Script = Callable[[], Iterable[bytes]]
"""What one watch says: lines of its own, made when it is opened."""


class ApiServer:
    """The state of a small cluster, and everything that was asked of it.

    Attributes:
        versions: version of each group; a group that is missing is not served.
        moment: the resourceVersion of every list.
        credentials: the header that is let in; None lets in everybody.
        rules: asked first for every request.
        forbidden: plural names that nobody may list.
        only_in: namespaces in which forbidden resources may be listed all the same.
        aggregated: whether discovery comes in one piece.
        gates: what the metrics say; None where nobody may read them.
        scripts: by plural name, what each watch says that is opened, one after the other; then they stay open.
    """

    def __init__(self, objects: Iterable[Object] = (), version: str = "v1.37.2") -> None:
        self.version = version
        self.versions = {"resource.k8s.io": "v1", "scheduling.k8s.io": "v1", "apps": "v1", "batch": "v1"}
        self.kinds = [kind for kind in PLURALS if kind != "PodGroup"]
        self.objects: dict[str, list[Object]] = {kind: [] for kind in PLURALS}
        self.moment = 1000
        self.page: int | None = None
        self.rules: list[Rule] = []
        self.forbidden: set[str] = set()
        self.unwatchable: set[str] = set()
        self.only_in: set[str] = set()
        self.aggregated = True
        self.gates: Mapping[str, bool] | None = {"DynamicResourceAllocation": True}
        self.credentials: str | None = f"Bearer {TOKEN}"
        self.asked: list[Request] = []
        self.watchers: dict[str, list[SimpleQueue[bytes | None]]] = {}
        self.scripts: dict[str, list[Script]] = {}
        self.lock = threading.Lock()
        self.url = ""
        for one in objects:
            self.add(one)

    def add(self, one: Object) -> Object:
        """Keep an object as a server would: with a namespace, a uid and a resourceVersion."""
        kind = one["kind"]
        metadata = one.setdefault("metadata", {})
        if PLURALS[kind][2]:
            metadata.setdefault("namespace", "default")
        metadata.setdefault("uid", f"{kind.lower()}-{metadata['name']}")
        metadata.setdefault("resourceVersion", "10")
        metadata.setdefault("creationTimestamp", "2026-01-01T00:00:00Z")
        metadata["managedFields"] = [{"manager": "test", "fieldsV1": {"f:spec": {}}}]
        self.objects[kind].append(one)
        return one

    def tell(self, change: str, one: Object) -> None:
        """Let every watch of the object's kind know, and remember."""
        self.moment += 1
        one["metadata"]["resourceVersion"] = str(self.moment)
        kept = self.objects[one["kind"]]
        name = (one["metadata"].get("namespace"), one["metadata"]["name"])
        kept[:] = [other for other in kept if (other["metadata"].get("namespace"), other["metadata"]["name"]) != name]
        if change != "DELETED":
            kept.append(one)
        self.send(one["kind"], json.dumps({"type": change, "object": one}).encode())

    def event(self, change: str, one: Object) -> bytes:
        """The line that says a change, after which lists say it too."""
        self.tell(change, one)
        return json.dumps({"type": change, "object": one}).encode()

    def send(self, kind: str, line: bytes | None) -> None:
        """A line for every watch of a kind; None ends them."""
        with self.lock:
            for queue in self.watchers.get(PLURALS[kind][1], ()):
                queue.put(line)

    def end_watches(self) -> None:
        """Take the right to watch away, and end what is being watched: whoever watches gives up then."""
        with self.lock:
            self.unwatchable = {plural for _, plural, _ in PLURALS.values()}
            for queue in (queue for queues in self.watchers.values() for queue in queues):
                queue.put(None)

    def watched(self, plural: str) -> SimpleQueue[bytes | None] | None:
        """The lines for a new watch; None where watching is refused."""
        with self.lock:
            if plural in self.unwatchable:
                return None
            queue: SimpleQueue[bytes | None] = SimpleQueue()
            self.watchers.setdefault(plural, []).append(queue)
            return queue

    def lists(self, plural: str) -> list[Request]:
        """The requests for pages of a list, in their order."""
        return [one for one in self.asked if one.resource == plural and not one.is_watch]

    def kubeconfig(self, folder: Path, token: str = TOKEN, **cluster: Any) -> str:
        """A kubeconfig that leads here."""
        file = folder / "kubeconfig"
        content = {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "test",
            "contexts": [{"name": "test", "context": {"cluster": "test", "user": "me", "namespace": "ml"}}],
            "clusters": [{"name": "test", "cluster": {"server": self.url, **cluster}}],
            "users": [{"name": "me", "user": {"token": token}}],
        }
        file.write_text(yaml.safe_dump(content))
        return str(file)

    # what is answered

    def answer(self, request: Request) -> Answer:
        for rule in self.rules:
            found = rule(request)
            if found is not None:
                return found
        if self.credentials is not None and request.headers.get("Authorization") != self.credentials:
            return status(401, "Unauthorized", "Unauthorized")
        if request.path == "/version":
            major, minor = self.version.lstrip("v").split(".")[:2]
            return Answer(200, {"major": major, "minor": minor, "gitVersion": self.version})
        if request.path == "/metrics":
            return self._metrics()
        if request.path == "/apis":
            return Answer(200, self._discovery())
        parts = request.path.strip("/").split("/")
        if len(parts) == 3 and parts[0] == "apis":
            return self._resources(parts[1])
        return self._list(request)

    def _metrics(self) -> Answer:
        if self.gates is None:
            return status(403, "Forbidden", 'forbidden: User "me" cannot get path "/metrics"')
        lines = [f'kubernetes_feature_enabled{{name="{one}",stage="BETA"}} {int(on)}' for one, on in self.gates.items()]
        return Answer(200, "\n".join(lines).encode(), "text/plain")

    def _kinds_of(self, group: str) -> list[str]:
        return [kind for kind in self.kinds if PLURALS[kind][0] == group and kind not in CORE]

    def _discovery(self) -> Object:
        if not self.aggregated:
            groups = [
                {"name": group, "versions": [{"groupVersion": f"{group}/{version}", "version": version}]}
                for group, version in self.versions.items()
            ]
            return {"kind": "APIGroupList", "apiVersion": "v1", "groups": groups}
        items = []
        for group, version in self.versions.items():
            resources = [
                {
                    "resource": PLURALS[kind][1],
                    "responseKind": {"group": group, "version": version, "kind": kind},
                    "scope": "Namespaced" if PLURALS[kind][2] else "Cluster",
                }
                for kind in self._kinds_of(group)
            ]
            items.append({"metadata": {"name": group}, "versions": [{"version": version, "resources": resources}]})
        return {"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "items": items}

    def _resources(self, group: str) -> Answer:
        names = [
            {"name": PLURALS[kind][1], "kind": kind, "namespaced": PLURALS[kind][2]} for kind in self._kinds_of(group)
        ]
        return Answer(200, {"kind": "APIResourceList", "resources": names})

    def _list(self, request: Request) -> Answer:
        parts = request.path.strip("/").split("/")
        namespace = parts[parts.index("namespaces") + 1] if "namespaces" in parts[:-1] else ""
        kind = next((kind for kind, row in PLURALS.items() if row[1] == request.resource), "")
        if not kind or kind not in self.kinds:
            return status(404, "NotFound", "the server could not find the requested resource")
        if request.resource in self.forbidden and namespace not in self.only_in:
            return status(403, "Forbidden", f'{request.resource} is forbidden: User "me" cannot list it')
        items = [one for one in self.objects[kind] if namespace in ("", one["metadata"].get("namespace"))]
        if kind == "Event":
            items = [one for one in items if one["involvedObject"]["name"] in request.query.get("fieldSelector", "")]
        limit = min(int(request.query.get("limit", "0")) or len(items), self.page or len(items))
        token = request.query.get("continue")
        begin = int(base64.b64decode(token)) if token else 0
        metadata: Object = {"resourceVersion": str(self.moment)}
        if limit and begin + limit < len(items) and "limit" in request.query:
            metadata["continue"] = base64.b64encode(str(begin + limit).encode()).decode()
            metadata["remainingItemCount"] = len(items) - begin - limit
        page = items[begin : begin + limit] if "limit" in request.query else items
        bare = [{key: value for key, value in one.items() if key not in ("apiVersion", "kind")} for one in page]
        return Answer(200, {"kind": f"{kind}List", "metadata": metadata, "items": bare})


def status(code: int, reason: str, message: str, **more: Any) -> Answer:
    """A Status as Kubernetes writes it."""
    body = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "reason": reason, **more}
    return Answer(code, {**body, "message": message})


def _handler(api: ApiServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (its name in the standard library)
            del format, args

        def do_GET(self) -> None:
            self.handle_request("GET")

        def do_POST(self) -> None:
            self.handle_request("POST")

        def handle_request(self, method: str) -> None:
            parts = urlsplit(self.path)
            request = Request(method, parts.path, dict(parse_qsl(parts.query)), dict(self.headers.items()))
            with api.lock:
                api.asked.append(request)
            queue = api.watched(request.resource) if request.is_watch else None
            if queue is not None:
                self.watch(request, queue)
            elif request.is_watch:
                self.reply(status(403, "Forbidden", f'{request.resource} is forbidden: User "me" cannot watch it'))
            else:
                self.reply(api.answer(request))

        def reply(self, answer: Answer) -> None:
            body = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
            self.send_response(answer.code)
            self.send_header("Content-Type", answer.kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def watch(self, request: Request, queue: SimpleQueue[bytes | None]) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            script = api.scripts.get(request.resource, [])
            for line in script.pop(0)() if script else iter(queue.get, None):
                self.wfile.write(b"%x\r\n%s\n\r\n" % (len(line) + 1, line))
                self.wfile.flush()
            with api.lock:
                api.watchers[request.resource].remove(queue)
            self.wfile.write(b"0\r\n\r\n")

    return Handler


@contextmanager
def serving(api: ApiServer, wrap: Callable[[ThreadingHTTPServer], None] | None = None) -> Iterator[ApiServer]:
    """The server on a free port of this machine, for as long as the block lasts. Nobody may have written to it."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(api))
    server.daemon_threads = True
    server.handle_error = lambda request, client_address: None  # type: ignore[method-assign]
    if wrap is not None:
        wrap(server)
    api.url = f"{'https' if wrap else 'http'}://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield api
    finally:
        for kind in PLURALS:
            api.send(kind, None)
        server.shutdown()
        server.server_close()
        thread.join()
    assert {one.method for one in api.asked} <= {"GET"}
