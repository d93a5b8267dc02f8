"""Which pods a Job makes and lets go: as many as are still needed, after a pause where some have failed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from dravite.api.core_v1 import Pod, pod_ref
from dravite.api.meta import ObjectRef
from dravite.api.plain import PlainView
from dravite.lifecycle.job_counts import TRACKING, Counts, as_spans, is_indexed
from dravite.lifecycle.job_scene import (
    FAILURES,
    IGNORED_FAILURES,
    Scene,
    ending_of,
    failed_at,
    failed_pods,
    failures_of,
    ignored_failures_of,
    index_of,
    replaces_failed_only,
    verdict_on,
)
from dravite.lifecycle.turns import is_active, named, seed_of
from dravite.snapshot.snapshot import is_finished
from dravite.workloads import ExpandedPod, expand, in_group, least_wanted, outstanding
from dravite.workloads.expansion import COMPLETION_INDEX
from dravite.workloads.raw_paths import listed, mapping

_INDEX_VARIABLE: Final = "JOB_COMPLETION_INDEX"
_FIRST_PAUSE: Final = 10.0
_LONGEST_PAUSE: Final = 600.0
_DOUBLINGS: Final = 10
"""After so many the pause is the longest."""


class PodsOfTurn(msgspec.Struct, frozen=True, kw_only=True):
    """What becomes of a Job's pods in one turn.

    Attributes:
        make: the pods to make.
        remove: those too many.
        again: when others may be made that have to wait for a while.
    """

    make: tuple[PlainView, ...] = ()
    remove: tuple[ObjectRef, ...] = ()
    again: float | None = None


def pods_of_turn(job: PlainView, scene: Scene, counts: Counts, active: Sequence[Pod]) -> PodsOfTurn:
    """The pods to make, and those too many."""
    wanted = [one for one in expand({**job, "status": _seen(job, counts)}) if isinstance(one, ExpandedPod)]
    surplus = least_wanted(active)[: max(0, len(active) - len(wanted))]
    missing = outstanding(wanted, _holding(job, scene)).planned
    times = {one.name: _not_before(job, scene, counts, _index_in(one)) for one in missing}
    ready = [one for one in missing if times[one.name] <= scene.now]
    planned = [_complete(one, job, scene.group, _failures(job, scene, counts, _index_in(one))) for one in ready]
    name, indexed = job["metadata"]["name"], is_indexed(job)
    made = named(
        planned,
        lambda one: f"{name}-{one.marks[COMPLETION_INDEX]}-" if indexed else f"{name}-",
        seed_of(job, scene.pods),
        scene.taken,
    )
    later = (time for time in times.values() if time > scene.now)
    return PodsOfTurn(make=tuple(made), remove=tuple(map(pod_ref, surplus)), again=min(later, default=None))


def _seen(job: PlainView, counts: Counts) -> PlainView:
    """The status from which it is read which pods are needed: what is given up is needed no more."""
    seen = {**mapping(job.get("status")), **counts.status(), "succeeded": counts.succeeded}
    if counts.failed_indexes:
        seen["completedIndexes"] = as_spans((counts.indexes or frozenset()) | counts.failed_indexes)
    return seen


def _holding(job: PlainView, scene: Scene) -> Sequence[Pod]:
    """The pods; those that are being deleted count like any other where they keep their place until they fail."""
    if not replaces_failed_only(job):
        return scene.pods
    return [
        pod
        if is_active(pod) or is_finished(pod)
        else msgspec.structs.replace(pod, metadata=msgspec.structs.replace(pod.metadata, deletion_timestamp=None))
        for pod in scene.pods
    ]


def _not_before(job: PlainView, scene: Scene, counts: Counts, index: int) -> float:
    """When the next pod may be made: with each failure in a row the pause doubles, for each index if it has a limit."""
    failed = list(failed_pods(job, scene))
    if counts.failed_indexes is not None:
        last = _last_failed(failed, index)
        return failed_at(last, scene) + _pause(_absolute(last) + 1) if last is not None else 0.0
    times = sorted(failed_at(pod, scene) for pod in failed)
    successes = [failed_at(pod, scene) for pod in scene.pods if ending_of(job, pod) == "succeeded"]
    row = [time for time in times if time > max(successes, default=0.0)]
    return row[-1] + _pause(len(row)) if row else 0.0


def _pause(failures: int) -> float:
    return float(min(_FIRST_PAUSE * 2 ** min(failures - 1, _DOUBLINGS), _LONGEST_PAUSE))


def _failures(job: PlainView, scene: Scene, counts: Counts, index: int) -> PlainView:
    """The annotations that tell a pod how often those before it have failed at its index."""
    if counts.failed_indexes is None:
        return {}
    last = _last_failed(list(failed_pods(job, scene)), index)
    if last is None:
        return {FAILURES: "0"}
    is_ignored = verdict_on(job, last, scene).action == "Ignore"
    ignored = ignored_failures_of(last) + is_ignored
    told = {FAILURES: str(failures_of(last) + (not is_ignored))}
    return {**told, IGNORED_FAILURES: str(ignored)} if ignored else told


def _last_failed(failed: Sequence[Pod], index: int) -> Pod | None:
    return max((pod for pod in failed if index_of(pod) == index), key=_absolute, default=None)


def _absolute(pod: Pod) -> int:
    return failures_of(pod) + ignored_failures_of(pod)


def _index_in(expanded: ExpandedPod) -> int:
    return int(expanded.marks.get(COMPLETION_INDEX, -1))


def _complete(expanded: ExpandedPod, job: PlainView, group: str, failures: PlainView) -> ExpandedPod:
    """The pod with what tells it from others: the uid of its Job, its index, its group, and the finalizer."""
    if group:
        expanded = in_group(expanded, group)
    meta, spec, uid = expanded.pod["metadata"], dict(expanded.pod["spec"]), str(job["metadata"]["uid"])
    labels = {**meta.get("labels", {}), "batch.kubernetes.io/controller-uid": uid, "controller-uid": uid}
    finalizers = [*listed(meta.get("finalizers")), TRACKING]
    index = expanded.marks.get(COMPLETION_INDEX)
    annotations = {**mapping(meta.get("annotations")), **failures}
    if index is not None:
        spec["hostname"] = f"{job['metadata']['name']}-{index}"
        for kind in ("initContainers", "containers"):
            if isinstance(spec.get(kind), list):
                spec[kind] = [_with_index(one) for one in spec[kind]]
    meta = {**meta, "labels": labels, "finalizers": finalizers, **({"annotations": annotations} if annotations else {})}
    pod = {**expanded.pod, "metadata": meta, "spec": spec}
    return msgspec.structs.replace(expanded, pod=pod)


def _with_index(container: Any) -> Any:
    if not isinstance(container, Mapping):
        return container
    field = {"fieldPath": f"metadata.labels['{COMPLETION_INDEX}']"}
    variable = {"name": _INDEX_VARIABLE, "valueFrom": {"fieldRef": field}}
    given = [one for one in listed(container.get("env")) if mapping(one).get("name") != _INDEX_VARIABLE]
    return {**container, "env": [*given, variable]}
