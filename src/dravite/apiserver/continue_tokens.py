"""Where the next page of a list begins: texts that clients hand back as they got them."""

from __future__ import annotations

import base64
import json
from typing import Any, Final

import msgspec

from dravite.apiserver import statuses
from dravite.apiserver.requests import Target
from dravite.store import Place

_META: Final = "meta.k8s.io/v1"


def write_token(revision: int, place: Place, target: Target) -> str:
    """Where the next page begins."""
    namespace, name = place
    start = f"/{name}\0" if target.namespace else f"{namespace}/{name}\0"
    return _token(revision, start)


def newest_token(place: Place) -> str:
    """The same place in whatever is there when it is asked for."""
    namespace, name = place
    return _token(-1, f"{namespace}/{name}\0".lstrip("/"))


def read_token(token: str) -> tuple[int, Place]:
    """The revision and the place before which a page begins; -1 for the newest revision.

    Raises:
        Refused: it is none that was handed out.
    """
    if not token.replace("-", "a").replace("_", "a").isalnum() or not token.isascii() or len(token) % 4 == 1:
        raise _invalid("illegal base64 data at input byte 0")
    text = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)).decode("utf-8", "replace")
    try:
        value = json.loads(text)
        revision, start = value["rv"], value["start"]
        namespace, _, name = start.removesuffix("\0").rpartition("/")
        return int(revision), (namespace, name)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise _invalid(f"invalid character '{text[:1]}' looking for beginning of value") from None


def _invalid(detail: str) -> statuses.Refused:
    return statuses.bad_request(f"invalid continue token: continue key is not valid: {detail}")


def _token(revision: int, start: str) -> str:
    value: dict[str, Any] = {"v": _META, "rv": revision, "start": start}
    return base64.urlsafe_b64encode(msgspec.json.encode(value)).decode().rstrip("=")
