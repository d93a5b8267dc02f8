"""The index offers a node every slice that concerns it: asking it is asking all slices (P-1, P-4, P-6)."""

from __future__ import annotations

from hypothesis import event, given
from hypothesis import strategies as st

from dravite.api.core_v1 import Node
from dravite.api.meta import ObjectMeta
from dravite.api.names import node_matches
from dravite.api.node_selector import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from dravite.api.resource_v1 import Device, ResourcePool, ResourceSlice, ResourceSliceSpec
from dravite.snapshot.slice_index import SliceIndex
from dravite.snapshot.tainted import TaintedSlices

NAMES = ["n1", "n2", "n3"]
requirements = st.builds(
    lambda key, operator, values: NodeSelectorRequirement(
        key=key, operator=operator, values=() if operator in ("Exists", "DoesNotExist") else tuple(values)
    ),
    key=st.sampled_from(["zone", "rack"]),
    operator=st.sampled_from(["In", "NotIn", "Exists", "DoesNotExist"]),
    values=st.lists(st.sampled_from(["a", "b"]), min_size=1, max_size=2),
)
fields = st.builds(
    lambda operator, name: NodeSelectorRequirement(key="metadata.name", operator=operator, values=(name,)),
    operator=st.sampled_from(["In", "NotIn"]),
    name=st.sampled_from(NAMES),
)
terms = st.builds(
    lambda expressions, names: NodeSelectorTerm(match_expressions=tuple(expressions), match_fields=tuple(names)),
    expressions=st.lists(requirements, max_size=2),
    names=st.lists(fields, max_size=1),
)
node_selectors = st.builds(lambda some: NodeSelector(node_selector_terms=tuple(some)), st.lists(terms, max_size=2))
places = st.one_of(
    st.fixed_dictionaries({"node_name": st.sampled_from(NAMES)}),
    st.just({"all_nodes": True}),
    st.fixed_dictionaries({"node_selector": node_selectors}),
    st.just({}),
)


def whole(place):
    return ResourceSliceSpec(driver="d", pool=ResourcePool(name="p"), devices=(Device(name="x"),), **place)


def by_device(some):
    devices = tuple(Device(name=f"d{index}", **place) for index, place in enumerate(some))
    return ResourceSliceSpec(driver="d", pool=ResourcePool(name="p"), devices=devices, per_device_node_selection=True)


specs = st.one_of(places.map(whole), st.lists(places, max_size=3).map(by_device))
nodes = st.builds(
    lambda name, labels: Node(metadata=ObjectMeta(name=name, labels=labels)),
    name=st.sampled_from(NAMES),
    labels=st.dictionaries(st.sampled_from(["zone", "rack"]), st.sampled_from(["a", "b"])),
)


def concerns(place, node) -> bool:
    if place.node_name:
        return place.node_name == node.metadata.name
    if place.all_nodes or place.node_selector is None:
        return bool(place.all_nodes)
    return node_matches(place.node_selector, node.metadata.name, node.metadata.labels) is True


@given(st.lists(specs, max_size=6), nodes)
def test_no_slice_that_concerns_the_node_is_left_out(some, node):
    slices = tuple(ResourceSlice(metadata=ObjectMeta(name=f"s{i}"), spec=spec) for i, spec in enumerate(some))
    index = SliceIndex(TaintedSlices(slices), frozenset({"PartitionableDevices", "ConsumableCapacity"}))
    offered = list(index.candidates(node))
    wanted = [
        position
        for position, one in enumerate(slices)
        if concerns(one.spec, node) or any(concerns(device, node) for device in one.spec.devices)
    ]
    event(f"{len(wanted)} concern the node")
    assert set(wanted) <= set(offered)
    assert len(offered) == len(set(offered))
