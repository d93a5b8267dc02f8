"""The one table of meanings, put together: what a type is, and what a field of it means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dravite.schema import claim_words, group_words, slice_words

_TYPES: Final[Mapping[str, Mapping[str, str]]] = {**claim_words.WORDS, **slice_words.WORDS, **group_words.WORDS}
_SHARED: Final[Mapping[str, Mapping[str, str]]] = {
    **dict.fromkeys(("ExactDeviceRequest", "DeviceSubRequest", "DeviceRequest"), claim_words.EXACT),
    **dict.fromkeys(("Device", "BasicDevice"), slice_words.DEVICE),
    **dict.fromkeys(
        ("PodGroupTemplate", "CompositePodGroupTemplate", "PodGroupSpec", "CompositePodGroupSpec"), group_words.GROUP
    ),
}

ENUMS: Final[Mapping[tuple[str, str], tuple[str, ...]]] = {
    ("CompositePodGroupSpec", "preemptionPolicy"): ("PreemptLowerPriority", "Never"),
    ("CompositePodGroupTemplate", "preemptionPolicy"): ("PreemptLowerPriority", "Never"),
    ("Condition", "status"): ("True", "False", "Unknown"),
    ("DeviceAllocationConfiguration", "source"): ("FromClass", "FromClaim"),
    ("DeviceRequest", "allocationMode"): ("ExactCount", "All"),
    ("DeviceRequestAllocationResult", "skipNodeOperations"): ("NodePrepareResources", "NodeUnprepareResources", "*"),
    ("DeviceSubRequest", "allocationMode"): ("ExactCount", "All"),
    ("DeviceTaint", "effect"): ("None", "NoSchedule", "NoExecute"),
    ("DeviceToleration", "effect"): ("", "None", "NoSchedule", "NoExecute"),
    ("DeviceToleration", "operator"): ("Exists", "Equal"),
    ("ExactDeviceRequest", "allocationMode"): ("ExactCount", "All"),
    ("NodeSelectorRequirement", "operator"): ("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"),
    ("PodGroupSpec", "preemptionPolicy"): ("PreemptLowerPriority", "Never"),
    ("PodGroupTemplate", "preemptionPolicy"): ("PreemptLowerPriority", "Never"),
    ("PriorityClass", "preemptionPolicy"): ("PreemptLowerPriority", "Never"),
    ("ResourceSliceSpec", "skipNodeOperations"): ("NodePrepareResources", "NodeUnprepareResources", "*"),
}
"""Fields that take one of a few words; of a list, each of its items does."""


def meaning(owner: str, field: str = "") -> str:
    """What a field of a type means, or the type itself; empty for one that nobody described."""
    own = _TYPES.get(owner, {})
    if not field:
        return own.get("", "")
    return own.get(field) or _SHARED.get(owner, {}).get(field) or group_words.ANYWHERE.get(field, "")


def described() -> frozenset[tuple[str, str]]:
    """Every type and field that has a meaning of its own, for telling which of them are gone."""
    return frozenset((owner, field) for owner, fields in _TYPES.items() for field in fields)
