"""Jobs: pods until enough of them have succeeded, or too many have failed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dravite.api.core_v1 import Pod, pod_ref
from dravite.api.meta import ObjectRef
from dravite.api.plain import Plain, PlainView
from dravite.diagnosis import upstream_controllers as words
from dravite.lifecycle.instants import seconds_of, text_of
from dravite.lifecycle.job_conditions import ENDS, condition, conditions_of, end_of, told_condition, with_condition
from dravite.lifecycle.job_counts import TRACKING, Counts, counted, let_go
from dravite.lifecycle.job_ends import End, deadline_of, end_now
from dravite.lifecycle.job_pods import pods_of_turn
from dravite.lifecycle.job_scene import Scene
from dravite.lifecycle.turns import Told, Turn, is_active, is_going
from dravite.snapshot.snapshot import is_finished
from dravite.workloads import is_ready
from dravite.workloads.raw_paths import look_up, mapping

_OURSELVES: Final = (None, "", "kubernetes.io/job-controller")


def job_turn(job: PlainView, scene: Scene) -> Turn:
    """What the controller does for a Job."""
    ended = condition(job, *ENDS)
    if ended is not None or is_going(job):
        return _after_the_end(job, scene, ended)
    counts = counted(job, scene)
    active = [pod for pod in scene.pods if is_active(pod)]
    end = end_now(job, scene, counts, active)
    if end is not None:
        return _ending(job, scene, counts, end)
    edits = tuple(let_go(job, scene, is_over=False))
    if look_up(job, ("spec", "suspend")) is True:
        told = tuple(map(_deleted, active))
        if condition(job, "Suspended") is None:
            told = (*told, Told("Suspended", words.JOB_SUSPENDED))
        status = _status(job, scene, counts, _suspended(job, scene.now, is_on=True))
        return Turn(edit=edits, remove=tuple(map(pod_ref, active)), status=status, told=told)
    pods = pods_of_turn(job, scene, counts, active)
    resumes = condition(job, "Suspended") is not None
    conditions = _suspended(job, scene.now, is_on=False) if resumes else conditions_of(job)
    told = (
        *((Told("Resumed", words.JOB_RESUMED),) if resumes else ()),
        *(Told(words.CREATED, words.pod_created(one["metadata"]["name"])) for one in pods.make),
        *(Told(words.DELETED, words.pod_deleted(ref.name)) for ref in pods.remove),
    )
    status, times = _status(job, scene, counts, conditions), filter(None, (deadline_of(job), pods.again))
    return Turn(
        make=pods.make, edit=edits, remove=pods.remove, status=status, told=told, again=min(times, default=None)
    )


def is_managed_elsewhere(job: PlainView) -> bool:
    """Whether the Job is left to somebody else's controller."""
    return look_up(job, ("spec", "managedBy")) not in _OURSELVES


def has_ended(job: PlainView) -> bool:
    """Whether a Job is over, one way or the other."""
    return end_of(job) != ""


def _after_the_end(job: PlainView, scene: Scene, ended: PlainView | None) -> Turn:
    """Pods are let go, and the Job itself goes when its time is over."""
    edits = tuple(let_go(job, scene, is_over=True))
    lasts = look_up(job, ("spec", "ttlSecondsAfterFinished"))
    since = seconds_of(str(mapping(ended).get("lastTransitionTime") or ""))
    if is_going(job) or not isinstance(lasts, int) or since is None:
        return Turn(edit=edits)
    end = since + lasts
    if scene.now < end:
        return Turn(edit=edits, again=end)
    meta = job["metadata"]
    return Turn(edit=edits, remove=(ObjectRef("Job", meta["namespace"], meta["name"]),))


def _ending(job: PlainView, scene: Scene, counts: Counts, end: End) -> Turn:
    """The pods that still run go; the end itself is told once all are counted and, where it failed, gone."""
    active = [pod for pod in scene.pods if is_active(pod)]
    terminating = any(not is_active(pod) and not is_finished(pod) for pod in scene.pods)
    edits = tuple(let_go(job, scene, is_over=False))
    sign = "SuccessCriteriaMet" if end.kind == "Complete" else "FailureTarget"
    told = told_condition(sign, end.reason, end.message, scene.now)
    conditions = with_condition(conditions_of(job), told)
    holds = any(TRACKING in pod.metadata.finalizers for pod in scene.pods)
    is_done = counts.is_settled and not edits and not active and not terminating and not holds
    if not is_done:
        status = _status(job, scene, counts, conditions)
        return Turn(edit=edits, remove=tuple(map(pod_ref, active)), status=status, told=tuple(map(_deleted, active)))
    conditions = with_condition(conditions, {**told, "type": end.kind})
    status = _status(job, scene, counts, conditions)
    if end.kind == "Complete":
        status = {**status, "completionTime": text_of(scene.now)}
        return Turn(status=status, told=(Told("Completed", words.JOB_COMPLETED),))
    return Turn(status=status, told=(Told(end.reason, end.message, "Warning"),))


def _deleted(pod: Pod) -> Told:
    return Told(words.DELETED, words.pod_deleted(pod.metadata.name))


def _status(job: PlainView, scene: Scene, counts: Counts, conditions: Sequence[PlainView]) -> PlainView:
    active = [pod for pod in scene.pods if is_active(pod)]
    terminating = sum(1 for pod in scene.pods if not is_active(pod) and not is_finished(pod))
    is_on_hold = any(one.get("type") == "Suspended" and one.get("status") == "True" for one in conditions)
    begun = look_up(job, ("status", "startTime")) or text_of(scene.now)
    status: Plain = {**counts.status(), "terminating": terminating, "ready": sum(map(is_ready, active))}
    if active:
        status["active"] = len(active)
    if not is_on_hold:
        status["startTime"] = begun
    if conditions:
        status["conditions"] = list(conditions)
    return status


def _suspended(job: PlainView, now: float, *, is_on: bool) -> tuple[PlainView, ...]:
    reason, text = ("JobSuspended", words.JOB_SUSPENDED) if is_on else ("JobResumed", words.JOB_RESUMED)
    return with_condition(
        conditions_of(job), told_condition("Suspended", reason, text, now, "True" if is_on else "False")
    )
