"""The part `scale` of workloads: how many pods they want, asked and changed in the same words for all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from dravite.api.field import ErrorType, FieldError
from dravite.api.plain import Plain
from dravite.apiserver import bodies, drafts, metadata, patching, statuses
from dravite.apiserver.backend import Backend, Response, record_of
from dravite.apiserver.requests import Request, Target

_API_VERSION: Final = "autoscaling/v1"

_OPERATORS: Final[Mapping[str, str]] = {
    "In": "{} in ({})",
    "NotIn": "{} notin ({})",
    "Exists": "{}",
    "DoesNotExist": "!{}",
}


def get(backend: Backend, target: Target, request: Request) -> Response:
    """The scale of a workload."""
    del request
    return Response(200, _scale(backend, target))


def update(backend: Backend, target: Target, request: Request) -> Response:
    """Give a workload the replicas of a scale, if it is still the one that the scale tells of."""
    wanted = bodies.read_any(request).value
    metadata.check_namespace(wanted, target)
    metadata.check_is_named(wanted, target)
    return _scaled(backend, target, request, wanted)


def patch(backend: Backend, target: Target, request: Request) -> Response:
    """The same with a patch of the scale."""
    wanted = patching.patched(_scale(backend, target), request, target)
    if not isinstance(wanted, dict):
        raise statuses.bad_request(f"json: cannot unmarshal {bodies.go_type(wanted)} into Go value of type struct")
    return _scaled(backend, target, request, wanted)


def _scaled(backend: Backend, target: Target, request: Request, wanted: Plain) -> Response:
    """The scale after the workload was changed, as any other change of it."""
    revision = metadata.metadata_of(wanted).get("resourceVersion")
    change = {
        "metadata": {"resourceVersion": revision} if revision else {},
        "spec": {"replicas": _replicas(wanted, target)},
    }
    workload = msgspec.structs.replace(target, subresource="")
    headers = {**request.headers, "content-type": "application/merge-patch+json"}
    asked = msgspec.structs.replace(request, method="PATCH", headers=headers, body=msgspec.json.encode(change))
    written = patching.patch(backend, workload, asked)
    return Response(200, _scale(backend, target), revision=written.revision)


def _replicas(wanted: Plain, target: Target) -> int:
    spec = wanted.get("spec")
    replicas = (spec.get("replicas") or 0) if isinstance(spec, dict) else 0
    if not isinstance(replicas, int) or isinstance(replicas, bool):
        raise statuses.bad_request(f"json: cannot unmarshal {bodies.go_type(replicas)} into Go value of type int32")
    if replicas < 0:
        detail = "must be greater than or equal to 0"
        error = FieldError(type=ErrorType.INVALID, field="spec.replicas", value=replicas, detail=detail)
        raise statuses.invalid("Scale", "autoscaling", target.name, (error,))
    return replicas


def _scale(backend: Backend, target: Target) -> Plain:
    plain = drafts.kept(record_of(backend, target), target.kind).plain
    spec, status, meta = plain["spec"], plain.get("status") or {}, plain["metadata"]
    told = ("name", "namespace", "uid", "resourceVersion", "creationTimestamp")
    replicas = spec.get("replicas", 1)
    return {
        "kind": "Scale",
        "apiVersion": _API_VERSION,
        "metadata": {name: meta[name] for name in told if name in meta},
        "spec": {"replicas": replicas} if replicas else {},
        "status": {"replicas": status.get("replicas", 0), "selector": ",".join(_terms(spec.get("selector") or {}))},
    }


def _terms(selector: Mapping[str, Any]) -> Iterator[str]:
    """A selector of labels in words, as lists take them; that of a ReplicationController is nothing but labels."""
    labels = {name: value for name, value in selector.items() if isinstance(value, str)}
    terms = [(name, f"{name}={value}") for name, value in (labels or selector.get("matchLabels") or {}).items()]
    for term in selector.get("matchExpressions") or ():
        form, key = _OPERATORS.get(term.get("operator", ""), "{}"), term.get("key", "")
        terms.append((key, form.format(key, ",".join(sorted(term.get("values") or ())))))
    yield from (text for _, text in sorted(terms, key=lambda term: term[0]))
