"""`why_not` names the first check that a device does not pass, in the search's order, with what is behind it."""

from __future__ import annotations

import pytest

from dravite.allocator.why_not import why_not, why_not_any
from dravite.api.meta import DeviceID, ObjectMeta, ObjectRef
from dravite.api.resource_v1 import DeviceTaintRule, DeviceTaintRuleSpec, DeviceTaintSelector
from dravite.diagnosis import reasons as no
from dravite.diagnosis.reasons import ConstraintID, SeenValue
from dravite.snapshot.node_use import NodeUse
from tests.allocator.situations import (
    FEATURES,
    N1,
    N2,
    claim,
    counters_slice,
    device,
    devices_slice,
    exactly,
    holder,
    holding,
    inventory,
    policy,
    problem,
    share,
    taint,
)

CLAIM = ObjectRef("ResourceClaim", "ns", "claim")
D = DeviceID("d.io", "pool", "d")


def reason(stock, wanted, node=N1, position=0):
    asked = problem(stock, wanted)
    use = stock.use(node)
    assert isinstance(use, NodeUse)
    (demand,) = asked.claims[0].requests[0].demands
    found = why_not(asked, asked.claims[0], demand, use, position)
    assert found == why_not_any(asked, asked.claims[0], demand, use)[position]
    return found


def test_nothing_speaks_against_a_free_device():
    assert reason(inventory(devices_slice(device("d"))), claim(exactly())) is None


def test_in_use_says_who_holds_it():
    stock = inventory(devices_slice(device("d")), allocated=[holding("d", pods=["web-0"])])
    assert reason(stock, claim(exactly())) == no.InUse(D, holder(), (ObjectRef("Pod", "ns", "web-0"),))
    assert reason(stock, claim(exactly(admin_access=True))) is None


def test_selector_false_says_what_it_saw():
    text = 'device.attributes["d.io"].?model.orValue("") == "b" && has(device.attributes["d.io"].size)'
    stock = inventory(devices_slice(device("d", attributes={"model": "a"})))
    place = ConstraintID(CLAIM, "spec.devices.requests[0].exactly.selectors[0].cel.expression")
    seen = (SeenValue('attributes["d.io"].model', "a"), SeenValue('attributes["d.io"].size', None))
    assert reason(stock, claim(exactly(selects=[text]))) == no.SelectorFalse(D, place, text, seen)


def test_selector_of_a_class_is_named_as_such():
    text = 'device.driver == "other.io"'
    stock = inventory(devices_slice(device("d")), class_selectors=[text])
    place = ConstraintID(ObjectRef("DeviceClass", "", "c0"), "spec.selectors[0].cel.expression")
    assert reason(stock, claim(exactly(device_class_name="c0"))) == no.SelectorFalse(
        D, place, text, (SeenValue("driver", "d.io"),)
    )


def test_selector_failed_is_no_refusal_of_the_search():
    text = 'device.attributes["d.io"].model == "a"'
    found = reason(inventory(devices_slice(device("d"))), claim(exactly(selects=[text])))
    assert isinstance(found, no.SelectorFailed)
    assert found.error.startswith("no such key: model.")


@pytest.mark.parametrize("from_rule", [False, True])
def test_taint_says_which_rule_added_it(from_rule):
    rule = DeviceTaintRule(
        metadata=ObjectMeta(name="drain"),
        spec=DeviceTaintRuleSpec(
            device_selector=DeviceTaintSelector(pool="pool"), taint=taint("b", effect="NoExecute")
        ),
    )
    tolerated = device("d", taints=(taint("a", effect="None"),) if from_rule else (taint("b", effect="NoExecute"),))
    stock = inventory(devices_slice(tolerated), rules=[rule] if from_rule else [])
    expected = no.TaintNotTolerated(D, "b", "", "NoExecute", "drain" if from_rule else None)
    assert reason(stock, claim(exactly())) == expected


def test_capacity_says_what_was_asked_and_what_is_left():
    stock = inventory(
        devices_slice(device("d", capacity={"m": ("10Gi", policy("1Gi", low="1Gi", step="2Gi"))}, shared=True)),
        allocated=[holding(share("d", m="6Gi"))],
    )
    assert reason(stock, claim(exactly(capacity={"m": "4Gi"}))) == no.CapacityShort(
        D, "m", "4Gi", "5Gi", "10Gi", "4Gi", (holder(),)
    )
    assert reason(stock, claim(exactly(capacity={"x": "1"}))) == no.CapacityMissing(D, "x")


def test_capacity_that_a_policy_never_allows():
    stock = inventory(devices_slice(device("d", capacity={"m": ("10", policy("2", values=["2", "4"]))})))
    assert reason(stock, claim(exactly(capacity={"m": "5"}))) == no.PolicyViolated(D, "m", "5", "4")


def test_capacity_of_a_dedicated_device_is_a_filter():
    stock = inventory(devices_slice(device("d", capacity={"m": "4Gi"})))
    assert reason(stock, claim(exactly(capacity={"m": "5Gi"}))) == no.CapacityShort(D, "m", "5Gi", "5Gi", "4Gi", "4Gi")


def test_counters_say_who_took_them():
    stock = inventory(
        devices_slice(device("d", counters={"s": {"c": 3}}), device("e", counters={"s": {"c": 2}}), count=2),
        counters_slice(s={"c": 4}),
        allocated=[holding("e")],
    )
    taken_by = ((DeviceID("d.io", "pool", "e"), holder()),)
    assert reason(stock, claim(exactly())) == no.CountersExhausted(D, "s", "c", "3", "2", taken_by)


def test_cnt5_a_counter_below_zero_stops_devices_that_do_not_use_it():
    stock = inventory(
        devices_slice(device("d", counters={"s": {"c": 1}}), device("e", counters={"s": {"x": 2}}), count=2),
        counters_slice(s={"c": 4, "x": 1}),
        allocated=[holding("e")],
    )
    taken_by = ((DeviceID("d.io", "pool", "e"), holder()),)
    assert reason(stock, claim(exactly())) == no.CountersExhausted(D, "s", "x", "0", "-1", taken_by)


def test_groups_that_do_not_mix():
    stock = inventory(
        devices_slice(
            device("d", counters={"s": {"c": 1}}, groups=["g"]),
            device("e", counters={"s": {"c": 1}}, groups=["h"]),
            count=2,
        ),
        counters_slice(s={"c": 4}),
        allocated=[holding("e")],
        features=FEATURES | {"CompatibilityGroups"},
    )
    taken_by = ((DeviceID("d.io", "pool", "e"), holder()),)
    assert reason(stock, claim(exactly())) == no.GroupsIncompatible(D, "s", taken_by)


def test_attribute_of_a_constraint_is_missing():
    stock = inventory(devices_slice(device("d")))
    place = ConstraintID(CLAIM, "spec.devices.constraints[0].matchAttribute")
    assert reason(stock, claim(exactly(), match=["d.io/numa"])) == no.AttributeMissing(D, place, "d.io/numa")


def test_node_that_the_device_does_not_reach():
    stock = inventory(
        devices_slice(device("d", node_name="n2"), device("e", all_nodes=True), per_device_node_selection=True)
    )
    assert reason(stock, claim(exactly())) == no.WrongNode(D)
    assert reason(stock, claim(exactly()), node=N2) is None


@pytest.mark.parametrize(
    ("made", "without", "gate"),
    [
        (device("d", binding_conditions=("ready",)), "DeviceBindingAndStatus", "DRADeviceBindingConditions"),
        (device("d", counters={"s": {"c": 1}}), "PartitionableDevices", "DRAPartitionableDevices"),
    ],
)
def test_feature_that_is_off(made, without, gate):
    stock = inventory(devices_slice(made), features=FEATURES - {without})
    assert reason(stock, claim(exactly())) == no.FeatureOff(D, gate)


def test_res4_operations_that_the_node_cannot_skip():
    stock = inventory(
        devices_slice(device("d"), node_name="n1", skip_node_operations=("NodePrepareResources",)),
        features=FEATURES | {"OptionalNodeOperations"},
    )
    assert reason(stock, claim(exactly())) == no.FeatureOff(D, "DRAOptionalNodeOperations")


def test_a_busy_device_is_not_looked_at_any_further():
    stock = inventory(devices_slice(device("d", taints=(taint(),))), allocated=[holding("d")])
    assert isinstance(reason(stock, claim(exactly(selects=["false"]))), no.InUse)
