"""What a Deployment says of itself: how many pods it has, of which version, and whether that is enough."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from dravite.diagnosis import upstream_controllers as words
from dravite.lifecycle.instants import text_of
from dravite.lifecycle.turns import Document, observed, replicas_of
from dravite.workloads.raw_paths import listed, look_up

_COUNTS: Final = ("replicas", "readyReplicas", "availableReplicas")


def deployment_status(
    workload: Document, sets: Sequence[Document], current: Document | None, least: int, now: float
) -> Document:
    """The status of a Deployment with these ReplicaSets, of which at least so many pods shall be available."""
    counts = {name: _sum(sets, name) for name in _COUNTS}
    updated = _sum(() if current is None else (current,), "replicas")
    missing = max(0, max(replicas_of(workload), counts["replicas"]) - counts["availableReplicas"])
    found: dict[str, Any] = {**counts, "updatedReplicas": updated, "unavailableReplicas": missing}
    status = {name: count for name, count in found.items() if count}
    wanted = replicas_of(workload)
    is_complete = updated == wanted == counts["replicas"] == counts["availableReplicas"]
    conditions = [_available(is_enough=counts["availableReplicas"] >= least)]
    if current is not None:
        conditions.append(_progressing(current["metadata"]["name"], is_complete=is_complete))
    return {**status, "conditions": [_dated(one, workload, now) for one in conditions], **observed(workload)}


def _sum(sets: Iterable[Document], name: str) -> int:
    counts = (look_up(one, ("status", name)) for one in sets)
    return sum(count for count in counts if isinstance(count, int))


def _available(*, is_enough: bool) -> dict[str, str]:
    if is_enough:
        return _condition("Available", "True", "MinimumReplicasAvailable", words.AVAILABLE)
    return _condition("Available", "False", "MinimumReplicasUnavailable", words.NOT_AVAILABLE)


def _progressing(name: str, *, is_complete: bool) -> dict[str, str]:
    reason = "NewReplicaSetAvailable" if is_complete else "ReplicaSetUpdated"
    return _condition("Progressing", "True", reason, words.set_progress(name, is_complete=is_complete))


def _condition(kind: str, status: str, reason: str, message: str) -> dict[str, str]:
    return {"type": kind, "status": status, "reason": reason, "message": message}


def _dated(condition: dict[str, str], workload: Document, now: float) -> Document:
    """The condition with the times since when it is so, and when it was last told otherwise."""
    known = look_up(workload, ("status", "conditions"))
    before: Any = next((one for one in listed(known) if look_up(one, ("type",)) == condition["type"]), {})
    stamp = text_of(now)
    same = all(look_up(before, (name,)) == text for name, text in condition.items())
    since = look_up(before, ("lastTransitionTime",)) if look_up(before, ("status",)) == condition["status"] else None
    told = look_up(before, ("lastUpdateTime",)) if same else None
    return {**condition, "lastTransitionTime": since or stamp, "lastUpdateTime": told or stamp}
