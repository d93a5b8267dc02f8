"""Reviews: questions that are posted like objects and answered at once, and never stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from dravite.apiserver import bodies, statuses
from dravite.apiserver.backend import Backend, Response
from dravite.apiserver.requests import Request

Plain = dict[str, Any]

_AUTHORIZATION: Final = "/apis/authorization.k8s.io/v1"
_AUTHENTICATION: Final = "/apis/authentication.k8s.io/v1"


def _may_i(body: Plain, request: Request) -> Plain:
    return {**body, "status": {"allowed": True}}


def _rules(body: Plain, request: Request) -> Plain:
    every = {"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"]}
    paths = {"verbs": ["*"], "nonResourceURLs": ["*"]}
    return {**body, "status": {"resourceRules": [every], "nonResourceRules": [paths], "incomplete": False}}


def _who_am_i(body: Plain, request: Request) -> Plain:
    user = {"username": request.user, "groups": ["system:masters", "system:authenticated"]}
    return {**body, "status": {"userInfo": user}}


_REVIEWS: Final[Mapping[str, tuple[str, Callable[[Plain, Request], Plain]]]] = {
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
    body = bodies.read_any(request).value if request.body.strip() else {}
    group = request.path.split("/")[2]
    whole = {"kind": kind, "apiVersion": f"{group}/v1", "metadata": {"creationTimestamp": None}, **body}
    return Response(201, msgspec.to_builtins(answer(whole, request)))
