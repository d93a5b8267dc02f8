"""What every answer is made from, and the answers themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from dravite.api import registry
from dravite.api.plain import Plain
from dravite.api.releases import Profile
from dravite.apiserver import media, statuses
from dravite.apiserver.kinds import Catalogue, Kind
from dravite.apiserver.media import Accepted
from dravite.apiserver.metadata import Source
from dravite.apiserver.metrics import Metrics
from dravite.apiserver.moulds import Moulds
from dravite.apiserver.requests import Target
from dravite.apiserver.selectors import Selector
from dravite.store import Key, Record, Store


class Backend(msgspec.Struct, frozen=True):
    """The parts of a server: what is stored and served, which Kubernetes it is, and where times come from.

    Attributes:
        controls_access: whether roles and their bindings decide who may do what.
        key: what tokens of service accounts are signed with.
        moulds: what is known of objects that are created again and again.
        metrics: what was counted; controllers count here too.
    """

    store: Store
    catalogue: Catalogue
    profile: Profile
    source: Source
    controls_access: bool = False
    key: bytes = b""
    moulds: Moulds = msgspec.field(default_factory=Moulds)
    metrics: Metrics = msgspec.field(default_factory=Metrics)


class Response(msgspec.Struct, frozen=True):
    """An answer.

    Attributes:
        body: an object to be written as JSON or YAML, or bytes as they are.
        warnings: what the client is to be told beside the answer.
        revision: what must be durable before the answer is sent.
    """

    code: int
    body: Mapping[str, Any] | bytes
    content_type: str = "application/json"
    headers: Mapping[str, str] = {}
    warnings: tuple[str, ...] = ()
    revision: int = 0

    @property
    def value(self) -> Any:
        """The body as an object, of an answer in JSON."""
        return msgspec.json.decode(self.body) if isinstance(self.body, bytes) else self.body


class Watch(msgspec.Struct, frozen=True, kw_only=True):
    """An answer without an end: objects that are there, then what happens to them.

    Attributes:
        initial: objects to begin with, as ADDED events.
        since: the revision after which events follow.
        bookmarks: whether to say now and then how far the watch has come.
        marks_initial: whether a bookmark tells where the initial objects end.
        seconds: how long it lasts.
    """

    target: Target
    selector: Selector
    accepted: Accepted
    initial: tuple[Record, ...]
    since: int
    bookmarks: bool
    marks_initial: bool
    seconds: float
    include: str = "Metadata"
    warnings: tuple[str, ...] = ()

    @property
    def content_type(self) -> str:
        kind = self.accepted.content_type
        return kind if kind == media.JSON else f"{kind};stream=watch"


def key_of(target: Target) -> Key:
    """Where an object is in the store."""
    return Key(target.kind.resource, target.namespace, target.name)


def record_of(backend: Backend, target: Target) -> Record:
    """The record that a target names.

    Raises:
        Refused: there is none.
    """
    record = backend.store.get(key_of(target))
    if record is None:
        raise statuses.not_found(target.kind, target.name)
    return record


def deprecations(backend: Backend, target: Target) -> tuple[str, ...]:
    """What a server warns of whenever it answers in this version."""
    if not target.kind.types:
        return ()
    text = registry.deprecation(target.api_version, target.kind.kind, backend.profile.release)
    return (text,) if text else ()


def with_revision(plain: Plain, revision: int) -> Plain:
    """A copy of an object with another resourceVersion. Its type comes first, which lists leave out."""
    kind = {"apiVersion": plain["apiVersion"], "kind": plain["kind"]}
    return {**kind, **plain, "metadata": {**plain["metadata"], "resourceVersion": str(revision)}}


def without_revision(plain: Plain) -> Plain:
    """The object without the revision that it names."""
    meta = {name: value for name, value in plain["metadata"].items() if name != "resourceVersion"}
    return {**plain, "metadata": meta}


def kind_of_key(backend: Backend, collection: str) -> Kind | None:
    """The kind of a collection in the store."""
    plural, _, group = collection.partition(".")
    return next((kind for kind in backend.catalogue.kinds if kind.plural == plural and kind.group == group), None)
