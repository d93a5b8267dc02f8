"""What a played scenario came to, in the form of the recordings: pods, claims and scores by name.

Names that are drawn at random are written as the recordings write them: `<claim pod:entry>`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from dravite.api.codec import encode
from dravite.api.core_v1 import Pod
from dravite.api.resource_v1 import DeviceRequestAllocationResult, ResourceClaim
from dravite.api.scheduling_v1beta1 import CompositePodGroup, PodGroup
from dravite.lifecycle.conditions import DISRUPTION_TARGET, POD_SCHEDULED, condition_of
from dravite.lifecycle.group_claims import POD_CLAIM_NAME
from dravite.rehearsal.rehearsal import Rehearsal
from dravite.scheduler.extended_resources import ANNOTATION, IN_MEMORY_NAME
from dravite.scheduler.placements import PlacementScore
from dravite.scheduler.scores import Points
from dravite.snapshot.snapshot import Key, key_of
from dravite.workloads.expansion import COMPLETION_INDEX
from dravite.workloads.job_groups import DRAWN


def outcome(rehearsal: Rehearsal, bound_before: frozenset[Key]) -> dict[str, Any]:
    """Pods that had no node at first or were disturbed, claims, groups, victims, and scores of choices."""
    told = _Told(rehearsal, shown_names(rehearsal))
    bound_before |= rehearsal.record.fixed
    snapshot, record = rehearsal.snapshot, rehearsal.record
    there = (snapshot.pods[key].pod for key in snapshot.pod_order)
    shown = [pod for pod in there if key_of(pod.metadata) not in bound_before or _is_disturbed(pod)]
    names = _pod_names([*shown, *record.removed.values()])
    pods = {names[key_of(pod.metadata)]: told.pod(pod) for pod in shown}
    pods |= {names[key]: told.pod(pod) | {"deleted": True} for key, pod in record.removed.items()}
    groups = {_hashed("/".join(key)): _group(group) for key, group in snapshot.pod_groups.items()}
    groups |= {"/".join(key): _group(group) for key, group in snapshot.composite_pod_groups.items()}
    return {
        "pods": pods,
        "claims": {
            _claim_key(claim): _claim(claim) for _, claim in sorted(snapshot.claims.items(), key=lambda item: item[0])
        },
        "groups": groups,
        "victims": sorted(f"{ref.namespace}/{ref.name}" for ref in record.victims),
        "scores": {
            names[key]: {node: _score(points) for node, points in scores.items()}
            for key, scores in record.looked.nodes.items()
            if key in names
        },
        "placements": {
            _hashed(f"{ref.namespace}/{ref.name}"): {score.domain: _placement_score(score) for score in scores}
            for ref, scores in record.looked.placements.items()
        },
        "counts": {"pods_on_node": _counts(rehearsal, bound_before)},
    }


class _Told:
    """What is told of pods, with the names of the recordings."""

    def __init__(self, rehearsal: Rehearsal, names: Mapping[str, str]) -> None:
        self._rehearsal, self._names = rehearsal, names

    def pod(self, pod: Pod) -> dict[str, Any]:
        """A pod in the form of the recordings."""
        key = (pod.metadata.namespace, pod.metadata.name)
        binding = key in self._rehearsal.binding
        told: dict[str, Any] = {"node": None if binding else pod.spec.node_name or None}
        scheduled = condition_of(pod, POD_SCHEDULED)
        if told["node"] is None:
            refused = scheduled is not None and scheduled.status == "False"
            told["reason"] = scheduled.reason if refused and scheduled is not None else ""
            told["message"] = self._shown(scheduled.message) if refused and scheduled is not None else ""
        if pod.metadata.deletion_timestamp is not None:
            told["deleted"] = True
        nominated = self._rehearsal.record.nominated.get(key)
        if nominated:
            told["nominated"] = [node for node in nominated if node]
        disruption = condition_of(pod, DISRUPTION_TARGET)
        if disruption is not None:
            told["disruption"] = [disruption.reason, disruption.message]
        return told | self._statuses(pod)

    def _statuses(self, pod: Pod) -> dict[str, Any]:
        told: dict[str, Any] = {}
        statuses = [[s.name, self._shown(s.resource_claim_name or "")] for s in pod.status.resource_claim_statuses]
        if statuses:
            told["resourceClaimStatuses"] = statuses
        taken = pod.status.node_allocatable_resource_claim_statuses
        if taken:
            plain = [json.loads(encode(one, "json")) for one in taken]
            shown = [{**one, "resourceClaimName": self._shown(one["resourceClaimName"])} for one in plain]
            told["nodeAllocatableResourceClaimStatuses"] = shown
        extended = pod.status.extended_resource_claim_status
        if extended is not None:
            plain = json.loads(encode(extended, "json"))
            name = self._names.get(extended.resource_claim_name, "")
            told["extendedResourceClaimStatus"] = {**plain, "resourceClaimName": name}
        return told

    def _shown(self, text: str) -> str:
        for name in sorted(self._names, key=len, reverse=True):
            text = text.replace(name, self._names[name])
        return text


def _pod_names(pods: Sequence[Pod]) -> Mapping[Key, str]:
    """The names of pods as the recordings write them: what a Job draws at random is a number there."""
    names: dict[Key, str] = {}
    drawn: Counter[str] = Counter()
    for pod in pods:
        namespace, name = key_of(pod.metadata)
        owner = next((one.name for one in pod.metadata.owner_references if one.kind == "Job"), None)
        if owner is not None:
            indexed = COMPLETION_INDEX in pod.metadata.annotations
            base = name if indexed else owner
            drawn[base] += 1
            name = f"{base}-<{drawn[base]}>"
        names[key_of(pod.metadata)] = f"{namespace}/{name}"
    return names


def _hashed(name: str) -> str:
    """The name of a group with what its controller draws as the recordings write it."""
    return name.replace(f"-{DRAWN}", "-<hash>")


def _is_disturbed(pod: Pod) -> bool:
    return pod.metadata.deletion_timestamp is not None


def _counts(rehearsal: Rehearsal, bound_before: frozenset[Key]) -> dict[str, int]:
    """How many pods of the scenario ended on which node; those that are going do not count."""
    counts: dict[str, int] = {}
    snapshot = rehearsal.snapshot
    for key in snapshot.pod_order:
        pod = snapshot.pods[key].pod
        going = pod.metadata.deletion_timestamp is not None
        if key not in bound_before and pod.spec.node_name and key not in rehearsal.binding and not going:
            counts[pod.spec.node_name] = counts.get(pod.spec.node_name, 0) + 1
    return counts


def _group(group: PodGroup | CompositePodGroup) -> dict[str, Any]:
    told: dict[str, Any] = {
        "conditions": [[one.type, one.status, one.reason, one.message] for one in group.status.conditions],
        "priority": group.spec.priority,
    }
    if group.kind != "PodGroup":
        told["kind"] = group.kind
    if isinstance(group, PodGroup) and group.status.resource_claim_statuses:
        told["resourceClaimStatuses"] = [
            [one.name, f"<claim podgroup/{group.metadata.name}:{one.name}>"]
            for one in group.status.resource_claim_statuses
        ]
    for name, value in (
        ("priorityClassName", group.spec.priority_class_name),
        ("preemptionPolicy", group.spec.preemption_policy),
        ("finalizers", list(group.metadata.finalizers)),
        ("deleting", group.metadata.deletion_timestamp is not None),
    ):
        if value:
            told[name] = value
    return told


def _placement_score(score: PlacementScore) -> dict[str, int]:
    plugins = {"PodGroupPodsCount": score.pods, "NodeResourcesFit": score.fullness}
    return {"total": score.total, **{name: value for name, value in plugins.items() if value}}


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


def _score(points: Points) -> dict[str, int]:
    return {"total": points.total, **points.plugins}


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
    of_group = any(one.controller and one.kind == "PodGroup" for one in claim.metadata.owner_references)
    return f"{'podgroup/' if of_group else ''}{owner}:{entry}" if entry is not None else None


def shown_names(rehearsal: Rehearsal) -> Mapping[str, str]:
    """What stands in the recordings for each drawn name and uid, those of claims and pods that are gone included."""
    claims = {claim.metadata.name: _drawn(claim) for claim in rehearsal.record.claims.values()}
    names = {name: f"<claim {shown}>" for name, shown in claims.items() if shown is not None}
    there = [rehearsal.snapshot.pods[key].pod for key in rehearsal.snapshot.pod_order]
    metas = [pod.metadata for pod in (*there, *rehearsal.record.removed.values())]
    return names | {f'"{meta.uid}"': f'"<uid of Pod {meta.namespace}/{meta.name}>"' for meta in metas if meta.uid}
