"""What a server fills in of workloads and of pod templates where they say nothing.

Plain documents go in and come out; what is written wrongly stays as it is. Source: defaults of the groups core, apps
and batch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from dravite.api.plain import Plain, PlainView
from dravite.workloads.raw_paths import look_up, mapping

_POD_SPEC: Final[PlainView] = {
    "restartPolicy": "Always",
    "terminationGracePeriodSeconds": 30,
    "dnsPolicy": "ClusterFirst",
    "securityContext": {},
    "schedulerName": "default-scheduler",
}
_CONTAINER: Final[PlainView] = {
    "resources": {},
    "terminationMessagePath": "/dev/termination-log",
    "terminationMessagePolicy": "File",
}
_PROBES: Final = ("livenessProbe", "readinessProbe", "startupProbe")
_PROBE: Final[PlainView] = {
    "timeoutSeconds": 1,
    "periodSeconds": 10,
    "successThreshold": 1,
    "failureThreshold": 3,
}
_FILE_MODE: Final = 0o644
_WITH_MODE: Final = ("configMap", "downwardAPI", "projected", "secret")
_RETAINED: Final = ("whenDeleted", "whenScaled")
_QUARTER: Final = {"maxUnavailable": "25%", "maxSurge": "25%"}
_ROLLING: Final = "RollingUpdate"
_NO_LIMIT: Final = 2_147_483_647


def filled_workload(document: PlainView, kind: str) -> Plain:
    """A workload of Kubernetes' own with what a server fills in; any other kind as it is."""
    fill = _KINDS.get(kind)
    spec = document.get("spec")
    if fill is None or not isinstance(spec, Mapping):
        return dict(document)
    return {**document, "spec": fill(spec)}


def filled_template(template: Any) -> Any:
    """A pod template with what a server fills in."""
    spec = look_up(template, ("spec",))
    return {**template, "spec": filled_pod_spec(spec)} if isinstance(spec, Mapping) else template


def filled_pod_spec(spec: PlainView) -> Plain:
    """What both a pod and a pod template are given."""
    found = _with(spec, _POD_SPEC)
    for part in ("initContainers", "containers"):
        if isinstance(spec.get(part), list):
            found[part] = _each(spec[part], _container)
    if isinstance(spec.get("volumes"), list):
        found["volumes"] = _each(spec["volumes"], _volume)
    return found


def _container(container: PlainView) -> Plain:
    found = _with(container, {**_CONTAINER, "imagePullPolicy": _pull_policy(str(container.get("image") or ""))})
    if isinstance(container.get("ports"), list):
        found["ports"] = _each(container["ports"], lambda one: _with(one, {"protocol": "TCP"}))
    if isinstance(container.get("env"), list):
        found["env"] = _each(container["env"], _variable)
    for name in _PROBES:
        if isinstance(container.get(name), Mapping):
            found[name] = _probe(container[name])
    return found


def _pull_policy(image: str) -> str:
    """Always for an image that is the latest one, be it unsaid."""
    _, colon, tag = image.rpartition("/")[2].partition(":")
    is_latest = "@" not in image and (not colon or tag == "latest")
    return "Always" if is_latest else "IfNotPresent"


def _variable(variable: PlainView) -> PlainView:
    field = look_up(variable, ("valueFrom", "fieldRef"))
    if not isinstance(field, Mapping):
        return variable
    return {**variable, "valueFrom": {**variable["valueFrom"], "fieldRef": _with(field, {"apiVersion": "v1"})}}


def _probe(probe: PlainView) -> Plain:
    found = _with(probe, _PROBE)
    if isinstance(probe.get("httpGet"), Mapping):
        found["httpGet"] = _with(probe["httpGet"], {"path": "/", "scheme": "HTTP"})
    if isinstance(probe.get("grpc"), Mapping):
        found["grpc"] = _with(probe["grpc"], {"service": ""})
    return found


def _volume(volume: PlainView) -> Plain:
    found = dict(volume)
    for name in _WITH_MODE:
        if isinstance(volume.get(name), Mapping):
            found[name] = _with(volume[name], {"defaultMode": _FILE_MODE})
    if isinstance(volume.get("hostPath"), Mapping):
        found["hostPath"] = _with(volume["hostPath"], {"type": ""})
    if not any(value is not None for name, value in volume.items() if name != "name"):
        found["emptyDir"] = {}
    return found


def _deployment(spec: PlainView) -> Plain:
    found = _templated(spec, {"replicas": 1, "revisionHistoryLimit": 10, "progressDeadlineSeconds": 600})
    return {**found, "strategy": _update(spec.get("strategy"), _QUARTER)}


def _replica_set(spec: PlainView) -> Plain:
    return _templated(spec, {"replicas": 1})


def _replication_controller(spec: PlainView) -> Plain:
    labels = mapping(look_up(spec, ("template", "metadata", "labels")))
    return _templated(spec, {"replicas": 1, **({"selector": dict(labels)} if labels else {})})


def _stateful_set(spec: PlainView) -> Plain:
    kept = _with(mapping(spec.get("persistentVolumeClaimRetentionPolicy")), dict.fromkeys(_RETAINED, "Retain"))
    found = _templated(spec, {"replicas": 1, "podManagementPolicy": "OrderedReady", "revisionHistoryLimit": 10})
    update = _update(spec.get("updateStrategy"), {"partition": 0})
    return {**found, "persistentVolumeClaimRetentionPolicy": kept, "updateStrategy": update}


def _daemon_set(spec: PlainView) -> Plain:
    update = _update(spec.get("updateStrategy"), {"maxUnavailable": 1, "maxSurge": 0})
    return {**_templated(spec, {"revisionHistoryLimit": 10}), "updateStrategy": update}


def _job(spec: PlainView) -> Plain:
    per_index, policy = spec.get("backoffLimitPerIndex"), spec.get("podFailurePolicy")
    usual = {
        "parallelism": 1,
        "completionMode": "NonIndexed",
        "backoffLimit": 6 if per_index is None else _NO_LIMIT,
        "suspend": False,
        "manualSelector": False,
        "podReplacementPolicy": "TerminatingOrFailed" if policy is None else "Failed",
    }
    if spec.get("completions") is None and spec.get("parallelism") is None:
        usual["completions"] = 1
    return _templated(spec, usual)


def _cron_job(spec: PlainView) -> Plain:
    usual = {
        "concurrencyPolicy": "Allow",
        "suspend": False,
        "successfulJobsHistoryLimit": 3,
        "failedJobsHistoryLimit": 1,
    }
    found, job = _with(spec, usual), look_up(spec, ("jobTemplate", "spec"))
    if isinstance(job, Mapping):
        found["jobTemplate"] = {**spec["jobTemplate"], "spec": _templated(job, {})}
    return found


def _templated(spec: PlainView, usual: PlainView) -> Plain:
    found = _with(spec, usual)
    if "template" in spec:
        found["template"] = filled_template(spec["template"])
    return found


def _update(strategy: Any, rolling: PlainView) -> Any:
    """How pods are replaced: one after the other where nothing else is said."""
    if strategy is not None and not isinstance(strategy, Mapping):
        return strategy
    found = _with(mapping(strategy), {"type": _ROLLING})
    if found["type"] == _ROLLING:
        found["rollingUpdate"] = _with(mapping(found.get("rollingUpdate")), rolling)
    return found


def _each(values: list[Any], fill: Callable[[PlainView], Any]) -> list[Any]:
    return [fill(one) if isinstance(one, Mapping) else one for one in values]


def _with(values: PlainView, usual: PlainView) -> Plain:
    """The values with others where they have none."""
    missing = {name: value for name, value in usual.items() if values.get(name) is None}
    return {**values, **missing}


_KINDS: Final[Mapping[str, Callable[[PlainView], Plain]]] = {
    "CronJob": _cron_job,
    "DaemonSet": _daemon_set,
    "Deployment": _deployment,
    "Job": _job,
    "ReplicaSet": _replica_set,
    "ReplicationController": _replication_controller,
    "StatefulSet": _stateful_set,
}
