"""How many pods of a Job have succeeded and failed, each counted once although it may vanish at any time.

A pod is made with a finalizer. One that has ended is first noted in the status by its uid, then loses the finalizer,
and only then becomes a number. Indexes that have succeeded are noted as such, which needs no uids.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from dravite.api.core_v1 import Pod, pod_ref
from dravite.lifecycle.turns import Document, Edit
from dravite.snapshot.snapshot import is_finished
from dravite.workloads.expansion import COMPLETION_INDEX
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
    """

    numbers: Mapping[str, int]
    noted: Mapping[str, tuple[str, ...]]
    indexes: frozenset[int] | None = None

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

    def status(self) -> dict[str, Any]:
        """The part of a Job's status that holds this."""
        noted = {kind: list(uids) for kind, uids in self.noted.items() if uids}
        numbers = {**self.numbers, "succeeded": len(self.indexes)} if self.indexes is not None else self.numbers
        found: dict[str, Any] = {kind: number for kind, number in numbers.items() if number}
        if self.indexes:
            found["completedIndexes"] = ",".join(_spans(sorted(self.indexes)))
        return {**found, "uncountedTerminatedPods": noted}


def counted(job: Document, pods: Sequence[Pod]) -> Counts:
    """The counts of a Job once its pods have been looked at."""
    holding = {pod.metadata.uid for pod in pods if TRACKING in pod.metadata.finalizers}
    before, known = mapping(look_up(job, ("status", "uncountedTerminatedPods"))), {}
    numbers = {}
    for kind in _KINDS:
        uids, number = tuple(map(str, listed(before.get(kind)))), look_up(job, ("status", kind))
        known[kind] = tuple(uid for uid in uids if uid in holding)
        numbers[kind] = (number if isinstance(number, int) else 0) + len(uids) - len(known[kind])
    indexes = _completed(job) if is_indexed(job) else None
    for pod in pods:
        ending, uid = _ending(pod), pod.metadata.uid
        if ending is None or uid not in holding or any(uid in uids for uids in known.values()):
            continue
        if indexes is not None and ending == "succeeded":
            indexes |= {index_of(pod)}
        else:
            known[ending] = (*known[ending], uid)
    return Counts(numbers=numbers, noted=known, indexes=indexes)


def let_go(job: Document, pods: Sequence[Pod], *, is_over: bool) -> Iterator[Edit]:
    """Pods lose the finalizer once the status has them, or once the Job is over."""
    noted = mapping(look_up(job, ("status", "uncountedTerminatedPods")))
    uids = {uid for kind in _KINDS for uid in map(str, listed(noted.get(kind)))}
    indexes = _completed(job) if is_indexed(job) else frozenset()
    for pod in pods:
        done = _ending(pod) == "succeeded" and index_of(pod) in indexes
        if TRACKING in pod.metadata.finalizers and (is_over or done or pod.metadata.uid in uids):
            kept = [one for one in pod.metadata.finalizers if one != TRACKING]
            yield Edit(pod_ref(pod), {"metadata": {"finalizers": kept or None}})


def is_indexed(job: Document) -> bool:
    return bool(look_up(job, ("spec", "completionMode")) == "Indexed")


def index_of(pod: Pod) -> int:
    """The completion index of a pod; -1 where it has none."""
    text = pod.metadata.annotations.get(COMPLETION_INDEX, "")
    return int(text) if text.isdecimal() else -1


def _ending(pod: Pod) -> str | None:
    """How a pod has ended; one that is deleted before its end has failed."""
    if pod.status.phase == "Succeeded":
        return "succeeded"
    return "failed" if is_finished(pod) or pod.metadata.deletion_timestamp is not None else None


def _completed(job: Document) -> frozenset[int]:
    text = look_up(job, ("status", "completedIndexes"))
    found: set[int] = set()
    for span in str(text or "").split(","):
        low, _, high = span.partition("-")
        if low.isdecimal() and (high or low).isdecimal():
            found.update(range(int(low), min(int(high or low), _MOST_INDEXES) + 1))
    return frozenset(found)


def _spans(indexes: Iterable[int]) -> Iterator[str]:
    """Indexes as Kubernetes writes them: three or more in a row as a span."""
    row: list[int] = []
    for index in (*indexes, None):
        if row and index != row[-1] + 1:
            yield f"{row[0]}-{row[-1]}" if len(row) > 2 else ",".join(map(str, row))
            row = []
        if index is not None:
            row.append(index)
