"""What a played scenario came to, in the form of the recordings: pods, claims and scores by name.

Names that are drawn at random are written as the recordings write them: `<claim pod:entry>`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from dravite.api.codec import encode
from dravite.api.core_v1 import Pod
from dravite.api.meta import ObjectRef
from dravite.api.resource_v1 import DeviceRequestAllocationResult, ResourceClaim
from dravite.diagnosis import upstream
from dravite.diagnosis.verdicts import Aborted, Unschedulable, Waiting
from dravite.lifecycle.claim_templates import POD_CLAIM_NAME
from dravite.scheduler.binding_conditions import awaited_devices_of
from dravite.scheduler.cycle import Attempt
from dravite.scheduler.extended_resources import ANNOTATION, IN_MEMORY_NAME
from dravite.scheduler.scores import NodeScore
from dravite.snapshot.snapshot import Key, Snapshot


def outcome(
    snapshot: Snapshot,
    attempts: Mapping[ObjectRef, Attempt],
    bound_before: frozenset[Key],
    names: Mapping[str, str],
) -> dict[str, Any]:
    """Pods that had no node at first, all claims, and the scores of placed pods that had a choice.

    `names` says what stands in the recordings for each drawn name, those of claims that are gone included.
    """
    pods = {}
    for key in snapshot.pod_order:
        if key not in bound_before:
            attempt = attempts.get(ObjectRef("Pod", *key))
            pods["/".join(key)] = _pod(snapshot.pods[key].pod, attempt, names)
            if awaited_devices_of(snapshot, ObjectRef("Pod", *key)):
                pods["/".join(key)] |= {"node": None, "reason": "", "message": ""}
    claims = {
        _claim_key(claim): _claim(claim) for _, claim in sorted(snapshot.claims.items(), key=lambda item: item[0])
    }
    scores = {
        f"{ref.namespace}/{ref.name}": {score.node: _score(score) for score in attempt.scores}
        for ref, attempt in attempts.items()
        if attempt.scores
    }
    return {"pods": pods, "claims": claims, "scores": scores}


def _pod(pod: Pod, attempt: Attempt | None, names: Mapping[str, str]) -> dict[str, Any]:
    told: dict[str, Any] = {"node": pod.spec.node_name or None}
    if not pod.spec.node_name and attempt is not None:
        told["reason"], told["message"] = _condition(attempt, names)
    if attempt is not None and attempt.earlier:
        told["earlier"] = [[upstream.UNSCHEDULABLE, _shown(one.message, names)] for one in attempt.earlier]
    statuses = [
        [status.name, _shown(status.resource_claim_name or "", names)] for status in pod.status.resource_claim_statuses
    ]
    if statuses:
        told["resourceClaimStatuses"] = statuses
    extended = pod.status.extended_resource_claim_status
    if extended is not None:
        plain = json.loads(encode(extended, "json"))
        told["extendedResourceClaimStatus"] = {
            **plain, "resourceClaimName": names.get(extended.resource_claim_name, "")
        }  # fmt: skip
    return told


def _condition(attempt: Attempt, names: Mapping[str, str]) -> tuple[str, str]:
    """Reason and message of PodScheduled=False; both empty for a pod that waits before the queue."""
    match attempt.decision:
        case Unschedulable(message=message):
            return upstream.UNSCHEDULABLE, _shown(message, names)
        case Aborted(message=message):
            return upstream.SCHEDULER_ERROR, _shown(message, names)
        case Waiting(reason="scheduling-gate"):
            return upstream.SCHEDULING_GATED, upstream.GATED_MESSAGE
        case _:
            return "", ""


def _claim(claim: ResourceClaim) -> dict[str, Any]:
    plain = json.loads(encode(claim, "json"))
    status = plain.get("status", {})
    allocation = status.get("allocation")
    told: dict[str, Any] = {"devices": None}
    if claim.metadata.deletion_timestamp is not None:
        told["deleting"] = True
    if claim.status.allocation is not None:
        results = claim.status.allocation.devices.results
        told["devices"] = [[one.request, one.driver, one.pool, one.device] for one in results]
        details = [_details(one) for one in results]
        told |= {"details": details} if any(details) else {}
        told |= {"config": allocation["devices"]["config"]} if allocation.get("devices", {}).get("config") else {}
        told |= {"nodeSelector": allocation["nodeSelector"]} if allocation.get("nodeSelector") else {}
    reserved = sorted([entry.resource, entry.name] for entry in claim.status.reserved_for)
    told |= {"reservedFor": reserved} if reserved else {}
    told |= {"finalizers": list(claim.metadata.finalizers)} if claim.metadata.finalizers else {}
    if claim.metadata.annotations.get(ANNOTATION) == "true":
        told |= {"spec": plain["spec"], "annotations": dict(claim.metadata.annotations)}
    return told


def _details(result: DeviceRequestAllocationResult) -> dict[str, Any]:
    plain = json.loads(encode(result, "json"))
    if "shareID" in plain:
        plain["shareID"] = "<random>"
    return {key: value for key, value in plain.items() if key not in ("request", "driver", "pool", "device")}


def _score(score: NodeScore) -> dict[str, int]:
    return {"total": score.total, **score.plugins}


def _claim_key(claim: ResourceClaim) -> str:
    shown = _drawn(claim)
    return f"{claim.metadata.namespace}/{shown or claim.metadata.name}"


def _drawn(claim: ResourceClaim) -> str | None:
    """`pod:entry` for a claim with a drawn name."""
    owner = next((one.name for one in claim.metadata.owner_references if one.controller), None)
    if owner is None:
        return None
    if claim.metadata.annotations.get(ANNOTATION) == "true":
        return f"{owner}:{IN_MEMORY_NAME}"
    entry = claim.metadata.annotations.get(POD_CLAIM_NAME)
    return f"{owner}:{entry}" if entry is not None else None


def shown_names(snapshot: Snapshot) -> Mapping[str, str]:
    """What stands in the recordings for each drawn name and uid."""
    drawn = {claim.metadata.name: _drawn(claim) for _, claim in snapshot.claims.items() if claim.metadata.generate_name}
    names = {name: f"<claim {shown}>" for name, shown in drawn.items() if shown is not None}
    pods = (snapshot.pods[key].pod.metadata for key in snapshot.pod_order)
    return names | {f'"{pod.uid}"': f'"<uid of Pod {pod.namespace}/{pod.name}>"' for pod in pods if pod.uid}


def _shown(text: str, names: Mapping[str, str]) -> str:
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, names[name])
    return text
