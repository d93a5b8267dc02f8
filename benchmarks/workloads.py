"""Workload files: a cluster, pod templates that are lists of claims, and the order in which pods come.

The same files are read by the Go program in `upstream/`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import msgspec

from dravite.api.core_v1 import Node
from dravite.api.quantity import Quantity, QuantityError
from dravite.api.resource_v1 import DeviceClass, ResourceClaim, ResourceSlice

_DEFAULT: Final = frozenset(
    {
        "AdminAccess",
        "ConsumableCapacity",
        "DeviceBindingAndStatus",
        "DeviceTaints",
        "PartitionableDevices",
        "PrioritizedList",
    }
)


class Workload(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """What is to be placed where.

    Attributes:
        profile: features that are on; `default` is the only one.
        features: of the allocator that are on; None for those of the profile.
        templates: the claims of a pod by template.
        pods: the template of every pod, in order.
    """

    nodes: tuple[Node, ...]
    slices: tuple[ResourceSlice, ...]
    templates: dict[str, tuple[ResourceClaim, ...]]
    pods: tuple[str, ...]
    name: str = ""
    profile: str = "default"
    features: tuple[str, ...] | None = None
    classes: tuple[DeviceClass, ...] = ()
    allocated: tuple[ResourceClaim, ...] = ()

    @property
    def enabled(self) -> frozenset[str]:
        """The allocator's features that are on."""
        return _DEFAULT if self.features is None else frozenset(self.features)


def read_workload(path: Path) -> Workload:
    """The workload in a file. Raises msgspec.DecodeError where it is none."""
    workload = _DECODER.decode(path.read_bytes())
    if workload.profile not in ("", "default") and workload.features is None:
        message = f"{path}: unknown profile {workload.profile}"
        raise msgspec.ValidationError(message)
    return workload


def _read_quantity(kind: type, value: Any) -> Any:
    if kind is Quantity and isinstance(value, str | int):
        try:
            return Quantity.parse(str(value))
        except QuantityError as error:
            raise ValueError(str(error)) from None
    message = f"cannot be read as {kind.__name__}"
    raise ValueError(message)


_DECODER: Final = msgspec.json.Decoder(Workload, dec_hook=_read_quantity)
