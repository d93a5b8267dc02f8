"""Kinds that dravite keeps as they come, and what a server fills in without which clients would stumble."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from dravite.api.meta import Time
from dravite.api.plain import Plain
from dravite.apiserver.custom_kinds import establish
from dravite.apiserver.written import complete
from dravite.diagnosis import upstream
from dravite.workloads.filled_in import filled_pod_spec, filled_workload

_POD: Final = {"serviceAccountName": "default", "serviceAccount": "default", "enableServiceLinks": True}
_GATED: Final = {
    "type": "PodScheduled",
    "status": "False",
    "lastProbeTime": None,
    "lastTransitionTime": None,
    "reason": upstream.SCHEDULING_GATED,
    "message": upstream.GATED_MESSAGE,
}


def _pod(plain: Plain, now: Time) -> None:
    spec = plain["spec"] = filled_pod_spec(plain["spec"])
    _fill(spec, _POD)
    for containers in ("initContainers", "containers"):
        for container in spec.get(containers) or ():
            if isinstance(container, dict):
                _limits_are_requests(container["resources"])
    plain["status"].setdefault("phase", "Pending")
    if spec.get("schedulingGates") and not spec.get("nodeName"):
        plain["status"].setdefault("conditions", [dict(_GATED)])
    plain["status"].setdefault("qosClass", _quality(spec))


def _quality(spec: Plain) -> str:
    """The quality of service of a pod, by what its containers ask of cpu and memory."""
    containers = [one for part in ("containers", "initContainers") for one in spec.get(part) or ()]
    asked = [one.get("resources") or {} for one in containers if isinstance(one, dict)]
    amounts = [
        (str((one.get("requests") or {}).get(name, "")), str((one.get("limits") or {}).get(name, "")))
        for one in asked
        for name in ("cpu", "memory")
    ]
    if not any(request or limit for request, limit in amounts):
        return "BestEffort"
    return "Guaranteed" if all(limit and request == limit for request, limit in amounts) else "Burstable"


def _limits_are_requests(resources: Any) -> None:
    """A limit without a request is one."""
    if isinstance(resources, dict) and isinstance(resources.get("limits"), dict):
        requests = dict(resources.get("requests") or {})
        resources["requests"] = {**resources["limits"], **requests}


def _namespace(plain: Plain, now: Time) -> None:
    name = plain["metadata"].get("name", "")
    plain["metadata"]["labels"] = {"kubernetes.io/metadata.name": name, **(plain["metadata"].get("labels") or {})}
    plain["spec"].setdefault("finalizers", ["kubernetes"])
    plain["status"].setdefault("phase", "Active")


def _node(plain: Plain, now: Time) -> None:
    status = plain["status"]
    if isinstance(status.get("capacity"), dict):
        status.setdefault("allocatable", dict(status["capacity"]))


_FILLED_IN: Final[Mapping[str, Callable[[Plain, Time], None]]] = {
    "CustomResourceDefinition": establish,
    "Namespace": _namespace,
    "Node": _node,
    "Pod": _pod,
}


def defaulted(value: Plain, kind: str, now: Time) -> Plain:
    """A copy of the object with what a server fills in."""
    plain = complete(_copied(value), kind, "v1")
    plain = filled_workload(plain, kind)
    fill_in = _FILLED_IN.get(kind)
    if fill_in is not None and all(isinstance(plain.get(name), dict) for name in ("metadata", "spec", "status")):
        fill_in(plain, now)
    return plain


def _fill(plain: Plain, values: Mapping[str, Any]) -> None:
    for name, value in values.items():
        plain.setdefault(name, dict(value) if isinstance(value, dict) else value)


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copied(item) for key, item in value.items()}
    return [_copied(item) for item in value] if isinstance(value, list) else value
