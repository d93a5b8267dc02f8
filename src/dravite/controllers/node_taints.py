"""Evicts the pods that do not tolerate the NoExecute taints of their nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from dravite.controllers.commands import Command
from dravite.controllers.evictions import eviction
from dravite.controllers.happenings import Tell
from dravite.controllers.runner import Key, News, Outcome
from dravite.controllers.view import Item, View
from dravite.diagnosis import upstream_controllers as words
from dravite.diagnosis.upstream import NODE_EVICTION
from dravite.lifecycle.instants import text_of
from dravite.lifecycle.node_evictions import EVICTED_FROM_NODE, node_eviction_times
from dravite.rehearsal.node_taints import NodeTaints
from dravite.snapshot.snapshot import Snapshot

_ALL: Final[Key] = ("",)


class NodeTaintEvictions:
    """The controller. It remembers since when taints without a time are there, and whom it is to evict.

    `snapshot` is the cluster as it is at the moment.
    """

    name = "taint-eviction-controller"

    def __init__(self, snapshot: Callable[[], Snapshot]) -> None:
        self._snapshot = snapshot
        self._taints = NodeTaints()
        self._queued: dict[tuple[str, str], str] = {}

    def keys(self, news: News, view: View) -> Iterable[Key]:
        return (_ALL,) if news.resource.kind in ("Pod", "Node") else ()

    def reconcile(self, key: Key, view: View, now: float) -> Outcome:
        snapshot = self._snapshot()
        times = node_eviction_times(snapshot, self._taints.look(snapshot.nodes, text_of(now)), now)
        before, self._queued = self._queued, {}
        commands: list[Command | Tell] = []
        for pod, at in times.items():
            item = view.get("Pod", *pod)
            if item is None or not item.typed.spec.node_name or item.meta.deletion_timestamp is not None:
                continue
            if at > now:
                self._queued[pod] = item.uid
            else:
                commands += (_told(item, f"{words.MARKED} Pod"), *eviction(item, EVICTED_FROM_NODE, now))
        for pod, uid in before.items():
            item = view.get("Pod", *pod)
            if pod not in times and item is not None and item.uid == uid and item.meta.deletion_timestamp is None:
                commands.append(_told(item, f"{words.CANCELLED} of Pod"))
        return Outcome(tuple(commands), min((times[pod] for pod in self._queued), default=None))


def _told(item: Item, what: str) -> Tell:
    message = f"{what} {item.namespace}/{item.name}"
    return Tell(about=item, reason=NODE_EVICTION, message=message, component=NodeTaintEvictions.name)
