"""JSON text → the objects in it: one, several one after another, or a list; with the line of each and every fault.

Large dumps are split without being decoded: 33 MB take some hundredths of a second.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any, Final

import msgspec

from dravite.api.document import Problem

SYNTAX: Final = "json-syntax"
_BYTE: Final = re.compile(r"\(byte (\d+)\)\Z")
_COMMA_TOO_MUCH: Final = re.compile(r",\s*[}\]]")
_BLANK: Final = re.compile(r"[ \t\r\n]*")
_BETWEEN: Final = re.compile(rb"[ \t\r\n,]*")
_SPACE: Final = b" \t\r\n"


class JsonObject(msgspec.Struct, frozen=True):
    """One JSON value of a text, as bytes, and the line (from 1) on which it begins."""

    line: int
    body: bytes | msgspec.Raw


class _ListHeader(msgspec.Struct, rename="camel"):
    api_version: str = ""
    kind: str = ""
    items: list[msgspec.Raw] | None = None


_HEADERS: Final = msgspec.json.Decoder(_ListHeader)
_PLAIN: Final[msgspec.json.Decoder[Any]] = msgspec.json.Decoder(float_hook=float)
_MANY_DIGITS: Final = 4_000
"""Python refuses to read a few more at once."""


def looks_like_json(data: bytes) -> bool:
    """Whether the text begins as a JSON object does; everything else is read as YAML."""
    start = data.lstrip(_SPACE)[:1]
    rest = data.lstrip(_SPACE)[1:200].lstrip(_SPACE)[:1] if start == b"{" else b""
    return rest in (b'"', b"}")


def split_stream(data: bytes) -> tuple[tuple[JsonObject, ...], Problem | None]:
    """The JSON values that follow one another in the text, and what ends the reading early, if anything does."""
    try:
        msgspec.json.decode(data, type=msgspec.Raw)
    except (msgspec.DecodeError, RecursionError) as error:
        return _split_slowly(data, str(error))
    return (JsonObject(_first_line(data), data),), None


def split_list(whole: JsonObject) -> tuple[str, str, tuple[JsonObject, ...]] | None:
    """apiVersion, kind and items of a list; None for an object that is no list."""
    try:
        header = _HEADERS.decode(whole.body)
    except (msgspec.DecodeError, RecursionError):
        return None
    if header.items is None or not header.kind.endswith("List"):
        return None
    return header.api_version, header.kind, _placed(whole, header.items)


def plain_json(data: bytes | msgspec.Raw) -> Any:
    """The plain value of a JSON text. A number beyond all limits is as large as a float can be: infinite.

    Raises:
        msgspec.DecodeError, RecursionError: it is no JSON, or nested too deep.
    """
    try:
        return _PLAIN.decode(data)
    except msgspec.ValidationError:  # which tells of whole numbers only, and of nothing else where no type is asked
        import json

        return json.loads(bytes(data), parse_int=_number)


def _number(digits: str) -> int | float:
    return int(digits) if len(digits) < _MANY_DIGITS else float(digits)


def doubled_keys(body: bytes) -> bool:
    """Whether any object in the JSON has one key twice."""
    if _is_plain(body):
        return False
    import json  # slower, and of use where something is odd

    found = False

    def look(pairs: list[tuple[str, Any]]) -> None:
        nonlocal found
        found = found or len({key for key, _ in pairs}) < len(pairs)

    try:
        json.loads(body, object_pairs_hook=look)
    except (ValueError, RecursionError):
        return False
    return found


def _is_plain(body: bytes) -> bool:
    """Whether nothing of a text is lost when it is read and written; a key that stands twice would be."""
    try:
        return msgspec.json.encode(msgspec.json.decode(body)) == msgspec.json.format(body, indent=-1)
    except (msgspec.DecodeError, RecursionError):
        return False


def _first_line(data: bytes) -> int:
    start = data.find(b"{")
    return 1 + data.count(b"\n", 0, max(0, start))


def _placed(whole: JsonObject, items: list[msgspec.Raw]) -> tuple[JsonObject, ...]:
    """The items with their lines: between two items there are only blanks and a comma."""
    data = whole.body if isinstance(whole.body, bytes) else bytes(whole.body)
    if not items or b"\n" not in data:
        return tuple(JsonObject(whole.line, item) for item in items)
    begin = max(0, data.find(b"{"))
    start = data.find(bytes(items[0]), begin)
    line = whole.line + data.count(b"\n", begin, start)
    found = [JsonObject(line, items[0])]
    for before, item in pairwise(items):
        end = start + len(memoryview(before))
        gap = _BETWEEN.match(data, end)
        following = gap.end() if gap else end
        line += data.count(b"\n", start, following)
        start = following
        found.append(JsonObject(line, item))
    return tuple(found)


def _split_slowly(data: bytes, message: str) -> tuple[tuple[JsonObject, ...], Problem | None]:
    """Split what is no single value: several values, or a broken text."""
    import json

    text = data.decode("utf-8", "replace")
    decoder = json.JSONDecoder(parse_int=_number)
    found: list[JsonObject] = []
    position, line = 0, 1
    while True:
        blank = _BLANK.match(text, position)
        start = blank.end() if blank else position
        if start >= len(text):
            break
        line += text.count("\n", position, start)
        try:
            _, end = decoder.raw_decode(text, start)
        except json.JSONDecodeError as error:
            return tuple(found), _broken(error.msg, error.lineno, text, error.pos)
        except RecursionError:
            return tuple(found), _broken("nested too deep", line, text, start)
        found.append(JsonObject(line, text[start:end].encode()))
        line += text.count("\n", start, end)
        position = end
    if len(found) == 1:  # Python reads what JSON does not allow, such as NaN
        return (), _broken(_BYTE.sub("", message).strip(), _line_of_byte(data, message), text, 0)
    return tuple(found), None


def _line_of_byte(data: bytes, message: str) -> int:
    place = _BYTE.search(message)
    return 1 + data[: int(place.group(1))].count(b"\n") if place else 1


def _broken(message: str, line: int, text: str, position: int) -> Problem:
    rest = text[position:].lstrip()
    hint = None
    if not rest:
        hint = "the text ends in the middle of something: is the file cut off?"
    elif rest.startswith("---"):
        hint = "JSON documents follow one another without `---`"
    elif rest[0] in "}]" or _COMMA_TOO_MUCH.match(rest) or text[:position].rstrip().endswith(","):
        hint = "JSON allows no comma before a closing bracket"
    return Problem(severity="error", type=SYNTAX, message=f"cannot be read as JSON: {message}", line=line, hint=hint)
