"""How a controller has a pod go: it tells of it, writes a condition, and deletes it."""

from __future__ import annotations

from collections.abc import Iterator

from dravite.api.core_v1 import PodCondition
from dravite.controllers.commands import Command, Delete, Patch
from dravite.controllers.view import Item
from dravite.lifecycle.instants import text_of


def eviction(pod: Item, condition: PodCondition, now: float) -> Iterator[Command]:
    """The requests that send the pod away, with the condition that says why."""
    ours = {name: getattr(condition, name) for name in ("type", "status", "reason", "message")}
    known = pod.plain["status"].get("conditions") or ()
    conditions = [one for one in known if one["type"] != condition.type]
    conditions.append({**ours, "lastProbeTime": None, "lastTransitionTime": text_of(now)})
    place = (pod.resource, pod.namespace, pod.name)
    yield Patch(*place, {"status": {"conditions": conditions}}, "status", pod.revision)
    yield Delete(resource=pod.resource, namespace=pod.namespace, name=pod.name, uid=pod.uid)
