"""Which fields Kubernetes' own workloads have around their pod templates: who writes another one has misspelled it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from dravite.api.field import child
from dravite.api.plain import PlainView
from dravite.workloads.expansion import group_of
from dravite.workloads.raw_paths import look_up

if TYPE_CHECKING:
    from dravite.api.unknown_fields import UnknownField

_Fields: TypeAlias = Mapping[str, frozenset[str]]
"""The names of fields by the path of what has them; what is deeper is not looked at."""


def _fields(spec: str, **deeper: str) -> dict[str, frozenset[str]]:
    inner = {f"spec.{place}": frozenset(names.split()) for place, names in deeper.items()}
    root = frozenset(("apiVersion", "kind", "metadata", "spec", "status"))
    return {"": root, "spec": frozenset(spec.split()), **inner}


_JOB: Final = (
    "activeDeadlineSeconds backoffLimit backoffLimitPerIndex completionMode completions managedBy manualSelector "
    "maxFailedIndexes parallelism podFailurePolicy podReplacementPolicy scheduling selector successPolicy suspend "
    "template ttlSecondsAfterFinished"
)
_SET: Final = "minReadySeconds replicas selector template"
_ROLLING: Final = "rollingUpdate type"

FIELDS: Final[Mapping[tuple[str, str], _Fields]] = {
    ("apps", "Deployment"): _fields(
        f"{_SET} paused progressDeadlineSeconds revisionHistoryLimit strategy", strategy=_ROLLING
    ),
    ("apps", "ReplicaSet"): _fields(_SET),
    ("", "ReplicationController"): _fields(_SET),
    ("apps", "StatefulSet"): _fields(
        f"{_SET} ordinals persistentVolumeClaimRetentionPolicy podManagementPolicy revisionHistoryLimit serviceName "
        "updateStrategy volumeClaimTemplates",
        ordinals="start",
        updateStrategy=_ROLLING,
    ),
    ("apps", "DaemonSet"): _fields(
        "minReadySeconds revisionHistoryLimit selector template updateStrategy", updateStrategy=_ROLLING
    ),
    ("batch", "Job"): _fields(_JOB),
    ("batch", "CronJob"): _fields(
        "concurrencyPolicy failedJobsHistoryLimit jobTemplate schedule startingDeadlineSeconds "
        "successfulJobsHistoryLimit suspend timeZone",
        jobTemplate="metadata spec",
    )
    | {"spec.jobTemplate.spec": frozenset(_JOB.split())},
}
"""Source: the types of the groups apps, batch and core in 1.37, which keep the fields of earlier releases."""


def unknown_fields(document: PlainView) -> Iterator[UnknownField]:
    """The fields that a workload does not have; none for kinds that others define."""
    known = FIELDS.get((group_of(document), str(document.get("kind"))), {})
    for place, names in known.items():
        given = look_up(document, place.split(".") if place else ())
        for name in given if isinstance(given, Mapping) else ():
            if name not in names:
                yield _unknown(child(place, name), name, given[name], known)


def _unknown(path: str, name: str, value: Any, known: _Fields) -> UnknownField:
    """A field that is not there, with what was meant by it."""
    from dravite.api.unknown_fields import UnknownField, near_field

    belongs = next((child(place, name) for place, names in known.items() if name in names), None)
    near = near_field(name, known[path.removesuffix(name).rstrip(".")]) if belongs is None else None
    return UnknownField(path, name, near, belongs, value)
