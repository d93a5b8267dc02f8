"""When a Job is over: enough pods have succeeded, too many have failed, its time is up, or a policy says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

import msgspec

from dravite.api.core_v1 import Pod
from dravite.api.plain import PlainView
from dravite.diagnosis import upstream_controllers as words
from dravite.lifecycle.instants import seconds_of
from dravite.lifecycle.job_conditions import condition
from dravite.lifecycle.job_counts import Counts, numbers_in
from dravite.lifecycle.job_scene import Scene, failed_pods, verdict_on
from dravite.workloads.raw_paths import listed, look_up

_BACKOFF_LIMIT: Final = 6


class End(msgspec.Struct, frozen=True):
    """How a Job ends, and what its conditions say of it."""

    kind: Literal["Complete", "Failed"]
    reason: str
    message: str = ""


def end_now(job: PlainView, scene: Scene, counts: Counts, active: Sequence[Pod]) -> End | None:
    """How a Job comes to its end at this moment; None while it goes on. What was said once stays so."""
    said, failing = condition(job, "SuccessCriteriaMet"), condition(job, "FailureTarget")
    if said is not None:
        return End("Complete", str(said.get("reason")), str(said.get("message") or ""))
    if failing is not None:
        return End("Failed", str(failing.get("reason")), str(failing.get("message") or ""))
    return _failed_by_policy(job, scene) or _given_up(job, scene, counts) or _succeeded(job, counts, active)


def deadline_of(job: PlainView) -> float | None:
    """When the time of a Job is up that runs."""
    seconds, begun = look_up(job, ("spec", "activeDeadlineSeconds")), look_up(job, ("status", "startTime"))
    start = seconds_of(begun) if isinstance(begun, str) else None
    return start + seconds if isinstance(seconds, int) and start is not None else None


def _failed_by_policy(job: PlainView, scene: Scene) -> End | None:
    if look_up(job, ("spec", "podFailurePolicy")) is None:
        return None
    verdicts = (verdict_on(job, pod, scene) for pod in failed_pods(job, scene))
    return next((End("Failed", "PodFailurePolicy", one.message) for one in verdicts if one.action == "FailJob"), None)


def _given_up(job: PlainView, scene: Scene, counts: Counts) -> End | None:
    limit, deadline = look_up(job, ("spec", "backoffLimit")), deadline_of(job)
    if not isinstance(limit, int):
        limit = _BACKOFF_LIMIT if counts.failed_indexes is None else counts.failed
    if counts.failed > limit:
        return _failed("BackoffLimitExceeded")
    if deadline is not None and deadline <= scene.now:
        return _failed("DeadlineExceeded")
    if not counts.failed_indexes:
        return None
    most, over = look_up(job, ("spec", "maxFailedIndexes")), len(counts.failed_indexes)
    if isinstance(most, int) and over > most:
        return _failed("MaxFailedIndexesExceeded")
    completions = look_up(job, ("spec", "completions"))
    return _failed("FailedIndexes") if over + counts.succeeded >= (completions or 0) else None


def _failed(reason: str) -> End:
    return End("Failed", reason, words.JOB_ENDINGS[reason])


def _succeeded(job: PlainView, counts: Counts, active: Sequence[Pod]) -> End | None:
    rule = _rule_met(job, counts)
    if rule is not None:
        return End("Complete", "SuccessPolicy", words.rule_met(rule))
    completions = _completions(job)
    is_enough = counts.succeeded >= completions if completions is not None else counts.succeeded and not active
    return End("Complete", "CompletionsReached", words.JOB_ENDINGS["CompletionsReached"]) if is_enough else None


def _rule_met(job: PlainView, counts: Counts) -> int | None:
    """The place of the first rule of the success policy that is met."""
    for number, rule in enumerate(listed(look_up(job, ("spec", "successPolicy", "rules")))):
        named, count = look_up(rule, ("succeededIndexes",)), look_up(rule, ("succeededCount",))
        done = counts.indexes or frozenset()
        wanted = numbers_in(str(named)) if named is not None else done
        needed = count if isinstance(count, int) else len(wanted)
        if needed and len(done & wanted) >= needed:
            return number
    return None


def _completions(job: PlainView) -> int | None:
    """How many pods must succeed; None where one is enough, once all have ended."""
    count = look_up(job, ("spec", "completions"))
    if isinstance(count, int):
        return count
    return 1 if look_up(job, ("spec", "parallelism")) in (None, 1) else None
