"""Who may do what, by the roles and bindings in the store; and the sentences with which a server says no.

Everybody who is known may read discovery; everybody at all may ask for health and version.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import unquote

import msgspec

from dravite.api.plain import PlainView
from dravite.apiserver import drafts
from dravite.apiserver.backend import Backend
from dravite.apiserver.identity import User
from dravite.apiserver.requests import Request, Target
from dravite.apiserver.statuses import Refused, status
from dravite.store import Compacted, Key

_GROUP: Final = "rbac.authorization.k8s.io"
_SPACES: Final = "namespaces"
_MASTERS: Final = "system:masters"
_KNOWN: Final = "system:authenticated"
_FOR_ALL: Final = ("/healthz", "/livez", "/readyz", "/version")
_FOR_KNOWN: Final = ("api", "apis", "openapi")
_OF_ONESELF: Final = ("selfsubjectaccessreviews", "selfsubjectrulesreviews", "selfsubjectreviews")
_REVIEW: Final = re.compile(r"/apis/(authentication|authorization)\.k8s\.io/v1(?:/namespaces/([^/]+))?/(\w+reviews)/?")
_AS, _AS_GROUP, _AS_UID = "impersonate-user", "impersonate-group", "impersonate-uid"
_ACCOUNT: Final = "system:serviceaccount:"
_VERBS: Final = {"GET": "get", "POST": "create", "PUT": "update", "PATCH": "patch", "DELETE": "delete"}


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody wants to do: to objects, or, with a path, to something else."""

    verb: str
    group: str = ""
    resource: str = ""
    namespace: str = ""
    name: str = ""
    path: str = ""


class Asked(msgspec.Struct, frozen=True):
    """Which review a path is that of."""

    group: str
    namespace: str
    plural: str


def asked_review(path: str) -> Asked | None:
    """The review that a path is that of, if it is of any."""
    found = _REVIEW.fullmatch(path)
    return Asked(f"{found[1]}.k8s.io", found[2] or "", found[3]) if found else None


def wish_of(request: Request, target: Target | None) -> Wish:
    """What a request wants; also of kinds that are not served, which nobody is told before he may ask."""
    if target is None:
        return _wish_of_path(request)
    verb = _verb(request, is_named=bool(target.name))
    resource = f"{target.kind.plural}/{target.subresource}" if target.subresource else target.kind.plural
    space = target.name if resource.partition("/")[0] == _SPACES and not target.kind.group else target.namespace
    return Wish(verb=verb, group=target.kind.group, resource=resource, namespace=space, name=target.name)


def _verb(request: Request, *, is_named: bool) -> str:
    verb = _VERBS.get(request.method, request.method.lower())
    if is_named:
        return verb
    verb = {"get": "list", "delete": "deletecollection"}.get(verb, verb)
    return "watch" if verb == "list" and request.flag("watch") else verb


def _wish_of_path(request: Request) -> Wish:
    steps = unquote(request.path).strip("/").split("/")
    group, rest = ("", steps[2:]) if steps[0] == "api" else ("".join(steps[1:2]), steps[3:])
    if steps[0] not in ("api", "apis") or not rest:
        verb = _VERBS.get(request.method, request.method.lower())
        return Wish(verb=verb, path=request.path.rstrip("/") or "/")
    space, *rest = rest[1:] if rest[0] == _SPACES and len(rest) > 2 else ("", *rest)
    plural, name, *parts = (*rest, "", "")[: max(2, len(rest))]
    resource = "/".join((plural, *parts[:1]))
    return Wish(verb=_verb(request, is_named=bool(name)), group=group, resource=resource, namespace=space, name=name)


def standing_for(backend: Backend, request: Request) -> Request:
    """The request as that of the user for whom somebody asks, if it is so. Refuses those who may not."""
    name = request.headers.get(_AS)
    if not name:
        return request
    groups = tuple(group.strip() for group in request.headers.get(_AS_GROUP, "").split(",") if group.strip())
    wishes = [_standing("users", name), *(_standing("groups", group) for group in groups)]
    if name.startswith(_ACCOUNT):
        space, _, account = name.removeprefix(_ACCOUNT).partition(":")
        wishes[0] = Wish(verb="impersonate", resource="serviceaccounts", namespace=space, name=account)
        groups = groups or ("system:serviceaccounts", f"system:serviceaccounts:{space}")
    for wish in wishes:
        check(backend, request.user, wish)
    known = groups if _KNOWN in groups or name == "system:anonymous" else (*groups, _KNOWN)
    user = User(name, known, request.headers.get(_AS_UID, ""))
    return msgspec.structs.replace(request, user=user)


def _standing(resource: str, name: str) -> Wish:
    return Wish(verb="impersonate", resource=resource, name=name)


def check(backend: Backend, user: User, wish: Wish) -> None:
    """Refuse what a user may not do."""
    if not may(backend, user, wish):
        details = {"name": wish.name, "group": wish.group, "kind": wish.resource.partition("/")[0]}
        kept = {name: value for name, value in details.items() if value}
        raise Refused(status(403, "Forbidden", why_not(user, wish), kept))


def may(backend: Backend, user: User, wish: Wish) -> bool:
    """Whether a user may do something. Without access control everybody may do everything."""
    if not backend.controls_access or _MASTERS in user.groups:
        return True
    if wish.path:
        if wish.path.startswith(_FOR_ALL) or (_KNOWN in user.groups and _is_for_known(wish.path)):
            return True
        return _by_path(backend, user, wish)
    if wish.verb == "create" and wish.resource in _OF_ONESELF and _KNOWN in user.groups:
        return True
    return any(_allows(rule, wish) for rule in _rules(backend, user, wish.namespace))


def why_not(user: User, wish: Wish) -> str:
    """The sentence about a wish that is not granted."""
    who = f'User "{user.name}" cannot'
    if wish.path:
        return f'forbidden: {who} {wish.verb} path "{wish.path}"'
    plural = wish.resource.partition("/")[0]
    called = f"{plural}.{wish.group}" if wish.group else plural
    called += f' "{wish.name}"' if wish.name else ""
    where = f'in the namespace "{wish.namespace}"' if wish.namespace else "at the cluster scope"
    return f'{called} is forbidden: {who} {wish.verb} resource "{wish.resource}" in API group "{wish.group}" {where}'


def _is_for_known(path: str) -> bool:
    steps = path.split("/")
    return len(steps) > 1 and steps[1] in _FOR_KNOWN


def _by_path(backend: Backend, user: User, wish: Wish) -> bool:
    for rule in _rules(backend, user, ""):
        for path in rule.get("nonResourceURLs") or ():
            fits = path in ("*", wish.path) or (path.endswith("*") and wish.path.startswith(path[:-1]))
            if fits and _holds(rule.get("verbs"), wish.verb):
                return True
    return False


def _allows(rule: PlainView, wish: Wish) -> bool:
    resources = rule.get("resources") or ()
    part = wish.resource.partition("/")[2]
    fits = _holds(resources, wish.resource) or bool(part and f"*/{part}" in resources)
    names = rule.get("resourceNames") or ()
    return (
        fits
        and _holds(rule.get("verbs"), wish.verb)
        and _holds(rule.get("apiGroups"), wish.group)
        and (not names or wish.name in names)
    )


def _holds(words: Iterable[str] | None, word: str) -> bool:
    return any(one in ("*", word) for one in words or ())


def rules_of(backend: Backend, user: User, namespace: str) -> Iterator[PlainView]:
    """The rules by which a user may do what he may in a namespace."""
    if not backend.controls_access or _MASTERS in user.groups:
        yield {"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"]}
        yield {"verbs": ["*"], "nonResourceURLs": ["*"]}
        return
    yield from _rules(backend, user, namespace)


def _rules(backend: Backend, user: User, namespace: str) -> Iterator[PlainView]:
    """All rules that count for a user: those of the whole cluster, and those of a namespace."""
    for binding in _objects(backend, "clusterrolebindings", ""):
        if _is_meant(binding, user):
            yield from _role(backend, binding, "")
    for binding in _objects(backend, "rolebindings", namespace) if namespace else ():
        if _is_meant(binding, user):
            yield from _role(backend, binding, namespace)


def _objects(backend: Backend, plural: str, namespace: str) -> Iterator[PlainView]:
    kind = backend.catalogue.find(f"{_GROUP}/v1", plural)
    page = backend.store.page(f"{plural}.{_GROUP}", namespace)
    if kind is not None and not isinstance(page, Compacted):
        yield from (drafts.kept(record, kind).plain for record in page.records)


def _is_meant(binding: PlainView, user: User) -> bool:
    return any(_is_subject(subject, user) for subject in binding.get("subjects") or () if isinstance(subject, dict))


def _is_subject(subject: PlainView, user: User) -> bool:
    match subject.get("kind"):
        case "User":
            return subject.get("name") == user.name
        case "Group":
            return subject.get("name") in user.groups
        case "ServiceAccount":
            return user.name == f"system:serviceaccount:{subject.get('namespace')}:{subject.get('name')}"
    return False


def _role(backend: Backend, binding: PlainView, namespace: str) -> Iterable[PlainView]:
    reference = binding.get("roleRef")
    if not isinstance(reference, dict):
        return ()
    is_local = reference.get("kind") == "Role"
    plural = "roles" if is_local else "clusterroles"
    kind = backend.catalogue.find(f"{_GROUP}/v1", plural)
    key = Key(f"{plural}.{_GROUP}", namespace if is_local else "", str(reference.get("name")))
    record = backend.store.get(key)
    if kind is None or record is None:
        return ()
    rules = drafts.kept(record, kind).plain.get("rules")
    return [rule for rule in rules if isinstance(rule, dict)] if isinstance(rules, list) else ()
