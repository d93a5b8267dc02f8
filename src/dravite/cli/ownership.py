"""Which pods that exist belong to a workload that somebody named, whether the workload itself was read or not."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from dravite.api.core_v1 import Pod
from dravite.api.meta import ObjectRef, controller_of
from dravite.workloads import BUILT_IN, Owned, Owners

KINDS: Final = {kind.lower(): kind for _, kind in BUILT_IN}
"""Kinds with pod templates as people type them, and as Kubernetes writes them."""


def belongs(pod: Pod, workloads: Collection[ObjectRef]) -> bool:
    """Whether one of the workloads controls the pod, directly or over objects that are not here."""
    meta = pod.metadata
    controller = controller_of(meta)
    if controller is None or not workloads:
        return False
    if ObjectRef(controller.kind, meta.namespace, controller.name) in workloads:
        return True
    owners = Owners(Owned(ref, "", None, {}) for ref in workloads)
    item = Owned(ObjectRef("Pod", meta.namespace, meta.name), meta.uid, controller, meta.labels)
    return owners.root_of(item).ref in workloads
