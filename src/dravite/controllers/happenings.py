"""Events: what is told about an object for people to read, and how often the same was told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

import msgspec

from dravite.api.plain import Plain
from dravite.controllers.client import Resource
from dravite.controllers.commands import Create, Patch
from dravite.controllers.view import Item
from dravite.lifecycle.instants import micro_text_of, text_of

Type = Literal["Normal", "Warning"]

REMEMBERED: Final = 600.0
"""Seconds for which the same news counts up an event that is there, as Kubernetes' recorder does."""


class Tell(msgspec.Struct, frozen=True, kw_only=True):
    """Something to be told about an object.

    Attributes:
        component: who says it.
        action: what was done; only who writes events of the newer kind says it.
        related: the other object that it is about.
    """

    about: Item
    reason: str
    message: str
    component: str
    type: Type = "Normal"
    action: str = ""
    related: Item | None = None


class Written(msgspec.Struct, frozen=True):
    """An event that was written."""

    namespace: str
    name: str
    count: int
    last: float


class Recorder:
    """Makes events of what is told."""

    def __init__(self) -> None:
        self._told: dict[tuple[object, ...], Written] = {}
        self._number = 0

    def command(self, tell: Tell, resource: Resource, now: float) -> Create | Patch:
        """The request that tells it: a new event, or another count of one that says the same."""
        key = _sameness(tell)
        before = self._told.pop(key, None)  # what was told last stands last
        if before is not None and now - before.last < REMEMBERED:
            self._told[key] = Written(before.namespace, before.name, before.count + 1, now)
            return Patch(resource, before.namespace, before.name, _counted(tell, before.count + 1, now))
        namespace = tell.about.namespace or "default"
        self._number += 1
        name = f"{tell.about.name}.{int(now * 1e9) + self._number:x}"
        self._told[key] = Written(namespace, name, 1, now)
        return Create(resource, namespace, _event(tell, namespace, name, now))

    def forget(self, now: float) -> None:
        """Let go of what is so old that it would be told anew."""
        while self._told and now - next(iter(self._told.values())).last >= REMEMBERED:
            del self._told[next(iter(self._told))]


def _sameness(tell: Tell) -> tuple[object, ...]:
    related = tell.related.uid if tell.related is not None else ""
    return (tell.about.uid, tell.type, tell.reason, tell.action, tell.message, tell.component, related)


def _event(tell: Tell, namespace: str, name: str, now: float) -> Mapping[str, Any]:
    event: Plain = {
        "metadata": {"namespace": namespace, "name": name},
        "involvedObject": _reference(tell.about),
        "type": tell.type,
        "reason": tell.reason,
        "message": tell.message,
        "source": {},
        "firstTimestamp": None,
        "lastTimestamp": None,
        "reportingComponent": tell.component,
        "reportingInstance": "",
    }
    if tell.related is not None:
        event["related"] = _reference(tell.related)
    if tell.action:
        instance = f"{tell.component}-dravite"
        return {**event, "action": tell.action, "eventTime": micro_text_of(now), "reportingInstance": instance}
    stamp = text_of(now)
    return {
        **event,
        "source": {"component": tell.component},
        "firstTimestamp": stamp,
        "lastTimestamp": stamp,
        "count": 1,
        "eventTime": None,
    }


def _counted(tell: Tell, count: int, now: float) -> Mapping[str, Any]:
    if tell.action:
        return {"series": {"count": count, "lastObservedTime": micro_text_of(now)}}
    return {"count": count, "lastTimestamp": text_of(now)}


def _reference(item: Item) -> Plain:
    found = {
        "kind": item.resource.kind,
        "namespace": item.namespace,
        "name": item.name,
        "uid": item.uid,
        "apiVersion": item.resource.api_version,
        "resourceVersion": str(item.revision),
    }
    return {name: value for name, value in found.items() if value}
