"""OpenAPI, as far as clients read it: the index, and for each version its paths and schemas.

Schemas come from dravite's types. Kinds that are kept as they come have schemas that allow everything.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Final

import msgspec

from dravite.api.plain import Plain
from dravite.apiserver import media, openapi_schemas
from dravite.apiserver.backend import Backend, Response
from dravite.apiserver.kinds import Catalogue, Kind
from dravite.apiserver.requests import Request

_TEXT: Final = "text/plain; charset=utf-8"
_V2_TYPE: Final = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"
_V2: Final = {"swagger": "2.0", "info": {"title": "Kubernetes", "version": "unversioned"}, "paths": {}}
_V3: Final = "/openapi/v3"
_CACHED: Final = {"Cache-Control": "public, immutable"}
_VARY: Final = {"Vary": "Accept"}

_READ: Final = ("pretty",)
_LIST: Final = (
    *("allowWatchBookmarks", "continue", "fieldSelector", "labelSelector", "limit", "resourceVersion"),
    *("resourceVersionMatch", "sendInitialEvents", "timeoutSeconds", "watch"),
)
_WRITE: Final = ("dryRun", "fieldManager", "fieldValidation")
_DELETE: Final = ("dryRun", "gracePeriodSeconds", "orphanDependents", "propagationPolicy")
_BOOLEAN: Final = frozenset({"allowWatchBookmarks", "force", "orphanDependents", "sendInitialEvents", "watch"})
_INTEGER: Final = frozenset({"gracePeriodSeconds", "limit", "timeoutSeconds"})

_ON_COLLECTION: Final = (("get", "list", _LIST), ("post", "post", _WRITE), ("delete", "deletecollection", _LIST))
_ON_PART: Final = (("get", "get", _READ), ("put", "put", _WRITE), ("patch", "patch", (*_WRITE, "force")))
_ON_OBJECT: Final = (*_ON_PART, ("delete", "delete", _DELETE))


def answer(backend: Backend, request: Request) -> Response | None:
    """The answer to a path below /openapi; None for a document that there is not."""
    path = request.path.rstrip("/")
    if path == "/openapi/v2":
        return _second_version(request)
    if path == _V3:
        paths = {name: {"serverRelativeURL": _url(backend, name)} for name in _names(backend.catalogue)}
        return Response(200, msgspec.json.encode({"paths": paths}), _TEXT)
    name = path.removeprefix(f"{_V3}/")
    if name not in _names(backend.catalogue):
        return None
    text, tag = _document(backend.catalogue, name)
    asked = request.one("hash")
    headers = {**_VARY, "Etag": f'"{tag}"'}
    if asked and asked != tag:
        return Response(301, b"", media.JSON, {**headers, "Location": _url(backend, name)})
    if request.headers.get("if-none-match") == f'"{tag}"':
        return Response(304, b"", "", headers)
    return Response(200, text, media.JSON, {**headers, **(_CACHED if asked else {})})


def _second_version(request: Request) -> Response:
    """An empty document of the older version: who asks for it wants to know no more than that it exists."""
    headers = {"Vary": "Accept-Encoding, Accept"}
    if request.headers.get("accept", "").startswith(media.JSON):
        return Response(200, _V2, media.JSON, headers)
    return Response(200, b"", _V2_TYPE, headers)


def _url(backend: Backend, name: str) -> str:
    return f"{_V3}/{name}?hash={_document(backend.catalogue, name)[1]}"


@lru_cache(maxsize=64)
def _names(catalogue: Catalogue) -> tuple[str, ...]:
    names = ["api", "api/v1", "apis", "version"]
    for group in filter(None, catalogue.groups()):
        names.append(f"apis/{group}")
        names += [f"apis/{group}/{version}" for version in catalogue.versions(group)]
    return tuple(sorted(names))


@lru_cache(maxsize=256)
def _document(catalogue: Catalogue, name: str) -> tuple[bytes, str]:
    """The text of a document, and its hash."""
    steps = name.split("/")
    kinds: tuple[Kind, ...] = ()
    if steps[0] == "api" and len(steps) == 2:
        kinds = catalogue.of(steps[1])
    elif steps[0] == "apis" and len(steps) == 3:
        kinds = catalogue.of(f"{steps[1]}/{steps[2]}")
    version = steps[-1]
    paths: Plain = {}
    for kind in kinds:
        paths |= _paths(kind, version, f"/{name}")
    schemas = openapi_schemas.schemas(kinds, version)
    info = {"title": "Kubernetes", "version": "unversioned"}
    text = msgspec.json.encode({"openapi": "3.0.0", "info": info, "paths": paths, "components": {"schemas": schemas}})
    return text, hashlib.sha512(text).hexdigest().upper()


def _paths(kind: Kind, version: str, prefix: str) -> Plain:
    place = f"{prefix}/namespaces/{{namespace}}" if kind.namespaced else prefix
    collection = f"{place}/{kind.plural}"
    made = {
        collection: _item(kind, version, _ON_COLLECTION, named=False),
        f"{collection}/{{name}}": _item(kind, version, _ON_OBJECT, named=True),
    }
    if kind.status:
        made[f"{collection}/{{name}}/status"] = _item(kind, version, _ON_PART, named=True)
    if kind.namespaced:
        made[f"{prefix}/{kind.plural}"] = _item(kind, version, _ON_COLLECTION[:1], named=False)
    return made


def _item(kind: Kind, version: str, methods: tuple[tuple[str, str, tuple[str, ...]], ...], *, named: bool) -> Plain:
    group_version_kind = {"group": kind.group, "kind": kind.kind, "version": version}
    schema = {"$ref": f"#/components/schemas/{openapi_schemas.kind_name(kind, version)}"}
    item: Plain = {}
    for method, action, parameters in methods:
        item[method] = {
            "x-kubernetes-action": action,
            "x-kubernetes-group-version-kind": group_version_kind,
            "parameters": [_parameter(name) for name in parameters],
            "responses": {"200": {"description": "OK", "content": {media.JSON: {"schema": schema}}}},
        }
    places = (["name"] if named else []) + (["namespace"] if kind.namespaced else [])
    item["parameters"] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in places
    ]
    return item


def _parameter(name: str) -> Plain:
    word = "boolean" if name in _BOOLEAN else "integer" if name in _INTEGER else "string"
    return {"name": name, "in": "query", "schema": {"type": word, "uniqueItems": True}}
