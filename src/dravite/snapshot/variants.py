"""Which of its three allocators Kubernetes runs. They differ in more than their features, so dravite must know.

The first one that knows all features that are on is taken (V-1, V-2); `dravite` has one allocator with a few
differences, each where it is decided.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

Variant: TypeAlias = Literal["stable", "incubating", "experimental"]

_STABLE: Final = frozenset({"AdminAccess", "DeviceTaints", "PartitionableDevices", "PrioritizedList"})
_INCUBATING: Final = _STABLE | {"ConsumableCapacity", "DeviceBindingAndStatus", "FractionalCapacityRange"}


def variant(features: frozenset[str]) -> Variant:
    """The allocator that runs while these features are on."""
    if features <= _STABLE:
        return "stable"
    return "incubating" if features <= _INCUBATING else "experimental"
