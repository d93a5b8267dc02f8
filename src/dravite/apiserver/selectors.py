"""Label and field selectors of lists and watches."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import msgspec

from dravite.api.names import requirement_matches
from dravite.api.plain import PlainView
from dravite.api.releases import Profile
from dravite.apiserver import statuses
from dravite.apiserver.requests import Request, Target

_NAMES: Final = ("metadata.name", "metadata.namespace")
_TOKEN: Final = re.compile(r"\s*(==|=|!=|>|<|!|\(|\)|,|[^\s=!<>(),]+)")
_EXPECTED: Final = "in, notin, =, ==, !=, gt, lt"
_SETS: Final = {"in": "In", "notin": "NotIn"}
_SINGLE: Final = {"=": "In", "==": "In", "!=": "NotIn", ">": "Gt", "<": "Lt"}
_EVENT_FIELDS: Final = (
    *(f"involvedObject.{name}" for name in ("kind", "namespace", "name", "uid", "apiVersion", "resourceVersion")),
    "involvedObject.fieldPath",
    "reason",
    "reportingComponent",
    "source",
    "type",
)
_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "Event": _EVENT_FIELDS,
    "Node": ("spec.unschedulable",),
    "Pod": ("spec.nodeName", "spec.schedulerName", "spec.serviceAccountName", "status.phase", "status.podIP"),
    "Namespace": ("status.phase",),
    "Secret": ("type",),
    "Job": ("status.successful",),
}


class Selector(msgspec.Struct, frozen=True):
    """What a list or a watch is restricted to. Empty parts match everything.

    Attributes:
        labels: key, operator, values.
        fields: path, value, and whether it must be equal.
        name: the one name that can match, or an empty text.
    """

    labels: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    fields: tuple[tuple[str, str, bool], ...] = ()

    @property
    def is_empty(self) -> bool:
        return not self.labels and not self.fields

    def matches(self, plain: PlainView) -> bool:
        labels = plain["metadata"].get("labels") or {}
        return all(
            requirement_matches(operator, values, labels.get(key)) for key, operator, values in self.labels
        ) and all((_field(plain, path) == value) is equal for path, value, equal in self.fields)


def selector_of(request: Request, target: Target, profile: Profile) -> Selector:
    """The selectors of a query.

    Raises:
        Refused: one of them cannot be read, or names a field that the kind does not offer.
    """
    labels = tuple(parse_labels(request.one("labelSelector")))
    fields = tuple(parse_fields(request.one("fieldSelector")))
    known = _known_fields(target, profile)
    for path, _, _ in fields:
        if path not in known:
            raise statuses.bad_request(_unknown_field(path, target))
    return Selector(labels, fields)


def parse_fields(text: str) -> Iterator[tuple[str, str, bool]]:
    """The terms of a field selector. A trailing comma means nothing."""
    for term in filter(None, text.split(",")):
        for operator in ("!=", "==", "="):
            path, found, value = term.partition(operator)
            if found:
                yield path, value, operator != "!="
                break
        else:
            raise statuses.bad_request(f"invalid selector: '{term}'; can't understand '{term}'")


def parse_labels(text: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """The requirements of a label selector."""
    tokens = _Tokens(text)
    while tokens.peek():
        yield tokens.requirement()
        if tokens.peek() == ",":
            tokens.take()
            if not tokens.peek():
                raise _unparsable("found '', expected: identifier after ','")


class _Tokens:
    """The words of a label selector, read from left to right."""

    def __init__(self, text: str) -> None:
        self._words = _TOKEN.findall(text)
        self._next = 0

    def peek(self) -> str:
        return self._words[self._next] if self._next < len(self._words) else ""

    def take(self) -> str:
        word = self.peek()
        self._next += 1
        return word

    def requirement(self) -> tuple[str, str, tuple[str, ...]]:
        if self.peek() == "!":
            self.take()
            return self._key(), "DoesNotExist", ()
        key = self._key()
        word = self.peek()
        if word in ("", ","):
            return key, "Exists", ()
        self.take()
        if word in _SETS:
            return key, _SETS[word], self._set()
        if word in _SINGLE:
            value = "" if self.peek() in ("", ",") else self.take()
            return key, _SINGLE[word], (value,)
        raise _unparsable(f"found '{word}', expected: {_EXPECTED}")

    def _key(self) -> str:
        word = self.take()
        if word in ("", "=", "==", "!=", "(", ")", ",", "<", ">"):
            raise _unparsable(f"found '{word}', expected: !, identifier, or 'end of string'")
        return word

    def _set(self) -> tuple[str, ...]:
        opened = self.take()
        if opened != "(":
            raise _unparsable(f"found '{opened}', expected: '('")
        values: list[str] = []
        while True:
            word = self.take()
            if word == ")":
                return tuple(values)
            if not word:
                raise _unparsable("found '', expected: ',', or ')'")
            if word != ",":
                values.append(word)


def _unparsable(why: str) -> statuses.Refused:
    return statuses.bad_request(f"unable to parse requirement: {why}")


def _known_fields(target: Target, profile: Profile) -> tuple[str, ...]:
    kind = target.kind.kind
    if kind == "ResourceSlice":
        pool = ("spec.pool.name",) if profile.is_at_least("1.37") else ()
        return (*_NAMES, "spec.nodeName", "spec.driver", *pool)
    return (*_NAMES, *_FIELDS.get(kind, ()))


def _unknown_field(path: str, target: Target) -> str:
    kind = target.kind
    if kind.kind == "ResourceSlice":
        return f"field label not supported for {target.api_version}, Kind={kind.kind}: {path}"
    if kind.kind in _FIELDS:
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
