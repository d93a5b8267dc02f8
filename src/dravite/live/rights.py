"""The least rights that a command needs, as RBAC objects: lists, and watches where they are wanted. No writes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from dravite.api.registry import KINDS
from dravite.diagnosis.observations import Resource
from dravite.live.wanted import rights_of

API_VERSION: Final = "rbac.authorization.k8s.io/v1"
_CLUSTER_WIDE: Final = frozenset(Resource(info.group, info.plural) for info in KINDS if info.scope == "Cluster")


def roles(command: str, verbs: Sequence[str], namespace: str = "") -> list[dict[str, Any]]:
    """The ClusterRole of a command; with a namespace also a Role, for those who may look into that one only."""
    wanted = rights_of(command)
    if not namespace:
        return [_role("ClusterRole", f"dravite-{command}", wanted, verbs)]
    inside = [one for one in wanted if one not in _CLUSTER_WIDE]
    outside = [one for one in wanted if one in _CLUSTER_WIDE]
    return [
        _role("ClusterRole", f"dravite-{command}", outside, verbs),
        _role("Role", f"dravite-{command}", inside, verbs, namespace),
    ]


def _role(
    kind: str, name: str, resources: Iterable[Resource], verbs: Sequence[str], namespace: str = ""
) -> dict[str, Any]:
    rules: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for one in resources:
        rules.setdefault((one.group, _verbs(one, verbs)), []).append(one.plural)
    told = [
        {"apiGroups": [group], "resources": plurals, "verbs": list(granted)}
        for (group, granted), plurals in rules.items()
    ]
    metadata = {"name": name, "namespace": namespace} if namespace else {"name": name}
    return {"apiVersion": API_VERSION, "kind": kind, "metadata": metadata, "rules": told}


def _verbs(one: Resource, verbs: Sequence[str]) -> tuple[str, ...]:
    """Events are never watched."""
    return ("list",) if one == Resource("", "events") else tuple(verbs)
