"""scheduling.k8s.io/v1: PriorityClass, what a priority name is worth."""

from __future__ import annotations

from typing import Literal

import msgspec

from dravite.api.meta import NUMBER, Model, ObjectMeta


class PriorityClass(Model, frozen=True, kw_only=True):
    """`preemption_policy` may be present and empty, which is an error of its own; missing is defaulted."""

    api_version: Literal["scheduling.k8s.io/v1"] = msgspec.field(default_factory=lambda: "scheduling.k8s.io/v1")
    kind: Literal["PriorityClass"] = msgspec.field(default_factory=lambda: "PriorityClass")
    metadata: ObjectMeta = ObjectMeta()
    value: int = NUMBER
    global_default: bool = False
    description: str = ""
    preemption_policy: str | None = None
