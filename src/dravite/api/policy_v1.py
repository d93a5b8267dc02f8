"""policy/v1: PodDisruptionBudget, which makes the scheduler prefer other victims."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from dravite.api.meta import LabelSelector, Model, ObjectMeta


class PodDisruptionBudgetSpec(Model, frozen=True, kw_only=True):
    """`min_available` and `max_unavailable` are a number or a percentage, as JSON has them; at most one is given."""

    min_available: int | str | None = None
    max_unavailable: int | str | None = None
    selector: LabelSelector | None = None


class PodDisruptionBudgetStatus(Model, frozen=True, kw_only=True):
    """What the disruption controller worked out; nothing in a manifest that was never applied."""

    disruptions_allowed: int = 0
    current_healthy: int = 0
    desired_healthy: int = 0
    expected_pods: int = 0
    disrupted_pods: Mapping[str, str] = {}


class PodDisruptionBudget(Model, frozen=True, kw_only=True):
    api_version: Literal["policy/v1"] = msgspec.field(default_factory=lambda: "policy/v1")
    kind: Literal["PodDisruptionBudget"] = msgspec.field(default_factory=lambda: "PodDisruptionBudget")
    metadata: ObjectMeta = ObjectMeta()
    spec: PodDisruptionBudgetSpec = PodDisruptionBudgetSpec()
    status: PodDisruptionBudgetStatus | None = None
