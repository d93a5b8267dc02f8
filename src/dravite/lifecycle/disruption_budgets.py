"""What the status of a PodDisruptionBudget says: how many of its pods are well, and how many may go.

How many pods there should be is taken from the pods that there are, not from the workloads behind them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dravite.api.core_v1 import Pod
from dravite.api.names import label_selector_matches
from dravite.api.plain import PlainView
from dravite.api.policy_v1 import PodDisruptionBudget
from dravite.lifecycle.instants import text_of
from dravite.lifecycle.turns import is_active, observed
from dravite.scheduler.budgets import part_of
from dravite.snapshot.snapshot import is_finished
from dravite.workloads import is_ready
from dravite.workloads.raw_paths import look_up


def pods_of_budget(budget: PodDisruptionBudget, pods: Sequence[Pod]) -> list[Pod]:
    """The pods that a budget is about; an empty selector means all of its namespace."""
    selector = budget.spec.selector
    if selector is None:
        return []
    alive = (pod for pod in pods if not is_finished(pod) and pod.metadata.namespace == budget.metadata.namespace)
    return [pod for pod in alive if label_selector_matches(selector, pod.metadata.labels) is True]


def budget_status(budget: PodDisruptionBudget, plain: PlainView, pods: Sequence[Pod], now: float) -> PlainView:
    """The status of a budget with these pods; `plain` is the budget as it is, with its status of before."""
    expected = len(pods)
    healthy = sum(1 for pod in pods if is_active(pod) and is_ready(pod))
    unavailable, available = budget.spec.max_unavailable, budget.spec.min_available
    if unavailable is not None:
        desired = max(0, expected - part_of(unavailable, expected))
    else:
        desired = part_of(available if available is not None else 0, expected)
    allowed = max(0, healthy - desired) if expected else 0
    counts = {"currentHealthy": healthy, "desiredHealthy": desired, "disruptionsAllowed": allowed}
    condition = _condition(plain, now, is_allowed=allowed > 0)
    return {**counts, "expectedPods": expected, "conditions": [condition], **observed(plain)}


def _condition(plain: PlainView, now: float, *, is_allowed: bool) -> dict[str, Any]:
    status, reason = ("True", "SufficientPods") if is_allowed else ("False", "InsufficientPods")
    generation = look_up(plain, ("metadata", "generation"))
    before = look_up(plain, ("status", "conditions", 0))
    since = look_up(before, ("lastTransitionTime",)) if look_up(before, ("status",)) == status else None
    told = {"type": "DisruptionAllowed", "status": status, "reason": reason, "message": ""}
    return {**told, "lastTransitionTime": since or text_of(now), "observedGeneration": generation or 0}
