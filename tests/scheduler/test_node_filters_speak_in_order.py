from __future__ import annotations

import msgspec
import pytest

from dravite.api.core_v1 import (
    Affinity,
    Container,
    ContainerPort,
    NodeAffinity,
    Taint,
    Toleration,
)
from dravite.api.node_selector import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from dravite.diagnosis.reasons import AffinityNotMatched, NodeTainted, NodeUnschedulable, PortTaken, ResourceShort
from dravite.diagnosis.verdicts import Scheduled, Unschedulable
from dravite.planning.planner import make_plan
from dravite.scheduler.tolerations import tolerates
from tests.clusters import cluster, node, pod

NOT_HELPFUL = "preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."


def decision(*objects: object) -> Scheduled | Unschedulable:
    return make_plan(cluster(*objects)).decisions[-1].decision


def cordoned(name: str):
    one = node(name)
    return msgspec.structs.replace(one, spec=msgspec.structs.replace(one.spec, unschedulable=True))


def affinity(*terms: NodeSelectorTerm) -> Affinity:
    return Affinity(node_affinity=NodeAffinity(required=NodeSelector(node_selector_terms=terms)))


def named(*names: str) -> NodeSelectorTerm:
    rules = tuple(NodeSelectorRequirement(key="metadata.name", operator="In", values=(name,)) for name in names)
    return NodeSelectorTerm(match_fields=rules)


def test_f9_4_a_taint_comes_before_missing_cpu():
    taint = Taint(key="dedicated", value="gpu", effect="NoSchedule")
    found = decision(node("n1", taints=[taint], cpu="500m"), pod("p"))
    assert found.message == f"0/1 nodes are available: 1 node(s) had untolerated taint(s). {NOT_HELPFUL}"
    assert found.nodes[0].reasons == (NodeTainted("dedicated", "gpu", "NoSchedule"),)


def test_f9_2_a_cordoned_node_takes_only_pods_that_tolerate_it():
    found = decision(cordoned("n1"), pod("p"))
    assert found.nodes[0].reasons == (NodeUnschedulable(),)
    tolerant = Toleration(key="node.kubernetes.io/unschedulable", operator="Exists", effect="NoSchedule")
    assert decision(cordoned("n1"), pod("p", tolerations=(tolerant,))).node == "n1"


@pytest.mark.parametrize(
    ("toleration", "expected"),
    [
        (Toleration(key="k", operator="Equal", value="v"), True),
        (Toleration(key="k", value="v"), True),
        (Toleration(key="k", operator="Equal", value="other"), False),
        (Toleration(key="k", operator="Exists"), True),
        (Toleration(operator="Exists"), True),
        (Toleration(key="k", operator="Exists", effect="NoExecute"), False),
        (Toleration(key="k", operator="Gt", value="1"), False),
    ],
)
def test_f9_4_a_toleration_covers_a_taint(toleration, expected):
    assert tolerates(toleration, Taint(key="k", value="v", effect="NoSchedule")) is expected


def test_f9_4_numbers_are_compared_only_where_the_gate_is_on():
    taint = Taint(key="k", value="5", effect="NoSchedule")
    assert tolerates(Toleration(key="k", operator="Gt", value="4"), taint, "on")
    assert not tolerates(Toleration(key="k", operator="Lt", value="4"), taint, "on")
    assert not tolerates(Toleration(key="k", operator="Gt", value="04"), taint, "on")


def test_f9_5_nodes_that_the_pod_does_not_name_are_not_asked():
    found = decision(node("n1", cpu="500m"), node("n2"), node("n3"), pod("p", affinity=affinity(named("n1"))))
    assert found.message.startswith(
        "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity]. preemption: "
    )
    assert found.nodes[1].reasons == (AffinityNotMatched(prefiltered=True),)


def test_f9_5_a_term_that_contradicts_itself_refuses_the_pod_at_once():
    found = decision(node("n1"), pod("p", affinity=affinity(named("n1", "n2"))))
    assert found.message == "0/1 nodes are available: pod affinity terms conflict. not found"


def test_f9_6_every_resource_that_is_short_is_told_with_its_amounts():
    found = decision(node("n1", cpu="2", memory="1Gi"), pod("p", cpu="3"), pod("big", cpu="5"))
    assert found.nodes[0].reasons == (ResourceShort("cpu", "5", "0", "2", resolvable=False),)


def test_f9_6_pods_are_counted():
    busy = pod("busy", node_name="n1", phase="Running")
    found = decision(node("n1", pods="1"), busy, pod("p"))
    assert found.nodes[0].reasons == (ResourceShort("pods", "1", "1", "1"),)
    assert found.message.startswith("0/1 nodes are available: 1 Too many pods.")


def test_f9_6_a_finished_pod_counts_no_more():
    done = pod("done", cpu="4", node_name="n1", phase="Succeeded")
    assert decision(node("n1"), done, pod("p", cpu="4")).node == "n1"


def served(port: int, address: str = "", protocol: str = "TCP") -> tuple[Container, ...]:
    ports = (ContainerPort(container_port=80, host_port=port, host_ip=address, protocol=protocol),)
    return (Container(name="main", ports=ports),)


@pytest.mark.parametrize(
    ("taken", "wanted", "free"),
    [
        (served(80), served(80), False),
        (served(80, "10.0.0.1"), served(80), False),
        (served(80, "10.0.0.1"), served(80, "10.0.0.2"), True),
        (served(80), served(80, protocol="UDP"), True),
        (served(80), served(81), True),
    ],
)
def test_f9_7_host_ports_conflict_by_address_and_protocol(taken, wanted, free):
    running = pod("web", node_name="n1", phase="Running", containers=taken)
    found = decision(node("n1"), running, pod("p", containers=wanted))
    if free:
        assert found.node == "n1"
    else:
        assert found.nodes[0].reasons == (PortTaken(80, "TCP"),)
