"""What the claim controller says of pods and groups whose claims it cannot make (A2.8).

A pure function of a snapshot; how often it is said is for the caller to decide.
"""

from __future__ import annotations

from collections.abc import Iterator

from dravite.api.core_v1 import Pod, pod_ref
from dravite.api.meta import ObjectRef
from dravite.diagnosis import upstream
from dravite.diagnosis.verdicts import Waiting
from dravite.lifecycle.group_claims import group_claim_name
from dravite.snapshot.pod_claims import GROUP_CLAIMS, group_with_claim, pod_claims
from dravite.snapshot.snapshot import Snapshot


def complaints(snapshot: Snapshot) -> Iterator[tuple[ObjectRef, str]]:
    """About whom something is said, and what."""
    for planned in snapshot.pending():
        pod = planned.pod
        found = pod_claims(snapshot, pod) if pod.spec.resource_claims else ()
        if isinstance(found, Waiting) and found.event is not None and not _is_its_groups(snapshot, pod, found):
            yield pod_ref(pod), found.event
    if not snapshot.profile.enabled(GROUP_CLAIMS):
        return
    for (namespace, name), group in snapshot.pod_groups.items():
        for entry in group.spec.resource_claims:
            template = entry.resource_claim_template_name
            if template is None or group_claim_name(group, entry.name) is not None:
                continue
            if (namespace, template) not in snapshot.templates:
                text = upstream.template_missing(entry.name, template, "PodGroupResourceClaim")
                yield ObjectRef("PodGroup", namespace, name), text


def _is_its_groups(snapshot: Snapshot, pod: Pod, found: Waiting) -> bool:
    """Whether the claim that is missing is one that the pod shares with its group."""
    missing = {one.missing.name for one in found.missing if one.missing.kind == "ResourceClaimTemplate"}
    entries = [entry for entry in pod.spec.resource_claims if entry.resource_claim_template_name in missing]
    return bool(entries) and group_with_claim(snapshot, pod, entries[0]) is not None
