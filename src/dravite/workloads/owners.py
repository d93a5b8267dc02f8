"""Which workload a pod that exists belongs to, however many controllers stand between them.

Owners are followed by uid where both sides have one, else by kind and name: manifests have no uids. Where a link is
missing (a Deployment and its pods were read, but not the ReplicaSet) the labels that controllers leave on pods help.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from dravite.api.meta import ObjectRef, OwnerReference

_NAMED_BY_LABEL: Final = (
    # (kind, label that holds the workload's name)
    ("JobSet", "jobset.sigs.k8s.io/jobset-name"),
    ("LeaderWorkerSet", "leaderworkerset.sigs.k8s.io/name"),
    ("MPIJob", "training.kubeflow.org/job-name"),
    ("RayCluster", "ray.io/cluster"),
    ("Job", "batch.kubernetes.io/job-name"),
)
_HASH: Final = "pod-template-hash"
_MAX_LINKS: Final = 16


class Owned(msgspec.Struct, frozen=True):
    """What must be known of an object to find its owner; `controller` is its ownerReference with `controller: true`."""

    ref: ObjectRef
    uid: str
    controller: OwnerReference | None
    labels: Mapping[str, str]


class Owners:
    """All objects that were read, pods and workloads alike, ready to be asked who belongs to whom."""

    __slots__ = ("_by_ref", "_by_uid")

    def __init__(self, objects: Iterable[Owned]) -> None:
        self._by_ref = {item.ref: item for item in objects}
        self._by_uid = {item.uid: item for item in self._by_ref.values() if item.uid}

    def controller_of(self, item: Owned) -> Owned | None:
        """The object that was read and controls this one, directly or through objects that were not read."""
        owner = item.controller
        if owner is None:
            return None
        return self._referred(owner, item.ref.namespace) or self._labelled(item, owner)

    def root_of(self, item: Owned) -> Owned:
        """The topmost object that was read and controls this one; itself when none does."""
        for _ in range(_MAX_LINKS):
            owner = self.controller_of(item)
            if owner is None or owner is item:
                break
            item = owner
        return item

    def _referred(self, owner: OwnerReference, namespace: str) -> Owned | None:
        found = self._by_uid.get(owner.uid) or self._by_ref.get(ObjectRef(owner.kind, namespace, owner.name))
        if found is None or (found.uid and owner.uid and found.uid != owner.uid):
            return None
        return found

    def _labelled(self, item: Owned, owner: OwnerReference) -> Owned | None:
        namespace = item.ref.namespace
        template_hash = item.labels.get(_HASH)
        if owner.kind == "ReplicaSet" and template_hash and owner.name.endswith(f"-{template_hash}"):
            name = owner.name.removesuffix(f"-{template_hash}")
            return self._by_ref.get(ObjectRef("Deployment", namespace, name))
        for kind, label in _NAMED_BY_LABEL:
            if label in item.labels:
                found = self._by_ref.get(ObjectRef(kind, namespace, item.labels[label]))
                if found is not None and found.ref != item.ref:
                    return found
        return None
