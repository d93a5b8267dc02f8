from __future__ import annotations

from dravite.api.node_selector import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from dravite.api.resource_v1 import Device, ResourcePool, ResourceSlice, ResourceSliceSpec
from dravite.diagnosis.verdicts import Scheduled, Unschedulable
from dravite.planning.plan import NodesInferred
from dravite.planning.planner import make_plan
from dravite.snapshot.inferred_nodes import infer_nodes
from tests.clusters import claim, cluster, device_class, devices_of, pod, with_claims


def selected(*terms: NodeSelectorTerm) -> ResourceSlice:
    spec = ResourceSliceSpec(
        driver="net.example.com",
        pool=ResourcePool(name="fabric", generation=1, resource_slice_count=1),
        node_selector=NodeSelector(node_selector_terms=terms),
        devices=(Device(name="nic"),),
    )
    return ResourceSlice(spec=spec)


def rule(key: str, *values: str) -> NodeSelectorRequirement:
    return NodeSelectorRequirement(key=key, operator="In", values=values)


def names(*slices: ResourceSlice) -> dict[str, dict[str, str]]:
    return {node.metadata.name: dict(node.metadata.labels) for node in infer_nodes(slices, (), ())}


def test_slices_name_their_nodes():
    assert list(names(devices_of("n2", 1), devices_of("n1", 1))) == ["n1", "n2"]


def test_selectors_name_nodes_by_name_or_hostname_and_give_them_labels():
    by_name = NodeSelectorTerm(match_fields=(rule("metadata.name", "a"),), match_expressions=(rule("rack", "r1"),))
    by_host = NodeSelectorTerm(match_expressions=(rule("kubernetes.io/hostname", "b", "c"),))
    assert names(selected(by_name, by_host)) == {
        "a": {"kubernetes.io/hostname": "a", "rack": "r1"},
        "b": {"kubernetes.io/hostname": "b"},
        "c": {"kubernetes.io/hostname": "c"},
    }


def test_a_selector_that_names_nobody_stands_for_one_node_with_its_labels():
    found = names(selected(NodeSelectorTerm(match_expressions=(rule("zone", "z1"),))))
    assert found == {"any-node-of-fabric": {"kubernetes.io/hostname": "any-node-of-fabric", "zone": "z1"}}


def test_a_plan_without_nodes_counts_devices_only_and_says_so():
    snapshot = cluster(
        devices_of("n1", 1), device_class(), claim("c"), with_claims(pod("p", cpu="1000"), a="c"), pod("q", cpu="1000")
    )
    plan = make_plan(snapshot)
    assert [type(one.decision) for one in plan.decisions] == [Scheduled, Scheduled]
    assert plan.notes[0] == NodesInferred(1)


def test_nothing_at_all_is_a_cluster_without_nodes():
    plan = make_plan(cluster(pod("p")))
    assert plan.decisions[0].decision == Unschedulable(message="no nodes available to schedule pods")
