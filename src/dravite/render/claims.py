"""The claims of a plan with their status: what `plan -o yaml` prints and `kubectl apply --subresource=status` takes."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from dravite.api.meta import OwnerReference
from dravite.api.resource_v1 import ResourceClaim, ResourceClaimStatus
from dravite.diagnosis.verdicts import PodDecision, Waiting
from dravite.render.document import wire
from dravite.snapshot.pod_claims import pod_claims
from dravite.snapshot.snapshot import Snapshot

_UID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def claim_documents(decisions: Iterable[PodDecision], final: Snapshot) -> list[dict[str, Any]]:
    """The claims of the pods, in their order: first those that exist, as a patch of their status, then those that are
    yet to be made, whole and with `generateName`.

    Uids that are no uids stand for objects that never met a server; they are left out, and with them the
    reservations that need one.
    """
    existing: dict[tuple[str, str], dict[str, Any]] = {}
    new: dict[tuple[str, str], dict[str, Any]] = {}
    for decision in decisions:
        for claim in _claims_of(decision, final):
            key = (claim.metadata.namespace, claim.metadata.name)
            if claim.status.allocation is None:
                continue
            if key in final.made_claims:
                new[key] = _new(claim)
            else:
                existing[key] = _existing(claim)
    return [*existing.values(), *new.values()]


def _claims_of(decision: PodDecision, final: Snapshot) -> Iterator[ResourceClaim]:
    """The claims of a pod in the order of its entries, then the one for its extended resources."""
    pod = final.pods[(decision.pod.namespace, decision.pod.name)].pod
    entries = pod_claims(final, pod)
    if not isinstance(entries, Waiting):
        yield from (entry.claim for entry in entries)
    extended = pod.status.extended_resource_claim_status
    made = final.claim(decision.pod.namespace, extended.resource_claim_name) if extended else None
    if made is not None:
        yield made


def _existing(claim: ResourceClaim) -> dict[str, Any]:
    return {
        "apiVersion": claim.api_version,
        "kind": claim.kind,
        "metadata": {"name": claim.metadata.name, "namespace": claim.metadata.namespace},
        "status": _status(claim),
    }


def _new(claim: ResourceClaim) -> dict[str, Any]:
    given = claim.metadata
    metadata = msgspec.structs.replace(
        given,
        name="" if given.generate_name else given.name,
        uid="",
        owner_references=tuple(owner for owner in given.owner_references if _is_real(owner)),
    )
    return {
        "apiVersion": claim.api_version,
        "kind": claim.kind,
        "metadata": wire(metadata),
        "spec": wire(claim.spec),
        "status": _status(claim),
    }


def _is_real(owner: OwnerReference) -> bool:
    return bool(_UID.fullmatch(owner.uid))


def _status(claim: ResourceClaim) -> dict[str, Any]:
    """The status with ids as a server takes them: reservations with a uid, shares as uids that are always the same."""
    reserved = tuple(one for one in claim.status.reserved_for if _UID.fullmatch(one.uid))
    status = ResourceClaimStatus(allocation=claim.status.allocation, reserved_for=reserved)
    return _with_share_ids(wire(status), f"{claim.metadata.namespace}/{claim.metadata.name}")


def _with_share_ids(status: dict[str, Any], claim: str) -> dict[str, Any]:
    allocation: Mapping[str, Any] = status.get("allocation") or {}
    for result in allocation.get("devices", {}).get("results", ()):
        share = result.get("shareID")
        if share is not None and not _UID.fullmatch(share):
            result["shareID"] = str(uuid.uuid5(uuid.NAMESPACE_URL, f"dravite.dev/{claim}/{share}"))
    return status
