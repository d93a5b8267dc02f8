"""Which lists are maps or sets to Kubernetes, and which objects are one value: what merging and ownership go by.

A path is the names from the object's root, without positions. Lists that are not named are replaced as a whole.
Source: the markers of the API types, section 2 and 3 of their OpenAPI.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

Names = tuple[str, ...]

SET: Final[tuple[str, ...]] = ()
"""The keys of a list that is a set."""

_CONTAINER: Final = {
    "env": ("name",),
    "ports": ("containerPort", "protocol"),
    "volumeMounts": ("mountPath",),
    "volumeDevices": ("devicePath",),
    "resources.claims": ("name",),
}
_POD_SPEC: Final = {
    "containers": ("name",),
    "initContainers": ("name",),
    "ephemeralContainers": ("name",),
    "volumes": ("name",),
    "imagePullSecrets": ("name",),
    "hostAliases": ("ip",),
    "resourceClaims": ("name",),
    "schedulingGates": ("name",),
    "topologySpreadConstraints": ("topologyKey", "whenUnsatisfiable"),
    **{f"{place}.{name}": keys for place in ("containers", "initContainers") for name, keys in _CONTAINER.items()},
}
_GROUP_TEMPLATE: Final = {"resourceClaims": ("name",)}

_EVERYWHERE: Final[Mapping[str, tuple[str, ...]]] = {
    "metadata.ownerReferences": ("uid",),
    "metadata.finalizers": SET,
}

_LISTS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "ResourceClaim": {
        "status.reservedFor": ("uid",),
        "status.devices": ("driver", "device", "pool", "shareID"),
        "status.devices.conditions": ("type",),
    },
    "ResourceSlice": {"spec.skipNodeOperations": SET},
    "DeviceTaintRule": {"status.conditions": ("type",)},
    "ResourcePoolStatusRequest": {"status.conditions": ("type",)},
    "PodSchedulingContext": {"status.resourceClaims": ("name",)},
    "Workload": {
        "spec.podGroupTemplates": ("name",),
        "spec.compositePodGroupTemplates": ("name",),
        **{f"spec.podGroupTemplates.{name}": keys for name, keys in _GROUP_TEMPLATE.items()},
    },
    "PodGroup": {
        "spec.resourceClaims": ("name",),
        "status.resourceClaimStatuses": ("name",),
        "status.conditions": ("type",),
    },
    "CompositePodGroup": {"status.conditions": ("type",)},
    "Namespace": {"status.conditions": ("type",)},
    "Node": {
        "spec.podCIDRs": SET,
        "status.conditions": ("type",),
        "status.addresses": ("type",),
    },
    "Pod": {
        **{f"spec.{name}": keys for name, keys in _POD_SPEC.items()},
        "status.conditions": ("type",),
        "status.podIPs": ("ip",),
        "status.hostIPs": ("ip",),
        "status.resourceClaimStatuses": ("name",),
    },
    **{
        kind: {
            **{f"spec.template.spec.{name}": keys for name, keys in _POD_SPEC.items()},
            "status.conditions": ("type",),
        }
        for kind in ("DaemonSet", "Deployment", "Job", "ReplicaSet", "StatefulSet")
    },
    "Service": {"spec.ports": ("port", "protocol"), "status.conditions": ("type",)},
    "ServiceAccount": {"secrets": ("name",)},
}

_ATOMIC_NAMES: Final = frozenset(
    {"nodeSelector", "suitableNodes", "selector", "fieldRef", "resourceFieldRef", "configMapKeyRef"}
)
_ATOMIC_ITEMS: Final = frozenset({("metadata", "ownerReferences")})
"""Lists whose items are one value each."""

_RAW_NAMES: Final = frozenset({"parameters", "data"})
_RAW_KINDS: Final = frozenset({"ResourceClaim", "ResourceClaimTemplate", "DeviceClass"})


def list_keys(kind: str, path: Names) -> tuple[str, ...] | None:
    """The keys of a list that is a map, `SET` for a set, None for a list that is one value."""
    text = ".".join(path)
    found = _EVERYWHERE.get(text)
    return found if found is not None else _LISTS.get(kind, {}).get(text)


def is_atomic(kind: str, path: Names) -> bool:
    """Whether an object is one value, with no fields to own or to merge."""
    last = path[-1] if path else ""
    return path in _ATOMIC_ITEMS or last in _ATOMIC_NAMES or (last in _RAW_NAMES and kind in _RAW_KINDS)
