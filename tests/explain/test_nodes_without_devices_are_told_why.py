"""Nodes on which no slice offers a device: there is none, or it is empty, or it is for other nodes."""

import msgspec

from dravite.api.node_selector import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from dravite.explain.notes import NodesPublishNothing
from tests.clusters import node
from tests.explain.worlds import gpu, gpus, published, template, told, waiting, wants


def test_nodes_without_slices_are_told_apart_from_those_with_some():
    labelled = {"driver.example.com/installed": "yes", "zone": "a"}
    found = told(
        node("n1", labelled),
        node("n2", {"zone": "a"}),
        published("n1", *gpus(1)),
        template("t", wants(count=2)),
        waiting(),
    )
    (note,) = [one for one in found.notes if isinstance(one, NodesPublishNothing)]
    assert (note.nodes, note.publishing) == (("n2",), (("n1", 1),))
    assert note.labels == ("driver.example.com/installed",)


def test_a_slice_that_lists_nothing_is_told_apart_from_none_at_all():
    found = told(node("n1"), node("n2"), published("n1"), template("t", wants()), waiting())
    (note,) = [one for one in found.notes if isinstance(one, NodesPublishNothing)]
    assert (note.nodes, note.empty) == (("n1", "n2"), ("n1",))


def test_a_slice_whose_node_selector_no_node_fits_is_told():
    rack = NodeSelectorRequirement(key="rack", operator="In", values=("r1",))
    selector = NodeSelector(node_selector_terms=(NodeSelectorTerm(match_expressions=(rack,)),))
    one = published("n1", gpu(0))
    one = msgspec.structs.replace(one, spec=msgspec.structs.replace(one.spec, node_name=None, node_selector=selector))
    found = told(node("n1"), one, template("t", wants()), waiting())
    (note,) = [one for one in found.notes if isinstance(one, NodesPublishNothing)]
    assert note.selecting == (one.metadata.name,)


def test_slices_for_nodes_that_do_not_exist_are_told():
    found = told(node("n1"), published("ip-10-0-0-1", *gpus(1)), template("t", wants()), waiting())
    (note,) = [one for one in found.notes if isinstance(one, NodesPublishNothing)]
    assert (note.nodes, note.unknown) == (("n1",), ("ip-10-0-0-1",))
