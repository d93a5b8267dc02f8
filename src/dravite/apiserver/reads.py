"""Get, list and the beginning of a watch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
from dravite.store import Compacted, Record

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
    body: Any
    if taken.form == "object" and taken.format == "json" and target.version == target.kind.hub:
        items = [_item(record, target) for record in found]
        body = {"kind": f"{target.kind.kind}List", "apiVersion": target.api_version, "metadata": head, "items": items}
    else:
        plain = (drafts.shown(record, target.kind, target.version) for record in found)
        body = forms.listed(plain, head, target, taken, (_include(request, taken), backend.source.now()))
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


def page(backend: Backend, target: Target, options: ListOptions) -> tuple[list[Record], dict[str, Any]]:
    """The records of a page, and the metadata of the list.

    Raises:
        Refused: the revision at which the list is wanted is forgotten.
    """
    store, kind, selector = backend.store, target.kind, options.selector
    after = options.after
    if after is not None and target.namespace:
        after = (target.namespace, after[1])
    found: list[Record] = []
    step = options.limit if selector.is_empty else _STEP
    while True:
        read = store.page(
            kind.resource, target.namespace, after=after, limit=step if options.limit else 0, at=options.at
        )
        if isinstance(read, Compacted):
            raise _expired(options)
        for position, record in enumerate(read.records):
            if selector.is_empty or selector.matches(drafts.kept(record, kind).plain):
                found.append(record)
            if options.limit and len(found) == options.limit and (position + 1 < len(read.records) or read.remaining):
                rest = read.remaining + len(read.records) - position - 1
                return found, _head(read.revision, record, target, rest if selector.is_empty else None)
        if not read.remaining:
            return found, {"resourceVersion": str(read.revision)}
        after = (read.records[-1].key.namespace, read.records[-1].key.name)


def _head(revision: int, last: Record, target: Target, remaining: int | None) -> dict[str, Any]:
    token = write_token(revision, (last.key.namespace, last.key.name), target)
    head: dict[str, Any] = {"resourceVersion": str(revision), "continue": token}
    return head if remaining is None else {**head, "remainingItemCount": remaining}


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
