"""Literals: from how they are written to what they mean.

Each function answers with the value or with the sentence that says what is wrong with the text.
"""

from __future__ import annotations

import math
import re
from typing import Final

import msgspec

from dravite.cel.ast import Uint

MAX_INT64: Final = 2**63 - 1
MIN_INT64: Final = -(2**63)
MAX_UINT64: Final = 2**64 - 1

_SIMPLE_ESCAPES: Final = {
    "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
    "\\": "\\", "'": "'", '"': '"', "`": "`", "?": "?",
}  # fmt: skip
_ESCAPE: Final = re.compile(r"\\(?:[xX](..)|u(....)|U(........)|([0-3][0-7][0-7])|(.))", re.DOTALL)
_LONGEST: Final = 4_000


class BadLiteral(msgspec.Struct, frozen=True):
    """A literal without a value, and why."""

    message: str


def int_literal(text: str) -> int | BadLiteral:
    """The value of `42`, `-42` or `0x2a`; 64 bits, signed."""
    value = _whole(text)
    return value if MIN_INT64 <= value <= MAX_INT64 else BadLiteral("invalid int literal")


def uint_literal(text: str) -> Uint | BadLiteral:
    """The value of `42u` or `0x2aU`; 64 bits, unsigned."""
    value = _whole(text[:-1])
    return Uint(value) if value <= MAX_UINT64 else BadLiteral("invalid uint literal")


def _whole(text: str) -> int:
    """The number of a literal. Its first digits tell of a longer one that it has too many bits."""
    return int(text[:_LONGEST], 16 if "0x" in text else 10)


def float_literal(text: str) -> float | BadLiteral:
    """The value of `1.5`, `.5` or `-2e3`; too large is no literal."""
    value = float(text)
    return BadLiteral("invalid double literal") if math.isinf(value) else value


def string_literal(text: str) -> str | BadLiteral:
    """The value of a quoted, triple-quoted or raw string."""
    body, raw = _unquoted(text)
    if raw or "\\" not in body:
        return body
    pieces: list[str] = []
    position = 0
    for escape in _ESCAPE.finditer(body):
        pieces.append(body[position : escape.start()])
        position = escape.end()
        character = _escaped_character(escape)
        if character is None:
            return BadLiteral("invalid unicode code point")
        pieces.append(character)
    return "".join(pieces) + body[position:]


def bytes_literal(text: str) -> bytes | BadLiteral:
    """The value of `b"…"`; characters become UTF-8, octal and hexadecimal escapes single bytes."""
    body, raw = _unquoted(text[1:])
    if raw or "\\" not in body:
        return body.encode("utf-8", "surrogatepass")
    pieces: list[bytes] = []
    position = 0
    for escape in _ESCAPE.finditer(body):
        pieces.append(body[position : escape.start()].encode("utf-8", "surrogatepass"))
        position = escape.end()
        pair, four, eight, octal, simple = escape.groups()
        if four or eight:
            return BadLiteral("unable to unescape string")
        if simple:
            pieces.append(_SIMPLE_ESCAPES[simple].encode())
        else:
            pieces.append(bytes((int(pair, 16) if pair else int(octal, 8),)))
    return b"".join(pieces) + body[position:].encode("utf-8", "surrogatepass")


def _unquoted(text: str) -> tuple[str, bool]:
    """What stands between the quotes, line ends as `\\n`, and whether escapes mean nothing there."""
    raw = text[0] in "rR"
    if raw:
        text = text[1:]
    width = 3 if len(text) >= 6 and text[:3] in ("'''", '"""') else 1
    return text[width:-width].replace("\r\n", "\n").replace("\r", "\n"), raw


def _escaped_character(escape: re.Match[str]) -> str | None:
    pair, four, eight, octal, simple = escape.groups()
    if simple:
        return _SIMPLE_ESCAPES[simple]
    code = int(octal, 8) if octal else int(pair or four or eight, 16)
    if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        return None
    return chr(code)
