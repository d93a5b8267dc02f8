"""Tokens of service accounts: made on request, signed by the server, and read again when they are shown.

They are JSON web tokens (RFC 7519) with the claims of Kubernetes, signed with HMAC: only the server that made one can
read it, and nobody else needs to.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

import msgspec

from dravite.api.field import ErrorType, FieldError
from dravite.api.meta import Time
from dravite.api.plain import Plain
from dravite.apiserver import bodies, drafts, grace_periods, metadata, statuses
from dravite.apiserver.backend import Backend, Response, record_of
from dravite.apiserver.identity import User
from dravite.apiserver.managed_fields import Owner, after_update, write_owners
from dravite.apiserver.requests import Request, Target, write_options
from dravite.store import Key

_ISSUER: Final = "https://kubernetes.default.svc.cluster.local"
_HEAD: Final = {"alg": "HS256", "typ": "JWT"}
_OWN: Final = "kubernetes.io"
_API_VERSION: Final = "authentication.k8s.io/v1"
_ACCOUNTS: Final = "serviceaccounts"
_BOUND: Final = ("Pod", "Node", "Secret")
_HOUR: Final = 3_600
_SHORTEST: Final = 600
_LONGEST: Final = 1 << 32


class _Reference(msgspec.Struct, rename="camel", omit_defaults=True):
    api_version: str = ""
    kind: str = ""
    name: str = ""
    uid: str = ""


class _Spec(msgspec.Struct, rename="camel"):
    """What a TokenRequest says."""

    audiences: list[str] | None = None
    expiration_seconds: int | None = None
    bound_object_ref: _Reference | None = None


def request_token(backend: Backend, target: Target, request: Request) -> Response:
    """Make a token of a service account, as a TokenRequest wants it."""
    options = write_options(request, "CreateOptions", backend.profile)
    body = bodies.read_any(request).value
    named = metadata.metadata_of(body).get("name")
    if named and named != target.name:
        detail = "must match the service account name if specified"
        error = FieldError(type=ErrorType.INVALID, field="metadata.name", value=named, detail=detail)
        raise statuses.invalid("TokenRequest", "authentication.k8s.io", target.name, (error,))
    account = drafts.kept(record_of(backend, target), target.kind).plain
    spec = _spec(body)
    seconds = _seconds(spec.expiration_seconds)
    now = backend.source.now()
    bound = {} if spec.bound_object_ref is None else _bound(backend, target, spec.bound_object_ref)
    private = {"namespace": target.namespace, "serviceaccount": _named(account), **bound}
    claims = {
        "aud": spec.audiences or [_ISSUER],
        "iss": _ISSUER,
        "sub": f"system:serviceaccount:{target.namespace}:{target.name}",
        "iat": _instant(now),
        "nbf": _instant(now),
        "exp": _instant(now) + seconds,
        "jti": backend.source.uid(),
        _OWN: private,
    }
    told = {"token": _signed(claims, backend.key), "expirationTimestamp": grace_periods.later(now, seconds)}
    wanted = {"audiences": claims["aud"], "expirationSeconds": seconds, "boundObjectRef": spec.bound_object_ref}
    owner = Owner(options.manager, "Update", _API_VERSION, "token")
    sent: Plain = {"metadata": {}, "spec": body.get("spec") or {"expirationSeconds": seconds}}
    nothing: Plain = {"metadata": {}, "spec": {}}
    owners = after_update({}, lambda _: (nothing, sent), owner, ("TokenRequest", ("status",)), now)
    born = {"uid": account["metadata"]["uid"], "creationTimestamp": now, "managedFields": write_owners(owners)}
    meta = {"name": target.name, "namespace": target.namespace, **born}
    head = {"kind": "TokenRequest", "apiVersion": _API_VERSION, "metadata": meta}
    return Response(201, {**head, "spec": msgspec.to_builtins(wanted), "status": told})


def user_of_token(backend: Backend, token: str) -> User | None:
    """The service account whose token it is; None where it is none, is over, or its account is gone."""
    claims = _read(token, backend.key)
    if claims is None or claims["exp"] < _instant(backend.source.now()):
        return None
    private = claims[_OWN]
    space, account = private["namespace"], private["serviceaccount"]
    for collection, place, named in (
        (_ACCOUNTS, space, account),
        ("pods", space, private.get("pod")),
        ("secrets", space, private.get("secret")),
    ):
        if named is not None and not _is_there(backend, Key(collection, place, named["name"]), named["uid"]):
            return None
    groups = ("system:serviceaccounts", f"system:serviceaccounts:{space}", "system:authenticated")
    return User(claims["sub"], groups, account["uid"], (private.get("node") or {}).get("name", ""))


def _spec(body: Plain) -> _Spec:
    try:
        return msgspec.convert(body.get("spec") or {}, _Spec)
    except msgspec.ValidationError as error:
        why = f"json: cannot unmarshal: {error}"
        text = f'TokenRequest in version "v1" cannot be handled as a TokenRequest: {why}'
        raise statuses.bad_request(text) from None


def _seconds(seconds: int | None) -> int:
    if seconds is None:
        return _HOUR
    detail = ""
    if seconds < _SHORTEST:
        detail = "may not specify a duration less than 10 minutes"
    elif seconds > _LONGEST:
        detail = "may not specify a duration larger than 2^32 seconds"
    if detail:
        error = FieldError(type=ErrorType.INVALID, field="spec.expirationSeconds", value=seconds, detail=detail)
        raise statuses.invalid("TokenRequest", "authentication.k8s.io", "", (error,))
    return seconds


def _bound(backend: Backend, target: Target, reference: _Reference) -> Plain:
    """What a token is bound to: a pod, with its node, or a node, or a secret."""
    kind = backend.catalogue.named("", reference.kind)
    if kind is None or kind.kind not in _BOUND:
        version = reference.api_version if "/" in reference.api_version else f"/{reference.api_version}"
        raise statuses.bad_request(f"cannot bind token to object of type {version}, Kind={reference.kind}")
    space = target.namespace if kind.namespaced else ""
    found = drafts.kept(record_of(backend, Target(kind, kind.hub, space, reference.name)), kind).plain
    uid = found["metadata"]["uid"]
    if reference.uid not in ("", uid):
        why = f"the UID in the bound object reference ({reference.uid}) does not match the UID in record ({uid})"
        raise statuses.conflict(kind, reference.name, why)
    bound = {kind.kind.lower(): _named(found)}
    node = (found.get("spec") or {}).get("nodeName")
    record = backend.store.get(Key("nodes", "", node)) if isinstance(node, str) else None
    if record is not None:
        bound["node"] = _named(msgspec.json.decode(record.body))
    return bound


def _named(plain: Plain) -> dict[str, str]:
    return {"name": plain["metadata"]["name"], "uid": plain["metadata"]["uid"]}


def _is_there(backend: Backend, key: Key, uid: str) -> bool:
    record = backend.store.get(key)
    return record is not None and msgspec.json.decode(record.body)["metadata"]["uid"] == uid


def _instant(time: Time) -> int:
    return int(datetime.fromisoformat(time).timestamp())


def _signed(claims: Mapping[str, Any], key: bytes) -> str:
    text = b".".join(_packed(msgspec.json.encode(part)) for part in (_HEAD, claims))
    return b".".join((text, _packed(_seal(text, key)))).decode()


def _read(token: str, key: bytes) -> Mapping[str, Any] | None:
    """What a token says that was signed with this key."""
    text, _, seal = token.encode().rpartition(b".")
    if not hmac.compare_digest(_packed(_seal(text, key)), seal):
        return None
    try:
        packed = text.partition(b".")[2]
        found: Mapping[str, Any] = msgspec.json.decode(base64.urlsafe_b64decode(packed + b"=" * (-len(packed) % 4)))
    except (msgspec.DecodeError, binascii.Error):
        return None
    return found


def _seal(text: bytes, key: bytes) -> bytes:
    return hmac.new(key, text, hashlib.sha256).digest()


def _packed(data: bytes) -> bytes:
    return base64.urlsafe_b64encode(data).rstrip(b"=")
