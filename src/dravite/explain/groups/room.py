"""Which pods would have to end for a group to start in a domain, whatever their priority; as few as possible."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from dravite.api.meta import ObjectRef
from dravite.explain.fewest import fewest
from dravite.explain.groups.trials import try_again
from dravite.scheduler.victims import own_priority, start_of
from dravite.snapshot.groups import Group
from dravite.snapshot.node_state import NodePod
from dravite.snapshot.pod_edits import without_pod
from dravite.snapshot.snapshot import Snapshot, group_key
from dravite.snapshot.topology import domains

MOST_PODS: Final = 40
"""Among how many pods those are looked for that have to end."""


def pods_in_the_way(snapshot: Snapshot, root: Group, key: str | None, domain: str) -> tuple[ObjectRef, ...]:
    """The pods without which the group starts, the least important first to go; nothing where that does not help.

    What they hold is free then, devices included.
    """
    nodes = domains(snapshot, key, snapshot.choices).get(domain, ()) if key is not None else snapshot.choices
    own = {leaf.key for leaf in root.leaves()}
    others = [pod for name in nodes for pod in snapshot.states[name].pods if group_key(pod.pod) not in own]
    others.sort(key=_importance)
    gone = fewest(others[:MOST_PODS][::-1], lambda some: try_again(_without(snapshot, some), root).succeeded)
    return tuple(ObjectRef("Pod", *pod.key) for pod in reversed(gone))


def _without(snapshot: Snapshot, gone: Iterable[NodePod]) -> Snapshot:
    for pod in gone:
        snapshot = without_pod(snapshot, ObjectRef("Pod", *pod.key))
    return snapshot


def _importance(pod: NodePod) -> tuple[int, str]:
    """Lower priority first, then those that have run shortest (times are compared backwards by the caller's order)."""
    return (own_priority(pod.pod), _backwards(start_of(pod.pod)))


def _backwards(time: str) -> str:
    """Sorts later times first."""
    return "".join(chr(0x10FFFF - ord(letter)) for letter in time)
