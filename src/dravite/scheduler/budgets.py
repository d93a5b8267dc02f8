"""How many pods a PodDisruptionBudget lets go: what its status says, or what its controller would work out."""

from __future__ import annotations

from collections.abc import Sequence

from dravite.api.core_v1 import Pod
from dravite.api.names import label_selector_matches
from dravite.api.policy_v1 import PodDisruptionBudget
from dravite.snapshot.snapshot import Key, Snapshot, is_finished, key_of


def allowed_disruptions(snapshot: Snapshot) -> dict[Key, int]:
    """By budget, how many of its pods may be disrupted."""
    pods = [snapshot.pods[key].pod for key in snapshot.pod_order]
    return {key_of(budget.metadata): _allowed(budget, pods) for budget in snapshot.budgets}


def is_meant(budget: PodDisruptionBudget, pod: Pod) -> bool:
    """Whether a budget is about a pod; an empty selector means no pod to the scheduler."""
    selector = budget.spec.selector
    if selector is None or not (selector.match_labels or selector.match_expressions):
        return False
    same = budget.metadata.namespace == pod.metadata.namespace
    return same and label_selector_matches(selector, pod.metadata.labels) is True


def _allowed(budget: PodDisruptionBudget, pods: Sequence[Pod]) -> int:
    if budget.status is not None:
        return budget.status.disruptions_allowed
    meant = [pod for pod in pods if is_meant(budget, pod) and not is_finished(pod)]
    healthy = sum(map(_is_healthy, meant))
    unavailable, available = budget.spec.max_unavailable, budget.spec.min_available
    if unavailable is not None:
        wanted = len(meant) - part_of(unavailable, len(meant))
    else:
        wanted = part_of(available if available is not None else 0, len(meant))
    return max(0, healthy - max(0, wanted))


def part_of(amount: int | str, whole: int) -> int:
    """A number, or a percentage of `whole`, rounded up."""
    if isinstance(amount, int):
        return amount
    digits = amount.removesuffix("%")
    return -(-int(digits) * whole // 100) if digits.isdigit() else 0


def _is_healthy(pod: Pod) -> bool:
    """A pod that runs and is not known to be unready."""
    if not pod.spec.node_name or pod.metadata.deletion_timestamp is not None:
        return False
    ready = next((one for one in pod.status.conditions if one.type == "Ready"), None)
    return ready is None or ready.status == "True"
