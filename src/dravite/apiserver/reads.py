"""Get, list and the beginning of a watch."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from dravite.api.field import ErrorType, FieldError
from dravite.api.releases import Profile
from dravite.apiserver import drafts, forms, statuses
from dravite.apiserver.backend import Backend, Response, Watch, deprecations, record_of
from dravite.apiserver.media import AS_KEPT, EVERY_FORM, Accepted, accepted
from dravite.apiserver.protobuf_writing import is_writable
from dravite.apiserver.requests import Request, Target
from dravite.apiserver.selectors import Selector, selector_of
from dravite.store import Compacted, Record

Place = tuple[str, str]

_META: Final = "meta.k8s.io/v1"
_INCLUDES: Final = ("None", "Metadata", "Object")
_DEFAULT_WATCH: Final = 2_400.0
_LONGEST_WATCH: Final = 86_400
_STEP: Final = 500
_TOO_OLD: Final = "The resourceVersion for the provided list is too old."
_PAGE_TOO_OLD: Final = (
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without "
    "the continue parameter, or use the continue token in this response to retrieve the remainder of the results. "
    "Continuing with the provided token results in an inconsistent list - objects that were created, modified, or "
    "deleted between the time the first chunk was returned and now may show up in the list."
)


class ListOptions(msgspec.Struct, frozen=True):
    """What a list or a watch asks for.

    Attributes:
        at: the revision at which the list is wanted, 0 for now.
        floor: the oldest revision that will do.
    """

    limit: int
    at: int
    floor: int
    after: Place | None
    match: str
    sends_initial: bool


def get(backend: Backend, target: Target, request: Request) -> Response:
    """One object."""
    taken = _form(target, request)
    _check_floor(backend, _revision(request))
    record = record_of(backend, target)
    return answer(backend, target, request, record, taken)


def answer(
    backend: Backend, target: Target, request: Request, record: Record, taken: Accepted | None = None
) -> Response:
    """An answer of 200 with one object, in the form that the client takes."""
    taken = taken or _form(target, request)
    include = _include(request)
    body: Mapping[str, Any] | bytes
    if taken == AS_KEPT and target.version == target.kind.hub and "pretty" not in request.query:
        body = record.body + b"\n"
    else:
        plain = drafts.shown(record, target.kind, target.version)
        body = forms.single(plain, target, taken, include, backend.source.now())
    return Response(200, body, taken.content_type, warnings=deprecations(backend, target))


def list_objects(backend: Backend, target: Target, request: Request) -> Response:
    """The objects of a collection, or a page of them."""
    taken = form_of_list(target, request)
    selector = selector_of(request, target, backend.profile)
    options = list_options(request, watching=False)
    if options.sends_initial:
        raise _forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list")
    _check_floor(backend, max(options.at, options.floor))
    found, head = _page(backend, target, selector, options)
    body: Any
    if taken.form == "object" and taken.format == "json" and target.version == target.kind.hub:
        items = [_item(record, target) for record in found]
        body = {"kind": f"{target.kind.kind}List", "apiVersion": target.api_version, "metadata": head, "items": items}
    else:
        plain = (drafts.shown(record, target.kind, target.version) for record in found)
        body = forms.listed(plain, head, target, taken, (_include(request), backend.source.now()))
    return Response(200, body, taken.content_type, warnings=deprecations(backend, target))


def _item(record: Record, target: Target) -> Any:
    """A stored object as an item of a list: as it is, but for its type, which the list has."""
    head = f'{{"apiVersion":"{target.api_version}","kind":"{target.kind.kind}",'.encode()
    if record.body.startswith(head):
        return msgspec.Raw(b"{" + record.body[len(head) :])
    return forms.untyped(drafts.shown(record, target.kind, target.version))


def watch(backend: Backend, target: Target, request: Request) -> Watch:
    """The beginning of a watch."""
    writable = is_writable(target.api_version, target.kind.kind)
    taken = accepted(request.headers.get("accept", ""), as_protobuf=writable)
    selector = selector_of(request, target, backend.profile)
    _check_watch_list(request, backend.profile)
    options = list_options(request, watching=True)
    asked = request.one("resourceVersion")
    initial: tuple[Record, ...] = ()
    since = _revision(request)
    if options.sends_initial or asked in ("", "0"):
        page = backend.store.page(target.kind.resource, target.namespace)
        if isinstance(page, Compacted):
            raise statuses.expired(_TOO_OLD)
        since = page.revision
        initial = (
            () if request.one("sendInitialEvents") == "false" else tuple(_selected(page.records, target, selector))
        )
    bookmarks = request.flag("allowWatchBookmarks")
    return Watch(
        target=target,
        selector=selector,
        accepted=taken,
        initial=initial,
        since=since,
        bookmarks=bookmarks,
        marks_initial=options.sends_initial and bookmarks,
        seconds=_seconds(request),
        include=_include(request),
        warnings=deprecations(backend, target),
    )


def _seconds(request: Request) -> float:
    asked = request.number("timeoutSeconds")
    return float(min(asked, _LONGEST_WATCH)) if asked > 0 else _DEFAULT_WATCH


def list_options(request: Request, *, watching: bool) -> ListOptions:
    """The options of a list or a watch.

    Raises:
        Refused: they contradict each other.
    """
    token, match = request.one("continue"), request.one("resourceVersionMatch")
    sends_initial = "sendInitialEvents" in request.query and request.flag("sendInitialEvents")
    limit = max(0, request.number("limit"))
    if request.one("resourceVersion") == "0":
        limit = 0  # any state will do, and a server that answers from its cache gives all of it
    _check_match(request, match, watching=watching)
    if token:
        if request.one("resourceVersion") not in ("", "0"):
            raise statuses.bad_request("specifying resource version is not allowed when using continue")
        revision, after = read_token(token)
        return ListOptions(limit, max(0, revision), 0, after, match, sends_initial)
    revision = _revision(request)
    exact = match == "Exact" or (not match and bool(limit))
    return ListOptions(limit, revision if exact else 0, revision, None, match, sends_initial)


def write_token(revision: int, place: Place, target: Target) -> str:
    """Where the next page begins."""
    namespace, name = place
    start = f"/{name}\0" if target.namespace else f"{namespace}/{name}\0"
    return _token({"v": _META, "rv": revision, "start": start})


def read_token(token: str) -> tuple[int, Place]:
    """The revision and the place before which a page begins; -1 for the newest revision."""
    try:
        text = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
        if not token.replace("-", "a").replace("_", "a").isalnum() or len(token) % 4 == 1:
            raise ValueError
        value = json.loads(text)
        revision, start = value["rv"], value["start"]
        namespace, _, name = start.removesuffix("\0").rpartition("/")
        return int(revision), (namespace, name)
    except (ValueError, KeyError, TypeError, AttributeError, binascii.Error):
        detail = "illegal base64 data at input byte 0"
        raise statuses.bad_request(f"invalid continue token: continue key is not valid: {detail}") from None


def _token(value: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(msgspec.json.encode(value)).decode().rstrip("=")


def _page(
    backend: Backend, target: Target, selector: Selector, options: ListOptions
) -> tuple[list[Record], dict[str, Any]]:
    """The records of a page, and the metadata of the list."""
    store, kind = backend.store, target.kind
    after = options.after
    if after is not None and target.namespace:
        after = (target.namespace, after[1])
    found: list[Record] = []
    step = options.limit if selector.is_empty else _STEP
    while True:
        page = store.page(
            kind.resource, target.namespace, after=after, limit=step if options.limit else 0, at=options.at
        )
        if isinstance(page, Compacted):
            raise _expired(options, target)
        for position, record in enumerate(page.records):
            if selector.is_empty or selector.matches(drafts.kept(record, kind).plain):
                found.append(record)
            if options.limit and len(found) == options.limit and (position + 1 < len(page.records) or page.remaining):
                rest = page.remaining + len(page.records) - position - 1
                return found, _head(page.revision, record, target, rest if selector.is_empty else None)
        if not page.remaining:
            return found, {"resourceVersion": str(page.revision)}
        after = (page.records[-1].key.namespace, page.records[-1].key.name)


def _head(revision: int, last: Record, target: Target, remaining: int | None) -> dict[str, Any]:
    token = write_token(revision, (last.key.namespace, last.key.name), target)
    head: dict[str, Any] = {"resourceVersion": str(revision), "continue": token}
    return head if remaining is None else {**head, "remainingItemCount": remaining}


def _expired(options: ListOptions, target: Target) -> statuses.Refused:
    if options.after is None:
        return statuses.expired(_TOO_OLD)
    namespace, name = options.after
    start = f"{namespace}/{name}\0".lstrip("/")
    return statuses.expired(_PAGE_TOO_OLD, _token({"v": _META, "rv": -1, "start": start}))


def _selected(records: tuple[Record, ...], target: Target, selector: Selector) -> Iterator[Record]:
    for record in records:
        if selector.is_empty or selector.matches(drafts.kept(record, target.kind).plain):
            yield record


def check_form(target: Target, request: Request) -> None:
    """Refuse a request whose answer the client would not take, before anything is done."""
    (form_of_list if not target.name and request.method in ("GET", "DELETE") else _form)(target, request)


def form_of_list(target: Target, request: Request) -> Accepted:
    """How a list is answered with."""
    writable = is_writable(target.api_version, f"{target.kind.kind}List")
    return accepted(request.headers.get("accept", ""), as_protobuf=writable)


def _form(target: Target, request: Request) -> Accepted:
    """How one object is answered with. Parts of an object have no table."""
    header = request.headers.get("accept", "")
    forms = EVERY_FORM - {"Table"} if target.subresource else EVERY_FORM
    return accepted(header, forms, as_protobuf=is_writable(target.api_version, target.kind.kind))


def _include(request: Request) -> str:
    include = request.one("includeObject") or "Metadata"
    if include not in _INCLUDES:
        raise statuses.bad_request(f"unrecognized includeObject value: {statuses.quoted(include)}")
    return include


def _revision(request: Request) -> int:
    text = request.one("resourceVersion")
    if not text:
        return 0
    if not text.isascii() or not text.isdigit() or int(text) >= 1 << 63:
        parsed = f"strconv.ParseUint: parsing {statuses.quoted(text)}: invalid syntax"
        value = f"Invalid value: {statuses.quoted(text)}"
        raise statuses.bad_request(f"invalid resource version: resourceVersion: {value}: {parsed}")
    return int(text)


def _check_floor(backend: Backend, revision: int) -> None:
    if revision > backend.store.revision:
        raise statuses.too_new(revision, backend.store.revision)


def _check_match(request: Request, match: str, *, watching: bool) -> None:
    version = request.one("resourceVersion")
    if watching and request.flag("sendInitialEvents"):
        if match != "NotOlderThan":
            detail = "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"
            raise _forbidden("resourceVersionMatch", detail)
        return
    if not match:
        return
    field = "resourceVersionMatch"
    if watching:
        raise _forbidden(field, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided")
    if not version:
        raise _forbidden(field, "resourceVersionMatch is forbidden unless resourceVersion is provided")
    if request.one("continue"):
        raise _forbidden(field, "resourceVersionMatch is forbidden when continue is provided")
    if match not in ("Exact", "NotOlderThan"):
        detail = 'supported values: "Exact", "NotOlderThan", ""'
        error = FieldError(type=ErrorType.NOT_SUPPORTED, field=field, value=match, detail=detail)
        raise statuses.invalid_options("ListOptions", error)
    if match == "Exact" and version == "0":
        raise _forbidden(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"')


def _check_watch_list(request: Request, profile: Profile) -> None:
    """A watch that begins with what is there came with 1.32."""
    if profile.is_at_least("1.32") or "sendInitialEvents" not in request.query:
        return
    errors = []
    if request.one("resourceVersionMatch") != "NotOlderThan":
        detail = "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"
        errors.append(statuses.forbidden_field("resourceVersionMatch", detail))
    detail = "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled"
    errors.append(statuses.forbidden_field("sendInitialEvents", detail))
    raise statuses.invalid_options("ListOptions", *errors)


def _forbidden(field: str, detail: str) -> statuses.Refused:
    return statuses.invalid_options("ListOptions", FieldError(type=ErrorType.FORBIDDEN, field=field, detail=detail))
