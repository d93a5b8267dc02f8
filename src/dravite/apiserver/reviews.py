"""Reviews: questions that are posted like objects and answered at once, and never stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from dravite.api.plain import Plain
from dravite.apiserver import bodies, statuses
from dravite.apiserver.backend import Backend, Response
from dravite.apiserver.managed_fields import Owner, after_update, write_owners
from dravite.apiserver.requests import Request, WriteOptions, write_options
from dravite.apiserver.rights import Wish, may, rules_of

_AUTHORIZATION: Final = "/apis/authorization.k8s.io/v1"
_AUTHENTICATION: Final = "/apis/authentication.k8s.io/v1"


def _may_i(backend: Backend, body: Plain, request: Request) -> Plain:
    spec = body.get("spec")
    wanted = spec.get("resourceAttributes") if isinstance(spec, dict) else None
    if not isinstance(wanted, dict):
        return {**body, "status": {"allowed": True}}
    part = f"/{wanted['subresource']}" if wanted.get("subresource") else ""
    wish = Wish(
        verb=str(wanted.get("verb", "")),
        group=str(wanted.get("group", "")),
        resource=f"{wanted.get('resource', '')}{part}",
        namespace=str(wanted.get("namespace", "")),
        name=str(wanted.get("name", "")),
    )
    return {**body, "status": {"allowed": may(backend, request.user, wish)}}


def _rules(backend: Backend, body: Plain, request: Request) -> Plain:
    spec = body.get("spec")
    space = str(spec.get("namespace") or "") if isinstance(spec, dict) else ""
    found = list(rules_of(backend, request.user, space))
    objects = [rule for rule in found if rule.get("resources")]
    paths = [rule for rule in found if rule.get("nonResourceURLs")]
    return {**body, "status": {"resourceRules": objects, "nonResourceRules": paths, "incomplete": False}}


def _who_am_i(backend: Backend, body: Plain, request: Request) -> Plain:
    user: Plain = {"username": request.user.name, "uid": request.user.uid, "groups": list(request.user.groups)}
    known = {name: value for name, value in user.items() if value}
    meta = {**body["metadata"], "creationTimestamp": backend.source.now()}
    return {**body, "metadata": meta, "status": {"userInfo": known}}


_REVIEWS: Final[Mapping[str, tuple[str, Callable[[Backend, Plain, Request], Plain]]]] = {
    f"{_AUTHORIZATION}/selfsubjectaccessreviews": ("SelfSubjectAccessReview", _may_i),
    f"{_AUTHORIZATION}/subjectaccessreviews": ("SubjectAccessReview", _may_i),
    f"{_AUTHORIZATION}/selfsubjectrulesreviews": ("SelfSubjectRulesReview", _rules),
    f"{_AUTHENTICATION}/selfsubjectreviews": ("SelfSubjectReview", _who_am_i),
}


def review(backend: Backend, request: Request) -> Response | None:
    """The answer to a review; None where the path is that of none."""
    found = _REVIEWS.get(request.path.rstrip("/"))
    if found is None:
        return None
    if request.method != "POST":
        raise statuses.no_such_method()
    kind, answer = found
    options = write_options(request, "CreateOptions", backend.profile)
    body = bodies.read_any(request).value if request.body.strip() else {}
    group = request.path.split("/")[2]
    whole = {"kind": kind, "apiVersion": f"{group}/v1", "metadata": {}, **body}
    told = msgspec.to_builtins(answer(backend, _owned(whole, options, backend), request))
    return Response(201, told)


def _owned(review: Plain, options: WriteOptions, backend: Backend) -> Plain:
    """A review that says who asked what, as objects say who owns their fields."""
    owner = Owner(options.manager, "Update", review["apiVersion"], "")
    nothing: Plain = {"metadata": {}, "spec": {}}
    owners = after_update({}, lambda _: (nothing, review), owner, (review["kind"], ("status",)), backend.source.now())
    meta = review["metadata"] if isinstance(review["metadata"], dict) else {}
    return {**review, "metadata": {**meta, "managedFields": write_owners(owners)}} if owners else review
