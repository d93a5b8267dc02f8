"""What Kubernetes has said of a pod: the condition in its status, and the events about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Final

import msgspec

from dravite.api.core_v1 import Pod, pod_ref
from dravite.api.meta import ObjectRef
from dravite.diagnosis.observations import EventsUnread, Saying
from dravite.live.answers import OK, status_of
from dravite.live.faults import ClusterError
from dravite.live.parallel import as_done
from dravite.live.transport import Transport

SHOWN: Final = 4
PODS_ASKED: Final = 16
"""Events are asked for so many pods; an answer about more pods is not about what was said of one."""

WORKERS: Final = 4

_SCHEDULER: Final = "kube-scheduler"
_OURS: Final = "dravite"
"""Who explains in events of `dravite serve`: the answer beside which they would stand says it anew."""

_SCHEDULED: Final = "PodScheduled"


class Heard(msgspec.Struct, frozen=True):
    """What was said of each pod, newest first, and what could not be read."""

    of: Mapping[ObjectRef, tuple[Saying, ...]]
    unread: tuple[EventsUnread, ...] = ()


class _Source(msgspec.Struct, frozen=True):
    component: str = ""


class _Series(msgspec.Struct, frozen=True, rename="camel"):
    count: int = 1
    last_observed_time: str | None = None


class _Event(msgspec.Struct, frozen=True, rename="camel"):
    """An event of core/v1, which every server has."""

    reason: str = ""
    message: str = ""
    source: _Source = _Source()
    reporting_component: str = ""
    count: int | None = None
    series: _Series | None = None
    last_timestamp: str | None = None
    event_time: str | None = None

    @property
    def saying(self) -> Saying:
        series = self.series or _Series()
        return Saying(
            source="event",
            speaker=_speaker(self.source.component or self.reporting_component),
            reason=self.reason,
            message=self.message,
            at=series.last_observed_time or self.last_timestamp or self.event_time or "",
            count=self.count or series.count,
        )


def _speaker(component: str) -> str:
    """The part of Kubernetes that a component is: schedulers go by the names of their profiles."""
    return _SCHEDULER if component == "default-scheduler" else component


class _Events(msgspec.Struct, frozen=True):
    items: tuple[_Event, ...] = ()


_EVENTS: Final = msgspec.json.Decoder(_Events)


def hear(transport: Transport, pods: Iterable[Pod]) -> Heard:
    """What was said of the pods. Events that may not be read are told once for each namespace."""
    asked = list(pods)
    found = {pod_ref(pod): conditions_of(pod) for pod in asked}
    unread: dict[str, EventsUnread] = {}
    few = asked[:PODS_ASKED]
    for number, heard in as_done([partial(_events_of, transport, pod) for pod in few], WORKERS):
        ref = pod_ref(few[number])
        if isinstance(heard, EventsUnread):
            unread.setdefault(heard.namespace, heard)
        else:
            found[ref] = newest_first((*found[ref], *heard))[:SHOWN]
    return Heard(found, tuple(unread.values()))


def conditions_of(pod: Pod) -> tuple[Saying, ...]:
    """What the scheduler wrote into the status: only where it had something to say."""
    return tuple(
        Saying(
            source="condition",
            speaker=_SCHEDULER,
            reason=one.reason,
            message=one.message,
            at=one.last_transition_time or "",
        )
        for one in pod.status.conditions
        if one.type == _SCHEDULED and one.status == "False" and one.message
    )


def newest_first(sayings: Iterable[Saying]) -> tuple[Saying, ...]:
    """By time, newest first; what was said twice in the same words once, with the later time."""
    ordered = sorted(sayings, key=lambda one: one.at[:19], reverse=True)
    first: dict[tuple[str, str], Saying] = {}
    for one in ordered:
        first.setdefault((one.speaker, one.message), one)
    return tuple(first.values())


def _events_of(transport: Transport, pod: Pod) -> tuple[Saying, ...] | EventsUnread:
    meta = pod.metadata
    selector = f"involvedObject.kind=Pod,involvedObject.name={meta.name},involvedObject.uid={meta.uid}"
    try:
        reply = transport.get(
            f"/api/v1/namespaces/{meta.namespace}/events", {"fieldSelector": selector, "limit": "100"}
        )
        if reply.status != OK:
            return EventsUnread(meta.namespace, status_of(reply).message)
        found = _EVENTS.decode(reply.body).items
    except (ClusterError, msgspec.DecodeError, UnicodeDecodeError) as fault:
        return EventsUnread(meta.namespace, str(fault))
    return newest_first(one for one in (event.saying for event in found) if one.speaker != _OURS)
