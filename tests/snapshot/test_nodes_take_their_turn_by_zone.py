from __future__ import annotations

import msgspec

from dravite.snapshot.node_order import by_creation, zones_in_turn
from tests.clusters import node


def zoned(name: str, zone: str):
    return node(name, {"topology.kubernetes.io/zone": zone} if zone else {})


def created(name: str, at: str | None):
    one = node(name)
    return msgspec.structs.replace(one, metadata=msgspec.structs.replace(one.metadata, creation_timestamp=at))


def test_f10_1_zones_contribute_one_node_at_a_time():
    nodes = [zoned("a1", "a"), zoned("a2", "a"), zoned("a3", "a"), zoned("b1", "b"), zoned("none", "")]
    assert zones_in_turn(nodes) == ("a1", "b1", "none", "a2", "a3")


def test_without_zones_the_order_stays():
    assert zones_in_turn([node("n3"), node("n1"), node("n2")]) == ("n3", "n1", "n2")


def test_nodes_come_in_the_order_of_their_creation_and_undated_ones_last():
    nodes = [created("new", None), created("young", "2026-02-01T00:00:00Z"), created("old", "2026-01-01T00:00:00Z")]
    assert [one.metadata.name for one in by_creation(nodes)] == ["old", "young", "new"]
