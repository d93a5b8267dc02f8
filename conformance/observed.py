"""What controllers have brought about on a server of ours, in the form of the recordings.

Generated names end in `*`, uids and times stand for what they are of.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from dravite.controllers.view import Item, View

Plain = dict[str, Any]

_MEANT: Final = ("Pod", "Job", "Workload", "PodGroup", "CompositePodGroup", "PodSchedulingContext")
_TIME: Final = re.compile(r"2026-0[1-9]-\d\dT[\d:.]+Z")
_SHARE: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def observed(view: View, gone: Mapping[str, str]) -> Plain:
    """The state of a server; `gone` has what uids of objects stood for that may be gone by now."""
    told: Plain = {}
    for field, (kind, show) in _SHOWN.items():
        found = {_place(item): show(item) for item in view.of(kind)}
        if found:
            told[field] = found
    events = sorted(_events(view))
    if events:
        told["events"] = events
    text = json.dumps(told)
    for uid, meaning in {**gone, **meanings(view)}.items():
        text = text.replace(uid, meaning)
    for item in (*view.of("ResourceClaim"), *view.of("Pod")):
        if item.meta.generate_name:
            text = text.replace(item.name, _name(item))
    found_all: Plain = json.loads(_SHARE.sub("<share>", _TIME.sub("<time>", text)))
    return found_all


def meanings(view: View) -> Mapping[str, str]:
    """What every uid and every drawn name stands for."""
    found = {}
    for items in view.collections.values():
        for item in items.values():
            if item.resource.kind in _MEANT:
                found[item.uid] = f"<uid of {item.resource.kind} {_name(item)}>"
    return found


def _plain(item: Item) -> Plain:
    """The object with its nulls."""
    found: Plain = json.loads(item.body)
    return found


def _place(item: Item) -> str:
    return f"{item.namespace}/{_name(item)}" if item.namespace not in ("", "default") else _name(item)


def _name(item: Item) -> str:
    return f"{item.meta.generate_name}*" if item.meta.generate_name else item.name


def _pod(item: Item) -> Plain:
    plain = _plain(item)
    spec, status, meta = plain["spec"], plain.get("status", {}), plain["metadata"]
    conditions = {one["type"]: one for one in status.get("conditions") or ()}
    told: Plain = {"node": spec.get("nodeName"), "phase": status.get("phase")}
    for kind in ("PodScheduled", "DisruptionTarget"):
        one = conditions.get(kind)
        if one is not None and (kind == "DisruptionTarget" or one["status"] != "True"):
            told[kind] = {name: one[name] for name in ("status", "reason", "message") if name in one}
    for name in (
        "nominatedNodeName",
        "resourceClaimStatuses",
        "extendedResourceClaimStatus",
        "nodeAllocatableResourceClaimStatuses",
    ):
        told[name] = status.get(name)
    told["deleting"] = "deletionTimestamp" in meta
    told["priority"] = spec.get("priority")
    if _owned_by(meta, "Job"):
        told |= {"owners": _owners(meta), "schedulingGroup": spec.get("schedulingGroup")}
    return {name: value for name, value in told.items() if value}


def _claim(item: Item) -> Plain:
    plain = _plain(item)
    meta = plain["metadata"]
    told = {name: meta.get(name) for name in ("generateName", "labels", "annotations", "finalizers", "ownerReferences")}
    told["deleting"] = "deletionTimestamp" in meta
    if "resource.kubernetes.io/extended-resource-claim" in (meta.get("annotations") or {}):
        told["spec"] = plain["spec"]
    told = {name: value for name, value in told.items() if value}
    return told | {"status": plain["status"]} if "status" in plain else told


def _group(item: Item) -> Plain:
    plain = _plain(item)
    meta, spec, status = plain["metadata"], plain["spec"], plain.get("status", {})
    told: Plain = {"conditions": [_condition(one) for one in status.get("conditions") or ()]}
    told["priority"] = spec.get("priority", 0)
    for name in ("priorityClassName", "preemptionPolicy"):
        told[name] = spec.get(name)
    told["finalizers"] = meta.get("finalizers")
    told["deleting"] = "deletionTimestamp" in meta
    told["resourceClaimStatuses"] = status.get("resourceClaimStatuses")
    if _owned_by(meta, "Job"):
        told |= {"owners": _owners(meta), "spec": spec}
    return {name: value for name, value in told.items() if value or name in ("conditions", "priority")}


def _context(item: Item) -> Plain:
    owners = _plain(item)["metadata"].get("ownerReferences")
    told = {"spec": _plain(item).get("spec", {}), "status": _plain(item).get("status", {})}
    return {"ownerReferences": owners, **told} if owners else told


def _rule(item: Item) -> Plain:
    plain = _plain(item)
    conditions = [_condition(one) | _generation(one) for one in plain.get("status", {}).get("conditions") or ()]
    return {"generation": plain["metadata"].get("generation"), "conditions": conditions}


def _condition(one: Mapping[str, Any]) -> Plain:
    return {name: one.get(name, "") for name in ("type", "status", "reason", "message")}


def _generation(one: Mapping[str, Any]) -> Plain:
    return {"observedGeneration": one["observedGeneration"]} if "observedGeneration" in one else {}


def _workload(item: Item) -> Plain:
    return {"spec": _plain(item)["spec"], "owners": _owners(_plain(item)["metadata"])}


def _request(item: Item) -> Any:
    status = _plain(item).get("status")
    return {**status, "conditions": [_condition(one) for one in status["conditions"]]} if status else None


def _owned_by(meta: Mapping[str, Any], kind: str) -> bool:
    return any(one["kind"] == kind for one in meta.get("ownerReferences") or ())


def _owners(meta: Mapping[str, Any]) -> list[Any]:
    return [[one["kind"], one["name"], one.get("controller", False)] for one in meta.get("ownerReferences") or ()]


_SHOWN: Final[Mapping[str, tuple[str, Callable[[Item], Any]]]] = {
    "pods": ("Pod", _pod),
    "claims": ("ResourceClaim", _claim),
    "podGroups": ("PodGroup", _group),
    "compositePodGroups": ("CompositePodGroup", _group),
    "podSchedulingContexts": ("PodSchedulingContext", _context),
    "workloads": ("Workload", _workload),
    "deviceTaintRules": ("DeviceTaintRule", _rule),
    "resourcePoolStatusRequests": ("ResourcePoolStatusRequest", _request),
}


def _events(view: View) -> Iterator[list[str]]:
    """All events but those that say that a pod has its node or was made, and ours."""
    for item in view.of("Event"):
        plain = _plain(item)
        component = plain.get("reportingComponent") or plain.get("source", {}).get("component", "")
        if plain["reason"] in ("Scheduled", "SuccessfulCreate") or component.startswith("dravite"):
            continue
        about, related = plain["involvedObject"], plain.get("related")
        told = [plain["type"], plain["reason"], plain.get("action", ""), f"{about['kind']} {about['name']}"]
        told += [plain["message"], component]
        yield [*told, f"related {related['kind']} {related['name']}"] if related else told
