"""Stand-ins for the kubelets of all nodes: bound pods start, run as long as they shall, and end; nodes are ready.

Nothing is run. A pod that is bound to a node that is not there runs nevertheless, as nobody looks after it either way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from dravite.controllers.commands import Command, Create, Delete, Patch
from dravite.controllers.runner import NOTHING, Key, News, Outcome
from dravite.controllers.view import Item, View
from dravite.lifecycle.instants import text_of
from dravite.lifecycle.running_pods import (
    completion_time,
    end_time,
    has_to_tell_its_end,
    is_waiting_to_start,
    running,
    stopped,
    succeeded,
)

LEASES: Final = "kube-node-lease"
_LEASE_SECONDS: Final = 40
_RENEWED_EVERY: Final = 10.0
_RENEWALS_A_SECOND: Final = 20.0


class Habits(msgspec.Struct, frozen=True, kw_only=True):
    """How stand-ins for kubelets behave.

    Attributes:
        pod_seconds: how long a pod runs that ends by itself.
        longest_grace: how long a pod that is deleted runs on at most, as its containers end when they are told to;
            None for as long as it may.
        reports: whether nodes are reported ready, and renew their leases.
        tells_ends: whether a pod that is over and stays for the sake of others is said to be.
    """

    pod_seconds: float = 10.0
    longest_grace: float | None = 1.0
    reports: bool = True
    tells_ends: bool = True


class Kubelets:
    """The kubelets of all nodes."""

    name = "kubelet"

    def __init__(self, habits: Habits | None = None) -> None:
        self._habits = habits or Habits()
        self._renewed: dict[str, float] = {}

    def keys(self, news: News, view: View) -> Iterable[Key]:
        if news.resource.kind == "Pod" or (news.resource.kind == "Node" and self._habits.reports):
            yield (news.resource.kind, news.namespace, news.name)

    def reconcile(self, key: Key, view: View, now: float) -> Outcome:
        kind, namespace, name = key
        item = view.get(kind, namespace, name)
        if item is None:
            return NOTHING
        return self._run(item, now) if kind == "Pod" else self._report(item, view, now)

    def _end(self, item: Item, now: float) -> Iterator[Command]:
        """What takes away a pod that has ended."""
        if self._habits.tells_ends and has_to_tell_its_end(item.plain):
            yield _status(item, stopped(item.plain, now))
        yield Delete(resource=item.resource, namespace=item.namespace, name=item.name, uid=item.uid, grace=0)

    def _report(self, node: Item, view: View, now: float) -> Outcome:
        """The node is ready, and its lease is renewed in time; where there are many nodes, less often."""
        every = max(_RENEWED_EVERY, len(view.collections[node.resource]) / _RENEWALS_A_SECOND)
        due = self._renewed.get(node.name, -every) + every
        if due > now:
            return Outcome(tuple(_readiness(node, now)), due)
        self._renewed[node.name] = now
        return Outcome((*_readiness(node, now), *_lease(node, view, now)), now + every)

    def _run(self, item: Item, now: float) -> Outcome:
        pod = item.plain
        if is_waiting_to_start(pod):
            return Outcome((_status(item, running(pod, now)),))
        ends = end_time(pod, self._habits.longest_grace)
        if ends is not None:
            return Outcome(tuple(self._end(item, now))) if ends <= now else Outcome(again=ends)
        done = completion_time(pod, self._habits.pod_seconds)
        if done is None:
            return NOTHING
        return Outcome((_status(item, succeeded(pod, now)),)) if done <= now else Outcome(again=done)


def _readiness(node: Item, now: float) -> Iterator[Command]:
    """What tells that the node is ready, where nothing tells anything of it."""
    conditions: list[Any] = node.plain.get("status", {}).get("conditions") or []
    if any(one.get("type") == "Ready" for one in conditions):
        return
    stamp = text_of(now)
    ready = {"type": "Ready", "status": "True", "reason": "KubeletReady", "message": "kubelet is posting ready status"}
    times = {"lastHeartbeatTime": stamp, "lastTransitionTime": stamp}
    yield _status(node, {"conditions": [*conditions, {**ready, **times}]})


def _lease(node: Item, view: View, now: float) -> Iterator[Command]:
    """What makes or renews the lease of the node."""
    resource = view.resource("Lease")
    if resource is None:
        return
    renewed = {"renewTime": f"{text_of(now)[:-1]}.000000Z"}
    if view.get("Lease", LEASES, node.name) is not None:
        yield Patch(resource, LEASES, node.name, {"spec": renewed})
        return
    spec = {"holderIdentity": node.name, "leaseDurationSeconds": _LEASE_SECONDS, **renewed}
    owner = {"apiVersion": "v1", "kind": "Node", "name": node.name, "uid": node.uid}
    meta = {"name": node.name, "namespace": LEASES, "ownerReferences": [owner]}
    yield Create(resource, LEASES, {"metadata": meta, "spec": spec})


def _status(item: Item, status: dict[str, Any]) -> Patch:
    return Patch(item.resource, item.namespace, item.name, {"status": status}, "status", item.revision)
