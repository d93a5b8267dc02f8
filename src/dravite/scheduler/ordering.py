"""Which pods come next: higher priority first, then as they were created, then as they were given (F11.1, E3.5)."""

from __future__ import annotations

from typing import Final

import msgspec

from dravite.snapshot.manifests import PlannedPod
from dravite.snapshot.snapshot import Key, Snapshot, key_of

SCHEDULER_NAME: Final = "default-scheduler"


class Unit(msgspec.Struct, frozen=True):
    """Pods that are scheduled together. A pod without a group is a unit of its own."""

    pods: tuple[Key, ...]
    priority: int


def order_groups(snapshot: Snapshot) -> tuple[Unit, ...]:
    """All waiting pods in the order of the queue. Pods without a creation time come after those that have one."""
    waiting = sorted(snapshot.pending(), key=_turn)
    return tuple(Unit((key_of(planned.pod.metadata),), planned.pod.spec.priority or 0) for planned in waiting)


def _turn(planned: PlannedPod) -> tuple[int, bool, str]:
    created = planned.pod.metadata.creation_timestamp
    return (-(planned.pod.spec.priority or 0), created is None, created or "")
