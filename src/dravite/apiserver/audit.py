"""What an audit log says of a request, in the form of audit.k8s.io/v1 at the level Metadata."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

import msgspec

from dravite.apiserver.requests import Request, Target
from dravite.apiserver.rights import wish_of
from dravite.lifecycle.instants import micro_text_of


class Heard(msgspec.Struct, frozen=True, kw_only=True):
    """How a request came.

    Attributes:
        uri: path and query as they were sent.
        client: the address that it came from.
        at: when, in seconds since 1970.
    """

    uri: str
    client: str
    at: float


def audit_line(request: Request, target: Target | None, heard: Heard, code: int, now: float) -> bytes:
    """One line about a request that was answered with a code."""
    user = {"username": request.user.name, "uid": request.user.uid, "groups": request.user.groups}
    event: dict[str, Any] = {
        "kind": "Event",
        "apiVersion": "audit.k8s.io/v1",
        "level": "Metadata",
        "auditID": str(uuid.uuid4()),
        "stage": "ResponseComplete",
        "requestURI": heard.uri,
        "verb": wish_of(request, target).verb,
        "user": {name: value for name, value in user.items() if value},
        "sourceIPs": [heard.client],
        "userAgent": request.headers.get("user-agent", ""),
        "objectRef": None if target is None else _reference(target),
        "responseStatus": {"metadata": {}, "code": code},
        "requestReceivedTimestamp": micro_text_of(heard.at),
        "stageTimestamp": micro_text_of(now),
    }
    return msgspec.json.encode({name: value for name, value in event.items() if value is not None}) + b"\n"


def _reference(target: Target) -> Mapping[str, str]:
    named = {
        "resource": target.kind.plural,
        "namespace": target.namespace,
        "name": target.name,
        "apiGroup": target.kind.group,
        "apiVersion": target.version,
        "subresource": target.subresource,
    }
    return {name: value for name, value in named.items() if value}
