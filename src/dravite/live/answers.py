"""What an API server says in a code and a Status, and whether it is worth asking again."""

from __future__ import annotations

from typing import Final

import msgspec

from dravite.live.faults import ClusterError
from dravite.live.kubeconfig import Access
from dravite.live.transport import Reply

OK: Final = 200
BAD_REQUEST: Final = 400
UNAUTHORIZED: Final = 401
FORBIDDEN: Final = 403
NOT_FOUND: Final = 404
GONE: Final = 410
TOO_MANY: Final = 429
GATEWAY_TIMEOUT: Final = 504
PASSING: Final = (TOO_MANY, 500, 502, 503, GATEWAY_TIMEOUT)
"""Codes that may not come back."""

_MAX_PAUSE: Final = 5.0


class StatusMeta(msgspec.Struct, frozen=True):
    """The metadata of a Status: with 410 it may hold a token that goes on at a later moment."""

    continue_: str = msgspec.field(default="", name="continue")


class Status(msgspec.Struct, frozen=True):
    """The error body of Kubernetes."""

    message: str = ""
    reason: str = ""
    metadata: StatusMeta = StatusMeta()


_STATUS: Final = msgspec.json.Decoder(Status)


def status_of(reply: Reply) -> Status:
    """The Status of an answer; what is none counts as its text."""
    try:
        return _STATUS.decode(reply.body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        lines = reply.body[:200].decode("utf-8", "replace").strip().splitlines()
        return Status(message=lines[0] if lines else "")


def pause_after(reply: Reply, attempt: int) -> float:
    """Seconds to wait before the next attempt, the first of which is 0."""
    said = reply.headers.get("retry-after", "")
    return min(float(said), _MAX_PAUSE) if said.isdecimal() else min(0.2 * 2.0**attempt, _MAX_PAUSE)


def refusal(reply: Reply, access: Access, path: str) -> ClusterError:
    """The fault that an answer other than 200 stands for, where nothing can be done without it."""
    said = status_of(reply).message
    where = f"{access.server} (context {access.context!r})"
    if reply.status == UNAUTHORIZED:
        return ClusterError(
            f"{where} does not accept who you are: {said or 'Unauthorized'}",
            "a token may be expired or belong to another cluster: log in again, or choose another --context",
        )
    if reply.status == FORBIDDEN:
        return ClusterError(f"{where} refuses {path}: {said}", "`dravite rbac` prints the rights that are needed")
    if reply.status == NOT_FOUND:
        return ClusterError(f"{where} has no {path}: is it an API server of Kubernetes?", "check the server's address")
    message = f"{where} answers {reply.status} to {path}: {said or 'nothing more'}"
    speaks_tls = reply.status == BAD_REQUEST and access.server.startswith("http://")
    return ClusterError(message, "write https:// in the server's address" if speaks_tls else "try again later")


def not_kubernetes(access: Access, path: str, reply: Reply) -> ClusterError:
    """The fault of an answer that is no JSON of Kubernetes: a login page, a proxy."""
    kind = reply.headers.get("content-type", "unknown").partition(";")[0]
    where = f"{access.server} (context {access.context!r})"
    return ClusterError(
        f"{where} answers {path} with something that is not Kubernetes ({kind})",
        "a proxy or a login page may stand in between: check the server's address",
    )
