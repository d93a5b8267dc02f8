"""The bytes of one input → its objects, one `Document` each: YAML or JSON, several documents, lists taken apart.

Nothing is raised and nothing is skipped: what cannot be read becomes a document that carries only problems.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from dravite.api.document import Document, Origin, Problem
from dravite.api.field import ErrorType
from dravite.api.json_text import JsonObject, doubled_keys, looks_like_json, split_list, split_stream
from dravite.api.yaml_text import Span, YamlDocument, read_documents

MAX_YAML: Final = 64 << 20
MAX_JSON: Final = 2 << 30
HANDWRITTEN: Final = 4 << 20
SAMPLE: Final = 64
"""In a dump every 64th object is looked at as closely as handwritten ones: drivers err in all objects alike."""

UNREADABLE: Final = "unreadable"
NO_MANIFEST: Final = "not-a-manifest"
LIST: Final = "List"

_OBJECT: Final = "a document must be a mapping with apiVersion and kind"
_UTF16: Final = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


class _Header(msgspec.Struct, frozen=True, rename="camel"):
    api_version: Any = ""
    kind: Any = ""
    items: Any = None


_HEADERS: Final = msgspec.json.Decoder(_Header)


def split(file: str, data: bytes) -> tuple[Document, ...]:
    """The objects of one input, in order. A `List` counts as its items.

    Args:
        file: its name as the user wrote it.
        data: all of it.
    """
    text, problem = _as_text(data)
    if problem is not None and problem.severity == "error":
        return (unreadable(file, problem),)
    found = list(_split_json(file, text) if looks_like_json(text) else _split_yaml(file, text))
    if problem is not None:
        found.append(unreadable(file, problem))
    return tuple(found)


def unreadable(file: str, *problems: Problem) -> Document:
    """A document that holds nothing but problems."""
    placed = tuple(msgspec.structs.replace(problem, file=file) for problem in problems)
    line = next((problem.line for problem in placed if problem.line), 1)
    return Document(origin=Origin(file, line), problems=placed)


def why_no_manifest(document: Document) -> Problem | None:
    """That a document does not claim to be a Kubernetes object; None where it does, or where it could not be read."""
    if not document.body or document.kind or document.api_version:
        return None
    message = "is no Kubernetes manifest, with neither apiVersion nor kind, and is passed over"
    file, line = document.origin.file, document.origin.line
    return Problem(severity="info", type=NO_MANIFEST, message=message, file=file, line=line)


def _as_text(data: bytes) -> tuple[bytes, Problem | None]:
    """The text as UTF-8 without a byte order mark, or why it is none."""
    encoding = _UTF16.get(data[:2])
    if encoding is not None:
        data = data[2:].decode(encoding, "replace").encode()
    data = data.removeprefix(codecs.BOM_UTF8)
    if b"\0" in data:
        return b"", _error("is no text but binary data", "give YAML or JSON" + _packed(data))
    if data.isascii():
        return data, None
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = 1 + data.count(b"\n", 0, error.start)
        replaced = data.decode("utf-8", "replace")
        if replaced.count("\ufffd") * 10 > len(replaced):
            return b"", _error("is no text but binary data", "give YAML or JSON" + _packed(data))
        message = "holds bytes that are not UTF-8; they are read as \ufffd"
        return replaced.encode(), Problem(
            severity="warning", type=UNREADABLE, message=message, line=line, hint="save the file as UTF-8"
        )
    return data, None


def _packed(data: bytes) -> str:
    return "; this is gzip: unpack it first" if data.startswith(b"\x1f\x8b") else ""


def _error(message: str, hint: str | None = None, line: int | None = None) -> Problem:
    return Problem(severity="error", type=UNREADABLE, message=message, line=line, hint=hint)


class _Input(msgspec.Struct, frozen=True):
    """What all objects of one input share: its name, and whether a person may have written it."""

    file: str
    handwritten: bool

    def unreadable(self, *problems: Problem) -> Document:
        return unreadable(self.file, *problems)


class _Type(msgspec.Struct, frozen=True):
    """apiVersion and kind as written, or as a list gives them to its items."""

    api_version: Any = ""
    kind: Any = ""

    def of_items(self) -> _Type:
        kind = self.kind.removesuffix("List")
        return _Type(self.api_version, kind) if kind else _Type()

    def or_given(self, given: _Type) -> _Type:
        return _Type(self.api_version or given.api_version, self.kind or given.kind)


def _split_json(file: str, data: bytes) -> Iterator[Document]:
    if len(data) > MAX_JSON:
        yield unreadable(file, _error(f"is too large: {len(data) >> 20} MiB"))
        return
    source = _Input(file, len(data) <= HANDWRITTEN)
    sampled = _Input(file, handwritten=True)
    values, problem = split_stream(data)
    for value in values:
        for index, (given, item) in enumerate(_items(value, _Type())):
            yield _json_document(sampled if index % SAMPLE == 0 else source, given, item)
    if problem is not None:
        yield unreadable(file, problem)


def _items(value: JsonObject, given: _Type) -> Iterator[tuple[_Type, JsonObject]]:
    """The object itself, or each item of a list with the type that the list gives it."""
    taken_apart = split_list(value)
    if taken_apart is None:
        yield given, value
        return
    version, kind, items = taken_apart
    for item in items:
        yield from _items(item, _Type(version, kind).of_items())


def _json_document(source: _Input, given: _Type, item: JsonObject) -> Document:
    try:
        header = _HEADERS.decode(item.body)
    except (msgspec.DecodeError, RecursionError):
        return source.unreadable(_no_object(item.line))
    written = _Type(header.api_version, header.kind)
    if written.kind == LIST:
        return source.unreadable(*_why_no_list(header.items, Origin(source.file, item.line)))
    document = _typed(source, Span(item.line, ""), written.or_given(given), item.body)
    if source.handwritten and doubled_keys(bytes(item.body)):
        return msgspec.structs.replace(document, problems=(*document.problems, *_doubled(source.file, item)))
    return document


def _doubled(file: str, item: JsonObject) -> Iterator[Problem]:
    """Where the doubled keys are: JSON is read as YAML for that, which knows lines."""
    for document in read_documents(bytes(item.body).decode("utf-8", "replace")):
        for problem in document.problems:
            if problem.type == ErrorType.DUPLICATE.value:
                line = item.line - 1 + (problem.line or 1)
                message = problem.message.partition(", first on line")[0]
                yield msgspec.structs.replace(problem, file=file, line=line, message=message)


def _split_yaml(file: str, data: bytes) -> Iterator[Document]:
    if len(data) > MAX_YAML:
        yield unreadable(file, _error(f"is too large for YAML: {len(data) >> 20} MiB", "use JSON: kubectl get -o json"))
        return
    source = _Input(file, len(data) <= HANDWRITTEN)
    for document in read_documents(data.decode()):
        problems = tuple(msgspec.structs.replace(problem, file=file) for problem in document.problems)
        yield from _yaml_documents(source, msgspec.structs.replace(document, problems=problems), _Type())


def _yaml_documents(source: _Input, document: YamlDocument, given: _Type) -> Iterator[Document]:
    """The object of a YAML value, or the objects of a list."""
    value, problems = document.value, document.problems
    if not isinstance(value, dict):
        yield source.unreadable(*(problems or (_no_object(document.span.line),)))
        return
    written = _Type(value.get("apiVersion"), value.get("kind")).or_given(given)
    if isinstance(written.kind, str) and written.kind.endswith(LIST) and isinstance(value.get("items"), list):
        yield from _yaml_items(source, document, written)
        return
    if written.kind == LIST:
        yield source.unreadable(*problems, *_why_no_list(value.get("items"), Origin(source.file, document.span.line)))
        return
    typed = _typed(source, document.span, written, msgspec.json.encode(value), problems)
    yield msgspec.structs.replace(typed, letters=document.letters) if document.letters else typed


def _yaml_items(source: _Input, document: YamlDocument, written: _Type) -> Iterator[Document]:
    own = tuple(problem for problem in document.problems if not (problem.field or "").startswith("items["))
    if own:
        yield source.unreadable(*own)
    items = document.value["items"]
    spans = document.items if len(document.items) == len(items) else (document.span,) * len(items)
    for index, (item, span) in enumerate(zip(items, spans, strict=True)):
        inner = (_inside(problem, f"items[{index}]") for problem in document.problems)
        problems = tuple(problem for problem in inner if problem is not None)
        letters = tuple((steps[2:], text) for steps, text in document.letters if steps[:2] == ("items", index))
        if not isinstance(item, dict):
            problems = problems or (
                _error(f"item {index} of a list is no mapping with apiVersion and kind", line=span.line),
            )
        yield from _yaml_documents(source, YamlDocument(item, span, (), problems, letters), written.of_items())


def _inside(problem: Problem, prefix: str) -> Problem | None:
    """The problem as the item itself sees it; None where it is another item's."""
    field = problem.field or ""
    if field != prefix and not field.startswith((prefix + ".", prefix + "[")):
        return None
    return msgspec.structs.replace(problem, field=field[len(prefix) :].lstrip(".") or None)


def _typed(
    source: _Input, span: Span, written: _Type, body: bytes | msgspec.Raw, problems: tuple[Problem, ...] = ()
) -> Document:
    """A document with its type, or with problems where it has none."""
    origin = Origin(source.file, span.line)
    texts = []
    for name, value in (("apiVersion", written.api_version), ("kind", written.kind)):
        if not value:
            problems = (*problems, _type_problem(origin, name, f"`{name}` is missing", ErrorType.REQUIRED))
        elif not isinstance(value, str):
            problems = (*problems, _type_problem(origin, name, f"`{name}` must be a text", ErrorType.TYPE_INVALID))
        texts.append(value if isinstance(value, str) else "")
    return Document(
        origin=origin,
        api_version=texts[0],
        kind=texts[1],
        body=body,
        text=span.text,
        problems=problems,
        handwritten=source.handwritten,
    )


def _why_no_list(items: Any, origin: Origin) -> Iterator[Problem]:
    """What is wrong with a List whose items are no list; null is as good as none."""
    if items is not None:
        yield _type_problem(origin, "items", "`items` of a List must be a list of objects", ErrorType.TYPE_INVALID)


def _type_problem(origin: Origin, field: str, message: str, kind: ErrorType) -> Problem:
    return Problem(severity="error", type=kind.value, message=message, field=field, file=origin.file, line=origin.line)


def _no_object(line: int) -> Problem:
    return _error(f"is no Kubernetes object: {_OBJECT}", line=line)
