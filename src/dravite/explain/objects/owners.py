"""Where pods and claims come from: templates, and the revisions of a workload that is being rolled out."""

from __future__ import annotations

from collections.abc import Sequence

from dravite.api.core_v1 import Pod
from dravite.api.meta import ObjectRef, controller_of
from dravite.explain.case import Case
from dravite.explain.insights import Holding
from dravite.snapshot.pod_claims import claim_name
from dravite.snapshot.snapshot import Snapshot


def template_of(snapshot: Snapshot, pod: ObjectRef, claim: ObjectRef | None) -> ObjectRef | None:
    """The template that a pod's claim was made from; None where it was named itself, or is not the pod's."""
    planned = snapshot.pod(pod)
    if planned is None or claim is None:
        return None
    for entry in planned.pod.spec.resource_claims:
        if entry.resource_claim_template_name and claim_name(planned.pod, entry) == claim.name:
            return ObjectRef("ResourceClaimTemplate", pod.namespace, entry.resource_claim_template_name)
    return None


def pods_of_older_revisions(case: Case, holdings: Sequence[Holding]) -> tuple[ObjectRef, ...]:
    """Pods that hold devices in the way and belong to the Deployment of this pod, to a ReplicaSet of before."""
    owner = case.decision.owner
    if owner is None or owner.kind != "Deployment":
        return ()
    found: dict[ObjectRef, None] = {}
    for holding in holdings:
        for pod in holding.pods:
            planned = case.snapshot.pod(pod)
            if planned is not None and pod.namespace == owner.namespace and _is_of(planned.pod, owner.name):
                found[pod] = None
    return tuple(found)


def is_of_same_workload(case: Case, other: Pod) -> bool:
    """Whether the controller of another pod is that of this one, or one that its workload has made."""
    theirs, ours, owner = controller_of(other.metadata), controller_of(case.spec.metadata), case.decision.owner
    if theirs is None or other.metadata.namespace != case.ref.namespace:
        return False
    if ours is not None:
        return (ours.kind, ours.name) == (theirs.kind, theirs.name)
    if owner is None:
        return False
    return (owner.kind, owner.name) == (theirs.kind, theirs.name) or _is_of(other, owner.name)


def _is_of(pod: Pod, deployment: str) -> bool:
    """A Deployment names its ReplicaSets after itself and a hash of the pod template."""
    sets = [one.name for one in pod.metadata.owner_references if one.kind == "ReplicaSet" and one.controller]
    return any(name.rpartition("-")[0] == deployment for name in sets)
