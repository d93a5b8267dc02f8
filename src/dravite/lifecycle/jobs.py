"""Jobs: pods until enough of them have succeeded, or too many have failed.

Policies for failed pods, limits per index and success policies are not known here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from dravite.api.core_v1 import Pod, pod_ref
from dravite.api.meta import ObjectRef
from dravite.diagnosis import upstream_controllers as words
from dravite.lifecycle.instants import seconds_of, text_of
from dravite.lifecycle.job_conditions import ENDS, condition, conditions_of, end_of, told_condition, with_condition
from dravite.lifecycle.job_counts import TRACKING, Counts, counted, is_indexed, let_go
from dravite.lifecycle.turns import (
    Document,
    Taken,
    Told,
    Turn,
    is_active,
    is_going,
    named,
    seed_of,
)
from dravite.snapshot.snapshot import is_finished
from dravite.workloads import ExpandedPod, expand, in_group, is_ready, least_wanted, outstanding
from dravite.workloads.expansion import COMPLETION_INDEX
from dravite.workloads.raw_paths import listed, look_up, mapping

_BACKOFF_LIMIT: Final = 6
_INDEX_VARIABLE: Final = "JOB_COMPLETION_INDEX"
_OURSELVES: Final = (None, "", "kubernetes.io/job-controller")


class Scene(msgspec.Struct, frozen=True):
    """What a Job has, and when it is looked at.

    Attributes:
        group: the PodGroup that its pods name; empty for none.
    """

    pods: Sequence[Pod]
    taken: Taken
    now: float
    group: str = ""


def job_turn(job: Document, scene: Scene) -> Turn:
    """What the controller does for a Job."""
    ended = condition(job, *ENDS)
    if ended is not None or is_going(job):
        return _after_the_end(job, scene, ended)
    counts = counted(job, scene.pods)
    active = [pod for pod in scene.pods if is_active(pod)]
    reason = _why_over(job, counts, active, scene.now)
    edits = tuple(let_go(job, scene.pods, is_over=False))
    if reason:
        return _ending(job, scene, counts, reason)
    if look_up(job, ("spec", "suspend")) is True:
        told = (Told("Suspended", words.JOB_SUSPENDED),) if condition(job, "Suspended") is None else ()
        status = _status(job, scene, counts, _suspended(job, scene.now, is_on=True))
        return Turn(edit=edits, remove=tuple(map(pod_ref, active)), status=status, told=told)
    made, removed = _pods(job, scene, counts, active)
    resumes = condition(job, "Suspended") is not None
    conditions = _suspended(job, scene.now, is_on=False) if resumes else conditions_of(job)
    told = (
        *((Told("Resumed", words.JOB_RESUMED),) if resumes else ()),
        *(Told(words.CREATED, words.pod_created(one["metadata"]["name"])) for one in made),
        *(Told(words.DELETED, words.pod_deleted(ref.name)) for ref in removed),
    )
    status = _status(job, scene, counts, conditions)
    return Turn(make=made, edit=edits, remove=removed, status=status, told=told, again=_deadline(job))


def is_managed_elsewhere(job: Document) -> bool:
    """Whether the Job is left to somebody else's controller."""
    return look_up(job, ("spec", "managedBy")) not in _OURSELVES


def has_ended(job: Document) -> bool:
    """Whether a Job is over, one way or the other."""
    return end_of(job) != ""


def _after_the_end(job: Document, scene: Scene, ended: Document | None) -> Turn:
    """Pods are let go, and the Job itself goes when its time is over."""
    edits = tuple(let_go(job, scene.pods, is_over=True))
    lasts = look_up(job, ("spec", "ttlSecondsAfterFinished"))
    since = seconds_of(str(mapping(ended).get("lastTransitionTime") or ""))
    if is_going(job) or not isinstance(lasts, int) or since is None:
        return Turn(edit=edits)
    end = since + lasts
    if scene.now < end:
        return Turn(edit=edits, again=end)
    meta = job["metadata"]
    return Turn(edit=edits, remove=(ObjectRef("Job", meta["namespace"], meta["name"]),))


def _why_over(job: Document, counts: Counts, active: Sequence[Pod], now: float) -> str:
    """The reason for which a Job has come to its end; empty while it goes on."""
    doomed = condition(job, "FailureTarget")
    if doomed is not None:
        return str(doomed.get("reason"))
    limit = look_up(job, ("spec", "backoffLimit"))
    if counts.failed > (limit if isinstance(limit, int) else _BACKOFF_LIMIT):
        return "BackoffLimitExceeded"
    deadline = _deadline(job)
    if deadline is not None and deadline <= now:
        return "DeadlineExceeded"
    completions = _completions(job)
    if completions is None:
        return "CompletionsReached" if counts.succeeded and not active else ""
    return "CompletionsReached" if counts.succeeded >= completions else ""


def _completions(job: Document) -> int | None:
    """How many pods must succeed; None where one is enough, once all have ended."""
    count = look_up(job, ("spec", "completions"))
    if isinstance(count, int):
        return count
    return 1 if look_up(job, ("spec", "parallelism")) in (None, 1) else None


def _deadline(job: Document) -> float | None:
    seconds, begun = look_up(job, ("spec", "activeDeadlineSeconds")), look_up(job, ("status", "startTime"))
    start = seconds_of(begun) if isinstance(begun, str) else None
    return start + seconds if isinstance(seconds, int) and start is not None else None


def _ending(job: Document, scene: Scene, counts: Counts, reason: str) -> Turn:
    """The pods that still run go; the end itself is told once all are counted and, where it failed, gone."""
    active = [pod for pod in scene.pods if is_active(pod)]
    terminating = any(not is_active(pod) and not is_finished(pod) for pod in scene.pods)
    works, edits = reason == "CompletionsReached", tuple(let_go(job, scene.pods, is_over=False))
    sign, end = ("SuccessCriteriaMet", "Complete") if works else ("FailureTarget", "Failed")
    text = words.JOB_ENDINGS.get(reason, "")
    conditions = with_condition(conditions_of(job), told_condition(sign, reason, text, scene.now))
    is_done = counts.is_settled and not edits and not active and not terminating
    if not is_done:
        status = _status(job, scene, counts, conditions)
        return Turn(edit=edits, remove=tuple(map(pod_ref, active)), status=status)
    status = _status(job, scene, counts, with_condition(conditions, told_condition(end, reason, text, scene.now)))
    if works:
        status = {**status, "completionTime": text_of(scene.now)}
    told = Told("Completed", words.JOB_COMPLETED) if works else Told(reason, text, "Warning")
    return Turn(status=status, told=(told,))


def _pods(
    job: Document, scene: Scene, counts: Counts, active: Sequence[Pod]
) -> tuple[tuple[Document, ...], tuple[ObjectRef, ...]]:
    """The pods to make, and those too many."""
    seen = {**mapping(job.get("status")), **counts.status(), "succeeded": counts.succeeded}
    wanted = [one for one in expand({**job, "status": seen}) if isinstance(one, ExpandedPod)]
    surplus = least_wanted(active)[: max(0, len(active) - len(wanted))]
    planned = [_complete(one, job, scene.group) for one in outstanding(wanted, scene.pods).planned]
    name, indexed = job["metadata"]["name"], is_indexed(job)
    made = named(
        planned,
        lambda one: f"{name}-{one.marks[COMPLETION_INDEX]}-" if indexed else f"{name}-",
        seed_of(job, scene.pods),
        scene.taken,
    )
    return tuple(made), tuple(map(pod_ref, surplus))


def _complete(expanded: ExpandedPod, job: Document, group: str) -> ExpandedPod:
    """The pod with what tells it from others: the uid of its Job, its index, its group, and the finalizer."""
    if group:
        expanded = in_group(expanded, group)
    meta, spec, uid = expanded.pod["metadata"], dict(expanded.pod["spec"]), str(job["metadata"]["uid"])
    labels = {**meta.get("labels", {}), "batch.kubernetes.io/controller-uid": uid, "controller-uid": uid}
    finalizers = [*listed(meta.get("finalizers")), TRACKING]
    index = expanded.marks.get(COMPLETION_INDEX)
    if index is not None:
        spec["hostname"] = f"{job['metadata']['name']}-{index}"
        for kind in ("initContainers", "containers"):
            if isinstance(spec.get(kind), list):
                spec[kind] = [_with_index(one) for one in spec[kind]]
    pod = {**expanded.pod, "metadata": {**meta, "labels": labels, "finalizers": finalizers}, "spec": spec}
    return msgspec.structs.replace(expanded, pod=pod)


def _with_index(container: Any) -> Any:
    if not isinstance(container, Mapping):
        return container
    field = {"fieldPath": f"metadata.labels['{COMPLETION_INDEX}']"}
    variable = {"name": _INDEX_VARIABLE, "valueFrom": {"fieldRef": field}}
    given = [one for one in listed(container.get("env")) if mapping(one).get("name") != _INDEX_VARIABLE]
    return {**container, "env": [*given, variable]}


def _status(job: Document, scene: Scene, counts: Counts, conditions: Sequence[Document]) -> Document:
    active = [pod for pod in scene.pods if is_active(pod)]
    terminating = sum(1 for pod in scene.pods if not is_active(pod) and not is_finished(pod))
    is_on_hold = any(one.get("type") == "Suspended" and one.get("status") == "True" for one in conditions)
    begun = look_up(job, ("status", "startTime")) or text_of(scene.now)
    status: dict[str, Any] = {**counts.status(), "terminating": terminating, "ready": sum(map(is_ready, active))}
    if active:
        status["active"] = len(active)
    if not is_on_hold:
        status["startTime"] = begun
    if conditions:
        status["conditions"] = list(conditions)
    return status


def _suspended(job: Document, now: float, *, is_on: bool) -> tuple[Document, ...]:
    reason, text = ("JobSuspended", words.JOB_SUSPENDED) if is_on else ("JobResumed", words.JOB_RESUMED)
    return with_condition(
        conditions_of(job), told_condition("Suspended", reason, text, now, "True" if is_on else "False")
    )
