"""A request as a value: what is asked of which kind, and the options that the query carries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Literal
from urllib.parse import parse_qsl, unquote

import msgspec

from dravite.api.field import ErrorType, FieldError
from dravite.api.field_text import quoted
from dravite.api.releases import Profile
from dravite.apiserver import statuses
from dravite.apiserver.identity import ADMIN, User
from dravite.apiserver.kinds import Catalogue, Kind
from dravite.validation.wording import in_words_of

MAX_BODY: Final = 3 << 20
_OWN_SUBRESOURCES: Final = ("status", "finalize")
_SHORT: Final = 300
"""Letters of a path that is worth remembering."""

_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,40}")
_MANAGER_LIMIT: Final = 128
_VALIDATIONS: Final = ("", "Ignore", "Strict", "Warn")

FieldValidation = Literal["Ignore", "Strict", "Warn"]


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """An HTTP request, its path and query decoded.

    Attributes:
        headers: by lower-case name.
        user: who asks.
    """

    method: str
    path: str
    query: Mapping[str, tuple[str, ...]] = {}
    headers: Mapping[str, str] = {}
    body: bytes = b""
    user: User = ADMIN

    def one(self, name: str) -> str:
        """The first value of a query parameter, or an empty text."""
        return self.query.get(name, ("",))[0]

    def flag(self, name: str) -> bool:
        """A boolean parameter as Kubernetes reads it: anything but false and 0, also nothing at all."""
        values = self.query.get(name)
        return values is not None and values[0].lower() not in ("false", "0")

    def number(self, name: str) -> int:
        """A whole number, 0 where none is given."""
        text = self.one(name)
        if not text:
            return 0
        why = "invalid syntax"
        if _WHOLE.fullmatch(text):
            number = int(text)
            if -(1 << 63) <= number < 1 << 63:
                return number
            why = "value out of range"
        raise statuses.bad_request(f"strconv.ParseInt: parsing {quoted(text)}: {why}")


class Target(msgspec.Struct, frozen=True):
    """What a path points at: a collection (no name), an object, or a part of one."""

    kind: Kind
    version: str
    namespace: str
    name: str = ""
    subresource: str = ""

    @property
    def api_version(self) -> str:
        return self.kind.api_version(self.version)


class WriteOptions(msgspec.Struct, frozen=True):
    """How a write is meant."""

    dry_run: bool
    validation: FieldValidation
    manager: str
    force: bool = False


def parse_query(text: str) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    if not text:
        return found
    for name, value in parse_qsl(text, keep_blank_values=True):
        found[name] = (*found.get(name, ()), value)
    return found


def target_of(path: str, catalogue: Catalogue) -> Target | None:
    """What a path below /api or /apis points at; None where nothing of that name is served."""
    found = _target_of if len(path) <= _SHORT else _target_of.__wrapped__
    return found(path, catalogue)


@lru_cache(maxsize=4096)
def _target_of(path: str, catalogue: Catalogue) -> Target | None:
    steps = unquote(path).strip("/").split("/")
    if len(steps) > 2 and steps[0] == "api":
        return _target("", steps[1], steps[2:], catalogue)
    if len(steps) > 3 and steps[0] == "apis":
        return _target(steps[1], steps[2], steps[3:], catalogue)
    return None


def _target(group: str, version: str, steps: list[str], catalogue: Catalogue) -> Target | None:
    namespace = ""
    if len(steps) > 2 and steps[0] == "namespaces" and not (group == "" and steps[2] in _OWN_SUBRESOURCES):
        namespace, steps = steps[1], steps[2:]
    api_version = f"{group}/{version}" if group else version
    kind = catalogue.find(api_version, steps[0])
    if kind is None or (namespace and not kind.namespaced) or len(steps) > 3 or "" in steps:
        return None
    if len(steps) > 1 and kind.namespaced and not namespace:
        return None
    return Target(kind, version, namespace, *steps[1:])


def write_options(request: Request, options: str, profile: Profile, first: Iterable[FieldError] = ()) -> WriteOptions:
    """The options of a write, from the query.

    Args:
        options: what their kind is called.
        first: what is wrong with options that the caller looked at.

    Raises:
        Refused: they cannot be read, or are none.
    """
    sent = request.query.get("dryRun", ()), request.one("fieldManager"), request.one("fieldValidation")
    errors = (*first, *why_not_options(*sent))
    if errors:
        raise statuses.invalid_options(options, *in_words_of(errors, profile))
    dry_run, manager, validation = sent
    agent = request.headers.get("user-agent", "").partition("/")[0][:_MANAGER_LIMIT]
    chosen: FieldValidation = validation or "Warn"  # type: ignore[assignment]
    return WriteOptions(bool(dry_run), chosen, manager or agent or "unknown", request.flag("force"))


def why_not_options(dry_run: Sequence[str], manager: str = "", validation: str = "") -> Iterator[FieldError]:
    """What is wrong with options that all writes have, in the order in which a server looks."""
    yield from why_not_manager(manager)
    if dry_run and set(dry_run) != {"All"}:
        yield _unsupported("dryRun", list(dry_run), ("All",))
    if validation not in _VALIDATIONS:
        yield _unsupported("fieldValidation", validation, _VALIDATIONS)


def why_not_manager(manager: str) -> Iterator[FieldError]:
    """What is wrong with the name of a field manager."""
    if len(manager.encode()) > _MANAGER_LIMIT:
        detail = f"may not be more than {_MANAGER_LIMIT} bytes"
        yield FieldError(type=ErrorType.TOO_LONG, field="fieldManager", detail=detail)
    position = 0
    for letter in manager:
        if not letter.isprintable():
            detail = f"invalid character U+{ord(letter):04X} (at position {position})"
            yield FieldError(type=ErrorType.INVALID, field="fieldManager", value=manager, detail=detail)
        position += len(letter.encode())


def _unsupported(field: str, value: Any, known: Iterable[str]) -> FieldError:
    detail = "supported values: " + ", ".join(f'"{word}"' for word in known)
    return FieldError(type=ErrorType.NOT_SUPPORTED, field=field, value=value, detail=detail)
