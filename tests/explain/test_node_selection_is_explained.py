"""Which labels keep nodes out, and what the nodes have instead."""

from dravite.api.core_v1 import Affinity, Node, NodeAffinity, Pod, PodSpec
from dravite.api.meta import ObjectMeta
from dravite.api.node_selector import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from dravite.explain.nodes.labels import unmet_labels

ZONE = "topology.kubernetes.io/zone"


def zoned(name, zone):
    return Node(metadata=ObjectMeta(name=name, labels={ZONE: zone}))


def test_each_label_is_judged_by_itself_and_counts_add_up():
    pod = Pod(metadata=ObjectMeta(name="p", namespace="ml"), spec=PodSpec(node_selector={ZONE: "b", "gpu": "yes"}))
    nodes = [zoned("n1", "a"), zoned("n2", "a"), zoned("n3", "b"), Node(metadata=ObjectMeta(name="n4"))]
    zone, gpu = unmet_labels(pod, nodes)
    assert (zone.key, zone.values, zone.nodes) == (ZONE, ("b",), 3)
    assert zone.values_seen == (("a", 2), (None, 1))
    assert zone.asked_by.path == f"spec.nodeSelector[{ZONE}]"
    assert (gpu.nodes, gpu.values_seen) == (4, ((None, 4),))


def test_terms_of_an_affinity_are_told_with_their_place():
    requirement = NodeSelectorRequirement(key=ZONE, operator="NotIn", values=("a",))
    selector = NodeSelector(node_selector_terms=(NodeSelectorTerm(match_expressions=(requirement,)),))
    pod = Pod(spec=PodSpec(affinity=Affinity(node_affinity=NodeAffinity(required=selector))))
    (unmet,) = unmet_labels(pod, [zoned("n1", "a"), zoned("n2", "b")])
    assert (unmet.operator, unmet.nodes, unmet.values_seen) == ("NotIn", 1, (("a", 1),))
    assert unmet.asked_by.path.endswith("nodeSelectorTerms[0].matchExpressions[0]")


def test_what_every_node_meets_is_not_told():
    pod = Pod(spec=PodSpec(node_selector={ZONE: "a"}))
    assert unmet_labels(pod, [zoned("n1", "a")]) == ()


def test_labels_that_may_have_been_meant_are_told():
    def near(**wanted):
        nodes = [Node(metadata=ObjectMeta(name="n1", labels={"pool": "gpus", "ssd": "true"}))]
        return [unmet.near for unmet in unmet_labels(Pod(spec=PodSpec(node_selector=wanted)), nodes)]

    assert near(pool="gpu") == [("pool=gpus",)]
    assert near(pools="gpus", SSD="true") == [("pool=gpus",), ("ssd=true",)]
    assert near(pool="web", colour="red") == [(), ()]


def test_no_name_is_near_where_there_are_very_many():
    nodes = [Node(metadata=ObjectMeta(name=f"n{one}", labels={"host": f"n{one}"})) for one in range(201)]
    pod = Pod(spec=PodSpec(node_selector={"host": "n999"}))
    assert [unmet_labels(pod, nodes[:count])[0].near != () for count in (200, 201)] == [True, False]
