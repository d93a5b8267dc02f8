"""When pods have to go because of taints on their nodes. Nobody is evicted here.

For each NoExecute taint the first toleration that covers it counts, and of all these the shortest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from dravite.api.core_v1 import Node, Pod, PodCondition, Taint
from dravite.lifecycle.instants import seconds_of
from dravite.scheduler.tolerations import tolerates
from dravite.snapshot.snapshot import Key, Snapshot

EVICTED_FROM_NODE: Final = PodCondition(
    type="DisruptionTarget",
    status="True",
    reason="DeletionByTaintManager",
    message="Taint manager: deleting due to NoExecute taint",
)

_EFFECT: Final = "NoExecute"


def node_eviction_times(snapshot: Snapshot, nodes: Iterable[Node], now: float) -> Mapping[Key, float]:
    """When each running pod of these nodes has to go, in seconds since 1970; those that may stay are left out."""
    due: dict[Key, float] = {}
    for node in nodes:
        taints = evicting_taints(node)
        for key in (one.key for one in snapshot.states[node.metadata.name].pods):
            pod = snapshot.pods[key].pod
            found = eviction_from_node(pod, taints, now) if pod.metadata.deletion_timestamp is None else None
            if found is not None:
                due[key] = found[1]
    return due


def evicting_taints(node: Node) -> tuple[Taint, ...]:
    """The taints of a node that send pods away."""
    return tuple(taint for taint in node.spec.taints if taint.effect == _EFFECT)


def eviction_from_node(pod: Pod, taints: Iterable[Taint], now: float) -> tuple[Taint, float] | None:
    """The taint that sends the pod away first, and when in seconds since 1970; None where it may stay.

    A taint without a time counts as added now.
    """
    found = [(taint, time) for taint in taints if (time := _due(pod, taint, now)) is not None]
    return min(found, key=lambda one: one[1], default=None)


def _due(pod: Pod, taint: Taint, now: float) -> float | None:
    matching = next((one for one in pod.spec.tolerations if tolerates(one, taint)), None)
    if matching is not None and matching.toleration_seconds is None:
        return None
    added = seconds_of(taint.time_added)
    stays = max(0, matching.toleration_seconds or 0) if matching is not None else 0
    return (now if added is None else added) + stays
