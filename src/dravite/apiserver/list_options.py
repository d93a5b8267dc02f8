"""What a list, a watch or a get asks for beside its path, read and refused in the order in which a server does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from dravite.api.field import ErrorType, FieldError
from dravite.api.field_text import quoted
from dravite.api.releases import Profile
from dravite.apiserver import statuses
from dravite.apiserver.continue_tokens import read_token
from dravite.apiserver.requests import Request, Target
from dravite.apiserver.selectors import Selector, check_fields, parse_selector
from dravite.store import Place
from dravite.validation.wording import in_words_of

_MATCH: Final = "resourceVersionMatch"
_INITIAL: Final = "sendInitialEvents"
_NEWER: Final = "NotOlderThan"
_WATCH_LIST: Final = "1.32"
"""A watch that begins with what is there came with this release."""

_DEFAULT_WATCH: Final = 2_400.0
_LONGEST_WATCH: Final = 86_400


class ListOptions(msgspec.Struct, frozen=True):
    """What a list or a watch asks for.

    Attributes:
        sends_initial: whether a watch begins with what is there.
        marks_initial: whether a bookmark says where that ends, if bookmarks are allowed.
        seconds: how long a watch lasts.
        at: the revision at which the list is wanted, 0 for now.
        floor: the oldest revision that will do.
        after: the place after which a page begins.
    """

    selector: Selector
    limit: int
    sends_initial: bool
    marks_initial: bool
    seconds: float
    at: int = 0
    floor: int = 0
    after: Place | None = None


def list_options(request: Request, target: Target, profile: Profile, *, watching: bool) -> ListOptions:
    """The options of a list or a watch.

    Raises:
        Refused: they cannot be read, or contradict each other.
    """
    seconds, limit = request.number("timeoutSeconds"), request.number("limit")
    selector = parse_selector(request, profile)
    errors = tuple(_watch_errors(request, profile) if watching else _list_errors(request))
    if errors:
        raise statuses.invalid_options("ListOptions", *in_words_of(errors, profile))
    check_fields(selector, target, profile)
    options = ListOptions(selector, max(0, limit), *_beginning(request, profile), seconds=_seconds(seconds))
    return _placed(options, request, continues=not watching)


def _beginning(request: Request, profile: Profile) -> tuple[bool, bool]:
    """Whether a watch begins with what is there, and whether a bookmark says where that ends."""
    if _INITIAL in request.query:
        wanted = request.flag(_INITIAL)
        return wanted, wanted
    is_legacy = request.one("resourceVersion") in ("", "0")
    return is_legacy, is_legacy and profile.is_at_least(_WATCH_LIST)


def _placed(options: ListOptions, request: Request, *, continues: bool) -> ListOptions:
    """The options with the revision that they ask for, and the place."""
    asked, token, match = (request.one(name) for name in ("resourceVersion", "continue", _MATCH))
    limit = 0 if asked == "0" else options.limit  # any state will do: a server that answers from its cache gives it all
    options = msgspec.structs.replace(options, limit=limit)
    if token and continues:
        if asked not in ("", "0"):
            raise statuses.bad_request("specifying resource version is not allowed when using continue")
        revision, after = read_token(token)
        return msgspec.structs.replace(options, at=max(0, revision), after=after)
    revision = revision_of(request)
    is_exact = match == "Exact" or (not match and limit > 0)
    return msgspec.structs.replace(options, at=revision if is_exact else 0, floor=revision)


def revision_of(request: Request) -> int:
    """The revision that a request names, 0 for none. A number that is none is the client's fault.

    Raises:
        Refused: it is no number.
    """
    text = request.one("resourceVersion")
    if not text:
        return 0
    if not text.isascii() or not text.isdigit() or int(text) >= 1 << 63:
        parsed = f"strconv.ParseUint: parsing {quoted(text)}: invalid syntax"
        value = f"Invalid value: {quoted(text)}"
        raise statuses.bad_request(f"invalid resource version: resourceVersion: {value}: {parsed}")
    return int(text)


def _seconds(asked: int) -> float:
    return float(min(asked, _LONGEST_WATCH)) if asked > 0 else _DEFAULT_WATCH


def _list_errors(request: Request) -> Iterator[FieldError]:
    match, version = request.one(_MATCH), request.one("resourceVersion")
    if match and not version:
        yield statuses.forbidden_field(_MATCH, "resourceVersionMatch is forbidden unless resourceVersion is provided")
    if match and request.one("continue"):
        yield statuses.forbidden_field(_MATCH, "resourceVersionMatch is forbidden when continue is provided")
    if match not in ("", "Exact", _NEWER):
        yield _unsupported(match, '"Exact", "NotOlderThan", ""')
    if match == "Exact" and version == "0":
        yield statuses.forbidden_field(_MATCH, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"')
    if _INITIAL in request.query:
        yield statuses.forbidden_field(_INITIAL, "sendInitialEvents is forbidden for list")


def _watch_errors(request: Request, profile: Profile) -> Iterator[FieldError]:
    match, is_asked = request.one(_MATCH), _INITIAL in request.query
    if is_asked and match != _NEWER:
        yield statuses.forbidden_field(
            _MATCH, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"
        )
    if is_asked and not profile.is_at_least(_WATCH_LIST):
        detail = "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled"
        yield statuses.forbidden_field(_INITIAL, detail)
    if match and not is_asked:
        yield statuses.forbidden_field(
            _MATCH, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"
        )
    if match not in ("", _NEWER):
        yield _unsupported(match, '"NotOlderThan"')
    if match and request.one("continue"):
        yield statuses.forbidden_field(_MATCH, "resourceVersionMatch is forbidden when continue is provided")


def _unsupported(match: str, known: str) -> FieldError:
    detail = f"supported values: {known}"
    return FieldError(type=ErrorType.NOT_SUPPORTED, field=_MATCH, value=match, detail=detail)
