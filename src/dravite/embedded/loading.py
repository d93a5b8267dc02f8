"""Manifests and dumps become objects of a server: created, or applied over what is there, status included.

New objects keep the uid and the age that they come with: others name them by uid, and who is older comes first.
Claims with devices are protected, as those are that a scheduler has allocated: else nobody would ever free them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from dravite.api.codec import decode_raw
from dravite.api.document import Document
from dravite.api.plain import Plain
from dravite.apiserver import ApiServer
from dravite.apiserver.backend import Response
from dravite.apiserver.kinds import Kind
from dravite.apiserver.requests import Request
from dravite.scheduler.reserve import FINALIZER

_MANAGER: Final = "dravite"
_APPLY: Final = "application/apply-patch+yaml"
_SERVERS_OWN: Final = ("uid", "resourceVersion", "creationTimestamp", "generation", "managedFields", "selfLink")
_GOING: Final = ("deletionTimestamp", "deletionGracePeriodSeconds")
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_FIRST: Final = ("CustomResourceDefinition", "Namespace", "PriorityClass")


class NotLoaded(msgspec.Struct, frozen=True):
    """An object that the server did not take: where it stands, what it is, and why."""

    file: str
    line: int
    name: str
    why: str


def load(server: ApiServer, documents: Iterable[Document], namespace: str) -> Iterator[NotLoaded]:
    """Put all objects into a server; what it does not take is told. Those that others need come first.

    A namespace that is named and not given is made. Objects without a namespace go to the default one.
    """
    found = sorted(documents, key=lambda document: document.kind not in _FIRST)
    for document in found:
        why = _load(server, document, namespace)
        if why:
            meta = decode_raw(document).get("metadata") if document.body else None
            name = meta.get("name", "") if isinstance(meta, dict) else ""
            said = f"{document.kind} {name}".strip() or "a document"
            yield NotLoaded(document.origin.file, document.origin.line, said, why)


def _load(server: ApiServer, document: Document, namespace: str) -> str:
    """Why an object could not be put into the server; empty where it could."""
    fault = next((problem.message for problem in document.problems if problem.severity == "error"), "")
    if fault or not document.body:
        return fault or "it is empty"
    group, _, version = document.api_version.rpartition("/")
    kind = server.backend.catalogue.named(group, document.kind)
    if kind is None or version not in kind.versions:
        return f"{document.api_version} {document.kind} is not served"
    plain = decode_raw(document)
    if not isinstance(plain.get("metadata"), dict):
        return "it has no metadata"
    meta = {name: value for name, value in plain["metadata"].items() if name not in (*_SERVERS_OWN, *_GOING)}
    if document.kind == "ResourceClaim" and (plain.get("status") or {}).get("allocation"):
        meta["finalizers"] = sorted({*(meta.get("finalizers") or ()), FINALIZER})
    path = f"/apis/{group}/{version}" if group else f"/api/{version}"
    if kind.namespaced:
        meta["namespace"] = meta.get("namespace") or namespace
        _need_namespace(server, str(meta["namespace"]))
        path += f"/namespaces/{meta['namespace']}"
    typed = {"apiVersion": document.api_version, "kind": document.kind}
    return _put(server, kind, f"{path}/{kind.plural}", {**plain, **typed, "metadata": meta}, plain["metadata"])


def _put(server: ApiServer, kind: Kind, path: str, plain: Plain, born: Plain) -> str:
    code, said = _create(server, path, plain, born)
    place = f"{path}/{plain['metadata'].get('name', '')}"
    if code == 409:
        code, said = _ask(server, "PATCH", f"{place}?force", plain)
    status = plain.get("status")
    if code < 300 and kind.status and status:
        typed = {name: plain[name] for name in ("apiVersion", "kind")}
        name = {"name": said["metadata"]["name"]}
        place = f"{path}/{name['name']}"
        code, said = _ask(server, "PATCH", f"{place}/status?force", {**typed, "metadata": name, "status": status})
    return "" if code < 300 else str(said.get("message", code))


def _create(server: ApiServer, path: str, plain: Plain, born: Plain) -> tuple[int, Any]:
    """Create an object that is as old as it says, and has its uid."""
    source, uid, age = server.backend.source, born.get("uid"), born.get("creationTimestamp")
    own = msgspec.structs.replace(
        source,
        uid=(lambda: uid) if isinstance(uid, str) and uid else source.uid,
        now=(lambda: age) if isinstance(age, str) and _TIME.fullmatch(age) else source.now,
    )
    server.backend = msgspec.structs.replace(server.backend, source=own)
    try:
        return _ask(server, "POST", path, plain)
    finally:
        server.backend = msgspec.structs.replace(server.backend, source=source)


def _need_namespace(server: ApiServer, name: str) -> None:
    if _ask(server, "GET", f"/api/v1/namespaces/{name}", None)[0] == 404:
        _ask(server, "POST", "/api/v1/namespaces", {"metadata": {"name": name}})


def _ask(server: ApiServer, method: str, path: str, body: Plain | None) -> tuple[int, Any]:
    path, _, force = path.partition("?")
    query = {"fieldManager": (_MANAGER,), **({"force": ("true",)} if force else {})}
    headers = {"content-type": _APPLY if method == "PATCH" else "application/json"}
    data = b"" if body is None else msgspec.json.encode(body)
    answer = server.handle(Request(method=method, path=path, query=query, headers=headers, body=data))
    return (answer.code, answer.value) if isinstance(answer, Response) else (500, {})
