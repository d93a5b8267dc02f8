"""CronJobs: a Job whenever the schedule is due, and as many ended ones as shall be kept.

Of the times that were missed only the last counts. A Job is called after its minute, so that no time is served twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from typing import Final

import msgspec

from dravite.api.meta import ObjectRef
from dravite.api.plain import Plain, PlainView
from dravite.diagnosis import upstream_controllers as words
from dravite.lifecycle.instants import seconds_of, text_of
from dravite.lifecycle.job_conditions import end_of
from dravite.lifecycle.turns import Taken, Told, Turn, is_going
from dravite.workloads.cron import Schedule, Unreadable, next_time, read_schedule
from dravite.workloads.raw_paths import listed, look_up, mapping

SCHEDULED: Final = "batch.kubernetes.io/cronjob-scheduled-timestamp"
_LATE: Final = 0.1
"""Seconds after a time at which it is looked whether it is due."""

_MANY: Final = 100
"""So many missed times are worth a word."""

_LONGEST: Final = 366 * 86_400.0
"""Times that were missed longer ago are forgotten."""

_KEPT: Final[Mapping[str, tuple[str, int]]] = {
    "Complete": ("successfulJobsHistoryLimit", 3),
    "Failed": ("failedJobsHistoryLimit", 1),
}
"""By how a Job has ended: the field that says how many are kept, and how many where it says nothing."""


class CronScene(msgspec.Struct, frozen=True):
    """What a CronJob has, and when and where it is looked at.

    Attributes:
        jobs: its Jobs.
        taken: which names Jobs have.
        zone: where its clock hangs; None where nobody knows the zone that it names.
    """

    jobs: Sequence[PlainView]
    taken: Taken
    now: float
    zone: tzinfo | None = UTC


class _Due(msgspec.Struct, frozen=True):
    """The last time that is due and not yet served, if there is one, and the next one to come."""

    last: float | None
    coming: float | None
    missed: int = 0


def cron_turn(cron: PlainView, scene: CronScene) -> Turn:
    """What the controller does for a CronJob."""
    gone = _forgotten(cron, scene.jobs)
    told = (*_seen(cron, scene.jobs), *map(_deleted, gone))
    kept = Turn(remove=gone, status=_status(cron, scene.jobs), told=told)
    if is_going(cron) or look_up(cron, ("spec", "suspend")) is True:
        return kept
    if scene.zone is None:
        return _telling(kept, Told("UnknownTimeZone", words.unknown_zone(_text(cron, "timeZone")), "Warning"))
    schedule = read_schedule(_text(cron, "schedule"))
    if isinstance(schedule, Unreadable):
        message = words.unreadable_schedule(_text(cron, "schedule"), schedule.why)
        return _telling(kept, Told("UnparseableSchedule", message, "Warning"))
    due = _due(cron, schedule, scene.now, scene.zone)
    kept = msgspec.structs.replace(kept, again=due.coming + _LATE if due.coming is not None else None)
    if due.last is None:
        return kept
    if due.missed > _MANY:
        kept = _telling(kept, Told("TooManyMissedTimes", words.TOO_MANY_MISSED, "Warning"))
    return _started(cron, scene, kept, _made(cron, due.last, scene.zone), due.last)


def _started(cron: PlainView, scene: CronScene, kept: Turn, made: PlainView, due: float) -> Turn:
    """The Job of a time that is due, unless others of its kind are in the way; the time is served then."""
    policy, active = look_up(cron, ("spec", "concurrencyPolicy")), _active(scene.jobs)
    if policy == "Forbid" and active:
        return _telling(kept, Told("JobAlreadyActive", words.JOB_ALREADY_ACTIVE))
    kept = msgspec.structs.replace(kept, status={**mapping(kept.status), "lastScheduleTime": text_of(due)})
    name = str(made["metadata"]["name"])
    if scene.taken(name):
        return kept
    replaced = tuple(map(_ref, active)) if policy == "Replace" else ()
    told = (*map(_deleted, replaced), Told(words.CREATED, words.job_created(name)))
    return msgspec.structs.replace(_telling(kept, *told), make=(made,), remove=(*kept.remove, *replaced))


def _made(cron: PlainView, due: float, zone: tzinfo) -> PlainView:
    template, meta = mapping(look_up(cron, ("spec", "jobTemplate"))), cron["metadata"]
    given = mapping(template.get("metadata"))
    stamp = datetime.fromtimestamp(due, zone).isoformat().replace("+00:00", "Z")
    owner = {"apiVersion": cron["apiVersion"], "kind": cron["kind"], "name": meta["name"], "uid": meta["uid"]}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {
            "name": f"{meta['name']}-{int(due) // 60}",
            "namespace": meta["namespace"],
            "labels": mapping(given.get("labels")),
            "annotations": {**mapping(given.get("annotations")), SCHEDULED: stamp},
            "ownerReferences": [{**owner, "controller": True, "blockOwnerDeletion": True}],
        },
        "spec": mapping(template.get("spec")),
    }


def _due(cron: PlainView, schedule: Schedule, now: float, zone: tzinfo) -> _Due:
    """What is due since the last time that was served, or since the CronJob is there."""
    last, deadline = look_up(cron, ("status", "lastScheduleTime")), look_up(cron, ("spec", "startingDeadlineSeconds"))
    since = max(seconds_of(last or cron["metadata"].get("creationTimestamp")) or now, now - _LONGEST)
    if isinstance(deadline, int):
        since = max(since, now - deadline)
    coming, first = next_time(schedule, now, zone), next_time(schedule, min(since, now), zone)
    if first is None or first > now:
        return _Due(None, coming)
    second = next_time(schedule, first, zone)
    missed = int((now - first) / (second - first)) + 1 if second is not None else 1
    return _Due(_last(schedule, first, now, zone), coming, missed)


def _last(schedule: Schedule, first: float, now: float, zone: tzinfo) -> float:
    """The last time up to now, given one. It is searched from now on backwards, as there may be many."""
    for days in (1, 31, 366):
        time = next_time(schedule, now - days * 86_400.0, zone)
        if first <= now - days * 86_400.0 and time is not None and time <= now:
            first = time
            break
    while (time := next_time(schedule, first, zone)) is not None and time <= now:
        first = time
    return first


def _status(cron: PlainView, jobs: Sequence[PlainView]) -> Plain:
    """The status as far as the Jobs tell it."""
    before = mapping(cron.get("status"))
    ended = [str(before.get("lastSuccessfulTime") or "")]
    ended += [str(look_up(one, ("status", "completionTime")) or "") for one in jobs if end_of(one) == "Complete"]
    found = {
        "active": [_reference(one) for one in _active(jobs)],
        "lastScheduleTime": before.get("lastScheduleTime"),
        "lastSuccessfulTime": max(ended),
    }
    return {name: value for name, value in found.items() if value}


def _seen(cron: PlainView, jobs: Sequence[PlainView]) -> tuple[Told, ...]:
    """What is told of Jobs that have ended or vanished, or that somebody else has made."""
    active = map(mapping, listed(look_up(cron, ("status", "active"))))
    known = {str(one.get("uid")): str(one.get("name")) for one in active}
    there = {str(one["metadata"]["uid"]): one for one in jobs}
    told = [
        Told("UnexpectedJob", words.unexpected_job(one["metadata"]["name"]), "Warning")
        for uid, one in there.items()
        if uid not in known and not end_of(one) and not _is_ours(one)
    ]
    for uid, name in known.items():
        if uid not in there:
            told.append(Told("MissingJob", words.job_missing(name)))
        elif end_of(there[uid]):
            told.append(Told("SawCompletedJob", words.job_seen(name, end_of(there[uid]))))
    return tuple(told)


def _forgotten(cron: PlainView, jobs: Sequence[PlainView]) -> tuple[ObjectRef, ...]:
    """Ended Jobs beyond those that are kept, the oldest first."""
    gone: list[ObjectRef] = []
    for end, (field, usual) in _KEPT.items():
        limit = look_up(cron, ("spec", field))
        ended = sorted((one for one in jobs if end_of(one) == end and not is_going(one)), key=_age)
        gone += map(_ref, ended[: max(0, len(ended) - (limit if isinstance(limit, int) else usual))])
    return tuple(gone)


def _age(job: PlainView) -> tuple[str, str]:
    started = look_up(job, ("status", "startTime")) or job["metadata"].get("creationTimestamp")
    return (str(started or ""), job["metadata"]["name"])


def _active(jobs: Sequence[PlainView]) -> list[PlainView]:
    """The Jobs of this controller that have not ended, the oldest first."""
    return sorted((one for one in jobs if not end_of(one) and _is_ours(one)), key=_age)


def _is_ours(job: PlainView) -> bool:
    return look_up(job, ("metadata", "annotations", SCHEDULED)) is not None


def _deleted(job: ObjectRef) -> Told:
    return Told(words.DELETED, words.job_deleted(job.name))


def _telling(turn: Turn, *told: Told) -> Turn:
    return msgspec.structs.replace(turn, told=(*turn.told, *told))


def _text(cron: PlainView, field: str) -> str:
    return str(look_up(cron, ("spec", field)) or "")


def _ref(job: PlainView) -> ObjectRef:
    return ObjectRef("Job", job["metadata"]["namespace"], job["metadata"]["name"])


def _reference(job: PlainView) -> Plain:
    meta = job["metadata"]
    names = ("name", "namespace", "resourceVersion", "uid")
    return {"apiVersion": "batch/v1", "kind": "Job", **{name: meta[name] for name in names if name in meta}}
