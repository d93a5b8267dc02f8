"""Discovery: which groups, versions and kinds there are, in the legacy and the aggregated form; version and health."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from dravite.api import registry
from dravite.api.plain import Plain
from dravite.api.releases import Profile
from dravite.apiserver import media, openapi, statuses
from dravite.apiserver.backend import Backend, Response
from dravite.apiserver.kinds import VERBS, Kind
from dravite.apiserver.metrics import CONTENT_TYPE, text_of
from dravite.apiserver.requests import Request

_TEXT: Final = "text/plain; charset=utf-8"
_DISCOVERY: Final = "apidiscovery.k8s.io"
_PART_VERBS: Final = ("get", "patch", "update")
_HEALTH: Final = ("/healthz", "/livez", "/readyz")
_PATCHES: Final = {"1.37": "2", "1.36": "5", "1.31": "14"}
_SCALE: Final = {"name": "scale", "group": "autoscaling", "version": "v1", "kind": "Scale", "verbs": list(_PART_VERBS)}
_PARTS: Final[Mapping[str, Sequence[Plain]]] = {
    **dict.fromkeys(("Deployment", "ReplicaSet", "ReplicationController", "StatefulSet"), (_SCALE,)),
    "Pod": (
        {"name": "binding", "kind": "Binding", "verbs": ["create"]},
        {"name": "eviction", "group": "policy", "version": "v1", "kind": "Eviction", "verbs": ["create"]},
    ),
    "ServiceAccount": (
        {
            "name": "token",
            "group": "authentication.k8s.io",
            "version": "v1",
            "kind": "TokenRequest",
            "verbs": ["create"],
        },
    ),
}
_STORED: Final = {"1.31": "v1alpha3", "1.32": "v1beta1", "1.33": "v1beta1", "1.34": "v1beta2"}
"""In which version the kinds of resource.k8s.io were stored before it was v1."""

_REVIEWS: Final[Mapping[str, Sequence[tuple[str, bool]]]] = {
    "authentication.k8s.io": (("SelfSubjectReview", False),),
    "authorization.k8s.io": (
        ("LocalSubjectAccessReview", True),
        ("SelfSubjectAccessReview", False),
        ("SelfSubjectRulesReview", False),
        ("SubjectAccessReview", False),
    ),
}
"""The reviews of a group, and whether each has a namespace."""

_READS: Final = ("GET", "HEAD")
_NOTHING: Final = b"404 page not found\n"


def answer(backend: Backend, request: Request) -> Response | None:
    """The answer to a path that names no object; None where it should have been one."""
    path = request.path.rstrip("/") or "/"
    if path.startswith(_HEALTH):
        failure = backend.store.failure
        return Response(200, b"ok", _TEXT) if failure is None else Response(500, f"{failure}\n".encode(), _TEXT)
    if path == "/version":
        _check_read(request)
        return Response(200, _version(backend))
    if path == "/metrics":
        return Response(200, text_of(backend.metrics, backend.profile, backend.store), CONTENT_TYPE)
    if path.startswith("/openapi/"):
        return openapi.answer(backend, request)
    if path in ("/api", "/apis"):
        return _groups(backend, request, path)
    if path == "/":
        return Response(200, {"paths": _paths(backend)})
    steps = path.strip("/").split("/")
    is_known = len(steps) > 1 and (steps[0] == "api" or (steps[0] == "apis" and steps[1] in _all_groups(backend)))
    if not is_known:
        return Response(404, _NOTHING, _TEXT)
    if steps[0] == "apis" and len(steps) == 2:
        group = {"kind": "APIGroup", "apiVersion": "v1", **_group_entry(backend, steps[1])}
        return Response(200, group, _form(request).content_type)
    resources = _resources_of(backend, steps)
    if resources is None:
        return None
    _check_read(request)
    media.check_route(request.headers.get("accept", ""), streamed=False)
    return Response(200, resources, _form(request).content_type)


def _check_read(request: Request) -> None:
    if request.method not in _READS:
        raise statuses.no_such_method()


def _form(request: Request) -> media.Accepted:
    return media.accepted(request.headers.get("accept", ""), media.Made(tables=False, as_protobuf=True))


def _resources_of(backend: Backend, steps: Sequence[str]) -> Plain | None:
    """The list of kinds of a version; None for what is no version."""
    group, version = ("", steps[-1]) if steps[0] == "api" else ("".join(steps[1:2]), steps[-1])
    if len(steps) != (3 if group else 2) or version not in _versions(backend, group):
        return None
    api_version = f"{group}/{version}" if group else version
    resources = [entry for kind in backend.catalogue.of(api_version) for entry in _resources(kind, backend.profile)]
    resources += map(_review, _REVIEWS.get(group, ()))
    body = {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": api_version, "resources": resources}
    return body if group else {name: body[name] for name in ("kind", "groupVersion", "resources")}


def _review(entry: tuple[str, bool]) -> Plain:
    kind, namespaced = entry
    names = {"name": f"{kind.lower()}s", "singularName": kind.lower()}
    return {**names, "namespaced": namespaced, "kind": kind, "verbs": ["create"]}


def _all_groups(backend: Backend) -> tuple[str, ...]:
    return (*backend.catalogue.groups(), *_REVIEWS)


def _versions(backend: Backend, group: str) -> tuple[str, ...]:
    return ("v1",) if group in _REVIEWS else backend.catalogue.versions(group)


def _groups(backend: Backend, request: Request, path: str) -> Response:
    groups = [group for group in _all_groups(backend) if bool(group) is (path == "/apis")]
    for _, parameters in media.clauses(request.headers.get("accept", "")):
        wanted = parameters.get("as")
        if wanted is None:
            return Response(200, _legacy(backend, groups, request), _form(request).content_type)
        version = parameters.get("v", "")
        if wanted == "APIGroupDiscoveryList" and version in _aggregated_versions(backend.profile):
            return _aggregated(backend, groups, request, version)
    raise statuses.not_acceptable()


def _aggregated_versions(profile: Profile) -> tuple[str, ...]:
    return ("v2",) if profile.is_at_least("1.35") else ("v2", "v2beta1")


def _legacy(backend: Backend, groups: list[str], request: Request) -> Plain:
    if groups == [""]:
        address = {"clientCIDR": "0.0.0.0/0", "serverAddress": request.headers.get("host", "")}
        return {"kind": "APIVersions", "versions": ["v1"], "serverAddressByClientCIDRs": [address]}
    return {"kind": "APIGroupList", "apiVersion": "v1", "groups": [_group_entry(backend, group) for group in groups]}


def _group_entry(backend: Backend, group: str) -> Plain:
    versions = [{"groupVersion": f"{group}/{version}", "version": version} for version in _versions(backend, group)]
    return {"name": group, "versions": versions, "preferredVersion": versions[0]}


def _aggregated(backend: Backend, groups: list[str], request: Request, version: str) -> Response:
    items = [_aggregated_group(backend, group) for group in groups]
    body = {"kind": "APIGroupDiscoveryList", "apiVersion": f"{_DISCOVERY}/{version}", "metadata": {}, "items": items}
    tag = f'"{hashlib.sha512(msgspec.json.encode(body)).hexdigest().upper()}"'
    headers = {"Etag": tag, "Vary": "Accept"}
    if request.headers.get("if-none-match") == tag:
        return Response(304, b"", "", headers)
    return Response(200, body, f"application/json;g={_DISCOVERY};v={version};as=APIGroupDiscoveryList", headers)


def _aggregated_group(backend: Backend, group: str) -> Plain:
    versions = []
    for version in _versions(backend, group):
        api_version = f"{group}/{version}" if group else version
        resources = [_aggregated_kind(kind) for kind in backend.catalogue.of(api_version)]
        resources += map(_aggregated_review, _REVIEWS.get(group, ()))
        versions.append({"version": version, "resources": resources, "freshness": "Current"})
    meta: Plain = {"name": group} if group else {}
    if not backend.profile.is_at_least("1.34"):
        meta["creationTimestamp"] = None
    return {"metadata": meta, "versions": versions}


def _aggregated_kind(kind: Kind) -> Plain:
    named = {"group": "", "version": "", "kind": kind.kind}
    made: Plain = {
        "resource": kind.plural,
        "responseKind": named,
        "scope": "Namespaced" if kind.namespaced else "Cluster",
        "singularResource": kind.singular,
        "verbs": list(VERBS),
    }
    if kind.short_names:
        made["shortNames"] = list(kind.short_names)
    if kind.categories:
        made["categories"] = list(kind.categories)
    parts = [_aggregated_part(part) for part in _parts(kind)]
    if parts:
        made["subresources"] = parts
    return made


def _aggregated_review(entry: tuple[str, bool]) -> Plain:
    kind, namespaced = entry
    return {
        "resource": f"{kind.lower()}s",
        "responseKind": {"group": "", "version": "", "kind": kind},
        "scope": "Namespaced" if namespaced else "Cluster",
        "singularResource": kind.lower(),
        "verbs": ["create"],
    }


def _aggregated_part(part: Plain) -> Plain:
    named = {name: part.get(name, "") for name in ("group", "version", "kind")}
    return {"subresource": part["name"], "responseKind": named, "verbs": part["verbs"]}


def _parts(kind: Kind) -> tuple[Plain, ...]:
    """The parts of a kind's objects that have a path of their own."""
    status = ({"name": "status", "kind": kind.kind, "verbs": list(_PART_VERBS)},) if kind.status else ()
    return (*_PARTS.get(kind.kind, ()), *status)


def _resources(kind: Kind, profile: Profile) -> list[Plain]:
    made: Plain = {
        "name": kind.plural,
        "singularName": kind.singular,
        "namespaced": kind.namespaced,
        "kind": kind.kind,
        "verbs": list(VERBS),
    }
    if kind.short_names:
        made["shortNames"] = list(kind.short_names)
    if kind.categories:
        made["categories"] = list(kind.categories)
    made["storageVersionHash"] = _storage_hash(kind, profile)
    head = {"singularName": "", "namespaced": kind.namespaced}
    return [made, *({**head, **part, "name": f"{kind.plural}/{part['name']}"} for part in _parts(kind))]


def _storage_hash(kind: Kind, profile: Profile) -> str:
    """Eight bytes that change with the version in which a kind is stored. Source: apiserver, discovery."""
    text = f"{kind.group}/{_stored_version(kind, profile)}/{kind.kind}"
    return base64.b64encode(hashlib.sha256(text.encode()).digest()[:8]).decode()


def _stored_version(kind: Kind, profile: Profile) -> str:
    if kind.kind == "DeviceTaintRule" and not profile.is_at_least("1.37"):
        return "v1alpha3"
    if kind.group == "resource.k8s.io" and profile.release in _STORED:
        return _STORED[profile.release]
    if kind.info is None:
        return kind.hub
    stored = kind.info.api_version(kind.info.storage)
    is_served = registry.served(stored, kind.kind, profile.release) != "never"
    return kind.info.storage if is_served else kind.versions[0]


def _version(backend: Backend) -> Plain:
    release = backend.profile.release
    major, minor = release.split(".")
    made = {
        "major": major,
        "minor": minor,
        "emulationMajor": major,
        "emulationMinor": minor,
        "minCompatibilityMajor": major,
        "minCompatibilityMinor": str(int(minor) - 1),
        "gitVersion": f"v{release}.{_PATCHES.get(release, '0')}",
        "gitCommit": "0" * 40,
        "gitTreeState": "clean",
        "buildDate": "1970-01-01T00:00:00Z",
        "goVersion": "go1.26.8",
        "compiler": "gc",
        "platform": "linux/amd64",
    }
    if not backend.profile.is_at_least("1.34"):
        made = {name: value for name, value in made.items() if not name.startswith(("emulation", "minCompat"))}
    return made


def _paths(backend: Backend) -> list[str]:
    paths = ["/api", "/api/v1", "/apis", *_HEALTH, "/metrics", "/openapi/v2", "/openapi/v3", "/version"]
    for group in filter(None, backend.catalogue.groups()):
        paths.append(f"/apis/{group}")
        paths += [f"/apis/{group}/{version}" for version in backend.catalogue.versions(group)]
    return sorted(paths)
