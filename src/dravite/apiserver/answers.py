"""Answers as they go over the wire: the code, the headers and the bytes. They are compressed where they are large."""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping
from typing import Final

import msgspec

from dravite.admission.server_warnings import told
from dravite.api.yaml_writer import write_yaml
from dravite.apiserver import media
from dravite.apiserver.backend import Response
from dravite.apiserver.protobuf_writing import encode
from dravite.apiserver.requests import Request

Header = tuple[bytes, bytes]
Written = tuple[int, list[Header], bytes]
"""A code, headers, and a body."""

_USUAL_HEADERS: Final = ((b"cache-control", b"no-cache, private"), (b"content-type", b"application/json"))
_GZIP_FROM: Final = 128 << 10
_PRETTY: Final = 2
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def written(answer: Response, request: Request) -> Written:
    """An answer in bytes. To HEAD nothing follows the headers."""
    if _is_usual(answer) and request.method != "HEAD":
        length = (b"content-length", b"%d" % len(answer.body))
        return answer.code, [*_USUAL_HEADERS, length], answer.body  # type: ignore[return-value]
    code, headers, body = render(answer, request)
    encoded = [(name.encode("latin-1"), value.encode("latin-1", "replace")) for name, value in headers.items()]
    return code, encoded, b"" if request.method == "HEAD" else body


def _is_usual(answer: Response) -> bool:
    """Whether an answer is a small object as it is kept, with nothing beside it: by far the most are."""
    return (
        isinstance(answer.body, bytes)
        and 0 < len(answer.body) < _GZIP_FROM
        and answer.content_type == media.JSON
        and not answer.headers
        and not answer.warnings
    )


def render(answer: Response, request: Request) -> tuple[int, Mapping[str, str], bytes]:
    """The code, the headers (by lower-case name) and the body of an answer, as they go over the wire."""
    body = _body(answer, request)
    headers = {"cache-control": "no-cache, private"} | {name.lower(): value for name, value in answer.headers.items()}
    if answer.content_type:
        headers["content-type"] = answer.content_type
    if len(body) >= _GZIP_FROM and "gzip" in request.headers.get("accept-encoding", ""):
        body = gzip.compress(body, 1)
        headers |= {"content-encoding": "gzip", "vary": "Accept-Encoding"}
    headers["content-length"] = str(len(body))
    if answer.warnings:
        headers["warning"] = warning(answer.warnings)
    return answer.code, headers, body


def warning(texts: tuple[str, ...]) -> str:
    """The value of a Warning header; a text that no header may hold is left out."""
    fitting = (text for text in told(texts) if not _CONTROL.search(text))
    quoted = (text.replace("\\", "\\\\").replace('"', '\\"') for text in fitting)
    return ", ".join(f'299 - "{text}"' for text in quoted)


def _body(answer: Response, request: Request) -> bytes:
    if isinstance(answer.body, bytes):
        return answer.body
    if answer.content_type == media.YAML:
        return write_yaml(answer.body).encode()
    if answer.content_type == media.PROTOBUF:
        return encode(answer.body)
    data = msgspec.json.encode(answer.body)
    return msgspec.json.format(data, indent=_PRETTY) + b"\n" if request.flag("pretty") else data + b"\n"
