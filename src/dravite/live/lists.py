"""One list in pages: every object as bytes, at one moment where the server can do that, or why there is none.

It knows what to do when a page comes too late (410), when the server is busy, and when rights reach only one
namespace. What the objects mean it does not know.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

import msgspec

from dravite.api.document import Document, Origin
from dravite.diagnosis.observations import ListNarrowed, ListRefused
from dravite.live.answers import (
    BAD_REQUEST,
    FORBIDDEN,
    GATEWAY_TIMEOUT,
    GONE,
    NOT_FOUND,
    OK,
    PASSING,
    UNAUTHORIZED,
    not_kubernetes,
    pause_after,
    refusal,
    status_of,
)
from dravite.live.discovery import Served
from dravite.live.faults import ClusterError
from dravite.live.kubeconfig import Access
from dravite.live.transport import Reply, Transport

PAGE: Final = 500
ATTEMPTS: Final = 4
FROM_CLUSTER: Final = Origin("", 0)
"""Objects of a cluster stand in no file."""

Key: TypeAlias = tuple[str, str]
"""Namespace and name."""


class Item(msgspec.Struct, frozen=True, gc=False):
    """One object: what it is found by, which revision this is, and its JSON."""

    key: Key
    revision: str
    document: Document


class Listed(msgspec.Struct, frozen=True):
    """A whole list.

    Attributes:
        served: the resource; `namespace` is empty where all were listed.
        moment: the resourceVersion at which the list holds.
        narrowed: set where all namespaces were refused and one was taken.
    """

    served: Served
    namespace: str
    moment: str
    items: tuple[Item, ...]
    narrowed: ListNarrowed | None = None


class Asking(msgspec.Struct, frozen=True):
    """How lists are asked for.

    Attributes:
        moment: the resourceVersion to list at; empty for the newest.
        narrow_to: the namespace to fall back on where all are refused; empty for none.
        tell: is called with the number of objects so far and, where the server says it, how many there are.
    """

    transport: Transport
    access: Access
    moment: str = ""
    narrow_to: str = ""
    stop: threading.Event = msgspec.field(default_factory=threading.Event)
    tell: Callable[[Served, int, int | None], None] = lambda served, read, total: None


class _Meta(msgspec.Struct, frozen=True, rename="camel"):
    resource_version: str = ""
    continue_: str = msgspec.field(default="", name="continue")
    remaining_item_count: int | None = None


class _Page(msgspec.Struct, frozen=True):
    metadata: _Meta = _Meta()
    items: list[msgspec.Raw] | None = None


class _Head(msgspec.Struct, frozen=True, rename="camel"):
    namespace: str = ""
    name: str = ""
    resource_version: str = ""


_PAGES: Final = msgspec.json.Decoder(_Page)
_FIELDS: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])
_HEADS: Final = msgspec.json.Decoder(_Head)
_ENCODER: Final = msgspec.json.Encoder()


def list_all(asking: Asking, served: Served) -> Listed | ListRefused:
    """All objects of a resource. Raises `ClusterError` where the server is not there any more."""
    found = _list(asking, served, "")
    if not isinstance(found, ListRefused) or found.why != "forbidden" or not (asking.narrow_to and served.namespaced):
        return found
    narrow = _list(asking, served, asking.narrow_to)
    if isinstance(narrow, ListRefused):
        return found
    return msgspec.structs.replace(narrow, narrowed=ListNarrowed(served.resource, asking.narrow_to))


def _list(asking: Asking, served: Served, namespace: str) -> Listed | ListRefused:
    """Page after page. A list that grew too old on the way is begun again at the newest moment, then in one piece."""
    found: list[Item] = []
    token, restarts, moment = "", 0, asking.moment
    while True:
        reply = _asked(asking, served.path(namespace), _query(token, moment, restarts))
        if reply.status == GONE or (moment and not token and reply.status in (BAD_REQUEST, GATEWAY_TIMEOUT)):
            restarts += reply.status == GONE and bool(token)
            if restarts > 2:
                return _refused(served, namespace, reply)
            found, token, moment = [], "", ""
            continue
        if reply.status == UNAUTHORIZED:
            raise refusal(reply, asking.access, served.path(namespace))
        if reply.status == NOT_FOUND:
            return Listed(served, namespace, "", ())
        if reply.status != OK:
            return _refused(served, namespace, reply)
        meta, items = _page(asking, served, reply)
        found += items
        remaining = meta.remaining_item_count
        asking.tell(served, len(found), None if remaining is None else len(found) + remaining)
        token = meta.continue_
        if not token:
            return Listed(served, namespace, meta.resource_version, tuple(found))


def _query(token: str, moment: str, restarts: int) -> Mapping[str, str]:
    """A list that fell behind twice is asked for in one piece: it cannot grow too old then."""
    if restarts > 1:
        return {}
    query = {"limit": str(PAGE)}
    if token:
        return query | {"continue": token}
    return query | {"resourceVersion": moment, "resourceVersionMatch": "Exact"} if moment else query


def _asked(asking: Asking, path: str, query: Mapping[str, str]) -> Reply:
    """The answer; a busy server and a broken connection get a few more chances."""
    for attempt in range(ATTEMPTS):
        last = attempt == ATTEMPTS - 1
        try:
            reply = asking.transport.get(path, query)
        except ClusterError:
            if last or attempt or asking.stop.is_set():
                raise
            continue
        if last or reply.status not in PASSING or ("resourceVersion" in query and reply.status == GATEWAY_TIMEOUT):
            return reply
        asking.stop.wait(pause_after(reply, attempt))
    raise AssertionError(path)  # the last attempt returns or raises


def _page(asking: Asking, served: Served, reply: Reply) -> tuple[_Meta, list[Item]]:
    try:
        page = _PAGES.decode(reply.body)
        return page.metadata, [item_of(served, raw) for raw in page.items or ()]
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise not_kubernetes(asking.access, served.path(), reply) from error


def _refused(served: Served, namespace: str, reply: Reply) -> ListRefused:
    message = status_of(reply).message or f"the server answers {reply.status}"
    return ListRefused(
        resource=served.resource,
        namespace=namespace,
        why="forbidden" if reply.status == FORBIDDEN else "failed",
        message=message,
    )


def item_of(served: Served, raw: msgspec.Raw | bytes) -> Item:
    """An object of a list or of a watch, without the managed fields: nobody reads them and they are a third of it."""
    fields = _FIELDS.decode(raw)
    metadata = _FIELDS.decode(fields.get("metadata") or b"{}")
    metadata.pop("managedFields", None)
    packed = _ENCODER.encode(metadata)
    head = _HEADS.decode(packed)
    fields["metadata"] = msgspec.Raw(packed)
    fields["apiVersion"] = msgspec.Raw(_ENCODER.encode(served.api_version))
    fields["kind"] = msgspec.Raw(_ENCODER.encode(served.kind))
    document = Document(
        origin=FROM_CLUSTER,
        api_version=served.api_version,
        kind=served.kind,
        body=_ENCODER.encode(fields),
        handwritten=False,
        stored=True,
    )
    return Item((head.namespace, head.name), head.resource_version, document)
