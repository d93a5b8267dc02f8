"""The server as a function: a request in, an answer out. Nothing here waits."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from dravite.admission.priorities import SYSTEM
from dravite.api.releases import Profile, newest_profile
from dravite.apiserver import (
    deletions,
    discovery,
    media,
    patching,
    pods,
    reads,
    reviews,
    rights,
    scales,
    statuses,
    writes,
)
from dravite.apiserver.backend import Backend, Response, Watch, deprecations
from dravite.apiserver.custom_kinds import GROUP as CUSTOM_GROUP
from dravite.apiserver.custom_kinds import custom_kinds
from dravite.apiserver.identity import User
from dravite.apiserver.kinds import Catalogue, served_kinds
from dravite.apiserver.metadata import Source, system_source
from dravite.apiserver.requests import MAX_BODY, Request, Target, target_of
from dravite.apiserver.tokens import request_token, user_of_token
from dravite.store import Compacted, Key, Store

Answer = Callable[[Backend, Target, Request], Response]

_HISTORY: Final = 10_000
"""How many writes are remembered, at least, for watches that come late."""

_RELEASE: Final = "kubernetes"
"""The note of a store that says which release it belongs to."""

_NAMESPACES: Final = ("default", "kube-node-lease", "kube-public", "kube-system")
_RBAC: Final = "/apis/rbac.authorization.k8s.io/v1"
_EVERYTHING: Final = (
    {"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]},
    {"nonResourceURLs": ["*"], "verbs": ["*"]},
)
_PRIORITIES: Final = (
    (
        "system-cluster-critical",
        "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.",
    ),
    (
        "system-node-critical",
        "Used for system critical pods that must not be moved from their current node.",
    ),
)


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Which Kubernetes a server is.

    Attributes:
        enabled: the API versions that are served of those that a stock server serves only when told to; None for all.
        controls_access: whether roles and their bindings decide who may do what; administrators may do all.
        source: where times and chance come from.
        key: what tokens of service accounts are signed with; whoever has it can make some.
    """

    profile: Profile = msgspec.field(default_factory=newest_profile)
    enabled: frozenset[str] | None = None
    controls_access: bool = False
    source: Source = msgspec.field(default_factory=system_source)
    key: bytes = msgspec.field(default_factory=lambda: secrets.token_bytes(32))


class OtherReleaseError(Exception):
    """A store in which another release keeps its objects. `release` is that one."""

    def __init__(self, release: str, wanted: str) -> None:
        super().__init__(f"the objects there were kept by Kubernetes {release}, which {wanted} does not read")
        self.release = release


class ApiServer:
    """Kubernetes' API on a store.

    A store without namespaces is given those that every cluster has. Each release keeps objects in its own form, so a
    store belongs to the first one.

    Raises:
        OtherReleaseError: the store belongs to another release than that of the settings.
    """

    def __init__(self, store: Store, settings: Settings) -> None:
        release, kept = settings.profile.release, store.note(_RELEASE)
        if kept not in ("", release):
            raise OtherReleaseError(kept, release)
        if not kept:
            store.write_note(_RELEASE, release)
        self._kinds = tuple(served_kinds(settings.profile, settings.enabled))
        catalogue = Catalogue((*self._kinds, *custom_kinds(store)))
        self.backend = Backend(
            store, catalogue, settings.profile, settings.source, settings.controls_access, settings.key
        )
        self.store = store
        if store.revision == 0:
            self._begin()

    def handle(self, request: Request) -> Response | Watch:
        """The answer to a request; a refusal is one too."""
        target = target_of(request.path, self.backend.catalogue)
        try:
            if len(request.body) > MAX_BODY:
                raise statuses.too_large(f"limit is {MAX_BODY}")
            request = rights.standing_for(self.backend, request)
            if self.backend.controls_access:
                rights.check(self.backend, request.user, rights.wish_of(request, target))
            if target is None:
                return self._elsewhere(request)
            answer = self._answer(target, request)
            if isinstance(answer, Response) and answer.revision:
                self._written(target)
            return answer
        except statuses.Refused as refusal:
            told = () if target is None or refusal.is_lost else deprecations(self.backend, target)
            form, warnings = media.of_refusal(request.headers.get("accept", "")), (*told, *refusal.warnings)
            return Response(refusal.status["code"], refusal.status, form, headers=refusal.headers, warnings=warnings)

    def user_of(self, token: str) -> User | None:
        """The service account whose token it is, if any."""
        return user_of_token(self.backend, token)

    def _written(self, target: Target) -> None:
        """What a write entails for the server itself."""
        if target.kind.kind == "Namespace":
            self._give_accounts()
        if target.kind.group == CUSTOM_GROUP:
            catalogue = Catalogue((*self._kinds, *custom_kinds(self.store)))
            self.backend = msgspec.structs.replace(self.backend, catalogue=catalogue)
        if self.store.revision - self.store.compacted > 2 * _HISTORY:
            self.store.compact(self.store.revision - _HISTORY)

    def _give_accounts(self) -> None:
        """Give each namespace the service account that pods have which name none."""
        page = self.store.page("namespaces")
        for record in () if isinstance(page, Compacted) else page.records:
            space = record.key.name
            if self.store.get(Key("serviceaccounts", space, "default")) is None:
                self._make(f"/api/v1/namespaces/{space}/serviceaccounts", {"metadata": {"name": "default"}})

    def _elsewhere(self, request: Request) -> Response:
        """Paths that name no kind: discovery, health, reviews."""
        found = reviews.review(self.backend, request) or discovery.answer(self.backend, request)
        if found is not None:
            return found
        raise statuses.no_such_path()

    def _answer(self, target: Target, request: Request) -> Response | Watch:
        if target.subresource:
            return self._answer_part(target, request)
        if target.name:
            return self._chosen(_OBJECT, target, request)
        if request.method == "GET" and request.flag("watch"):
            reads.check_form(target, request)
            return reads.watch(self.backend, target, request)
        return self._chosen(_COLLECTION, target, request)

    def _answer_part(self, target: Target, request: Request) -> Response:
        if target.subresource == "status" and target.kind.status:
            return self._chosen(_STATUS, target, request)
        part = _PARTS.get((target.kind.kind, target.subresource))
        if part is not None:
            return self._chosen(part, target, request)
        raise statuses.no_such_path()

    def _chosen(self, answers: Mapping[str, Answer], target: Target, request: Request) -> Response:
        answer = answers.get(request.method)
        if answer is None or (request.method == "POST" and target.kind.namespaced and not target.namespace):
            raise statuses.no_such_method()
        if request.method == "PATCH":
            patching.check_type(request)
        reads.check_form(target, request)
        return answer(self.backend, target, request)

    def _begin(self) -> None:
        """Give an empty store what every cluster has."""
        for name in _NAMESPACES:
            self._make("/api/v1/namespaces", {"metadata": {"name": name}})
        values = dict(SYSTEM)
        for name, text in _PRIORITIES:
            body = {"metadata": {"name": name}, "value": values[name], "description": text}
            self._make("/apis/scheduling.k8s.io/v1/priorityclasses", body)
        self._make(f"{_RBAC}/clusterroles", {"metadata": {"name": "cluster-admin"}, "rules": _EVERYTHING})
        self.store.flush()
        self.store.compact(self.store.revision)

    def _make(self, path: str, body: Mapping[str, Any]) -> None:
        headers = {"user-agent": "apiserver"}
        self.handle(Request(method="POST", path=path, headers=headers, body=msgspec.json.encode(body)))


_COLLECTION: Final[Mapping[str, Answer]] = {
    "GET": reads.list_objects,
    "POST": writes.create,
    "DELETE": deletions.delete_collection,
}
_OBJECT: Final[Mapping[str, Answer]] = {
    "GET": reads.get,
    "PUT": writes.update,
    "PATCH": patching.patch,
    "DELETE": deletions.delete,
}
_STATUS: Final[Mapping[str, Answer]] = {"GET": reads.get, "PUT": writes.update, "PATCH": patching.patch}
_SCALE: Final[Mapping[str, Answer]] = {"GET": scales.get, "PUT": scales.update, "PATCH": scales.patch}
_PARTS: Final[Mapping[tuple[str, str], Mapping[str, Answer]]] = {
    ("Pod", "binding"): {"POST": pods.bind},
    ("Pod", "eviction"): {"POST": pods.evict},
    **{("Pod", part): {"GET": pods.inside, "POST": pods.inside} for part in ("attach", "exec", "log", "portforward")},
    ("ServiceAccount", "token"): {"POST": request_token},
    **{(kind, "scale"): _SCALE for kind in ("Deployment", "ReplicaSet", "ReplicationController", "StatefulSet")},
}
