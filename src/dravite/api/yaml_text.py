"""YAML text → plain values, as Kubernetes reads YAML: documents, anchors, merge keys, and every fault with its line.

Faults are collected, not raised: a document with a doubled key is still read, so that all its faults are said at once.
This module does not know what a document means; `documents` makes objects of what is read here.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

import msgspec
import yaml

from dravite.api.document import Problem
from dravite.api.field import ErrorType
from dravite.api.yaml_scalars import resolve

MAX_DEPTH: Final = 200
MAX_ALIASED: Final = 500_000
SYNTAX: Final = "yaml-syntax"
_UNRENDERED: Final = "a template has to be rendered first: give what `helm template` or the like prints"

_SEPARATOR: Final = re.compile(r"^---(?![^\s])[^\n]*\n?|^---[^\s-][^\n]*\n?", re.MULTILINE)
_NAME: Final = re.compile(r"[A-Za-z_$][A-Za-z0-9_$-]*\Z")
_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TAGS: Final = "tag:yaml.org,2002:"
_MERGE: Final = "<<"
_LETTERS: Final = ("y", "Y", "n", "N")
_TAG_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "int": (int,),
    "float": (int, float),
    "bool": (bool,),
    "null": (type(None),),
}


class Span(msgspec.Struct, frozen=True):
    """Where one value stands: its first line (from 1), and its text cut out so that it can be read on its own."""

    line: int
    text: str


class YamlDocument(msgspec.Struct, frozen=True):
    """One document of a text.

    Attributes:
        value: its plain value; None where there is none or it cannot be read.
        span: where it stands.
        items: for a mapping with a list `items`, where each item stands.
        problems: what is wrong with the text; an `error` without a value ends the document there.
        letters: where an unquoted `y` or `n` stands, which Kubernetes takes for true and false: steps and text.
    """

    value: Any
    span: Span
    items: tuple[Span, ...] = ()
    problems: tuple[Problem, ...] = ()
    letters: tuple[tuple[tuple[str | int, ...], str], ...] = ()


def read_documents(text: str) -> Iterator[YamlDocument]:
    """Every document of the text that is not empty, in order.

    Documents are split at lines that begin with `---` before anything is parsed, as kubectl does, so a broken one
    does not hide the others.
    """
    line = 1
    for chunk, problem in _chunks(text):
        if problem is not None:
            yield YamlDocument(None, Span(line, chunk), problems=(_at(problem, line),))
        elif not _is_blank(chunk):
            document = _Builder(chunk, line).read()
            if document.value is not None or document.problems:
                yield document
        line += chunk.count("\n")


def show_path(steps: list[str | int]) -> str:
    """The field path of steps into a plain value."""
    path = ""
    for step in steps:
        if isinstance(step, int):
            path += f"[{step}]"
        elif _NAME.match(step):
            path += f".{step}" if path else step
        else:
            path += f"[{step}]"
    return path


def syntax_problem(message: str, line: int, hint: str | None = None) -> Problem:
    """A text that is no YAML at this line."""
    return Problem(severity="error", type=SYNTAX, message=message, line=line, hint=hint)


def _chunks(text: str) -> Iterator[tuple[str, Problem | None]]:
    """The text cut after each separator line, which stays at the end of the chunk before it."""
    start = 0
    for separator in _SEPARATOR.finditer(text):
        rest = separator.group()[3:].strip()
        yield _blanked(text[start : separator.end()], separator.start() - start), None
        start = separator.end()
        if rest and not rest.startswith("#"):
            hint = "put `---` on a line of its own"
            yield "", syntax_problem(f"nothing may follow the document separator `---`: {rest[:40]!r}", 0, hint)
    yield text[start:], None


def _blanked(chunk: str, separator: int) -> str:
    """The chunk with its separator line emptied, so that line numbers stay true."""
    return chunk[:separator] + ("\n" if chunk.endswith("\n") else "")


def _at(problem: Problem, line: int) -> Problem:
    return msgspec.structs.replace(problem, line=max(1, line - 1))


def _is_blank(chunk: str) -> bool:
    lines = (line.strip() for line in chunk.splitlines())
    return all(not line or line.startswith(("#", "%YAML", "%TAG")) for line in lines)


class _TooDeep(Exception):  # noqa: N818 (ends one document, never leaves this module)
    pass


class _Builder:
    """Reads one chunk; alive only inside `read_documents`."""

    __slots__ = (
        "aliased",
        "anchors",
        "events",
        "first_line",
        "items",
        "letters",
        "open",
        "path",
        "problems",
        "size",
        "text",
    )

    def __init__(self, text: str, first_line: int) -> None:
        self.text = text
        self.first_line = first_line
        self.events: Iterator[Any] = yaml.parse(text, Loader=_LOADER)
        self.path: list[str | int] = []
        self.anchors: dict[str, tuple[Any, int]] = {}
        self.open: set[str] = set()
        self.items: list[tuple[int, int, int]] = []
        self.problems: list[Problem] = []
        self.letters: list[tuple[tuple[str | int, ...], str]] = []
        self.size = 0
        self.aliased = 0

    def read(self) -> YamlDocument:
        value, line = None, self.first_line
        try:
            next(self.events)  # the stream starts
            if isinstance(next(self.events), yaml.DocumentStartEvent):
                event = next(self.events)
                line = self._line(event)
                value = self._value(event)
                self._expect_end()
        except yaml.YAMLError as error:
            value = None
            self.problems.append(_syntax_error(error, self.text, self.first_line))
        except _TooDeep:
            value = None
        span, problems = Span(line, self._cut(line)), tuple(self.problems)
        return YamlDocument(value, span, self._item_spans(), problems, tuple(self.letters))

    def _cut(self, line: int) -> str:
        """The chunk from its first line with content on."""
        skipped = line - self.first_line
        return self.text.split("\n", skipped)[-1] if skipped else self.text

    def _item_spans(self) -> tuple[Span, ...]:
        """The text of each item, up to the dash or comma before the next; its first line keeps its indentation."""
        starts = [index for _, _, index in self.items]
        ends = [
            max(self.text.rfind("-", start, following), self.text.rfind(",", start, following), start)
            for start, following in pairwise(starts)
        ]
        return tuple(
            Span(line, " " * column + self.text[start:end])
            for (line, column, start), end in zip(self.items, [*ends, len(self.text)], strict=False)
        )

    def _expect_end(self) -> None:
        next(self.events)  # the document ends
        event = next(self.events)
        if isinstance(event, yaml.DocumentStartEvent):
            message = "what follows `...` is another document and is not read"
            self._fault(event, SYNTAX, message, hint="start it with `---`", severity="warning")

    def _line(self, event: Any) -> int:
        line: int = event.start_mark.line
        return self.first_line + line

    def _fault(self, event: Any, kind: str, message: str, *, hint: str | None = None, severity: Any = "error") -> None:
        self.problems.append(
            Problem(
                severity=severity,
                type=kind,
                message=message,
                field=show_path(self.path) or None,
                line=self._line(event),
                hint=hint,
            )
        )

    def _value(self, event: Any) -> Any:
        kind = type(event)
        if kind is yaml.AliasEvent:
            return self._alias(event)
        anchor = event.anchor
        before = self.size
        self.size += 1
        if anchor is not None:
            self.open.add(anchor)
        if kind is yaml.ScalarEvent:
            value = self._scalar(event)
            self.size += len(event.value) >> 6
        elif kind is yaml.MappingStartEvent:
            value = self._mapping(event)
        else:
            value = self._sequence(event)
        if anchor is not None:
            self.open.discard(anchor)
            self.anchors[anchor] = (value, self.size - before)
        return value

    def _alias(self, event: Any) -> Any:
        anchor = event.anchor
        if anchor in self.open:
            self._fault(event, SYNTAX, f"anchor {anchor!r} contains itself", hint="write the value out")
            return None
        if anchor not in self.anchors:
            self._fault(event, SYNTAX, f"unknown anchor {anchor!r}", hint="anchors do not reach across `---`")
            return None
        value, size = self.anchors[anchor]
        self.size += size
        self.aliased += size
        if self.aliased > MAX_ALIASED:
            self._fault(event, SYNTAX, "the document contains excessive aliasing", hint="write the values out")
            raise _TooDeep
        return value

    def _scalar(self, event: Any) -> Any:
        tag, text = event.tag, event.value
        if tag is None or tag == "!":
            value = self._plain(text) if event.implicit[0] and tag is None else text
        elif tag.startswith(_TAGS):
            value = self._tagged(event, tag[len(_TAGS) :])
        else:
            value = text
        if type(value) is float and (value != value or value in (float("inf"), float("-inf"))):
            self._fault(event, ErrorType.INVALID.value, f"{text} is not a number that JSON can hold")
            return None
        return value

    def _plain(self, text: str) -> Any:
        if text in _LETTERS:
            self.letters.append((tuple(self.path), text))
        return resolve(text)

    def _tagged(self, event: Any, tag: str) -> Any:
        text = event.value
        if tag == "binary":
            try:
                return base64.b64decode(text, validate=False).decode("utf-8", "replace")
            except binascii.Error:
                self._fault(event, SYNTAX, "!!binary holds no base64")
                return None
        wanted = _TAG_TYPES.get(tag)
        if wanted is None:
            return text
        value = resolve(text)
        if not isinstance(value, wanted) or (isinstance(value, bool) and bool not in wanted):
            self._fault(event, SYNTAX, f"{text!r} is no !!{tag}")
            return None
        return value

    def _sequence(self, start: Any) -> list[Any]:
        self._check_depth(start)
        result: list[Any] = []
        while type(event := next(self.events)) is not yaml.SequenceEndEvent:
            self.path.append(len(result))
            value = self._value(event)
            if len(self.path) == 2 and self.path[0] == "items":
                mark = event.start_mark
                self.items.append((self._line(event), mark.column, mark.index))
            self.path.pop()
            result.append(value)
        return result

    def _mapping(self, start: Any) -> dict[str, Any]:
        self._check_depth(start)
        result: dict[str, Any] = {}
        merged: list[Any] = []
        lines: dict[str, int] = {}
        while type(event := next(self.events)) is not yaml.MappingEndEvent:
            merges = type(event) is yaml.ScalarEvent and event.value == _MERGE and event.implicit[0]
            key = _MERGE if merges else self._key(event)
            value_event = next(self.events)
            self.path.append(key if key is not None else "?")
            value = self._value(value_event)
            if merges:
                self._merge(value_event, value, merged)
            elif key in lines:
                message = f"the key {key!r} is here twice, first on line {lines[key]}"
                self._fault(event, ErrorType.DUPLICATE.value, message, hint="keep one of them")
            self.path.pop()
            if key is not None and not merges:
                lines.setdefault(key, self._line(event))
                result[key] = value
        for mapping in merged:
            for key, value in mapping.items():
                result.setdefault(key, value)
        return result

    def _merge(self, event: Any, value: Any, merged: list[Any]) -> None:
        mappings = value if isinstance(value, list) else [value]
        if all(isinstance(mapping, dict) for mapping in mappings):
            merged.extend(mappings)
        else:
            self._fault(event, SYNTAX, "`<<` takes a mapping or a list of mappings")

    def _key(self, event: Any) -> str | None:
        """The key as JSON has it, or None for one that JSON cannot have."""
        if type(event) is yaml.AliasEvent and event.anchor in self.anchors:
            key = self.anchors[event.anchor][0]
        elif type(event) is yaml.ScalarEvent:
            values = len(self.letters)
            key = self._value(event)
            del self.letters[values:]  # a key is no value
        else:
            self._value(event)
            key = {}
        if isinstance(key, bool):
            return "true" if key else "false"
        if isinstance(key, str | int | float):
            return str(key)
        what = "null" if key is None else "a list or mapping"
        hint = "put the key in quotes" if key is None else None
        if type(event) is yaml.MappingStartEvent and event.flow_style:
            hint = _UNRENDERED
        self._fault(event, SYNTAX, f"{what} cannot be a key", hint=hint)
        return None

    def _check_depth(self, event: Any) -> None:
        if len(self.path) > MAX_DEPTH:
            self._fault(event, SYNTAX, f"nested deeper than {MAX_DEPTH} levels")
            raise _TooDeep


def _syntax_error(error: yaml.YAMLError, text: str, first_line: int) -> Problem:
    mark = getattr(error, "problem_mark", None)
    if mark is None:  # a character that YAML does not allow
        position = getattr(error, "position", None) or 0
        line = first_line + text[:position].count("\n")
        return syntax_problem(f"cannot be read as YAML: {getattr(error, 'reason', error)}", line)
    line = first_line + mark.line
    context = getattr(error, "context", None)
    problem = getattr(error, "problem", None) or str(error)
    message = f"cannot be read as YAML: {problem}" + (f" ({context})" if context else "")
    last = first_line + text.rstrip("\n").count("\n")
    return syntax_problem(message, min(line, last), _syntax_hint(text, mark, problem))


def _syntax_hint(text: str, mark: Any, problem: str) -> str | None:
    lines = text.split("\n")
    line = lines[mark.line] if mark.line < len(lines) else ""
    if any("{{" in one for one in lines[: mark.line + 1]):
        return _UNRENDERED
    if line[: mark.column + 1].strip(" ") == "\t" or line.lstrip(" ").startswith("\t"):
        return "YAML indents with blanks, not with tabs"
    if mark.index >= len(text.rstrip()):
        return "the text ends in the middle of something: is the file cut off?"
    if line.count(": ") > 1 and "nesting" not in problem:
        return 'a value that holds ": " must stand in quotes'
    return None
