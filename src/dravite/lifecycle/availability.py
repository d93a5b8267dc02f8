"""Which pods count as available: those that have been ready for as long as their workload wants (minReadySeconds)."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from dravite.api.core_v1 import Pod
from dravite.api.plain import PlainView
from dravite.lifecycle.instants import seconds_of
from dravite.workloads import is_ready
from dravite.workloads.raw_paths import look_up


class Patience(msgspec.Struct, frozen=True):
    """For how many seconds a pod must have been ready at a moment."""

    seconds: int
    now: float


def patience_of(workload: PlainView, now: float) -> Patience:
    """What a workload says; nothing means no time at all."""
    seconds = look_up(workload, ("spec", "minReadySeconds"))
    return Patience(seconds if isinstance(seconds, int) else 0, now)


def is_available(pod: Pod, patience: Patience) -> bool:
    """Whether a pod has been ready for long enough."""
    if not patience.seconds:
        return is_ready(pod)
    time = _available_at(pod, patience)
    return time is not None and time <= patience.now


def next_available(pods: Iterable[Pod], patience: Patience) -> float | None:
    """When the next pod has been ready for long enough, if it stays so."""
    times = (_available_at(pod, patience) for pod in pods)
    return min((time for time in times if time is not None and time > patience.now), default=None)


def _available_at(pod: Pod, patience: Patience) -> float | None:
    ready = (one for one in pod.status.conditions if one.type == "Ready" and one.status == "True")
    since = next((seconds_of(one.last_transition_time) for one in ready), None)
    return since + patience.seconds if since is not None else None
