"""Reviews: questions that are posted like objects and answered at once, and never stored."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

import msgspec

from dravite.api.field import FieldError
from dravite.api.plain import Plain, PlainView
from dravite.api.releases import Profile
from dravite.apiserver import bodies, media, statuses
from dravite.apiserver.backend import Backend, Response
from dravite.apiserver.identity import User
from dravite.apiserver.managed_fields import Owner, after_update, write_owners
from dravite.apiserver.requests import Request, WriteOptions, write_options
from dravite.apiserver.review_types import check_types
from dravite.apiserver.rights import Asked, Wish, asked_review, may, rules_of
from dravite.validation.faults import invalid
from dravite.workloads.raw_paths import mapping

Answer = Callable[[Backend, Plain, Request], Plain]

_KNOWN: Final = "system:authenticated"
_ONE: Final = "exactly one of nonResourceAttributes or resourceAttributes must be specified"


def _may_i(backend: Backend, review: Plain, request: Request) -> Plain:
    return {**review, "status": {"allowed": may(backend, request.user, _wish(mapping(review.get("spec"))))}}


def _may_they(backend: Backend, review: Plain, request: Request) -> Plain:
    """Whether somebody may do something of whom the name and the groups are told."""
    spec = mapping(review.get("spec"))
    groups = tuple(str(group) for group in spec.get("groups") or ())
    who = User(str(spec.get("user") or ""), groups, str(spec.get("uid") or ""))
    return {**review, "status": {"allowed": may(backend, who, _wish(spec))}}


def _wish(spec: PlainView) -> Wish:
    path = spec.get("nonResourceAttributes")
    if isinstance(path, dict):
        return Wish(verb=str(path.get("verb", "")), path=str(path.get("path", "")))
    wanted = spec["resourceAttributes"]
    part = f"/{wanted['subresource']}" if wanted.get("subresource") else ""
    return Wish(
        verb=str(wanted.get("verb", "")),
        group=str(wanted.get("group", "")),
        resource=f"{wanted.get('resource', '')}{part}",
        namespace=str(wanted.get("namespace", "")),
        name=str(wanted.get("name", "")),
    )


def _rules(backend: Backend, review: Plain, request: Request) -> Plain:
    space = str(mapping(review.get("spec")).get("namespace") or "")
    found = list(rules_of(backend, request.user, space))
    objects = [rule for rule in found if rule.get("resources")]
    paths = [rule for rule in found if rule.get("nonResourceURLs")]
    status = {"resourceRules": objects, "nonResourceRules": paths, "incomplete": False}
    return {**review, "metadata": {}, "spec": {}, "status": status}


def _who_am_i(backend: Backend, review: Plain, request: Request) -> Plain:
    user: Plain = {"username": request.user.name, "uid": request.user.uid, "groups": list(request.user.groups)}
    known = {name: value for name, value in user.items() if value}
    meta = {**review["metadata"], "creationTimestamp": backend.source.now()}
    return {**review, "metadata": meta, "status": {"userInfo": known}}


def _why_not_access(review: Plain, profile: Profile) -> Iterator[FieldError]:
    """What is wrong with a question whether somebody may do something."""
    spec = mapping(review.get("spec"))
    kinds = [name for name in ("resourceAttributes", "nonResourceAttributes") if isinstance(spec.get(name), dict)]
    newer = profile.is_at_least("1.32")
    if len(kinds) == 2:
        value = spec["nonResourceAttributes"]
        detail = _ONE if newer else "cannot be specified in combination with resourceAttributes"
        yield invalid("spec" if newer else "spec.nonResourceAttributes", value, detail)
    if not kinds:
        yield invalid("spec" if newer else "spec.resourceAttributes", None, _ONE)
    told = {name: value for name, value in review["metadata"].items() if name not in ("managedFields", "namespace")}
    if any(told.values()):
        yield invalid("metadata", review["metadata"], "must be empty")


def _why_not_of_others(review: Plain, profile: Profile) -> Iterator[FieldError]:
    spec = mapping(review.get("spec"))
    if not spec.get("user") and not spec.get("groups"):
        yield invalid("spec.user", "", "at least one of user or group must be specified")
    yield from _why_not_access(review, profile)


def _why_not_rules(review: Plain, profile: Profile) -> Iterator[FieldError]:
    if not mapping(review.get("spec")).get("namespace"):
        raise statuses.bad_request("no namespace on request")
    return iter(())


class _Review(msgspec.Struct, frozen=True):
    kind: str
    answer: Answer
    why_not: Callable[[Plain, Profile], Iterator[FieldError]] = lambda *_: iter(())


_REVIEWS: Final[Mapping[str, _Review]] = {
    "selfsubjectaccessreviews": _Review("SelfSubjectAccessReview", _may_i, _why_not_access),
    "subjectaccessreviews": _Review("SubjectAccessReview", _may_they, _why_not_of_others),
    "localsubjectaccessreviews": _Review("LocalSubjectAccessReview", _may_they, _why_not_of_others),
    "selfsubjectrulesreviews": _Review("SelfSubjectRulesReview", _rules, _why_not_rules),
    "selfsubjectreviews": _Review("SelfSubjectReview", _who_am_i),
}


def review(backend: Backend, request: Request) -> Response | None:
    """The answer to a review; None where the path is that of none."""
    asked = asked_review(request.path)
    found = _REVIEWS.get(asked.plural) if asked is not None else None
    if asked is None or found is None or (found.kind.startswith("Local") is not bool(asked.namespace)):
        return None
    if request.method != "POST":
        raise statuses.no_such_method()
    header = request.headers.get("accept", "")
    media.check_route(header, streamed=False)
    taken = media.accepted(header, media.Made(tables=False, as_protobuf=True))
    options = write_options(request, "CreateOptions", backend.profile)
    sent = _sent(asked, found, request)
    check_types(sent)
    whole = _owned(sent, options, backend)
    if not backend.profile.is_at_least("1.34"):  # which left it out first
        whole = {**whole, "metadata": {"creationTimestamp": None, **whole["metadata"]}}
    errors = tuple(found.why_not(whole, backend.profile))
    if errors:
        raise statuses.invalid("", asked.group, "", errors)
    return Response(201, msgspec.to_builtins(found.answer(backend, whole, request)), taken.content_type)


def _sent(asked: Asked, found: _Review, request: Request) -> Plain:
    body = bodies.read_any(request).value if request.body.strip() else {}
    meta = body.get("metadata")
    place = {"namespace": asked.namespace} if asked.namespace else {}
    typed = {"kind": found.kind, "apiVersion": f"{asked.group}/v1"}
    return {**body, **typed, "metadata": {**(meta if isinstance(meta, dict) else {}), **place}}


def _owned(review: Plain, options: WriteOptions, backend: Backend) -> Plain:
    """A review that says who asked what, as objects say who owns their fields."""
    owner = Owner(options.manager, "Update", review["apiVersion"], "")
    nothing: Plain = {"metadata": {}, "spec": {}}
    owners = after_update({}, lambda _: (nothing, review), owner, (review["kind"], ("status",)), backend.source.now())
    return {**review, "metadata": {**review["metadata"], "managedFields": write_owners(owners)}} if owners else review
