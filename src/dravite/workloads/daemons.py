"""One pod a node: which nodes a DaemonSet picks, and the pod that it makes for one of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from dravite.api.core_v1 import Node, Pod, Taint, Toleration
from dravite.api.names import node_matches_lazily
from dravite.workloads.expansion import ExpandedPod

_TOLERATED: Final = (
    # (key, effect): what the DaemonSet controller lets its pods tolerate.
    ("node.kubernetes.io/not-ready", "NoExecute"),
    ("node.kubernetes.io/unreachable", "NoExecute"),
    ("node.kubernetes.io/disk-pressure", "NoSchedule"),
    ("node.kubernetes.io/memory-pressure", "NoSchedule"),
    ("node.kubernetes.io/pid-pressure", "NoSchedule"),
    ("node.kubernetes.io/unschedulable", "NoSchedule"),
)
_HOST_NETWORK: Final = ("node.kubernetes.io/network-unavailable", "NoSchedule")


def pin_to_node(expanded: ExpandedPod, node_name: str) -> ExpandedPod:
    """The pod of one node: named after it, bound to it by node affinity, with the tolerations of a daemon."""
    spec = expanded.pod["spec"]
    added = (
        {"key": key, "operator": "Exists", "effect": effect} for key, effect in _tolerated(spec.get("hostNetwork"))
    )
    tolerations = [*(spec.get("tolerations") or ()), *added]
    pinned = {**spec, "affinity": _pinned(spec.get("affinity"), node_name), "tolerations": tolerations}
    metadata = {**expanded.pod["metadata"], "name": expanded.name.replace("{node}", node_name)}
    pod = {**expanded.pod, "metadata": metadata, "spec": pinned}
    return msgspec.structs.replace(expanded, pod=pod, per_node=False)


def daemon_nodes(template: Pod, nodes: Sequence[Node]) -> tuple[str, ...]:
    """The nodes for which a pod is made, in their order. `template` is the pod before it is pinned.

    What counts is the node's name, the node selector, the required node affinity, and the taints NoSchedule and
    NoExecute. Resources and devices do not: where they are missing the pod is made and stays pending.
    """
    spec = template.spec
    added = (Toleration(key=key, operator="Exists", effect=effect) for key, effect in _tolerated(spec.host_network))
    tolerations = (*spec.tolerations, *added)
    return tuple(
        node.metadata.name
        for node in nodes
        if spec.node_name in ("", node.metadata.name)
        and _is_selected(template, node)
        and all(_tolerates(tolerations, taint) for taint in node.spec.taints)
    )


def _is_selected(pod: Pod, node: Node) -> bool:
    labels = node.metadata.labels
    if any(labels.get(key) != value for key, value in pod.spec.node_selector.items()):
        return False
    affinity = pod.spec.affinity
    if affinity is None or affinity.node_affinity is None or affinity.node_affinity.required is None:
        return True
    return node_matches_lazily(affinity.node_affinity.required, node.metadata.name, labels) is True


def _tolerates(tolerations: Sequence[Toleration], taint: Taint) -> bool:
    if taint.effect not in ("NoSchedule", "NoExecute"):
        return True
    return any(
        toleration.effect in ("", taint.effect)
        and toleration.key in ("", taint.key)
        and (toleration.operator == "Exists" or (bool(toleration.key) and toleration.value == taint.value))
        for toleration in tolerations
    )


def _tolerated(host_network: object) -> Iterator[tuple[str, str]]:
    yield from _TOLERATED
    if host_network is True:
        yield _HOST_NETWORK


def _pinned(affinity: Any, node_name: str) -> dict[str, Any]:
    """Every required term with the node's name in its fields; the template's own name rules give way."""
    affinity = affinity if isinstance(affinity, Mapping) else {}
    node_affinity = affinity.get("nodeAffinity")
    node_affinity = node_affinity if isinstance(node_affinity, Mapping) else {}
    required = node_affinity.get("requiredDuringSchedulingIgnoredDuringExecution")
    terms = required.get("nodeSelectorTerms") if isinstance(required, Mapping) else None
    fields = [{"key": "metadata.name", "operator": "In", "values": [node_name]}]
    pinned = [{**term, "matchFields": fields} for term in terms or () if isinstance(term, Mapping)]
    selector = {"nodeSelectorTerms": pinned or [{"matchFields": fields}]}
    return {
        **affinity,
        "nodeAffinity": {**node_affinity, "requiredDuringSchedulingIgnoredDuringExecution": selector},
    }
