"""What a Deployment says of itself: how many pods it has, of which version, and whether that is enough."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from dravite.api.plain import Plain, PlainView
from dravite.diagnosis import upstream_controllers as words
from dravite.lifecycle.instants import seconds_of, text_of
from dravite.lifecycle.turns import observed, replicas_of
from dravite.workloads.raw_paths import listed, look_up, mapping

_PROGRESSING: Final = "Progressing"
_COMPLETE: Final = "NewReplicaSetAvailable"
_UPDATED: Final = "ReplicaSetUpdated"
_TIMED_OUT: Final = "ProgressDeadlineExceeded"
_NO_DEADLINE: Final = 2_147_483_647
_GROWING: Final = ("updatedReplicas", "readyReplicas", "availableReplicas")
_COUNTS: Final = ("replicas", "readyReplicas", "availableReplicas")


def deployment_status(
    workload: PlainView, sets: Sequence[PlainView], current: PlainView | None, least: int, now: float
) -> PlainView:
    """The status of a Deployment with these ReplicaSets, of which at least so many pods shall be available."""
    counts = {name: _sum(sets, name) for name in _COUNTS}
    updated = _sum(() if current is None else (current,), "replicas")
    missing = max(0, max(replicas_of(workload), counts["replicas"]) - counts["availableReplicas"])
    found: Plain = {**counts, "updatedReplicas": updated, "unavailableReplicas": missing}
    status = {name: count for name, count in found.items() if count}
    wanted = replicas_of(workload)
    is_complete = updated == wanted == counts["replicas"] == counts["availableReplicas"]
    conditions = [_available(is_enough=counts["availableReplicas"] >= least)]
    progress = _progress(workload, current, status, now, is_complete=is_complete)
    if progress is not None:
        conditions.append(progress)
    return {**status, "conditions": [_dated(one, workload, now) for one in conditions], **observed(workload)}


def stuck_at(workload: PlainView, status: PlainView) -> float | None:
    """When a Deployment with this status has made no progress for too long; None where that is of no matter."""
    progress = _condition_of(status, _PROGRESSING)
    if look_up(progress, ("reason",)) != _UPDATED or look_up(progress, ("status",)) != "True":
        return None
    seconds, last = look_up(workload, ("spec", "progressDeadlineSeconds")), look_up(progress, ("lastUpdateTime",))
    since = seconds_of(str(last or ""))
    return since + seconds if isinstance(seconds, int) and seconds != _NO_DEADLINE and since is not None else None


def _progress(
    workload: PlainView, current: PlainView | None, status: PlainView, now: float, *, is_complete: bool
) -> dict[str, str] | None:
    """How a rollout goes on. Once it is complete it stays so for its template; one that is paused is not judged."""
    before = mapping(workload.get("status"))
    known = _condition_of(before, _PROGRESSING)
    is_paused, reason = look_up(workload, ("spec", "paused")) is True, look_up(known, ("reason",))
    if is_paused and reason != _TIMED_OUT:
        return _condition(_PROGRESSING, "Unknown", "DeploymentPaused", words.PAUSED)
    if current is None:
        return _condition(_PROGRESSING, "Unknown", "DeploymentResumed", words.RESUMED) if known else None
    name = current["metadata"]["name"]
    complete = _condition(_PROGRESSING, "True", _COMPLETE, words.set_progress(name, is_complete=True))
    if is_complete or (reason == _COMPLETE and look_up(known, ("message",)) == complete["message"]):
        return complete
    going = _condition(_PROGRESSING, "True", _UPDATED, words.set_progress(name, is_complete=False))
    if any(_more(before, status, count) for count in _GROWING) or _fewer_old(before, status):
        return {**going, "lastUpdateTime": text_of(now)}
    timed_out = _condition(_PROGRESSING, "False", _TIMED_OUT, words.timed_out(name))
    if look_up(known, ("message",)) == timed_out["message"]:
        return timed_out
    end = stuck_at(workload, before)
    return timed_out if end is not None and end <= now and look_up(known, ("message",)) == going["message"] else going


def _more(before: PlainView, now: PlainView, count: str) -> bool:
    return (now.get(count) or 0) > (before.get(count) or 0)


def _fewer_old(before: PlainView, now: PlainView) -> bool:
    """Whether fewer pods are left of older templates."""
    old = [(one.get("replicas") or 0) - (one.get("updatedReplicas") or 0) for one in (before, now)]
    return bool(old[1] < old[0])


def _condition_of(status: PlainView, kind: str) -> Any:
    return next((one for one in listed(status.get("conditions")) if look_up(one, ("type",)) == kind), {})


def _sum(sets: Iterable[PlainView], name: str) -> int:
    counts = (look_up(one, ("status", name)) for one in sets)
    return sum(count for count in counts if isinstance(count, int))


def _available(*, is_enough: bool) -> dict[str, str]:
    if is_enough:
        return _condition("Available", "True", "MinimumReplicasAvailable", words.AVAILABLE)
    return _condition("Available", "False", "MinimumReplicasUnavailable", words.NOT_AVAILABLE)


def _condition(kind: str, status: str, reason: str, message: str) -> dict[str, str]:
    return {"type": kind, "status": status, "reason": reason, "message": message}


def _dated(condition: dict[str, str], workload: PlainView, now: float) -> PlainView:
    """The condition with the times since when it is so, and when it was last told otherwise."""
    before = _condition_of(mapping(workload.get("status")), condition["type"])
    stamp = text_of(now)
    same = all(look_up(before, (name,)) == text for name, text in condition.items())  # not where a time is given
    since = look_up(before, ("lastTransitionTime",)) if look_up(before, ("status",)) == condition["status"] else None
    told = look_up(before, ("lastUpdateTime",)) if same else None
    return {**condition, "lastTransitionTime": since or stamp, "lastUpdateTime": told or stamp}
