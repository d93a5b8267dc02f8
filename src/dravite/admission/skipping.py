"""Pods that name their node themselves never pass the scheduler, which alone allocates claims (A3.7, F9.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from dravite.admission.problems import Subject
from dravite.api.core_v1 import Pod, PodResourceClaim
from dravite.api.document import Problem
from dravite.api.resource_v1 import ResourceClaim

SKIPS_SCHEDULER: Final = "node-name-skips-scheduler"


def skips_scheduler(pod: Pod, subject: Subject, claim_of: Callable[[str], ResourceClaim | None]) -> Iterator[Problem]:
    """A warning where `spec.nodeName` keeps a pod's claims from being allocated.

    Args:
        subject: the pod, or the workload with its template.
        claim_of: the claim of that name in the pod's namespace; None where nobody knows of one.
    """
    node = pod.spec.node_name
    if not node or pod.status.phase not in ("", "Pending"):
        return
    made = {one.name: one.resource_claim_name for one in pod.status.resource_claim_statuses}
    waiting = [one.name for one in pod.spec.resource_claims if _is_left_alone(one, made.get(one.name), claim_of)]
    if waiting:
        message = (
            f"spec.nodeName binds the pod to {node} past the scheduler, and nobody else allocates its claims"
            f" ({', '.join(waiting)}): it never starts"
        )
        hint = f"choose the node with nodeSelector: {{kubernetes.io/hostname: {node}}} in place of nodeName"
        yield subject.problem("warning", SKIPS_SCHEDULER, message, "spec.nodeName", hint)


def _is_left_alone(entry: PodResourceClaim, made: str | None, claim_of: Callable[[str], ResourceClaim | None]) -> bool:
    """Whether the claim of an entry is there and not allocated, or is yet to be made."""
    name = entry.resource_claim_name or made
    if name is None:
        return entry.resource_claim_template_name is not None
    claim = claim_of(name)
    return claim is not None and claim.status.allocation is None
