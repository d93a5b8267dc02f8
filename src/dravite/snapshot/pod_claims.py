"""Which claims the entries of a pod mean, and what keeps a pod from having them (A1, F1.1).

Looks and answers only: making claims from templates is a controller's work.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from dravite.api.core_v1 import Pod, PodResourceClaim, pod_ref
from dravite.api.meta import ObjectRef
from dravite.api.resource_v1 import ResourceClaim, ResourceClaimConsumerReference
from dravite.api.scheduling_v1beta1 import PodGroup
from dravite.diagnosis import upstream
from dravite.diagnosis.findings import MissingObject
from dravite.diagnosis.verdicts import Waiting
from dravite.snapshot.snapshot import Key, Snapshot, group_key, key_of

GROUP_CLAIMS = "DRAWorkloadResourceClaims"


class PodClaim(msgspec.Struct, frozen=True):
    """The claim that one entry of `spec.resourceClaims` means.

    Attributes:
        entry: the name of the entry.
        claim: the claim.
        group: the group of the pod where groups may have claims, else nothing: what is reserved for it is reserved
            for the pod too (A3.4).
        consumer: who reserves the claim: the group for an entry of its own (A3.3), None for the pod itself.
    """

    entry: str
    claim: ResourceClaim
    group: str = ""
    consumer: ResourceClaimConsumerReference | None = None


def pod_claims(snapshot: Snapshot, pod: Pod) -> tuple[PodClaim, ...] | Waiting:
    """The claims of a pod in the order of its entries, or why it waits before the queue.

    An entry whose status says that no claim is needed is passed over. Without DynamicResourceAllocation entries mean
    nothing at all.
    """
    if not snapshot.profile.enabled("DynamicResourceAllocation"):
        return ()
    found: list[PodClaim] = []
    waits: list[Waiting] = []
    for position, entry in enumerate(pod.spec.resource_claims):
        claim = _claim_of(snapshot, pod, entry, f"spec.resourceClaims[{position}]")
        if isinstance(claim, Waiting):
            waits.append(claim)
        elif claim is not None:
            found.append(_for_consumer(snapshot, pod, entry, claim))
    return _told_together(waits) if waits else tuple(found)


def group_with_claim(snapshot: Snapshot, pod: Pod, entry: PodResourceClaim) -> PodGroup | None:
    """The group of the pod if it has the very same entry, so that all its pods share one claim (A2.12)."""
    if pod.spec.scheduling_group is None or not snapshot.profile.enabled(GROUP_CLAIMS):
        return None
    key = group_key(pod)
    group = snapshot.pod_groups.get(key) if key is not None else None
    if group is None:
        return None
    wanted = (entry.name, entry.resource_claim_name, entry.resource_claim_template_name)
    entries = group.spec.resource_claims
    same = any((o.name, o.resource_claim_name, o.resource_claim_template_name) == wanted for o in entries)
    return group if same else None


def _for_consumer(snapshot: Snapshot, pod: Pod, entry: PodResourceClaim, claim: ResourceClaim) -> PodClaim:
    if pod.spec.scheduling_group is None or not snapshot.profile.enabled(GROUP_CLAIMS):
        return PodClaim(entry.name, claim)
    named = pod.spec.scheduling_group.pod_group_name or ""
    group = group_with_claim(snapshot, pod, entry)
    if group is None:
        return PodClaim(entry.name, claim, named)
    consumer = ResourceClaimConsumerReference(
        api_group="scheduling.k8s.io", resource="podgroups", name=named, uid=group.metadata.uid
    )
    return PodClaim(entry.name, claim, named, consumer)


def _told_together(waits: list[Waiting]) -> Waiting:
    """Why the pod waits: the first entry that names what is not there, with all that is missing for others.

    An entry whose claim is not made because another entry's template is missing is not to blame.
    """
    first = next((one for one in waits if one.missing), waits[0])
    missing = tuple(missing for one in waits for missing in one.missing)
    return msgspec.structs.replace(first, missing=missing)


def claim_name(pod: Pod, entry: PodResourceClaim) -> str | None:
    """The name of the claim made for a template entry, as the pod's status has it; None where it has none."""
    return next((s.resource_claim_name for s in pod.status.resource_claim_statuses if s.name == entry.name), None)


def claim_keys(pod: Pod) -> Iterator[Key]:
    """What the claims of a pod's entries are found by, as far as their names are known."""
    for entry in pod.spec.resource_claims:
        name = entry.resource_claim_name or claim_name(pod, entry)
        if name is not None:
            yield (pod.metadata.namespace, name)


def present_claims(snapshot: Snapshot, pod: Pod) -> tuple[ResourceClaim, ...]:
    """The claims of a pod that are there, whether or not they are being deleted, that for extended resources last."""
    extended = pod.status.extended_resource_claim_status
    last = () if extended is None else ((pod.metadata.namespace, extended.resource_claim_name),)
    return tuple(claim for key in (*claim_keys(pod), *last) if (claim := snapshot.claims.get(key)) is not None)


def is_unneeded(pod: Pod, entry: PodResourceClaim) -> bool:
    """Whether the pod's status says that the entry needs no claim (A1.2)."""
    return any(s.name == entry.name and s.resource_claim_name is None for s in pod.status.resource_claim_statuses)


def is_for_pod(claim: ResourceClaim, pod: Pod) -> bool:
    """Whether the claim was made for this pod: it is controlled by it, by uid (A1.4)."""
    return claim.metadata.namespace == pod.metadata.namespace and any(
        owner.controller and owner.uid == pod.metadata.uid for owner in claim.metadata.owner_references
    )


def is_for_group(claim: ResourceClaim, pod: Pod) -> bool:
    """Whether the claim was made for the group that the pod names; the uid of the group plays no part (A1.4)."""
    group = pod.spec.scheduling_group.pod_group_name if pod.spec.scheduling_group else None
    return claim.metadata.namespace == pod.metadata.namespace and any(
        owner.controller
        and owner.kind == "PodGroup"
        and owner.name == group
        and owner.api_version.startswith("scheduling.k8s.io/")
        for owner in claim.metadata.owner_references
    )


def _claim_of(snapshot: Snapshot, pod: Pod, entry: PodResourceClaim, path: str) -> ResourceClaim | Waiting | None:
    namespace = pod.metadata.namespace
    if entry.resource_claim_name is not None:
        claim = snapshot.claim(namespace, entry.resource_claim_name)
        if claim is None:
            return _missing(pod, f"{path}.resourceClaimName", "ResourceClaim", entry.resource_claim_name)
        return _usable(claim)
    if entry.resource_claim_template_name is None:
        return Waiting(reason="unknown-claim-source", detail=entry.name)
    if is_unneeded(pod, entry):
        return None
    name = claim_name(pod, entry)
    claim = snapshot.claim(namespace, name) if name is not None else None
    if claim is not None:
        owned = is_for_pod(claim, pod) or (snapshot.profile.enabled(GROUP_CLAIMS) and is_for_group(claim, pod))
        return _usable(claim) if owned else Waiting(reason="claim-not-owned", detail=claim.metadata.name)
    return _not_made(snapshot, pod, entry, path)


def _not_made(snapshot: Snapshot, pod: Pod, entry: PodResourceClaim, path: str) -> Waiting:
    """The claim that a controller should have made is not there: the template is missing, or the claim is gone."""
    template = entry.resource_claim_template_name or ""
    if (pod.metadata.namespace, template) not in snapshot.templates:
        event = upstream.template_missing(entry.name, template)
        return _missing(pod, f"{path}.resourceClaimTemplateName", "ResourceClaimTemplate", template, event)
    name = claim_name(pod, entry)
    refused = snapshot.refused_claims.get((*key_of(pod.metadata), entry.name))
    if refused is not None:
        return Waiting(reason="claim-refused", detail=refused.partition(" is forbidden: ")[2], event=refused)
    if name is None:
        return Waiting(reason="template-missing", detail=entry.name)
    return _missing(pod, f"{path}.resourceClaimTemplateName", "ResourceClaim", name)


def _usable(claim: ResourceClaim) -> ResourceClaim | Waiting:
    if claim.metadata.deletion_timestamp is None:
        return claim
    return Waiting(reason="claim-deleting", detail=claim.metadata.name)


def _missing(pod: Pod, field: str, kind: str, name: str, event: str | None = None) -> Waiting:
    named_by = pod_ref(pod)
    missing = MissingObject(named_by, field, ObjectRef(kind, pod.metadata.namespace, name))
    reason = "template-missing" if kind == "ResourceClaimTemplate" else "claim-missing"
    return Waiting(reason=reason, missing=(missing,), event=event)
