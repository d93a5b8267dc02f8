"""Label and field selectors of lists and watches."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from dravite.api.field_text import quoted
from dravite.api.names import requirement_matches, why_not_label_key, why_not_label_value
from dravite.api.plain import PlainView
from dravite.api.releases import Profile
from dravite.apiserver import statuses
from dravite.apiserver.requests import Request, Target

_NAMES: Final = ("metadata.name", "metadata.namespace")
_TOKEN: Final = re.compile(r"[ \t\r\n]*(==|=|!=|>|<|!|\(|\)|,|[^ \t\r\n=!<>(),]+)")
_TERM: Final = re.compile(r"((?:[^\\,]|\\.)*)(?:,|\Z)", re.DOTALL)
_SIDES: Final = re.compile(r"(.*?)(!=|==|=)(.*)", re.DOTALL)
_EXPECTED: Final = "in, notin, =, ==, !=, gt, lt"
_SETS: Final = {"in": "In", "notin": "NotIn"}
_SINGLE: Final = {"=": "In", "==": "In", "!=": "NotIn", ">": "Gt", "<": "Lt"}
_ENDS: Final = ("", ",")
_SIGNS: Final = frozenset({"", ",", "(", ")", "!", *_SINGLE})
_EVENT_FIELDS: Final = (
    *(f"involvedObject.{name}" for name in ("kind", "namespace", "name", "uid", "apiVersion", "resourceVersion")),
    "involvedObject.fieldPath",
    "reason",
    "reportingComponent",
    "source",
    "type",
)
_POD_SPEC: Final = ("nodeName", "restartPolicy", "schedulerName", "serviceAccountName", "hostNetwork")
_POD_STATUS: Final = ("phase", "podIP", "podIPs", "nominatedNodeName")
_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "Event": (*_NAMES, *_EVENT_FIELDS),
    "Node": ("metadata.name", "spec.unschedulable"),
    "Pod": (*_NAMES, *(f"spec.{name}" for name in _POD_SPEC), *(f"status.{name}" for name in _POD_STATUS)),
    "Namespace": ("metadata.name", "status.phase"),
    "Secret": (*_NAMES, "type"),
    "Service": (*_NAMES, "spec.clusterIP", "spec.type"),
    "Job": (*_NAMES, "status.successful"),
}
_OF_FIELDS: Final = frozenset({"", "batch"})
"""Groups of these kinds."""

Requirement = tuple[str, str, tuple[str, ...]]
"""Key, operator and values of what a label selector demands."""


class Selector(msgspec.Struct, frozen=True):
    """What a list or a watch is restricted to. Empty parts match everything.

    Attributes:
        fields: path, value, and whether it must be equal.
    """

    labels: tuple[Requirement, ...] = ()
    fields: tuple[tuple[str, str, bool], ...] = ()

    @property
    def is_empty(self) -> bool:
        return not self.labels and not self.fields

    def matches(self, plain: PlainView) -> bool:
        labels = plain["metadata"].get("labels") or {}
        return all(
            requirement_matches(operator, values, labels.get(key)) for key, operator, values in self.labels
        ) and all((_field(plain, path) == value) is equal for path, value, equal in self.fields)


def parse_selector(request: Request, profile: Profile) -> Selector:
    """The selectors of a query.

    Raises:
        Refused: one of them cannot be read.
    """
    noun = "a valid label key" if profile.is_at_least("1.32") else "a qualified name"
    return Selector(
        tuple(parse_labels(request.one("labelSelector"), noun)), tuple(parse_fields(request.one("fieldSelector")))
    )


def check_fields(selector: Selector, target: Target, profile: Profile) -> None:
    """Refuse fields that a kind does not offer."""
    known = _known_fields(target, profile) if selector.fields else ()
    for path, _, _ in selector.fields:
        if path not in known:
            raise statuses.bad_request(_unknown_field(path, target))


def parse_fields(text: str) -> Iterator[tuple[str, str, bool]]:
    """The terms of a field selector, in the order in which they are looked at. Empty ones mean nothing."""
    for term in sorted(match[1] for match in _TERM.finditer(text)):
        sides = _SIDES.fullmatch(term)
        if sides is not None:
            yield sides[1], re.sub(r"\\(.)", r"\1", sides[3]), sides[2] != "!="
        elif term:
            raise statuses.bad_request(f"invalid selector: '{text}'; can't understand '{term}'")


def parse_labels(text: str, noun: str = "a valid label key") -> Iterator[Requirement]:
    """The requirements of a label selector; `noun` is what keys are called where one is refused."""
    words = _Words(text, noun)
    while words.peek():
        if words.peek() in _SIGNS - {"!"}:
            raise _unexpected(words.peek(), ", expected: !, identifier, or 'end of string'")
        try:
            yield words.requirement()
        except _UnparsableError as error:
            raise statuses.bad_request(f"unable to parse requirement: {error}") from None
        end = words.take()
        if end not in _ENDS:
            raise _unexpected(end, ", expected: ',' or 'end of string'")
        if end and words.peek() in _SIGNS - {"!"}:
            raise _unexpected(words.peek(), ", expected: identifier after ','")


def _unexpected(word: str, wanted: str) -> statuses.Refused:
    return statuses.bad_request(f"found '{word}'{wanted}")


class _UnparsableError(Exception):
    """A requirement that is none, and why."""


class _Words:
    """The words of a label selector, read from left to right."""

    def __init__(self, text: str, noun: str) -> None:
        self._words = _TOKEN.findall(text)
        self._noun = noun
        self._next = 0

    def peek(self) -> str:
        return self._words[self._next] if self._next < len(self._words) else ""

    def take(self) -> str:
        word = self.peek()
        self._next += 1
        return word

    def requirement(self) -> Requirement:
        """The next requirement, up to the comma or the end behind it."""
        is_absent = self.peek() == "!"
        if is_absent:
            self.take()
        key = self._identifier()
        self._check("<nil>", key, why_not_label_key(key, self._noun))
        if is_absent:
            return key, "DoesNotExist", ()
        if self.peek() in _ENDS:
            return key, "Exists", ()
        word = self.take()
        if word in _SETS:
            return self._checked(key, _SETS[word], self._set())
        if word in _SINGLE:
            values = ("",) if self.peek() in _ENDS else (self._identifier(),)
            return self._checked(key, _SINGLE[word], values)
        raise _UnparsableError(f"found '{word}', expected: {_EXPECTED}")

    def _identifier(self) -> str:
        word = self.take()
        if word in _SIGNS:
            raise _UnparsableError(f"found '{word}', expected: identifier")
        return word

    def _set(self) -> tuple[str, ...]:
        opened = self.take()
        if opened != "(":
            raise _UnparsableError(f"found '{opened}' expected: '('")
        if self.peek() in _SIGNS - {",", ")"}:
            raise _UnparsableError(f"found '{self.peek()}', expected: ',', ')' or identifier")
        values: list[str] = []
        is_begun = False
        while (word := self.take()) != ")":
            if word == ",":
                values += [] if is_begun else [""]
                is_begun = False
            elif word in _SIGNS or is_begun:
                raise _UnparsableError(f"found '{word}', expected: ',' or ')'")
            else:
                values.append(word)
                is_begun = True
            if word == "," and self.peek() == ")":
                values.append("")
        return tuple(sorted(set(values or [""])))

    def _checked(self, key: str, operator: str, values: tuple[str, ...]) -> Requirement:
        if operator in ("Gt", "Lt") and not re.fullmatch(r"[+-]?\d+", values[0]):
            why = "for 'Gt', 'Lt' operators, the value must be an integer"
            raise _UnparsableError(f'values[0]: Invalid value: "{values[0]}": {why}')
        for position, value in enumerate(values):
            self._check(f"values[{position}][{key}]", value, why_not_label_value(value))
        return key, operator, values

    def _check(self, path: str, value: str, faults: Iterable[str]) -> None:
        found = "; ".join(faults)
        if found:
            raise _UnparsableError(f"{path}: Invalid value: {quoted(value)}: {found}")


def _known_fields(target: Target, profile: Profile) -> tuple[str, ...]:
    kind = target.kind.kind
    if kind == "ResourceSlice":
        pool = ("spec.pool.name",) if profile.is_at_least("1.37") else ()
        return ("metadata.name", "spec.nodeName", "spec.driver", *pool)
    return _FIELDS.get(kind, _NAMES) if target.kind.group in _OF_FIELDS else _NAMES


def _unknown_field(path: str, target: Target) -> str:
    kind = target.kind
    if kind.kind == "ResourceSlice":
        return f"field label not supported for {target.api_version}, Kind={kind.kind}: {path}"
    if kind.kind == "Job" and kind.group == "batch":
        return f"field label {quoted(path)} not supported for Job"
    if kind.printed is not None or (kind.kind in _FIELDS and kind.group in _OF_FIELDS):
        return f"field label not supported: {path}"
    return f'"{path}" is not a known field selector: only "metadata.name", "metadata.namespace"'


def _field(plain: PlainView, path: str) -> str:
    """The value at a path, as text; empty where nothing is."""
    reader = _READERS.get(path)
    if reader is not None:
        return reader(plain)
    value: Any = plain
    for step in path.split("."):
        value = value.get(step) if isinstance(value, dict) else None
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _source(plain: PlainView) -> str:
    return str((plain.get("source") or {}).get("component") or plain.get("reportingComponent") or "")


def _unschedulable(plain: PlainView) -> str:
    return "true" if (plain.get("spec") or {}).get("unschedulable") else "false"


_READERS: Final[Mapping[str, Callable[[PlainView], str]]] = {"source": _source, "spec.unschedulable": _unschedulable}
