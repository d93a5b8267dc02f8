"""Kinds that dravite keeps as they come: how a server reads them, and what it decides when one is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from dravite.api.meta import Time
from dravite.api.plain import Plain, PlainView
from dravite.api.releases import Profile
from dravite.apiserver.custom_kinds import establish
from dravite.apiserver.kinds import Kind
from dravite.apiserver.plain_defaults import filled
from dravite.apiserver.plain_writing import written
from dravite.diagnosis import upstream

_CONTROLLER: Final = "batch.kubernetes.io/controller-uid"
_HEADLESS: Final = {"clusterIPs": ["None"], "ipFamilies": ["IPv4"], "ipFamilyPolicy": "SingleStack"}
_PROTECTED: Final = "kubernetes.io/pvc-protection"
_GATED: Final = {
    "type": "PodScheduled",
    "status": "False",
    "lastProbeTime": None,
    "lastTransitionTime": None,
    "reason": upstream.SCHEDULING_GATED,
    "message": upstream.GATED_MESSAGE,
}


def _pod(plain: Plain) -> None:
    status: Plain = {"phase": "Pending"}
    plain["status"] = status
    if plain["spec"].get("schedulingGates") and not plain["spec"].get("nodeName"):
        status["conditions"] = [dict(_GATED)]
    status["qosClass"] = _quality(plain["spec"])
    account = plain["spec"].setdefault("serviceAccountName", "default")
    plain["spec"].setdefault("serviceAccount", account)


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


def _namespace(plain: Plain) -> None:
    plain["spec"].setdefault("finalizers", ["kubernetes"])
    plain["status"] = {"phase": "Active"}


def _claim(plain: Plain) -> None:
    held = plain["metadata"].get("finalizers") or []
    plain["metadata"]["finalizers"] = held if _PROTECTED in held else [*held, _PROTECTED]
    plain["status"] = {"phase": "Pending"}


def _service(plain: Plain) -> None:
    if plain["spec"].get("clusterIP") == "None":
        plain["spec"] = {**_HEADLESS, **plain["spec"]}


def _job(plain: Plain) -> None:
    """Pods of a job are known by its uid."""
    spec, meta = plain["spec"], plain["metadata"]
    plain["status"] = {}
    if spec.get("manualSelector"):
        return
    template = spec["template"]
    names = {"controller-uid": meta["uid"], "job-name": meta["name"]}
    own = {**names, **{f"batch.kubernetes.io/{name}": value for name, value in names.items()}}
    labels = {**(template["metadata"].get("labels") or {}), **own}
    spec["template"] = {**template, "metadata": {**template["metadata"], "labels": labels}}
    if not spec.get("selector"):
        spec["selector"] = {"matchLabels": {_CONTROLLER: meta["uid"]}}


_BORN: Final[Mapping[str, Callable[[Plain], None]]] = {
    "Job": _job,
    "Namespace": _namespace,
    "PersistentVolumeClaim": _claim,
    "Pod": _pod,
    "Service": _service,
}
_KEEP_STATUS: Final = ("CustomResourceDefinition", "Node")
"""Kinds whose objects may be born with a status."""


def defaulted(value: PlainView, of: tuple[str, str], profile: Profile, now: Time) -> Plain:
    """A copy of an object of a version and a kind as a server reads it: in the form of its type, and filled in."""
    _, kind = of
    plain = filled(written(value, *of), kind, profile)
    if kind == _DEFINITION and all(isinstance(plain.get(name), dict) for name in ("metadata", "spec")):
        establish(plain, now)
    return plain


def bear(plain: Plain, kind: Kind) -> None:
    """Give a new object what a server decides when it is made, in place: mostly its status."""
    born = _BORN.get(kind.kind)
    if born is not None:
        born(plain)
    elif kind.status and kind.printed is not None:
        plain.pop("status", None)
    elif kind.status and kind.kind not in _KEEP_STATUS:
        plain["status"] = written({}, kind.hub_api_version, kind.kind).get("status", {})


def with_status(old: PlainView, new: PlainView, kind: Kind) -> Plain:
    """What a write to the status of an object makes of it: mostly its metadata change, too."""
    meta = dict(new["metadata"])
    for name in _STAYS.get(kind.kind, ()) if kind.printed is None else _ALL_METADATA:
        meta.pop(name, None)
        if name in old["metadata"]:
            meta[name] = old["metadata"][name]
    return {**old, "metadata": meta, "status": new.get("status") or {}}


_STAYS: Final[Mapping[str, tuple[str, ...]]] = {"Deployment": ("labels",), "Pod": ("ownerReferences",)}
"""Metadata that a write to the status does not change."""

_ALL_METADATA: Final = ("annotations", "finalizers", "generateName", "labels", "ownerReferences")
_DEFINITION: Final = "CustomResourceDefinition"
