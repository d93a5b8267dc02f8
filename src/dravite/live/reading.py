"""The whole reading: who the server is, then every list that a question needs, all at one moment if it can be had.

Lists are asked for at the resourceVersion of the first answer, so that together they are a state that the cluster was
in. A server that cannot do that gives them at different moments; which objects changed in between is then told.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, TypeAlias

import msgspec

from dravite.api.document import Document
from dravite.api.meta import ObjectRef
from dravite.diagnosis.observations import ListRefused, ListsApart, Observation
from dravite.live.answers import OK, UNAUTHORIZED, refusal
from dravite.live.discovery import Served, Server, discover
from dravite.live.faults import ClusterError
from dravite.live.gates import ask_gates
from dravite.live.kubeconfig import Access
from dravite.live.lists import Asking, Item, Listed, list_all
from dravite.live.parallel import as_done, both
from dravite.live.profiles import why_no_devices
from dravite.live.transport import Transport
from dravite.live.wanted import Wanted, groups_of

WORKERS: Final = 4
NAMED: Final = 4
_HEAVY: Final = ("pods", "resourceslices", "nodes", "resourceclaims", "replicasets")
"""What is begun first, because it takes longest."""

_TELLING: Final = frozenset(
    {"ResourceClaim", "ResourceClaimTemplate", "ResourceSlice", "DeviceClass", "DeviceTaintRule"}
)
"""Kinds of which every change may change an answer; others change all the time in ways that do not matter."""


class Tally(msgspec.Struct, frozen=True):
    """How far the reading of one resource is; `total` where the server says it."""

    plural: str
    read: int
    total: int | None
    done: bool = False


Tell: TypeAlias = Callable[[Sequence[Tally]], None]


class Reading(msgspec.Struct, frozen=True):
    """What was read of a cluster.

    Attributes:
        moment: the newest resourceVersion among the lists.
        lists: in the order of the table of resources.
        gates: which feature gates are on; None where it could not be read.
        observations: what was refused, narrowed, or taken at another moment.
    """

    server: Server
    moment: str
    lists: tuple[Listed, ...]
    gates: Mapping[str, bool] | None
    observations: tuple[Observation, ...]

    @property
    def documents(self) -> tuple[Document, ...]:
        """All objects, kind after kind."""
        return tuple(item.document for listed in self.lists for item in listed.items)


class Question(msgspec.Struct, frozen=True):
    """What is to be read.

    Attributes:
        wanted: the resources.
        command: what they are wanted for, as rights are asked for.
        narrow_to: the namespace to fall back on where all are refused; empty for none.
        tell: is called whenever there is progress.
    """

    wanted: tuple[Wanted, ...]
    command: str = "plan"
    narrow_to: str = ""
    tell: Tell = lambda tallies: None


def meet(transport: Transport, access: Access, wanted: Iterable[Wanted]) -> tuple[Server, str]:
    """The server, and the moment at which lists are to be taken; empty where none could be had."""
    return both(lambda: discover(transport, access, groups_of(wanted)), lambda: _newest_moment(transport, access))


def _newest_moment(transport: Transport, access: Access) -> str:
    """The resourceVersion of the whole store, which any list says; nodes, because it need not be allowed to see one."""
    reply = transport.get("/api/v1/nodes", {"limit": "1"})
    if reply.status == UNAUTHORIZED:
        raise refusal(reply, access, "/api/v1/nodes")
    if reply.status != OK:
        return ""
    try:
        return _MOMENTS.decode(reply.body).metadata.resource_version
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ""


class _Meta(msgspec.Struct, frozen=True, rename="camel"):
    resource_version: str = ""


class _List(msgspec.Struct, frozen=True):
    metadata: _Meta = _Meta()


_MOMENTS: Final = msgspec.json.Decoder(_List)


def read_cluster(transport: Transport, access: Access, asked: Question) -> Reading:
    """Everything that is wanted and served.

    Raises:
        ClusterError: the server broke off, or something essential is refused; `known` says what had been read.
        KeyboardInterrupt: as it comes; the transport is closed then.
    """
    server, moment = meet(transport, access, asked.wanted)
    fault = why_no_devices(server, access)
    if fault is not None:
        raise fault
    wanted = [one for one in asked.wanted if one.resource in server.served]
    served = [server.served[one.resource] for one in wanted]
    progress = _Progress(served, asked.tell)
    asking = Asking(transport=transport, access=access, moment=moment, narrow_to=asked.narrow_to, tell=progress.on_page)
    found, gates = both(lambda: _lists(asking, served, progress), lambda: ask_gates(transport))
    for want, result in zip(wanted, found, strict=True):
        if isinstance(result, ListRefused) and want.need == "essential":
            raise _nothing_without(result, access, asked.command)
    lists = tuple(one for one in found if isinstance(one, Listed))
    if not lists:
        raise _nothing_at_all(found, access, asked.command)
    return Reading(server, _last(lists), lists, gates, tuple(_observations(found, lists)))


def _lists(asking: Asking, served: Sequence[Served], progress: _Progress) -> list[Listed | ListRefused]:
    order = sorted(range(len(served)), key=lambda number: _weight(served[number]))
    tasks = [partial(list_all, asking, served[number]) for number in order]
    found: dict[int, Listed | ListRefused] = {}
    try:
        for task, result in as_done(tasks, WORKERS):
            found[order[task]] = result
            progress.on_done(served[order[task]])
    except ClusterError as fault:
        asking.stop.set()
        raise ClusterError(str(fault), fault.hint, progress.lines()) from fault
    return [found[number] for number in range(len(served))]


def _weight(served: Served) -> int:
    plural = served.resource.plural
    return _HEAVY.index(plural) if plural in _HEAVY else len(_HEAVY)


class _Progress:
    """How far every list is. Pages come from several threads."""

    def __init__(self, served: Sequence[Served], tell: Tell) -> None:
        self._tallies = {one: Tally(one.resource.plural, 0, None) for one in served}
        self._tell = tell
        self._lock = threading.Lock()

    def on_page(self, served: Served, read: int, total: int | None) -> None:
        self._set(served, Tally(served.resource.plural, read, total))

    def on_done(self, served: Served) -> None:
        self._set(served, msgspec.structs.replace(self._tallies[served], done=True))

    def _set(self, served: Served, tally: Tally) -> None:
        with self._lock:
            self._tallies[served] = tally
            self._tell(tuple(self._tallies.values()))

    def lines(self) -> tuple[str, ...]:
        """What had been read, for people."""
        return known_lines(tuple(self._tallies.values()))


def known_lines(tallies: Sequence[Tally]) -> tuple[str, ...]:
    """What is known after an interrupted reading: whole lists first, then those that were begun."""
    whole = [f"{one.plural} {one.read}" for one in tallies if one.done]
    begun = [f"{one.plural} {one.read}{_of(one)}" for one in tallies if not one.done and one.read]
    lines = [("read: ", whole), ("begun: ", begun)]
    return tuple(head + ", ".join(texts) for head, texts in lines if texts)


def _of(one: Tally) -> str:
    return f" of {one.total}" if one.total is not None and one.total > one.read else ""


def _nothing_without(refused: ListRefused, access: Access, command: str) -> ClusterError:
    return ClusterError(
        f"no answer without {refused.resource}, which {access.server} (context {access.context!r}) does not list:"
        f" {refused.message}",
        f"`dravite rbac {command}` prints the rights that are needed"
        if refused.why == "forbidden"
        else "try again; the server could not list them",
    )


def _nothing_at_all(found: Sequence[Listed | ListRefused], access: Access, command: str) -> ClusterError:
    why = next((one.message for one in found if isinstance(one, ListRefused)), "")
    return ClusterError(
        f"no answer without anything to go by: {access.server} (context {access.context!r}) lists nothing: {why}",
        f"`dravite rbac {command}` prints the rights that are needed",
    )


def _last(lists: Iterable[Listed]) -> str:
    moments = [listed.moment for listed in lists if listed.moment.isdecimal()]
    return max(moments, key=int, default="")


def _observations(found: Iterable[Listed | ListRefused], lists: Sequence[Listed]) -> Iterator[Observation]:
    for one in found:
        if isinstance(one, ListRefused):
            yield one
        elif one.narrowed is not None:
            yield one.narrowed
    changed = changed_in_between(lists)
    if changed:
        yield ListsApart(changed[:NAMED], len(changed))


def changed_in_between(lists: Sequence[Listed]) -> tuple[ObjectRef, ...]:
    """Objects that are newer than the oldest list, where such a change may matter."""
    moments = [int(listed.moment) for listed in lists if listed.moment.isdecimal()]
    oldest = min(moments, default=0)
    if not moments or max(moments) == oldest:
        return ()
    return tuple(
        ObjectRef(listed.served.kind, *item.key)
        for listed in lists
        if listed.served.kind in _TELLING
        for item in listed.items
        if _is_newer(item, oldest)
    )


def _is_newer(item: Item, moment: int) -> bool:
    return item.revision.isdecimal() and int(item.revision) > moment
