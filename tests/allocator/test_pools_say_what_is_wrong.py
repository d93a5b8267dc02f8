"""Which pools a node sees, and why nothing can be taken from some of them (P-7 to P-16)."""

from __future__ import annotations

import pytest

from dravite.allocator.outcomes import Unallocatable
from dravite.api.node_selector import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from dravite.diagnosis.findings import PoolFinding
from dravite.diagnosis.verdicts import AttemptError
from dravite.snapshot.node_devices import NodeDevices
from tests.allocator.situations import (
    N1,
    N2,
    attempt,
    claim,
    counters_slice,
    device,
    devices_slice,
    everything,
    exactly,
    inventory,
    picked,
)


def findings(stock, node=N1):
    devices = stock.devices(node)
    assert isinstance(devices, NodeDevices)
    return devices.findings


def found(state, detail="", seen=0, expected=0, generation=1):
    return (PoolFinding("d.io", "pool", generation, state, seen, expected, detail),)


def test_p9_a_pool_with_too_few_slices_is_incomplete():
    stock = inventory(devices_slice(device("a"), count=2))
    assert findings(stock) == found("incomplete", seen=1, expected=2)


def test_p10_a_newer_generation_elsewhere_makes_a_partial_pool_obsolete():
    stock = inventory(
        devices_slice(device("a"), name="old", count=2),
        devices_slice(device("b"), name="new", count=2, generation=2, node_name="n2"),
    )
    assert findings(stock) == found("obsolete")
    assert attempt(stock, claim(exactly())) == Unallocatable("none", 1)


def test_p10_slices_on_other_nodes_complete_a_pool():
    stock = inventory(
        devices_slice(device("a"), name="here", count=2),
        devices_slice(device("b"), name="there", count=2, node_name="n2"),
    )
    assert findings(stock) == ()
    assert picked(attempt(stock, claim(exactly()))) == ["r=a"]
    assert picked(attempt(stock, claim(exactly()), node=N2)) == ["r=b"]


@pytest.mark.parametrize(
    ("slices", "detail"),
    [
        ([devices_slice(device("a"), device("a"))], "duplicate-device:a"),
        (
            [counters_slice(name="x", s={"c": 1}), counters_slice(name="y", s={"c": 1})],
            "duplicate-counter-set:s",
        ),
        ([devices_slice(device("a", counters={"t": {"c": 1}}), count=2), counters_slice(s={"c": 1})],
         "unknown-counter-set:a:t"),
        ([devices_slice(device("a", counters={"s": {"x": 1}}), count=2), counters_slice(s={"c": 1})],
         "unknown-counter:a:s:x"),
        ([devices_slice(device("a"), count=3, name="a"), counters_slice(count=3, s={"c": 1}),
          devices_slice(device("b", counters={"s": {"x": 1}}), name="b", count=3, node_name="n2")],
         "unknown-counter:b:s:x"),
    ],
)  # fmt: skip
def test_p13_p14_an_invalid_pool_says_why(slices, detail):
    stock = inventory(*slices)
    assert findings(stock) == found("invalid", detail)
    assert attempt(stock, claim(exactly())) == Unallocatable("invalid-pools", 1)


def test_p16_an_invalid_pool_is_no_harm_where_another_serves():
    stock = inventory(devices_slice(device("a"), device("a")), devices_slice(device("b"), pool="good", name="good"))
    assert picked(attempt(stock, claim(exactly()))) == ["r=b"]
    outcome = attempt(stock, claim(everything()))
    assert isinstance(outcome, AttemptError)
    assert outcome.message == (
        "claim ns/claim, request r: asks for all devices, but resource pool d.io/pool is currently invalid"
    )
    assert outcome.kind == "all-pool"


def test_compatibility_groups_hide_a_slice_while_the_feature_is_off():
    stock = inventory(
        devices_slice(device("a", counters={"s": {"c": 1}}, groups=["g"]), device("b"), count=2),
        counters_slice(s={"c": 4}),
    )
    assert findings(stock) == found("incomplete", seen=1, expected=2)


def selecting(operator, *values):
    requirement = NodeSelectorRequirement(key="zone", operator=operator, values=values)
    return NodeSelector(node_selector_terms=(NodeSelectorTerm(match_expressions=(requirement,)),))


def test_p2_a_selector_that_cannot_be_read_ends_every_attempt():
    stock = inventory(devices_slice(device("a"), name="odd", node_selector=selecting("Like", "a")))
    outcome = attempt(stock, claim(exactly()))
    assert isinstance(outcome, AttemptError)
    assert outcome.message.startswith(
        "gather pool information: failed to perform node selection for slice odd: failed to parse node selector"
    )
    assert outcome.kind == "node-selector"
