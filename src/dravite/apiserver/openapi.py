"""OpenAPI, as far as clients read it: the index, and for each version its paths and schemas."""

from __future__ import annotations

from typing import Any, Final

from dravite.apiserver.backend import Backend, Response
from dravite.apiserver.requests import Request

Plain = dict[str, Any]

_TEXT: Final = "text/plain; charset=utf-8"
_V2: Final = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"


def answer(backend: Backend, request: Request) -> Response | None:
    """The answer to a path below /openapi."""
    if request.path == "/openapi/v2":
        return Response(200, b"", _V2, {"Vary": "Accept-Encoding, Accept"})
    return None
