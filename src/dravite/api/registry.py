"""The kinds dravite knows: how they are named, where they live, and which release serves which version.

A table and two questions about it. It knows no conversion (`convert`) and no gate (`releases`).
Sources: discovery of 1.31.14, 1.36.5 and 1.37.2, and the API types of the releases between them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from dravite.api import (
    core_v1,
    node_v1,
    policy_v1,
    resource_v1,
    resource_v1alpha3,
    resource_v1beta1,
    resource_v1beta2,
    scheduling_v1,
    scheduling_v1alpha1,
    scheduling_v1alpha2,
    scheduling_v1alpha3,
    scheduling_v1beta1,
)
from dravite.api.gates import RELEASES
from dravite.api.meta import Model

Scope = Literal["Cluster", "Namespaced"]
Served = Literal["always", "if-enabled", "never"]
"""`if-enabled`: only when the API server is told to with `--runtime-config`, and its gate, if any, is on."""

_RESOURCE: Final = "resource.k8s.io"
_SCHEDULING: Final = "scheduling.k8s.io"


class KindInfo(msgspec.Struct, frozen=True, kw_only=True):
    """One kind, whatever its version.

    Attributes:
        group: the API group; empty for the core group.
        storage: the version that a 1.37 keeps in etcd, or the last one that a kind had.
        types: the class of each version that can be read, newest first. The first one is the hub.
        subresources: for example `status`.
        deletes_to: what DELETE answers with in the newest version.
        unconditional_update: whether a PUT may leave out the resourceVersion, in the newest version.
        gate: while it is off no version of the kind is served; empty if there is none.
    """

    kind: str
    group: str
    plural: str
    scope: Scope
    storage: str
    types: Mapping[str, type[Model]]
    short_names: tuple[str, ...] = ()
    subresources: tuple[str, ...] = ()
    deletes_to: Literal["object", "Status"] = "object"
    unconditional_update: bool = True
    gate: str = ""

    @property
    def singular(self) -> str:
        return self.kind.lower()

    @property
    def hub(self) -> str:
        """The apiVersion that every other one is converted to."""
        return self.api_version(next(iter(self.types)))

    def api_version(self, version: str) -> str:
        return f"{self.group}/{version}" if self.group else version

    def type_of(self, api_version: str) -> type[Model] | None:
        """The class of one version, or None when the kind does not exist in it."""
        group, _, version = api_version.rpartition("/")
        return self.types.get(version) if group == self.group else None


def _versions(kind: str, **modules: object) -> Mapping[str, type[Model]]:
    return {version: getattr(module, kind) for version, module in modules.items()}


_OLD_FOUR: Final = {
    "v1": resource_v1,
    "v1beta2": resource_v1beta2,
    "v1beta1": resource_v1beta1,
    "v1alpha3": resource_v1alpha3,
}

KINDS: Final = (
    KindInfo(
        kind="DeviceClass",
        group=_RESOURCE,
        plural="deviceclasses",
        scope="Cluster",
        storage="v1",
        types=_versions("DeviceClass", **_OLD_FOUR),
    ),
    KindInfo(
        kind="DeviceTaintRule",
        group=_RESOURCE,
        plural="devicetaintrules",
        scope="Cluster",
        storage="v1beta2",
        types=_versions("DeviceTaintRule", v1=resource_v1, v1beta2=resource_v1beta2, v1alpha3=resource_v1alpha3),
        subresources=("status",),
        deletes_to="Status",
        unconditional_update=False,
    ),
    KindInfo(
        kind="PodSchedulingContext",
        group=_RESOURCE,
        plural="podschedulingcontexts",
        scope="Namespaced",
        storage="v1alpha3",
        types=_versions("PodSchedulingContext", v1alpha3=resource_v1alpha3),
        subresources=("status",),
    ),
    KindInfo(
        kind="ResourceClaim",
        group=_RESOURCE,
        plural="resourceclaims",
        scope="Namespaced",
        storage="v1",
        types=_versions("ResourceClaim", **_OLD_FOUR),
        subresources=("status",),
    ),
    KindInfo(
        kind="ResourceClaimTemplate",
        group=_RESOURCE,
        plural="resourceclaimtemplates",
        scope="Namespaced",
        storage="v1",
        types=_versions("ResourceClaimTemplate", **_OLD_FOUR),
    ),
    KindInfo(
        kind="ResourcePoolStatusRequest",
        group=_RESOURCE,
        plural="resourcepoolstatusrequests",
        scope="Cluster",
        storage="v1alpha3",
        types=_versions("ResourcePoolStatusRequest", v1alpha3=resource_v1alpha3),
        subresources=("status",),
        unconditional_update=False,
    ),
    KindInfo(
        kind="ResourceSlice",
        group=_RESOURCE,
        plural="resourceslices",
        scope="Cluster",
        storage="v1",
        types=_versions("ResourceSlice", **_OLD_FOUR),
    ),
    KindInfo(
        kind="PriorityClass",
        group=_SCHEDULING,
        plural="priorityclasses",
        scope="Cluster",
        storage="v1",
        types=_versions("PriorityClass", v1=scheduling_v1, v1beta1=scheduling_v1beta1, v1alpha1=scheduling_v1alpha1),
        short_names=("pc",),
        deletes_to="Status",
    ),
    KindInfo(
        kind="Workload",
        group=_SCHEDULING,
        plural="workloads",
        scope="Namespaced",
        storage="v1beta1",
        types=_versions(
            "Workload",
            v1beta1=scheduling_v1beta1,
            v1alpha3=scheduling_v1alpha3,
            v1alpha2=scheduling_v1alpha2,
            v1alpha1=scheduling_v1alpha1,
        ),
        deletes_to="Status",
        unconditional_update=False,
        gate="GenericWorkload",
    ),
    KindInfo(
        kind="PodGroup",
        group=_SCHEDULING,
        plural="podgroups",
        scope="Namespaced",
        storage="v1beta1",
        types=_versions(
            "PodGroup", v1beta1=scheduling_v1beta1, v1alpha3=scheduling_v1alpha3, v1alpha2=scheduling_v1alpha2
        ),
        subresources=("status",),
        deletes_to="Status",
        unconditional_update=False,
        gate="GenericWorkload",
    ),
    KindInfo(
        kind="CompositePodGroup",
        group=_SCHEDULING,
        plural="compositepodgroups",
        scope="Namespaced",
        storage="v1alpha3",
        types=_versions("CompositePodGroup", v1alpha3=scheduling_v1alpha3),
        subresources=("status",),
        deletes_to="Status",
        unconditional_update=False,
        gate="CompositePodGroup",
    ),
    KindInfo(
        kind="RuntimeClass",
        group="node.k8s.io",
        plural="runtimeclasses",
        scope="Cluster",
        storage="v1",
        types=_versions("RuntimeClass", v1=node_v1),
        deletes_to="Status",
    ),
    KindInfo(
        kind="PodDisruptionBudget",
        group="policy",
        plural="poddisruptionbudgets",
        scope="Namespaced",
        storage="v1",
        types=_versions("PodDisruptionBudget", v1=policy_v1),
        short_names=("pdb",),
        subresources=("status",),
    ),
    KindInfo(
        kind="Namespace",
        group="",
        plural="namespaces",
        scope="Cluster",
        storage="v1",
        types=_versions("Namespace", v1=core_v1),
        short_names=("ns",),
        subresources=("finalize", "status"),
    ),
    KindInfo(
        kind="Node",
        group="",
        plural="nodes",
        scope="Cluster",
        storage="v1",
        types=_versions("Node", v1=core_v1),
        deletes_to="Status",
        short_names=("no",),
        subresources=("status",),
    ),
    KindInfo(
        kind="Pod",
        group="",
        plural="pods",
        scope="Namespaced",
        storage="v1",
        types=_versions("Pod", v1=core_v1),
        short_names=("po",),
        subresources=("binding", "status"),
    ),
)

_BY_KIND: Final = {(info.group, info.kind): info for info in KINDS}

_FOUR: Final = "DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice"

_SERVED: Final = {
    # (group, version, kinds): one letter a release from 1.31 on. S always, s if enabled, - never.
    (_RESOURCE, "v1alpha3", _FOUR): "sss----",
    (_RESOURCE, "v1alpha3", "PodSchedulingContext"): "s------",
    (_RESOURCE, "v1alpha3", "DeviceTaintRule"): "--sssss",
    (_RESOURCE, "v1alpha3", "ResourcePoolStatusRequest"): "-----ss",
    (_RESOURCE, "v1beta1", _FOUR): "-ssssss",
    (_RESOURCE, "v1beta2", _FOUR): "--sssss",
    (_RESOURCE, "v1beta2", "DeviceTaintRule"): "-----ss",
    (_RESOURCE, "v1", _FOUR): "---SSSS",
    (_RESOURCE, "v1", "DeviceTaintRule"): "------S",
    (_SCHEDULING, "v1", "PriorityClass"): "SSSSSSS",
    (_SCHEDULING, "v1alpha1", "Workload"): "----s--",
    (_SCHEDULING, "v1alpha2", "Workload PodGroup"): "-----s-",
    (_SCHEDULING, "v1alpha3", "Workload PodGroup CompositePodGroup"): "------s",
    (_SCHEDULING, "v1beta1", "Workload PodGroup"): "------s",
    ("node.k8s.io", "v1", "RuntimeClass"): "SSSSSSS",
    ("policy", "v1", "PodDisruptionBudget"): "SSSSSSS",
    ("", "v1", "Namespace Node Pod"): "SSSSSSS",
}

_LETTERS: Final[Mapping[str, Served]] = {"S": "always", "s": "if-enabled", "-": "never"}

_SERVED_BY_KIND: Final = {
    (group, version, kind): letters for (group, version, kinds), letters in _SERVED.items() for kind in kinds.split()
}


_DEPRECATED: Final = {
    # (apiVersion, kinds): the release that began to warn, and the one that no longer serves them.
    (f"{_RESOURCE}/v1beta1", _FOUR): ("1.35", "1.38"),
    (f"{_RESOURCE}/v1beta2", _FOUR): ("1.36", "1.39"),
    (f"{_RESOURCE}/v1alpha3", "DeviceTaintRule"): ("1.36", "1.39"),
}

_DEPRECATED_BY_KIND: Final = {
    (api_version, kind): releases for (api_version, kinds), releases in _DEPRECATED.items() for kind in kinds.split()
}


def lookup(api_version: str, kind: str) -> KindInfo | None:
    """The kind that an object says it is, or None when dravite has no type for this version of it."""
    group = api_version.rpartition("/")[0]
    info = _BY_KIND.get((group, kind))
    return info if info is not None and info.type_of(api_version) is not None else None


def known_kind(group: str, kind: str) -> KindInfo | None:
    """The kind of a group in any version: for an object whose version does not exist."""
    return _BY_KIND.get((group, kind))


def served(api_version: str, kind: str, release: str) -> Served:
    """Whether a known release serves a kind in a version. Gates that hide a kind are not looked at."""
    group, _, version = api_version.rpartition("/")
    letters = _SERVED_BY_KIND.get((group, version, kind))
    return "never" if letters is None else _LETTERS[letters[RELEASES.index(release)]]


def served_versions(info: KindInfo, release: str) -> tuple[str, ...]:
    """The apiVersions in which a known release can serve a kind, the preferred one first."""
    candidates = (info.api_version(version) for version in info.types)
    return tuple(version for version in candidates if served(version, info.kind, release) != "never")


def deprecation(api_version: str, kind: str, release: str) -> str | None:
    """What a server of a known release warns of when it answers in this version; None when it does not warn."""
    since, until = _DEPRECATED_BY_KIND.get((api_version, kind), ("", ""))
    if not since or RELEASES.index(release) < RELEASES.index(since):
        return None
    return f"{api_version} {kind} is deprecated in v{since}+, unavailable in v{until}+"
