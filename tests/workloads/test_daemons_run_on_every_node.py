"""DaemonSets: which nodes get a pod, and how the pod is bound to its node."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from dravite.api.codec import from_plain
from dravite.api.core_v1 import Node, NodeSpec, Pod, Taint
from dravite.api.meta import ObjectMeta
from dravite.workloads import ExpandedPod, daemon_nodes, expand, pin_to_node

NODES = (
    Node(metadata=ObjectMeta(name="gpu-1", labels={"gpu": "yes"})),
    Node(metadata=ObjectMeta(name="cpu-1")),
    Node(metadata=ObjectMeta(name="tainted"), spec=NodeSpec(taints=(Taint(key="k", value="v", effect="NoSchedule"),))),
    Node(
        metadata=ObjectMeta(name="drained"),
        spec=NodeSpec(unschedulable=True, taints=(Taint(key="node.kubernetes.io/unschedulable", effect="NoSchedule"),)),
    ),
    Node(metadata=ObjectMeta(name="soft"), spec=NodeSpec(taints=(Taint(key="k", effect="PreferNoSchedule"),))),
)


def daemon(spec: str) -> ExpandedPod:
    text = f"{{apiVersion: apps/v1, kind: DaemonSet, metadata: {{name: d}}, spec: {{template: {{spec: {{{spec}}}}}}}}}"
    (item,) = expand(yaml.safe_load(text))
    assert isinstance(item, ExpandedPod)
    assert item.per_node
    return item


def typed(raw: Any) -> Pod:
    found = from_plain(raw, Pod)
    assert isinstance(found, Pod), found
    return found


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("", ("gpu-1", "cpu-1", "drained", "soft")),
        ("nodeSelector: {gpu: 'yes'}", ("gpu-1",)),
        ("tolerations: [{operator: Exists}]", ("gpu-1", "cpu-1", "tainted", "drained", "soft")),
        ("tolerations: [{key: k, value: v}]", ("gpu-1", "cpu-1", "tainted", "drained", "soft")),
        ("tolerations: [{key: k, value: other}]", ("gpu-1", "cpu-1", "drained", "soft")),
        (
            (
                "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                "{nodeSelectorTerms: [{matchExpressions: [{key: gpu, operator: DoesNotExist}]}]}}}"
            ),
            ("cpu-1", "drained", "soft"),
        ),
        (
            (
                "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                "{nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [cpu-1]}]}]}}}"
            ),
            ("cpu-1",),
        ),
    ],
)
def test_daemons_go_where_selectors_and_taints_let_them(spec: str, expected: tuple[str, ...]) -> None:
    assert daemon_nodes(typed(daemon(spec).pod), NODES) == expected


def test_a_pinned_pod_is_named_after_its_node_and_goes_nowhere_else() -> None:
    item = pin_to_node(daemon("containers: [], tolerations: [{key: mine, operator: Exists}]"), "gpu-1")
    assert (item.name, item.per_node, item.inferred) == ("d-gpu-1", False, True)
    spec = item.pod["spec"]
    assert spec["affinity"] == {
        "nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": {
                "nodeSelectorTerms": [
                    {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["gpu-1"]}]}
                ]
            }
        }
    }
    assert [toleration["key"] for toleration in spec["tolerations"]] == [
        "mine",
        "node.kubernetes.io/not-ready",
        "node.kubernetes.io/unreachable",
        "node.kubernetes.io/disk-pressure",
        "node.kubernetes.io/memory-pressure",
        "node.kubernetes.io/pid-pressure",
        "node.kubernetes.io/unschedulable",
    ]


def test_other_affinity_stays_with_the_name() -> None:
    affinity = (
        "hostNetwork: true, affinity: {podAffinity: {x: 1}, nodeAffinity: "
        "{preferredDuringSchedulingIgnoredDuringExecution: [], requiredDuringSchedulingIgnoredDuringExecution: "
        "{nodeSelectorTerms: [{matchExpressions: [{key: gpu, operator: Exists}]}]}}}"
    )
    spec = pin_to_node(daemon(affinity), "n").pod["spec"]
    fields = [{"key": "metadata.name", "operator": "In", "values": ["n"]}]
    assert spec["affinity"]["podAffinity"] == {"x": 1}
    assert spec["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"] == {
        "nodeSelectorTerms": [{"matchExpressions": [{"key": "gpu", "operator": "Exists"}], "matchFields": fields}]
    }
    assert spec["tolerations"][-1]["key"] == "node.kubernetes.io/network-unavailable"
