"""Get, list and the beginning of a watch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from dravite.api.field_text import quoted
from dravite.apiserver import drafts, forms, media, statuses
from dravite.apiserver.backend import Backend, Response, Watch, deprecations, record_of
from dravite.apiserver.continue_tokens import newest_token, write_token
from dravite.apiserver.list_options import ListOptions, list_options, revision_of
from dravite.apiserver.media import AS_KEPT, Accepted, Made, accepted, check_route
from dravite.apiserver.protobuf_writing import is_writable
from dravite.apiserver.requests import Request, Target
from dravite.apiserver.selectors import Selector
from dravite.store import Compacted, Page, Place, Record

_INCLUDES: Final = ("None", "Metadata", "Object")
_STEP: Final = 500
_TOO_OLD: Final = "The resourceVersion for the provided list is too old."
_PAGE_TOO_OLD: Final = (
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without "
    "the continue parameter, or use the continue token in this response to retrieve the remainder of the results. "
    "Continuing with the provided token results in an inconsistent list - objects that were created, modified, or "
    "deleted between the time the first chunk was returned and now may show up in the list."
)


def get(backend: Backend, target: Target, request: Request) -> Response:
    """One object."""
    taken = form_of_object(target, request)
    _check_floor(backend, revision_of(request))
    record = record_of(backend, target)
    return answer(backend, target, request, record, taken)


def answer(
    backend: Backend, target: Target, request: Request, record: Record, taken: Accepted | None = None
) -> Response:
    """An answer of 200 with one object, in the form that the client takes, or of 406 where there is none."""
    taken = taken or form_of_object(target, request)
    body: Mapping[str, Any] | bytes
    if taken.form == "PartialObjectMetadataList":
        why = statuses.wrong_number(taken.form, target.kind, is_list=False)
        return Response(406, why.status, media.of_refusal(request.headers.get("accept", "")))
    if taken == AS_KEPT and target.version == target.kind.hub and "pretty" not in request.query:
        body = record.body + b"\n"
    else:
        plain = drafts.shown(record, target.kind, target.version)
        body = forms.single(plain, target, taken, _include(request, taken), backend.source.now())
    return Response(200, body, taken.content_type, warnings=deprecations(backend, target))


def list_objects(backend: Backend, target: Target, request: Request) -> Response:
    """The objects of a collection, or a page of them."""
    taken = form_of_list(target, request)
    options = list_options(request, target, backend.profile, watching=False)
    _check_floor(backend, max(options.at, options.floor))
    found, head = page(backend, target, options)
    is_kept_so = taken == AS_KEPT and target.version == target.kind.hub and "pretty" not in request.query
    body: Mapping[str, Any] | bytes | None = _as_kept(found, head, target) if is_kept_so else None
    if body is None:
        plain = (drafts.shown(record, target.kind, target.version) for record in found)
        body = forms.listed(plain, head, target, taken, (_include(request, taken), backend.source.now()))
    return Response(200, body, taken.content_type, warnings=deprecations(backend, target))


def _as_kept(found: Sequence[Record], head: Mapping[str, Any], target: Target) -> bytes | None:
    """A list of stored objects as they are, without their type, which the list has; None where one begins otherwise."""
    begin = f'{{"apiVersion":"{target.api_version}","kind":"{target.kind.kind}",'.encode()
    if {record.body[: len(begin)] for record in found} - {begin}:
        return None
    what = {"kind": f"{target.kind.kind}List", "apiVersion": target.api_version, "metadata": head}
    parts = [msgspec.json.encode(what)[:-1], b',"items":[']
    for record in found:
        parts += (b"{", record.body[len(begin) :], b",")
    if found:
        parts.pop()
    return b"".join((*parts, b"]}\n"))


def watch(backend: Backend, target: Target, request: Request) -> Watch:
    """The beginning of a watch."""
    writable = is_writable(target.api_version, target.kind.kind)
    taken = accepted(request.headers.get("accept", ""), Made(as_protobuf=writable, watched=True))
    options = list_options(request, target, backend.profile, watching=True)
    initial: tuple[Record, ...] = ()
    since = options.floor
    if options.sends_initial or request.one("resourceVersion") in ("", "0"):
        read = backend.store.page(target.kind.resource, target.namespace)
        if isinstance(read, Compacted):
            raise statuses.expired(_TOO_OLD)
        since = read.revision
        initial = tuple(_selected(read.records, target, options.selector)) if options.sends_initial else ()
    bookmarks = request.flag("allowWatchBookmarks")
    return Watch(
        target=target,
        selector=options.selector,
        accepted=taken,
        initial=initial,
        since=since,
        bookmarks=bookmarks,
        marks_initial=options.marks_initial and bookmarks,
        seconds=options.seconds,
        include=_include(request, taken),
        warnings=deprecations(backend, target),
    )


def page(backend: Backend, target: Target, options: ListOptions) -> tuple[Sequence[Record], dict[str, Any]]:
    """The records of a page, and the metadata of the list.

    Raises:
        Refused: the revision at which the list is wanted is forgotten.
    """
    after = options.after
    if after is not None and target.namespace:
        after = (target.namespace, after[1])
    if options.selector.is_empty:
        read = _read(backend, target, options, (after, options.limit))
        return read.records, _head(read, read.remaining, target, is_counted=True)
    found: list[Record] = []
    while True:
        read = _read(backend, target, options, (after, _STEP if options.limit else 0))
        for position, record in enumerate(read.records, start=1):
            if options.selector.matches(drafts.kept(record, target.kind).plain):
                found.append(record)
            rest = read.remaining + len(read.records) - position
            if options.limit and rest and len(found) == options.limit:
                shown = msgspec.structs.replace(read, records=read.records[:position])
                return found, _head(shown, rest, target, is_counted=False)
        if not read.remaining:
            return found, _head(read, 0, target, is_counted=False)
        after = (read.records[-1].key.namespace, read.records[-1].key.name)


def _read(backend: Backend, target: Target, options: ListOptions, part: tuple[Place | None, int]) -> Page:
    after, limit = part
    read = backend.store.page(target.kind.resource, target.namespace, after=after, limit=limit, at=options.at)
    if isinstance(read, Compacted):
        raise _expired(options)
    return read


def _head(read: Page, rest: int, target: Target, *, is_counted: bool) -> dict[str, Any]:
    """The metadata of a list that ends where a page does; `rest` are objects behind it, and whether to say how many."""
    head: dict[str, Any] = {"resourceVersion": str(read.revision)}
    if not rest:
        return head
    last = read.records[-1].key
    head["continue"] = write_token(read.revision, (last.namespace, last.name), target)
    return {**head, "remainingItemCount": rest} if is_counted else head


def _expired(options: ListOptions) -> statuses.Refused:
    if options.after is None:
        return statuses.expired(_TOO_OLD)
    return statuses.expired(_PAGE_TOO_OLD, newest_token(options.after))


def _selected(records: tuple[Record, ...], target: Target, selector: Selector) -> Iterator[Record]:
    for record in records:
        if selector.is_empty or selector.matches(drafts.kept(record, target.kind).plain):
            yield record


def check_form(target: Target, request: Request) -> None:
    """Refuse a request whose answer the client would not take, before anything is done."""
    header = request.headers.get("accept", "")
    is_list = not target.name and request.method == "GET"
    check_route(header, streamed=is_list)
    if is_list and request.flag("watch"):
        return
    (form_of_list if not target.name and request.method in ("GET", "DELETE") else form_of_object)(target, request)


def form_of_list(target: Target, request: Request) -> Accepted:
    """How a list is answered with."""
    writable = is_writable(target.api_version, f"{target.kind.kind}List")
    return accepted(request.headers.get("accept", ""), Made(as_protobuf=writable))


def form_of_object(target: Target, request: Request) -> Accepted:
    """How one object is answered with. Parts of an object have no table, but for the status of kinds of core groups."""
    tables = not target.subresource or (target.subresource == "status" and target.kind.info is None)
    writable = is_writable(target.api_version, target.kind.kind)
    return accepted(request.headers.get("accept", ""), Made(tables=tables, as_protobuf=writable))


def _include(request: Request, taken: Accepted) -> str:
    """What of an object stands in the rows of a table."""
    include = request.one("includeObject") or "Metadata"
    if taken.form == "Table" and include not in _INCLUDES:
        raise statuses.bad_request(f"unrecognized includeObject value: {quoted(include)}")
    return include


def _check_floor(backend: Backend, revision: int) -> None:
    if revision > backend.store.revision:
        raise statuses.too_new(revision, backend.store.revision)
