"""Claims from templates: what the claim controller makes for pods before the scheduler may see them (A2).

A pure function of a snapshot. Why a pod has no claim is said by whoever resolves the pod's entries.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from dravite.api.core_v1 import Pod, PodResourceClaim, PodResourceClaimStatus
from dravite.api.meta import OwnerReference, controller_of
from dravite.api.releases import Profile
from dravite.api.resource_v1 import ResourceClaim, ResourceClaimTemplate
from dravite.diagnosis import upstream
from dravite.lifecycle.claim_quotas import QuotaBooks, books_of
from dravite.lifecycle.group_claims import POD_CLAIM_NAME as POD_CLAIM_NAME
from dravite.lifecycle.group_claims import claim_of_template, group_claim_name
from dravite.snapshot.generated_names import drawn_name, generate_name
from dravite.snapshot.manifests import PlannedPod
from dravite.snapshot.pod_claims import claim_name, group_with_claim, is_for_pod, is_unneeded
from dravite.snapshot.snapshot import Key, Snapshot, group_key, is_finished, key_of

Orphans = Mapping[tuple[str, str, str], str]
"""Claim by namespace, uid of the pod that controls it, and entry."""


class ClaimsOfPod(msgspec.Struct, frozen=True):
    """What the controller does for one pod.

    Attributes:
        made: the claims that it creates.
        statuses: the whole list that it then writes to the pod; None while an entry has no claim yet (A2.7).
    """

    made: tuple[ResourceClaim, ...]
    statuses: tuple[PodResourceClaimStatus, ...] | None


def make_claims(snapshot: Snapshot) -> Snapshot:
    """The snapshot in which every pod has the claims that can be made for it, and knows their names."""
    orphans, books = _orphans(snapshot), books_of(snapshot)
    refused: dict[tuple[str, str, str], str] = {}
    for planned in tuple(_served(snapshot)):
        if not any(_needs_claim(snapshot, planned.pod, entry) for entry in planned.pod.spec.resource_claims):
            continue
        if _waits_for_group(snapshot, planned.pod):
            continue
        result, books, refusal = _admitted(claims_of_pod(snapshot, planned.pod, orphans), books)
        snapshot = snapshot.with_made_claims(result.made)
        if refusal is not None:
            refused[(*key_of(planned.pod.metadata), refusal[0])] = refusal[1]
        elif result.statuses is not None:
            snapshot = snapshot.with_pod(with_statuses(planned.pod, result.statuses))
    same = refused == snapshot.refused_claims
    return snapshot if same else msgspec.structs.replace(snapshot, refused_claims=refused)


def _admitted(wanted: ClaimsOfPod, books: QuotaBooks) -> tuple[ClaimsOfPod, QuotaBooks, tuple[str, str] | None]:
    """The claims that quotas let through, up to the first that they refuse; its entry and the event about it."""
    for position, claim in enumerate(wanted.made):
        reason = books.why_not(claim)
        if reason is not None:
            entry = claim.metadata.annotations[POD_CLAIM_NAME]
            event = upstream.claim_refused(entry, claim.metadata.name, reason)
            return ClaimsOfPod(wanted.made[:position], None), books, (entry, event)
        books = books.charged(claim)
    return wanted, books, None


def claims_of_pod(snapshot: Snapshot, pod: Pod, orphans: Orphans) -> ClaimsOfPod:
    """What one pass of the controller does for a pod; the first entry without a template ends it (A2.8)."""
    made: list[ResourceClaim] = []
    names: dict[str, str] = {}
    for entry in pod.spec.resource_claims:
        if entry.resource_claim_template_name is None or is_unneeded(pod, entry):
            continue
        group = group_with_claim(snapshot, pod, entry)
        if group is not None:
            shared = group_claim_name(group, entry.name)
            if shared is None or _is_missed(snapshot, pod, shared):
                return ClaimsOfPod(tuple(made), None)
            names[entry.name] = shared
            continue
        name = _existing(snapshot, pod, entry, orphans)
        if name is None:
            template = snapshot.templates.get((pod.metadata.namespace, entry.resource_claim_template_name))
            if template is None:
                return ClaimsOfPod(tuple(made), None)
            name = _free_name(snapshot, pod, entry, made)
            claim = claim_from_template(pod, entry.name, template, (name, snapshot.profile))
            made.append(claim)
            name = claim.metadata.name
        names[entry.name] = name
    return ClaimsOfPod(tuple(made), _merged(pod, names))


def _is_missed(snapshot: Snapshot, pod: Pod, shared: str) -> bool:
    """Whether the controller sees that a claim of the group is gone: before 1.37 it remembers it for an hour."""
    return snapshot.profile.is_at_least("1.37") and snapshot.claim(pod.metadata.namespace, shared) is None


def claim_from_template(
    pod: Pod, entry: str, template: ResourceClaimTemplate, named: tuple[str, Profile]
) -> ResourceClaim:
    """The claim of this name that is made for one entry of a pod in a release (A2.5)."""
    owner = OwnerReference(
        api_version="v1",
        kind="Pod",
        name=pod.metadata.name,
        uid=pod.metadata.uid,
        controller=True,
        block_owner_deletion=True if named[1].release == "1.31" else None,
    )
    base = generate_name(pod.metadata.name, entry)
    return claim_of_template(template, entry, owner, (pod.metadata.namespace, named[0]), base)


def stand_in_uid(kind: str, key: Key) -> str:
    """The uid of an object that nobody has created yet."""
    return f"<uid of {kind} {key[0]}/{key[1]}>"


def with_statuses(pod: Pod, statuses: tuple[PodResourceClaimStatus, ...]) -> Pod:
    """The pod with the claims that were made for it noted in its status."""
    return msgspec.structs.replace(pod, status=msgspec.structs.replace(pod.status, resource_claim_statuses=statuses))


def _served(snapshot: Snapshot) -> Iterator[PlannedPod]:
    """The pods for which claims are made: those that have not ended and are not being deleted."""
    pods = (snapshot.pods[key] for key in snapshot.pod_order)
    return (one for one in pods if not is_finished(one.pod) and one.pod.metadata.deletion_timestamp is None)


def _needs_claim(snapshot: Snapshot, pod: Pod, entry: PodResourceClaim) -> bool:
    # A claim that the status names and that is gone is not made again by itself (A2.2, observed on 1.37.2).
    return (
        entry.resource_claim_template_name is not None
        and not is_unneeded(pod, entry)
        and claim_name(pod, entry) is None
        and snapshot.profile.enabled("DynamicResourceAllocation")
    )


def _waits_for_group(snapshot: Snapshot, pod: Pod) -> bool:
    """Whether the pod names a group that is not there: nothing is made for it until it is (A2.13)."""
    key = group_key(pod)
    return key is not None and snapshot.profile.enabled("GenericWorkload") and key not in snapshot.pod_groups


def _existing(snapshot: Snapshot, pod: Pod, entry: PodResourceClaim, orphans: Orphans) -> str | None:
    """The claim that the status names and that is the pod's own, or one that was made and not noted (A2.3)."""
    name = claim_name(pod, entry)
    claim = snapshot.claim(pod.metadata.namespace, name) if name else None
    if claim is not None and is_for_pod(claim, pod):
        return name
    return orphans.get((pod.metadata.namespace, pod.metadata.uid, entry.name))


def _orphans(snapshot: Snapshot) -> Orphans:
    found: dict[tuple[str, str, str], str] = {}
    for (namespace, name), claim in sorted(snapshot.claims.items(), key=lambda item: item[0]):
        entry = claim.metadata.annotations.get(POD_CLAIM_NAME)
        owner = controller_of(claim.metadata)
        if entry is not None and owner is not None and owner.kind == "Pod":
            found.setdefault((namespace, owner.uid, entry), name)
    return found


def _free_name(snapshot: Snapshot, pod: Pod, entry: PodResourceClaim, made: list[ResourceClaim]) -> str:
    namespace = pod.metadata.namespace
    taken = frozenset(claim.metadata.name for claim in made)
    base = generate_name(pod.metadata.name, entry.name)
    return drawn_name(base, lambda name: name in taken or (namespace, name) in snapshot.claims, snapshot.seed)


def _merged(pod: Pod, names: Mapping[str, str]) -> tuple[PodResourceClaimStatus, ...]:
    kept = [s for s in pod.status.resource_claim_statuses if s.name not in names]
    fresh = [PodResourceClaimStatus(name=entry, resource_claim_name=name) for entry, name in names.items()]
    return tuple(sorted((*kept, *fresh), key=lambda status: status.name))
