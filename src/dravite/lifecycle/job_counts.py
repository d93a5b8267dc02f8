"""How many pods of a Job have succeeded and failed, each counted once although it may vanish at any time.

A pod is made with a finalizer. One that has ended is first noted in the status by its uid, then loses the finalizer,
and only then becomes a number. Indexes that have succeeded are noted as such, which needs no uids.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from dravite.api.core_v1 import Pod, pod_ref
from dravite.api.plain import Plain, PlainView
from dravite.lifecycle.job_conditions import condition
from dravite.lifecycle.job_scene import (
    Scene,
    ending_of,
    failed_pods,
    failures_of,
    ignored_failures_of,
    index_of,
    is_decided,
    verdict_on,
)
from dravite.lifecycle.turns import Edit
from dravite.snapshot.snapshot import is_finished
from dravite.workloads.raw_paths import listed, look_up, mapping

TRACKING: Final = "batch.kubernetes.io/job-tracking"

_MOST_INDEXES: Final = 100_000
"""No Job with indexes is larger."""

_KINDS: Final = ("succeeded", "failed")


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """What has become of a Job's pods.

    Attributes:
        numbers: pods that have ended and let go, by `succeeded` and `failed`.
        noted: the uids of those that have ended and still hold on, by the same words.
        indexes: the completion indexes that have succeeded; None for a Job without them.
        failed_indexes: those that are given up; None for a Job that has no limit for each of them.
    """

    numbers: Mapping[str, int]
    noted: Mapping[str, tuple[str, ...]]
    indexes: frozenset[int] | None = None
    failed_indexes: frozenset[int] | None = None

    @property
    def succeeded(self) -> int:
        return (
            len(self.indexes) if self.indexes is not None else self.numbers["succeeded"] + len(self.noted["succeeded"])
        )

    @property
    def failed(self) -> int:
        return self.numbers["failed"] + len(self.noted["failed"])

    @property
    def is_settled(self) -> bool:
        """Whether nothing is noted that is not yet a number."""
        return not any(self.noted.values())

    def status(self) -> Plain:
        """The part of a Job's status that holds this."""
        noted = {kind: list(uids) for kind, uids in self.noted.items() if uids}
        numbers = {**self.numbers, "succeeded": len(self.indexes)} if self.indexes is not None else self.numbers
        found: Plain = {kind: number for kind, number in numbers.items() if number}
        if self.indexes:
            found["completedIndexes"] = as_spans(self.indexes)
        if self.failed_indexes is not None:
            found["failedIndexes"] = as_spans(self.failed_indexes)
        return {**found, "uncountedTerminatedPods": noted}


def counted(job: PlainView, scene: Scene) -> Counts:
    """The counts of a Job once its pods have been looked at."""
    holding = {pod.metadata.uid for pod in scene.pods if TRACKING in pod.metadata.finalizers}
    before, known = mapping(look_up(job, ("status", "uncountedTerminatedPods"))), {}
    numbers = {}
    for kind in _KINDS:
        uids, number = tuple(map(str, listed(before.get(kind)))), look_up(job, ("status", kind))
        known[kind] = tuple(uid for uid in uids if uid in holding)
        numbers[kind] = (number if isinstance(number, int) else 0) + len(uids) - len(known[kind])
    indexes = _completed(job) if is_indexed(job) else None
    failed = _failed_indexes(job, scene, indexes)
    for pod in scene.pods:
        ending, uid = ending_of(job, pod), pod.metadata.uid
        if ending is None or uid not in holding or any(uid in uids for uids in known.values()):
            continue
        if indexes is not None and ending == "succeeded":
            indexes |= {index_of(pod)}
        elif ending == "succeeded" or not (_is_ignored(job, pod, scene) or _is_kept(job, pod, scene, failed)):
            known[ending] = (*known[ending], uid)
    return Counts(numbers=numbers, noted=known, indexes=indexes, failed_indexes=failed)


def let_go(job: PlainView, scene: Scene, *, is_over: bool) -> Iterator[Edit]:
    """Pods lose the finalizer once the status has them, or once the Job is over. What does not count goes at once."""
    noted = mapping(look_up(job, ("status", "uncountedTerminatedPods")))
    uids = {uid for kind in _KINDS for uid in map(str, listed(noted.get(kind)))}
    indexes = _completed(job) if is_indexed(job) else frozenset()
    failed = _failed_indexes(job, scene, indexes)
    for pod in scene.pods:
        if TRACKING not in pod.metadata.finalizers:
            continue
        ending = ending_of(job, pod)
        done = ending == "succeeded" and index_of(pod) in indexes
        ignored = ending == "failed" and _is_ignored(job, pod, scene) and not _is_kept(job, pod, scene, failed)
        if is_over or done or ignored or pod.metadata.uid in uids:
            kept = [one for one in pod.metadata.finalizers if one != TRACKING]
            yield Edit(pod_ref(pod), {"metadata": {"finalizers": kept or None}})


def _is_ignored(job: PlainView, pod: Pod, scene: Scene) -> bool:
    """Whether the end of a pod does not count: a policy says so, or the Job is suspended or has no more need of it."""
    is_on_hold = look_up(job, ("spec", "suspend")) is True or condition(job, "SuccessCriteriaMet") is not None
    return (is_on_hold and not is_finished(pod)) or verdict_on(job, pod, scene).action == "Ignore"


def _is_kept(job: PlainView, pod: Pod, scene: Scene, failed: frozenset[int] | None) -> bool:
    """Whether a failed pod stays until the next one of its index is there, which counts on from it."""
    if failed is None or index_of(pod) in failed or is_decided(job):
        return False
    own = failures_of(pod) + ignored_failures_of(pod)
    others = (one for one in scene.pods if index_of(one) == index_of(pod))
    return all(failures_of(one) + ignored_failures_of(one) <= own for one in others)


def _failed_indexes(job: PlainView, scene: Scene, succeeded: frozenset[int] | None) -> frozenset[int] | None:
    """The indexes at which pods have failed once too often, or in a way that a policy does not forgive."""
    limit = look_up(job, ("spec", "backoffLimitPerIndex"))
    if succeeded is None or not isinstance(limit, int):
        return None
    found = set(numbers_in(str(look_up(job, ("status", "failedIndexes")) or "")))
    for pod in failed_pods(job, scene):
        action = verdict_on(job, pod, scene).action
        if action == "FailIndex" or (action != "Ignore" and failures_of(pod) >= limit):
            found.add(index_of(pod))
    return frozenset(found) - succeeded - {-1}


def is_indexed(job: PlainView) -> bool:
    return bool(look_up(job, ("spec", "completionMode")) == "Indexed")


def _completed(job: PlainView) -> frozenset[int]:
    return numbers_in(str(look_up(job, ("status", "completedIndexes")) or ""))


def numbers_in(text: str) -> frozenset[int]:
    """The indexes that a text such as `0,2-4` names."""
    found: set[int] = set()
    for span in text.split(","):
        low, _, high = span.partition("-")
        if low.isdecimal() and (high or low).isdecimal():
            found.update(range(int(low), min(int(high or low), _MOST_INDEXES) + 1))
    return frozenset(found)


def as_spans(indexes: Iterable[int]) -> str:
    """Indexes as Kubernetes writes them."""
    return ",".join(_spans(sorted(indexes)))


def _spans(indexes: Iterable[int]) -> Iterator[str]:
    """Three or more in a row are a span."""
    row: list[int] = []
    for index in (*indexes, None):
        if row and index != row[-1] + 1:
            yield f"{row[0]}-{row[-1]}" if len(row) > 2 else ",".join(map(str, row))
            row = []
        if index is not None:
            row.append(index)
