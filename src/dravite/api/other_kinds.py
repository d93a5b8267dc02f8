"""Kinds of Kubernetes' own groups that play no part in planning, so that a misspelt kind can be told from them.

A table and one question. A group without a dot belongs to Kubernetes: custom resources need one with a dot.
Source: discovery of 1.31 to 1.37.
"""

from __future__ import annotations

from typing import Final

import msgspec

from dravite.api.near import nearest
from dravite.api.registry import KINDS

_OTHERS: Final = {
    "": "Binding ComponentStatus ConfigMap Endpoints Event LimitRange PersistentVolume PersistentVolumeClaim"
    " PodTemplate ReplicationController ResourceQuota Secret Service ServiceAccount Status Config",
    "apps": "ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet",
    "autoscaling": "HorizontalPodAutoscaler",
    "batch": "CronJob Job",
    "policy": "Eviction",
    "extensions": "",
}
"""By group. `Status` and `Config` are what kubectl itself prints and reads."""

_NEWEST: Final = {"": "v1", "autoscaling": "autoscaling/v2"}
_NEAR: Final = 0.75


class Meant(msgspec.Struct, frozen=True):
    """A kind that exists, in the newest version of its group."""

    api_version: str
    kind: str


def _kinds() -> dict[str, str]:
    """Every kind that is known, and its newest apiVersion."""
    found = {kind: _NEWEST.get(group, f"{group}/v1") for group, kinds in _OTHERS.items() for kind in kinds.split()}
    return found | {info.kind: info.hub for info in KINDS}


def is_whole(group: str) -> bool:
    """Whether all kinds of a group are known here or to the registry."""
    return group in _OTHERS


def is_other_kind(group: str, kind: str) -> bool:
    """Whether Kubernetes has the kind, although dravite has no use for it."""
    return kind in _OTHERS.get(group, "").split()


def meant_by(kind: str) -> Meant | None:
    """The kind whose name is this one or nearly so, whatever its group; None where nothing is near."""
    kinds = _kinds()
    by_lower = {name.lower(): name for name in kinds}
    lower = kind.lower()
    near = by_lower.get(lower) or by_lower.get(lower.removesuffix("s"))
    if near is None:
        near = nearest(kind, kinds, _NEAR)
    return None if near is None else Meant(kinds[near], near)
