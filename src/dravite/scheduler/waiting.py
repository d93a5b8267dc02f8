"""Which pods never reach the scheduler, and why (A5.1, F1.1, F9.8)."""

from __future__ import annotations

from dravite.api.core_v1 import Pod
from dravite.api.meta import ObjectRef
from dravite.diagnosis.findings import MissingObject
from dravite.diagnosis.verdicts import Waiting
from dravite.scheduler.ordering import SCHEDULER_NAME
from dravite.snapshot.pod_claims import PodClaim, pod_claims
from dravite.snapshot.snapshot import Snapshot


def claims_or_waiting(snapshot: Snapshot, pod: Pod) -> tuple[PodClaim, ...] | Waiting:
    """The claims of a pod that may be scheduled, or what it waits for."""
    spec = pod.spec
    if spec.scheduling_gates:
        return Waiting(reason="scheduling-gate", detail=", ".join(gate.name for gate in spec.scheduling_gates))
    if spec.scheduler_name not in ("", SCHEDULER_NAME):
        return Waiting(reason="other-scheduler", detail=spec.scheduler_name)
    return _why_no_group(snapshot, pod) or pod_claims(snapshot, pod)


def _why_no_group(snapshot: Snapshot, pod: Pod) -> Waiting | None:
    """A pod that names a group waits for it, where groups are scheduled at all (E3.2)."""
    group = pod.spec.scheduling_group.pod_group_name if pod.spec.scheduling_group else None
    if group is None or not snapshot.profile.enabled("GenericWorkload"):
        return None
    if (pod.metadata.namespace, group) in snapshot.pod_groups:
        return None
    missing = MissingObject(
        ObjectRef("Pod", pod.metadata.namespace, pod.metadata.name),
        "spec.schedulingGroup.podGroupName",
        ObjectRef("PodGroup", pod.metadata.namespace, group),
    )
    return Waiting(reason="group-missing", missing=(missing,))
