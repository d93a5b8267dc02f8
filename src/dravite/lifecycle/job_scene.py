"""A Job's pods as its controller looks at them: how each has ended, when, and what the Job's policies say of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

import msgspec

from dravite.api.core_v1 import Pod
from dravite.api.plain import PlainView
from dravite.diagnosis import upstream_controllers as words
from dravite.lifecycle.instants import seconds_of
from dravite.lifecycle.job_conditions import condition
from dravite.lifecycle.turns import Taken
from dravite.snapshot.snapshot import is_finished
from dravite.workloads.expansion import COMPLETION_INDEX
from dravite.workloads.raw_paths import listed, look_up, mapping

Ending: TypeAlias = Literal["succeeded", "failed"]

FAILURES: Final = "batch.kubernetes.io/job-index-failure-count"
IGNORED_FAILURES: Final = "batch.kubernetes.io/job-index-ignored-failure-count"


class Scene(msgspec.Struct, frozen=True):
    """What a Job has, and when it is looked at.

    Attributes:
        taken: which names pods have.
        group: the PodGroup that its pods name; empty for none.
        written: a pod as it stands on the server.
    """

    pods: Sequence[Pod]
    taken: Taken
    now: float
    group: str = ""
    written: Callable[[Pod], PlainView] = lambda _: {}


class Verdict(msgspec.Struct, frozen=True):
    """What a Job's policy makes of a failure; `message` says why it fails the Job."""

    action: str = "Count"
    message: str = ""


def ending_of(job: PlainView, pod: Pod) -> Ending | None:
    """How a pod has ended. One that is being deleted has failed, unless the Job goes on and waits for it to fail."""
    if pod.status.phase == "Succeeded":
        return "succeeded"
    is_gone = pod.metadata.deletion_timestamp is not None and (is_decided(job) or not replaces_failed_only(job))
    return "failed" if is_finished(pod) or is_gone else None


def is_decided(job: PlainView) -> bool:
    """Whether it is said already how the Job ends."""
    return condition(job, "FailureTarget", "SuccessCriteriaMet") is not None


def replaces_failed_only(job: PlainView) -> bool:
    """Whether a pod that is being deleted keeps its place until it has failed."""
    return bool(look_up(job, ("spec", "podReplacementPolicy")) == "Failed")


def index_of(pod: Pod) -> int:
    """The completion index of a pod; -1 where it has none."""
    return _number(pod, COMPLETION_INDEX, -1)


def failures_of(pod: Pod) -> int:
    """How often the pods before this one have failed at its index, as far as that counts."""
    return _number(pod, FAILURES, 0)


def ignored_failures_of(pod: Pod) -> int:
    """How often they have failed in ways that do not count."""
    return _number(pod, IGNORED_FAILURES, 0)


def _number(pod: Pod, annotation: str, otherwise: int) -> int:
    text = pod.metadata.annotations.get(annotation, "")
    return int(text) if text.isdecimal() else otherwise


def failed_pods(job: PlainView, scene: Scene) -> Iterator[Pod]:
    """The pods that have failed, counted or not."""
    return (pod for pod in scene.pods if ending_of(job, pod) == "failed")


def failed_at(pod: Pod, scene: Scene) -> float:
    """When a pod has failed: when its last container has, else when it was deleted or, at last, made."""
    written = scene.written(pod)
    ends = (look_up(one, ("state", "terminated", "finishedAt")) for one in _containers(written))
    times = [time for end in ends if (time := seconds_of(end)) is not None]
    deleted = seconds_of(pod.metadata.deletion_timestamp)
    if not times and deleted is not None:
        times = [deleted - (pod.metadata.deletion_grace_period_seconds or 0)]
    return max(times, default=seconds_of(pod.metadata.creation_timestamp) or scene.now)


def verdict_on(job: PlainView, pod: Pod, scene: Scene) -> Verdict:
    """What the first rule of the Job's policy says that matches the failure of a pod; it counts where none does."""
    written = scene.written(pod)
    for number, rule in enumerate(listed(look_up(job, ("spec", "podFailurePolicy", "rules")))):
        action = str(mapping(rule).get("action"))
        codes, conditions = look_up(rule, ("onExitCodes",)), listed(look_up(rule, ("onPodConditions",)))
        container = _container_with(written, codes) if isinstance(codes, Mapping) else None
        condition = next(filter(None, (_condition_like(written, one) for one in conditions)), "")
        if container is not None:
            code = look_up(container, ("state", "terminated", "exitCode"))
            return Verdict(action, words.failed_with_code(_name(pod), str(container.get("name")), code, number))
        if condition and not isinstance(codes, Mapping):
            return Verdict(action, words.failed_with_condition(_name(pod), condition, number))
    return Verdict()


def _name(pod: Pod) -> str:
    return f"{pod.metadata.namespace}/{pod.metadata.name}"


def _containers(written: PlainView) -> Iterator[PlainView]:
    for name in ("containerStatuses", "initContainerStatuses"):
        yield from (one for one in listed(look_up(written, ("status", name))) if isinstance(one, Mapping))


def _container_with(written: PlainView, codes: PlainView) -> PlainView | None:
    """The first container that has ended in vain with an exit code that a rule names, or does not name (NotIn)."""
    wanted, values = codes.get("containerName"), listed(codes.get("values"))
    for one in _containers(written):
        code = look_up(one, ("state", "terminated", "exitCode"))
        is_meant = bool(code) and (wanted is None or one.get("name") == wanted)
        if is_meant and (code in values) == (codes.get("operator") == "In"):
            return one
    return None


def _condition_like(written: PlainView, pattern: Any) -> str:
    """The type of the pod's condition that is as a rule has it; empty where it has none."""
    kind, status = look_up(pattern, ("type",)), look_up(pattern, ("status",)) or "True"
    conditions = listed(look_up(written, ("status", "conditions")))
    is_there = any(look_up(one, ("type",)) == kind and look_up(one, ("status",)) == status for one in conditions)
    return str(kind) if is_there else ""
