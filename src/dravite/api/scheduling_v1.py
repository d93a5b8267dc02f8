"""scheduling.k8s.io/v1: PriorityClass, what a priority name is worth."""

from typing import Literal

import msgspec

from dravite.api.meta import LIST, NUMBER, ListMeta, Model, ObjectMeta

__all__ = [
    "PriorityClass",
    "PriorityClassList",
]


class PriorityClass(Model, frozen=True, kw_only=True):
    """`preemption_policy` may be present and empty, which is an error of its own; missing is defaulted."""

    api_version: Literal["scheduling.k8s.io/v1"] = msgspec.field(default_factory=lambda: "scheduling.k8s.io/v1")
    kind: Literal["PriorityClass"] = msgspec.field(default_factory=lambda: "PriorityClass")
    metadata: ObjectMeta = ObjectMeta()
    value: int = NUMBER
    global_default: bool = False
    description: str = ""
    preemption_policy: str | None = None


class PriorityClassList(Model, frozen=True, kw_only=True):
    api_version: Literal["scheduling.k8s.io/v1"] = msgspec.field(default_factory=lambda: "scheduling.k8s.io/v1")
    kind: Literal["PriorityClassList"] = msgspec.field(default_factory=lambda: "PriorityClassList")
    metadata: ListMeta = ListMeta()
    items: tuple[PriorityClass, ...] = LIST
