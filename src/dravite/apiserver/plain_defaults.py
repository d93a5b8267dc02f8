"""What a server fills in where a client says nothing, for kinds that are kept as they come.

What only kubelets and networks need is left out: volumes with tokens, addresses of services, tolerations of nodes
that are gone. Source: answers of 1.37.2.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from dravite.api.plain import Plain
from dravite.api.releases import Profile
from dravite.workloads.filled_in import filled_pod_spec, filled_workload

TEMPLATES: Final = "deprecated.daemonset.template.generation"
"""Under which daemon sets tell how many templates they have had."""

_RBAC: Final = "rbac.authorization.k8s.io"

_SERVICE: Final = {"type": "ClusterIP", "sessionAffinity": "None", "internalTrafficPolicy": "Cluster"}


def _fill(plain: Plain, values: Mapping[str, Any]) -> None:
    """Set what is missing, in place; objects are filled from within."""
    for name, value in values.items():
        if not isinstance(value, dict):
            plain.setdefault(name, list(value) if isinstance(value, list) else value)
        elif isinstance(inner := plain.setdefault(name, {}), dict):
            _fill(inner, value)


def _dicts(values: Any) -> Iterator[Plain]:
    yield from (one for one in values or () if isinstance(one, dict)) if isinstance(values, list) else ()


def _pod(plain: Plain) -> None:
    spec = plain["spec"] = filled_pod_spec(plain["spec"])
    _fill(spec, {"enableServiceLinks": True})
    if spec.get("serviceAccountName"):
        spec.setdefault("serviceAccount", spec["serviceAccountName"])
    for container in (one for part in ("initContainers", "containers") for one in _dicts(spec.get(part))):
        _limits_are_requests(container.get("resources"))


def _limits_are_requests(resources: Any) -> None:
    """A limit without a request is one."""
    if isinstance(resources, dict) and isinstance(resources.get("limits"), dict):
        resources["requests"] = {**resources["limits"], **(resources.get("requests") or {})}


def _one_after_the_other(strategy: Any) -> None:
    """How many pods of a stateful set may be away at once."""
    if isinstance(strategy, dict) and isinstance(strategy.get("rollingUpdate"), dict):
        strategy["rollingUpdate"].setdefault("maxUnavailable", 1)


def _daemon_set(plain: Plain) -> None:
    annotations = plain["metadata"].get("annotations") or {}
    plain["metadata"]["annotations"] = {TEMPLATES: "1", **annotations}


def _service(plain: Plain) -> None:
    spec = plain["spec"]
    _fill(spec, _SERVICE)
    for port in _dicts(spec.get("ports")):
        _fill(port, {"protocol": "TCP"})
        port["targetPort"] = port.get("targetPort") or port.get("port", 0)


def _claim(plain: Plain) -> None:
    _fill(plain["spec"], {"volumeMode": "Filesystem"})


def _secret(plain: Plain) -> None:
    """What is given as text is data, too."""
    texts = plain.pop("stringData", None) or {}
    if texts:
        data = {name: base64.b64encode(str(text).encode()).decode() for name, text in texts.items()}
        plain["data"] = {**(plain.get("data") or {}), **data}
    _fill(plain, {"type": "Opaque"})


def _binding(plain: Plain) -> None:
    plain["roleRef"]["apiGroup"] = plain["roleRef"].get("apiGroup") or _RBAC
    for subject in _dicts(plain.get("subjects")):
        if subject.get("kind") in ("User", "Group"):
            _fill(subject, {"apiGroup": _RBAC})


def _namespace(plain: Plain) -> None:
    name = plain["metadata"].get("name")
    if name:
        labels = plain["metadata"].get("labels") or {}
        plain["metadata"]["labels"] = {**labels, "kubernetes.io/metadata.name": name}


def _node(plain: Plain) -> None:
    spec, status = plain["spec"], plain["status"]
    if spec.get("podCIDR"):
        _fill(spec, {"podCIDRs": [spec["podCIDR"]]})
    if isinstance(status.get("capacity"), dict):
        _fill(status, {"allocatable": status["capacity"]})


_DEFAULTS: Final[Mapping[str, Callable[[Plain], None]]] = {
    "ClusterRoleBinding": _binding,
    "DaemonSet": _daemon_set,
    "Namespace": _namespace,
    "Node": _node,
    "PersistentVolumeClaim": _claim,
    "Pod": _pod,
    "RoleBinding": _binding,
    "Secret": _secret,
    "Service": _service,
}


def filled(plain: Plain, kind: str, profile: Profile) -> Plain:
    """An object in the form of its type with what a server fills in; its parts may be the same ones."""
    made = filled_workload(plain, kind)
    if kind == "StatefulSet" and profile.is_at_least("1.35"):
        _one_after_the_other(made["spec"]["updateStrategy"])
    fill = _DEFAULTS.get(kind)
    if fill is not None:
        fill(made)
    return made
