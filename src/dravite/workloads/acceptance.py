"""What a server says of a workload besides its pods: whether it selects its own pods, and may restart them.

Only rules that concern the pod template, and when a CronJob is due, are known here; the rest of a workload is not read.
Sources: validation of the groups apps and batch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from dravite.api.codec import convert_plain
from dravite.api.field import ErrorType, FieldError
from dravite.api.meta import LabelSelector
from dravite.api.names import label_selector_matches
from dravite.api.plain import PlainView
from dravite.workloads.cron import Unreadable, read_schedule
from dravite.workloads.expansion import group_of
from dravite.workloads.raw_paths import look_up, mapping

_SELECTING: Final = ("Deployment", "ReplicaSet", "StatefulSet", "DaemonSet")
_JOB_SPECS: Final[Mapping[str, tuple[str, ...]]] = {"Job": ("spec",), "CronJob": ("spec", "jobTemplate", "spec")}
_RESTART: Final = ("template", "spec", "restartPolicy")


def why_not_accepted(document: PlainView) -> Iterator[FieldError]:
    """What contradicts itself in a workload of Kubernetes' own. What is merely left out is passed over."""
    kind, group = str(document.get("kind")), group_of(document)
    if group == "apps" and kind in _SELECTING:
        yield from _own_pods(document, kind)
        yield from _always(look_up(document, ("spec", *_RESTART)))
    elif group == "batch" and kind in _JOB_SPECS:
        yield from _schedule(look_up(document, ("spec", "schedule")) if kind == "CronJob" else None)
        steps = (*_JOB_SPECS[kind], *_RESTART)
        if look_up(document, steps) == "Always":
            yield _required(steps, 'valid values: "OnFailure", "Never"')


def _schedule(schedule: Any) -> Iterator[FieldError]:
    found = read_schedule(schedule) if isinstance(schedule, str) and schedule else None
    if isinstance(found, Unreadable):
        yield _invalid("spec.schedule", schedule, found.why)


def _own_pods(document: PlainView, kind: str) -> Iterator[FieldError]:
    given = look_up(document, ("spec", "selector"))
    selector = convert_plain(given, LabelSelector) if isinstance(given, Mapping) else None
    labels = mapping(look_up(document, ("spec", "template", "metadata", "labels")))
    if selector is None:
        return
    if not selector.match_labels and not selector.match_expressions:
        yield _invalid("spec.selector", {}, f"empty selector is invalid for {kind.lower()}")
    elif all(isinstance(value, str) for value in labels.values()) and not label_selector_matches(selector, labels):
        yield _invalid("spec.template.metadata.labels", dict(labels), "`selector` does not match template `labels`")


def _always(policy: Any) -> Iterator[FieldError]:
    if policy in ("OnFailure", "Never"):
        path, detail = ".".join(("spec", *_RESTART)), 'supported values: "Always"'
        yield FieldError(type=ErrorType.NOT_SUPPORTED, field=path, value=policy, detail=detail)


def _required(steps: tuple[str, ...], detail: str) -> FieldError:
    return FieldError(type=ErrorType.REQUIRED, field=".".join(steps), detail=detail)


def _invalid(path: str, value: Any, detail: str) -> FieldError:
    return FieldError(type=ErrorType.INVALID, field=path, value=value, detail=detail)
