"""What the plugins that refused a pod take for helpful in nodes and in other pods (F11.2, observed on 1.37.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from dravite.api.codec import from_plain
from dravite.api.core_v1 import Node, Pod
from dravite.diagnosis.reasons import (
    AffinityNotMatched,
    NodeNameDiffers,
    NodeRejection,
    NodeTainted,
    NodeUnschedulable,
    PodAffinityViolated,
    PortTaken,
    ResourceShort,
    SpreadViolated,
)
from dravite.rehearsal.node_hints import node_may_help
from dravite.rehearsal.pod_hints import change_may_help, gone_may_help, placed_may_help

ZONE = "topology.kubernetes.io/zone"
SHORT = ResourceShort("cpu", "2", "0", "1")
SPREAD, APART = SpreadViolated(ZONE), PodAffinityViolated("anti-affinity", ZONE)
WEB = {"matchLabels": {"app": "web"}}
SPREADING = [{"maxSkew": 1, "topologyKey": ZONE, "whenUnsatisfiable": "DoNotSchedule", "labelSelector": WEB}]
TERM = {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": ZONE, "labelSelector": WEB}]}
PORT = [{"containerPort": 80, "hostPort": 80}]


def node(spec: Mapping[str, Any] = {}, cpu: str = "4", **labels: str) -> Node:
    amounts = {"cpu": cpu, "pods": "9"}
    metadata = {"name": "n1", "labels": {name.replace("zone", ZONE): value for name, value in labels.items()}}
    return made({"metadata": metadata, "spec": dict(spec), "status": {"allocatable": amounts}}, Node)


def pod(cpu: str = "2", ports: list[Any] | None = None, app: str = "web", **spec: Any) -> Pod:
    container = {"name": "c", "image": "i", "ports": ports or [], "resources": {"requests": {"cpu": cpu}}}
    metadata = {"name": "p", "namespace": "default", "labels": {"app": app}}
    return made({"metadata": metadata, "spec": {"containers": [container], **spec}}, Pod)


def made(raw: dict[str, Any], model: Any) -> Any:
    found = from_plain(raw, model)
    assert isinstance(found, model)
    return found


CORDONED, TAINTED = {"unschedulable": True}, {"taints": [{"key": "k", "effect": "NoSchedule"}]}


@pytest.mark.parametrize(
    ("reason", "asking", "before", "after", "helps"),
    [
        (SHORT, pod(), None, node(), True),
        (SHORT, pod(), None, node(cpu="1"), False),
        (SHORT, pod(), node(cpu="1"), node(cpu="2"), True),
        (SHORT, pod(), node(), node(CORDONED), False),
        (NodeUnschedulable(), pod(), node(CORDONED), node(), True),
        (NodeUnschedulable(), pod(), node(), node(zone="a"), False),
        (NodeTainted("k", "", "NoSchedule"), pod(), node(TAINTED), node(), True),
        (NodeTainted("k", "", "NoSchedule"), pod(), node(), node(cpu="9"), False),
        (AffinityNotMatched(), pod(nodeSelector={ZONE: "a"}), node(), node(zone="a"), True),
        (AffinityNotMatched(), pod(nodeSelector={ZONE: "a"}), node(zone="a"), node(zone="a", x="y"), False),
        (NodeNameDiffers("n9"), pod(), None, node(), True),
        (NodeNameDiffers("n9"), pod(), node(), node(zone="a"), False),
        (PortTaken(80, "TCP"), pod(), None, node(), True),
        (PortTaken(80, "TCP"), pod(), node(), node(zone="a"), False),
        (SPREAD, pod(topologySpreadConstraints=SPREADING), None, node(), False),
        (SPREAD, pod(topologySpreadConstraints=SPREADING), None, node(zone="a"), True),
        (SPREAD, pod(topologySpreadConstraints=SPREADING), node(zone="a"), node(zone="b"), True),
        (SPREAD, pod(topologySpreadConstraints=SPREADING), node(zone="a"), node(zone="a", x="y"), False),
        (APART, pod(affinity={"podAntiAffinity": TERM}), None, node(), True),
        (APART, pod(affinity={"podAntiAffinity": TERM}), node(zone="a"), node(), True),
        (APART, pod(affinity={"podAntiAffinity": TERM}), node(), node(zone="a"), False),
        (APART, pod(affinity={"podAffinity": TERM}), node(), node(zone="a"), True),
        (APART, pod(affinity={"podAffinity": TERM}), node(zone="a"), node(), False),
    ],
)
def test_a_node_helps_where_it_begins_to(
    reason: NodeRejection, asking: Pod, before: Node | None, after: Node, helps: bool
) -> None:
    assert node_may_help(asking, reason, after, before) is helps


def placed(one: Pod) -> Pod:
    return msgspec.structs.replace(one, spec=msgspec.structs.replace(one.spec, node_name="n1"))


@pytest.mark.parametrize(
    ("reason", "asking", "gone", "helps"),
    [
        (SHORT, pod(), placed(pod()), True),
        (SHORT, pod(), pod(), False),
        (PortTaken(80, "TCP"), pod(ports=PORT), placed(pod(ports=PORT)), True),
        (PortTaken(80, "TCP"), pod(ports=PORT), placed(pod()), False),
        (SPREAD, pod(topologySpreadConstraints=SPREADING), placed(pod()), True),
        (SPREAD, pod(topologySpreadConstraints=SPREADING), placed(pod(app="db")), False),
        (APART, pod(affinity={"podAntiAffinity": TERM}), placed(pod()), True),
        (APART, pod(affinity={"podAffinity": TERM}), placed(pod()), False),
        (APART, pod(), placed(pod(affinity={"podAntiAffinity": TERM})), True),
        (NodeUnschedulable(), pod(), placed(pod()), False),
    ],
)
def test_a_pod_that_goes_helps_where_it_was_in_the_way(
    reason: NodeRejection, asking: Pod, gone: Pod, helps: bool
) -> None:
    assert gone_may_help(asking, reason, gone) is helps


def test_a_pod_that_gets_a_node_helps_who_has_to_be_near_it_or_counts_it() -> None:
    near, spreading = pod(affinity={"podAffinity": TERM}), pod(topologySpreadConstraints=SPREADING)
    for asking, reason in ((near, APART), (spreading, SPREAD)):
        assert placed_may_help(asking, reason, placed(pod()))
        assert not placed_may_help(asking, reason, placed(pod(app="db")))
    assert not placed_may_help(pod(), SHORT, placed(pod()))


def test_a_pod_that_changes_helps_by_asking_for_less_or_by_its_labels() -> None:
    here = placed(pod())
    assert change_may_help(pod(), SHORT, placed(pod(cpu="1")), here)
    assert not change_may_help(pod(), SHORT, placed(pod(cpu="3")), here)
    assert not change_may_help(pod(), SHORT, pod(cpu="1"), pod())
    spreading, apart = pod(topologySpreadConstraints=SPREADING), pod(affinity={"podAntiAffinity": TERM})
    for asking, reason in ((spreading, SPREAD), (apart, APART)):
        assert change_may_help(asking, reason, placed(pod(app="db")), here)
        assert not change_may_help(asking, reason, here, here)
