"""What was noticed while a running cluster was read, and what Kubernetes has said of a pod itself.

Values only. How they are put into words is `render.view`'s to know, how they are found out `live`'s.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from dravite.api.meta import ObjectRef, Time


class Resource(msgspec.Struct, frozen=True, order=True):
    """A resource as URLs and rights name it: `pods` of the core group, `resourceclaims` of `resource.k8s.io`."""

    group: str
    plural: str

    def __str__(self) -> str:
        return f"{self.plural}.{self.group}" if self.group else self.plural


class ListRefused(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """A list that the answer had to do without.

    Attributes:
        resource: what was to be listed; `namespace` is empty for all namespaces.
        why: `forbidden` by the rights of the user, or `failed` for any other reason; `message` is the server's.
    """

    resource: Resource
    namespace: str = ""
    why: Literal["forbidden", "failed"] = "forbidden"
    message: str = ""


class ListNarrowed(msgspec.Struct, frozen=True, tag=True):
    """All namespaces were refused; what one namespace holds was read instead."""

    resource: Resource
    namespace: str


class ListsApart(msgspec.Struct, frozen=True, tag=True):
    """Lists were taken at different moments, and these objects changed in between: the first few, and how many."""

    changed: tuple[ObjectRef, ...]
    total: int


class NeverQuiet(msgspec.Struct, frozen=True, tag=True):
    """The cluster was still changing after so many answers; these objects changed during the last one."""

    rounds: int
    changed: tuple[ObjectRef, ...]
    total: int


class Unwatched(msgspec.Struct, frozen=True, tag=True):
    """Changes could not be watched, so whether the cluster is at rest is not known; the first messages why."""

    messages: tuple[str, ...]


class UnknownRelease(msgspec.Struct, frozen=True, tag=True):
    """The server is newer than any release known here; the answer is that of `taken`."""

    server: str
    taken: str


class OtherRelease(msgspec.Struct, frozen=True, tag=True):
    """The user asked for an answer of another release than the server's."""

    server: str
    taken: str


class GatesAssumed(msgspec.Struct, frozen=True, tag=True):
    """Which gates the server has on could not be read: those of a stock release are taken, and `seen` besides.

    `seen` are gates that are off in a stock release and without which something that was read could not be there.
    """

    release: str
    seen: tuple[str, ...] = ()


class EventsUnread(msgspec.Struct, frozen=True, tag=True):
    """Events were refused, so what Kubernetes said of the pods is known from their conditions alone."""

    namespace: str
    message: str = ""


Observation: TypeAlias = (
    ListRefused
    | ListNarrowed
    | ListsApart
    | NeverQuiet
    | Unwatched
    | UnknownRelease
    | OtherRelease
    | GatesAssumed
    | EventsUnread
)


class Saying(msgspec.Struct, frozen=True, kw_only=True):
    """What one part of Kubernetes said of a pod: a condition in its status, or an event.

    Attributes:
        speaker: `kube-scheduler`, or whoever wrote it; empty where the server does not say.
        at: when it was said, the last time where it was said `count` times; empty where unknown.
    """

    source: Literal["condition", "event"]
    speaker: str
    reason: str
    message: str
    at: Time = ""
    count: int = 1
