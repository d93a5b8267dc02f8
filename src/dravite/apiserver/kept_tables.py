"""Tables of kinds that are kept and that nobody here acts on: networks, volumes and histories."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from dravite.api.meta import Time
from dravite.api.plain import PlainView
from dravite.apiserver.columns import Column, Row, age_of, name_of, numbers, spec_of, status_of, texts, wide

Cells = list[Any]

_NONE: Final = "<none>"
_UNSET: Final = "<unset>"
_MODES: Final[Mapping[str, str]] = {
    "ReadWriteOnce": "RWO",
    "ReadOnlyMany": "ROX",
    "ReadWriteMany": "RWX",
    "ReadWriteOncePod": "RWOP",
}
_DEFAULT_CLASS: Final = "storageclass.kubernetes.io/is-default-class"


def _labels(labels: Any) -> str:
    """Labels as a selector has them."""
    pairs = labels if isinstance(labels, dict) else {}
    return ",".join(f"{name}={pairs[name]}" for name in sorted(pairs)) or _NONE


def _joined(parts: Iterable[Any]) -> str:
    return ",".join(map(str, parts))


def _service(plain: PlainView, now: Time) -> Cells:
    spec = spec_of(plain)
    kind = spec.get("type") or "ClusterIP"
    ports = _joined(map(_port, spec.get("ports") or ())) or _NONE
    cells = [kind, spec.get("clusterIP") or _NONE, _outside(plain, kind), ports]
    return [name_of(plain), *cells, age_of(plain, now), _labels(spec.get("selector"))]


def _outside(plain: PlainView, kind: str) -> str:
    """Where a service is found from outside."""
    spec = spec_of(plain)
    given = spec.get("externalIPs") or ()
    if kind == "ExternalName":
        return str(spec.get("externalName") or "")
    if kind != "LoadBalancer":
        return _joined(given) or _NONE
    found = (status_of(plain).get("loadBalancer") or {}).get("ingress") or ()
    return _joined((*(one.get("ip") or one.get("hostname") or "" for one in found), *given)) or "<pending>"


def _port(port: PlainView) -> str:
    node = f":{port['nodePort']}" if port.get("nodePort") else ""
    return f"{port.get('port', 0)}{node}/{port.get('protocol') or 'TCP'}"


def _ingress(plain: PlainView, now: Time) -> Cells:
    spec = spec_of(plain)
    hosts = _joined(one["host"] for one in spec.get("rules") or () if one.get("host")) or "*"
    found = (status_of(plain).get("loadBalancer") or {}).get("ingress") or ()
    address = _joined(one.get("ip") or one.get("hostname") or "" for one in found)
    ports = "80, 443" if spec.get("tls") else "80"
    return [name_of(plain), spec.get("ingressClassName") or _NONE, hosts, address, ports, age_of(plain, now)]


def _ingress_class(plain: PlainView, now: Time) -> Cells:
    spec = spec_of(plain)
    given = spec.get("parameters") or {}
    group = f".{given['apiGroup']}" if given.get("apiGroup") else ""
    parameters = f"{given.get('kind')}{group}/{given.get('name')}" if given else _NONE
    return [name_of(plain), spec.get("controller") or "", parameters, age_of(plain, now)]


def _network_policy(plain: PlainView, now: Time) -> Cells:
    selector = spec_of(plain).get("podSelector") or {}
    return [name_of(plain), _labels(selector.get("matchLabels")), age_of(plain, now)]


def _storage_class(plain: PlainView, now: Time) -> Cells:
    is_default = (plain["metadata"].get("annotations") or {}).get(_DEFAULT_CLASS) == "true"
    name = f"{name_of(plain)} (default)" if is_default else name_of(plain)
    usual = (("reclaimPolicy", "Delete"), ("volumeBindingMode", "Immediate"))
    how = [plain.get(field) or value for field, value in usual]
    return [name, plain.get("provisioner") or "", *how, bool(plain.get("allowVolumeExpansion")), age_of(plain, now)]


def _modes(modes: Any) -> str:
    return _joined(_MODES.get(one, one) for one in modes or ())


def _claim(plain: PlainView, now: Time) -> Cells:
    spec, status = spec_of(plain), status_of(plain)
    is_bound = bool(spec.get("volumeName"))
    size = (status.get("capacity") or {}).get("storage", "") if is_bound else ""
    cells = [status.get("phase") or "", spec.get("volumeName") or "", size]
    cells += [_modes(status.get("accessModes")) if is_bound else "", spec.get("storageClassName") or ""]
    return [name_of(plain), *cells, *_of_volume(plain, now)]


def _of_volume(plain: PlainView, now: Time) -> Cells:
    spec = spec_of(plain)
    return [spec.get("volumeAttributesClassName") or _UNSET, age_of(plain, now), spec.get("volumeMode") or "Filesystem"]


def _volume(plain: PlainView, now: Time) -> Cells:
    spec, status = spec_of(plain), status_of(plain)
    claim = spec.get("claimRef") or {}
    owner = f"{claim.get('namespace')}/{claim.get('name')}" if claim else ""
    cells = [(spec.get("capacity") or {}).get("storage", ""), _modes(spec.get("accessModes"))]
    cells += [spec.get("persistentVolumeReclaimPolicy") or "Retain", status.get("phase") or "", owner]
    attributes, born, mode = _of_volume(plain, now)
    told = [spec.get("storageClassName") or "", attributes, status.get("reason") or ""]
    return [name_of(plain), *cells, *told, born, mode]


def _revision(plain: PlainView, now: Time) -> Cells:
    owner = next((one for one in plain["metadata"].get("ownerReferences") or () if one.get("controller")), None)
    group = str(owner.get("apiVersion", "")).rpartition("/")[0] if owner else ""
    kind = f"{owner.get('kind', '').lower()}{f'.{group}' if group else ''}" if owner else ""
    who = f"{kind}/{owner.get('name')}" if owner else _NONE
    return [name_of(plain), who, plain.get("revision", 0), age_of(plain, now)]


_CLASSES: Final = texts("StorageClass", "VolumeAttributesClass")

KEPT_TABLES: Final[Mapping[str, tuple[tuple[Column, ...], Row]]] = {
    "ControllerRevision": ((*texts("Name", "Controller"), *numbers("Revision"), *texts("Age")), _revision),
    "Ingress": (texts("Name", "Class", "Hosts", "Address", "Ports", "Age"), _ingress),
    "IngressClass": (texts("Name", "Controller", "Parameters", "Age"), _ingress_class),
    "NetworkPolicy": (texts("Name", "Pod-Selector", "Age"), _network_policy),
    "PersistentVolume": (
        (
            *texts("Name", "Capacity", "Access Modes", "Reclaim Policy", "Status", "Claim"),
            *(*_CLASSES, *texts("Reason", "Age"), *wide("VolumeMode")),
        ),
        _volume,
    ),
    "PersistentVolumeClaim": (
        (
            *texts("Name", "Status", "Volume", "Capacity", "Access Modes"),
            *(*_CLASSES, *texts("Age"), *wide("VolumeMode")),
        ),
        _claim,
    ),
    "Service": (
        (*texts("Name", "Type", "Cluster-IP", "External-IP", "Port(s)", "Age"), *wide("Selector")),
        _service,
    ),
    "StorageClass": (
        (
            *texts("Name", "Provisioner", "ReclaimPolicy", "VolumeBindingMode"),
            *(Column("AllowVolumeExpansion", type="boolean"), *texts("Age")),
        ),
        _storage_class,
    ),
}
"""Columns of a kind, and what makes its rows."""
