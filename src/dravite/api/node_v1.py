"""node.k8s.io/v1: RuntimeClass, which adds to what a pod needs and where it may run."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from dravite.api.core_v1 import Toleration
from dravite.api.meta import Model, ObjectMeta
from dravite.api.quantity import Quantity


class Overhead(Model, frozen=True, kw_only=True):
    """What the runtime itself takes, for every pod."""

    pod_fixed: Mapping[str, Quantity] = {}


class Scheduling(Model, frozen=True, kw_only=True):
    """Where pods of the class can run."""

    node_selector: Mapping[str, str] = {}
    tolerations: tuple[Toleration, ...] = ()


class RuntimeClass(Model, frozen=True, kw_only=True):
    api_version: Literal["node.k8s.io/v1"] = msgspec.field(default_factory=lambda: "node.k8s.io/v1")
    kind: Literal["RuntimeClass"] = msgspec.field(default_factory=lambda: "RuntimeClass")
    metadata: ObjectMeta = ObjectMeta()
    handler: str = ""
    overhead: Overhead | None = None
    scheduling: Scheduling | None = None
