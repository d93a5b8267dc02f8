"""Claims of groups: one claim per entry of a PodGroup, made from its template and shared by all its pods (A2.11).

Pure functions of a snapshot. They make nothing for pods: a pod that has the entry as well is given the name of the
claim by whoever makes the claims of pods.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from dravite.api.meta import ObjectMeta, OwnerReference
from dravite.api.releases import Profile
from dravite.api.resource_v1 import ResourceClaim, ResourceClaimTemplate
from dravite.api.scheduling_v1beta1 import PodGroup, PodGroupResourceClaim, PodGroupResourceClaimStatus
from dravite.snapshot.generated_names import drawn_name, generate_name
from dravite.snapshot.pod_claims import GROUP_CLAIMS
from dravite.snapshot.snapshot import Key, Snapshot, key_of

POD_CLAIM_NAME = "resource.kubernetes.io/pod-claim-name"


def make_group_claims(snapshot: Snapshot) -> Snapshot:
    """The snapshot in which every group has the claims that can be made for it, and knows their names."""
    if not snapshot.profile.enabled(GROUP_CLAIMS):
        return snapshot
    for group in tuple(snapshot.pod_groups.values()):
        if any(_needs_claim(group, entry) for entry in group.spec.resource_claims):
            snapshot = _with_claims_of(snapshot, group)
    return snapshot


def group_claim_name(group: PodGroup, entry: str) -> str | None:
    """The name of the claim made for an entry, as the group's status has it."""
    return next((s.resource_claim_name for s in group.status.resource_claim_statuses if s.name == entry), None)


def owner_version(profile: Profile) -> str:
    """The version under which the controller names a PodGroup as the owner of a claim."""
    return "scheduling.k8s.io/v1beta1" if profile.is_at_least("1.37") else "scheduling.k8s.io/v1alpha2"


def claim_of_template(
    template: ResourceClaimTemplate, entry: str, owner: OwnerReference, key: Key, base: str
) -> ResourceClaim:
    """The claim that is made for one entry of a pod or group: what the template says, and whose it is (A2.5)."""
    given = template.spec.metadata
    metadata = ObjectMeta(
        name=key[1],
        generate_name=base,
        namespace=key[0],
        uid=f"<uid of ResourceClaim {key[0]}/{key[1]}>",
        labels=given.labels,
        annotations={**given.annotations, POD_CLAIM_NAME: entry},
        owner_references=(owner,),
    )
    return ResourceClaim(metadata=metadata, spec=template.spec.spec)


def _needs_claim(group: PodGroup, entry: PodGroupResourceClaim) -> bool:
    return entry.resource_claim_template_name is not None and group_claim_name(group, entry.name) is None


def _with_claims_of(snapshot: Snapshot, group: PodGroup) -> Snapshot:
    """One pass of the controller; the first entry without a template ends it."""
    names: dict[str, str] = {}
    for entry in group.spec.resource_claims:
        if not _needs_claim(group, entry):
            continue
        name = _orphan(snapshot, group, entry.name)
        if name is None:
            key = (group.metadata.namespace, entry.resource_claim_template_name or "")
            template = snapshot.templates.get(key)
            if template is None:
                break
            claim = _made(snapshot, group, entry.name, template)
            snapshot, name = snapshot.with_made_claims((claim,)), claim.metadata.name
        names[entry.name] = name
    if not names:
        return snapshot
    from dravite.snapshot.cluster_edits import with_pod_group  # most clusters have no groups with claims

    return with_pod_group(snapshot, _with_statuses(group, names))


def _orphan(snapshot: Snapshot, group: PodGroup, entry: str) -> str | None:
    """A claim that was made for the entry and not noted in the status of the group."""
    for (namespace, name), claim in sorted(snapshot.claims.items(), key=lambda item: item[0]):
        if namespace == group.metadata.namespace and claim.metadata.annotations.get(POD_CLAIM_NAME) == entry:
            owners = (one for one in claim.metadata.owner_references if one.controller and one.kind == "PodGroup")
            if any(owner.uid == group.metadata.uid for owner in owners):
                return name
    return None


def _made(snapshot: Snapshot, group: PodGroup, entry: str, template: ResourceClaimTemplate) -> ResourceClaim:
    namespace, owner_name = key_of(group.metadata)
    base = generate_name(owner_name, entry)
    name = drawn_name(base, lambda drawn: (namespace, drawn) in snapshot.claims, snapshot.seed)
    owner = OwnerReference(
        api_version=owner_version(snapshot.profile),
        kind="PodGroup",
        name=owner_name,
        uid=group.metadata.uid,
        controller=True,
    )
    return claim_of_template(template, entry, owner, (namespace, name), base)


def _with_statuses(group: PodGroup, names: Mapping[str, str]) -> PodGroup:
    kept = [status for status in group.status.resource_claim_statuses if status.name not in names]
    fresh = [PodGroupResourceClaimStatus(name=entry, resource_claim_name=name) for entry, name in names.items()]
    status = msgspec.structs.replace(group.status, resource_claim_statuses=(*kept, *fresh))
    return msgspec.structs.replace(group, status=status)
