"""A field error in Kubernetes' own words: what a Status cause says."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from dravite.api.field import ErrorType, FieldError
from dravite.api.quantity import Quantity

_PHRASES: Final = {
    ErrorType.REQUIRED: "Required value",
    ErrorType.INVALID: "Invalid value",
    ErrorType.TYPE_INVALID: "Invalid value",
    ErrorType.NOT_SUPPORTED: "Unsupported value",
    ErrorType.DUPLICATE: "Duplicate value",
    ErrorType.FORBIDDEN: "Forbidden",
    ErrorType.TOO_LONG: "Too long",
    ErrorType.TOO_MANY: "Too many",
    ErrorType.TOO_FEW: "Too few",
    ErrorType.NOT_FOUND: "Not found",
    ErrorType.INTERNAL: "Internal error",
}
_WITHOUT_VALUE: Final = frozenset({ErrorType.REQUIRED, ErrorType.FORBIDDEN, ErrorType.TOO_LONG, ErrorType.INTERNAL})
ESCAPES: Final = {
    '"': '\\"',
    "\\": "\\\\",
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
}
"""How Go writes letters in quoted texts that have an escape of their own."""


def cause_message(error: FieldError) -> str:
    """The message of a Status cause: the kind of error, the bad value where the kind shows one, and the detail."""
    parts = [_PHRASES[error.type]]
    if error.type not in _WITHOUT_VALUE:
        parts.append(value_text(error.value))
    if error.detail:
        parts.append(error.detail)
    return ": ".join(parts)


def value_text(value: Any) -> str:
    """A bad value as Kubernetes prints it: texts in quotes, everything else as JSON."""
    if isinstance(value, Quantity):
        value = value.text
    return quoted(value) if isinstance(value, str) else _json(value)


def quoted(text: str) -> str:
    """A text as Go prints it with %q."""
    return '"' + "".join(map(_shown, text)) + '"'


def _shown(letter: str) -> str:
    known = ESCAPES.get(letter)
    if known is not None or letter.isprintable():
        return known or letter
    number = ord(letter)
    return f"\\x{number:02x}" if number < 0x80 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def _json(value: Any) -> str:
    """JSON as Go writes it, with `<`, `>` and `&` escaped."""
    text = msgspec.json.encode(value, enc_hook=_plain).decode("utf-8", "replace")
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _plain(value: Any) -> Any:
    return value.text if isinstance(value, Quantity) else str(value)
