"""Tables of kinds that are kept as they are sent: workloads and what stands beside them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from dravite.api.meta import Time
from dravite.api.plain import PlainView
from dravite.apiserver.columns import Column, Row, age, age_of, name_of, numbers, spec_of, status_of, texts, wide

Cells = list[Any]

_PODS: Final = wide("Containers", "Images")
_SELECTED: Final = wide("Containers", "Images", "Selector")


def _pod_spec(plain: PlainView) -> PlainView:
    spec = spec_of(plain)
    template = ((spec.get("jobTemplate") or {}).get("spec") or spec).get("template") or {}
    found: PlainView = template.get("spec") or {}
    return found


def _containers(plain: PlainView) -> Cells:
    containers = _pod_spec(plain).get("containers") or ()
    return [",".join(str(item.get(name, "")) for item in containers) for name in ("name", "image")]


def _selector(plain: PlainView) -> str:
    selector = spec_of(plain).get("selector") or {}
    labels = selector.get("matchLabels", selector) or {}
    return _pairs(labels) if all(isinstance(value, str) for value in labels.values()) else "<none>"


def _pairs(labels: Mapping[str, str]) -> str:
    return ",".join(f"{name}={labels[name]}" for name in sorted(labels)) or "<none>"


def _count(plain: PlainView, name: str) -> int:
    return int(status_of(plain).get(name) or 0)


def _wanted(plain: PlainView) -> int:
    replicas = spec_of(plain).get("replicas")
    return 1 if replicas is None else int(replicas)


def _deployment(plain: PlainView, now: Time) -> Cells:
    ready = f"{_count(plain, 'readyReplicas')}/{_wanted(plain)}"
    counts = [str(_count(plain, name)) for name in ("updatedReplicas", "availableReplicas")]
    return [name_of(plain), ready, *counts, age_of(plain, now), *_containers(plain), _selector(plain)]


def _replica_set(plain: PlainView, now: Time) -> Cells:
    counts = [_wanted(plain), _count(plain, "replicas"), _count(plain, "readyReplicas")]
    return [name_of(plain), *counts, age_of(plain, now), *_containers(plain), _selector(plain)]


def _stateful_set(plain: PlainView, now: Time) -> Cells:
    ready = f"{_count(plain, 'readyReplicas')}/{_wanted(plain)}"
    return [name_of(plain), ready, age_of(plain, now), *_containers(plain)]


_DAEMONS: Final = (
    *("desiredNumberScheduled", "currentNumberScheduled", "numberReady"),
    *("updatedNumberScheduled", "numberAvailable"),
)


def _daemon_set(plain: PlainView, now: Time) -> Cells:
    counts = [_count(plain, name) for name in _DAEMONS]
    nodes = _pairs(_pod_spec(plain).get("nodeSelector") or {})
    return [name_of(plain), *counts, nodes, age_of(plain, now), *_containers(plain), _selector(plain)]


def _job(plain: PlainView, now: Time) -> Cells:
    spec, status = spec_of(plain), status_of(plain)
    wanted = spec.get("completions") or (f"1 of {spec['parallelism']}" if (spec.get("parallelism") or 0) > 1 else 1)
    begun, ended = status.get("startTime"), status.get("completionTime")
    took = age(begun, ended or now, "") if begun else ""
    word = _job_word(plain)
    completions = f"{status.get('succeeded') or 0}/{wanted}"
    return [name_of(plain), word, completions, took, age_of(plain, now), *_containers(plain), _selector(plain)]


def _job_word(plain: PlainView) -> str:
    true = [item.get("type") for item in status_of(plain).get("conditions") or () if item.get("status") == "True"]
    for condition, word in (("Complete", "Complete"), ("Failed", "Failed"), ("Suspended", "Suspended")):
        if condition in true:
            return word
    if plain["metadata"].get("deletionTimestamp"):
        return "Terminating"
    return next((name for name in ("FailureTarget", "SuccessCriteriaMet") if name in true), "Running")


def _cron_job(plain: PlainView, now: Time) -> Cells:
    spec, status = spec_of(plain), status_of(plain)
    last = status.get("lastScheduleTime")
    cells = [spec.get("schedule", ""), spec.get("timeZone") or "<none>", "True" if spec.get("suspend") else "False"]
    cells += [len(status.get("active") or ()), age(last, now) if last else "<none>", age_of(plain, now)]
    return [name_of(plain), *cells, *_containers(plain), "<none>"]


def _lease(plain: PlainView, now: Time) -> Cells:
    return [name_of(plain), spec_of(plain).get("holderIdentity") or "", age_of(plain, now)]


def _budget(plain: PlainView, now: Time) -> Cells:
    spec = spec_of(plain)
    bounds = ["N/A" if spec.get(name) is None else str(spec[name]) for name in ("minAvailable", "maxUnavailable")]
    return [name_of(plain), *bounds, _count(plain, "disruptionsAllowed"), age_of(plain, now)]


def _quota(plain: PlainView, now: Time) -> Cells:
    status = status_of(plain)
    hard, used = status.get("hard") or spec_of(plain).get("hard") or {}, status.get("used") or {}
    shown = {name: f"{name}: {used.get(name, 0)}/{hard[name]}" for name in sorted(hard)}
    requests = ", ".join(text for name, text in shown.items() if not name.startswith("limits"))
    limits = ", ".join(text for name, text in shown.items() if name.startswith("limits"))
    return [name_of(plain), requests, limits, age_of(plain, now)]


def _data(plain: PlainView) -> int:
    return sum(len(plain.get(name) or ()) for name in ("data", "binaryData"))


def _config_map(plain: PlainView, now: Time) -> Cells:
    return [name_of(plain), str(_data(plain)), age_of(plain, now)]


def _secret(plain: PlainView, now: Time) -> Cells:
    return [name_of(plain), plain.get("type", ""), str(_data(plain)), age_of(plain, now)]


def _runtime_class(plain: PlainView, now: Time) -> Cells:
    return [name_of(plain), plain.get("handler", ""), age_of(plain, now)]


def _born(plain: PlainView, _: Time) -> Cells:
    return [name_of(plain), plain["metadata"].get("creationTimestamp", "")]


def _binding(plain: PlainView, now: Time) -> Cells:
    role = plain.get("roleRef") or {}
    who = plain.get("subjects") or ()
    named = [", ".join(str(one.get("name")) for one in who if one.get("kind") == kind) for kind in ("User", "Group")]
    accounts = (f"{one.get('namespace')}/{one.get('name')}" for one in who if one.get("kind") == "ServiceAccount")
    role_cell = f"{role.get('kind', '')}/{role.get('name', '')}"
    return [name_of(plain), role_cell, age_of(plain, now), *named, ", ".join(accounts)]


_BOUND: Final = (*texts("Name", "Role", "Age"), *wide("Users", "Groups", "ServiceAccounts"))
_TIMED: Final = (*texts("Name"), Column("Created At", type="date"))

WORKLOAD_TABLES: Final[Mapping[str, tuple[tuple[Column, ...], Row]]] = {
    "Deployment": ((*texts("Name", "Ready", "Up-to-date", "Available", "Age"), *_SELECTED), _deployment),
    **dict.fromkeys(
        ("ReplicaSet", "ReplicationController"),
        ((*texts("Name"), *numbers("Desired", "Current", "Ready"), *texts("Age"), *_SELECTED), _replica_set),
    ),
    "StatefulSet": ((*texts("Name", "Ready", "Age"), *_PODS), _stateful_set),
    "DaemonSet": (
        (
            *(*texts("Name"), *numbers("Desired", "Current", "Ready", "Up-to-date", "Available")),
            *(*texts("Node Selector", "Age"), *_SELECTED),
        ),
        _daemon_set,
    ),
    "Job": ((*texts("Name", "Status", "Completions", "Duration", "Age"), *_SELECTED), _job),
    "CronJob": (
        (
            *(*texts("Name", "Schedule", "Timezone"), Column("Suspend", type="boolean"), *numbers("Active")),
            *(*texts("Last Schedule", "Age"), *_SELECTED),
        ),
        _cron_job,
    ),
    "Lease": (texts("Name", "Holder", "Age"), _lease),
    "PodDisruptionBudget": (
        (*texts("Name", "Min Available", "Max Unavailable"), *numbers("Allowed Disruptions"), *texts("Age")),
        _budget,
    ),
    "ResourceQuota": (texts("Name", "Request", "Limit", "Age"), _quota),
    "ConfigMap": (texts("Name", "Data", "Age"), _config_map),
    "Secret": (texts("Name", "Type", "Data", "Age"), _secret),
    "RuntimeClass": (texts("Name", "Handler", "Age"), _runtime_class),
    "CustomResourceDefinition": (_TIMED, _born),
    "LimitRange": (_TIMED, _born),
    "ClusterRole": (_TIMED, _born),
    "Role": (_TIMED, _born),
    "ClusterRoleBinding": (_BOUND, _binding),
    "RoleBinding": (_BOUND, _binding),
}
"""Columns of a kind, and what makes its rows."""
