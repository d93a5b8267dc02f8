from __future__ import annotations

import msgspec

from dravite.api.meta import DeviceID
from dravite.lifecycle.device_evictions import evictions
from dravite.snapshot.snapshot import Snapshot
from tests.clusters import DRIVER, cluster, device_class, devices_of, node, release, running, taint_rule

NOW = 1_000_000.0


def world(*objects: object) -> Snapshot:
    return cluster(node("n1"), devices_of("n1", 2), device_class(), *objects)


def test_a_rule_evicts_the_pods_of_the_devices_that_it_selects_at_once():
    snapshot = world(*running("a", "gpu-0"), *running("b", "gpu-1"), taint_rule("r", device="gpu-0"))
    found = evictions(snapshot, NOW)
    assert {key[1]: (one.at, one.device, one.rule) for key, one in found.items()} == {
        "a": (NOW, DeviceID(DRIVER, "n1", "gpu-0"), "r")
    }


def test_of_two_rules_the_first_by_name_is_told():
    snapshot = world(*running("a", "gpu-0"), taint_rule("z"), taint_rule("y"))
    assert [one.rule for one in evictions(snapshot, NOW).values()] == ["y"]


def test_a_rule_reaches_devices_that_nobody_publishes_any_more_b2_3():
    snapshot = world(*running("a", "gpu-9"), taint_rule("r", pool="n1"))
    assert [one.device.device for one in evictions(snapshot, NOW).values()] == ["gpu-9"]


def test_other_effects_evict_nobody():
    snapshot = world(*running("a", "gpu-0"), taint_rule("r", effect="NoSchedule"), taint_rule("s", effect="None"))
    assert evictions(snapshot, NOW) == {}


def test_a_taint_with_a_time_counts_from_it():
    late = taint_rule("r")
    taint = msgspec.structs.replace(late.spec.taint, time_added="1970-01-12T13:50:00Z")
    late = msgspec.structs.replace(late, spec=msgspec.structs.replace(late.spec, taint=taint))
    assert [one.at for one in evictions(world(*running("a", "gpu-0"), late), NOW).values()] == [1_000_200.0]


def test_a_rule_without_a_selector_kept_new_pods_away_before_1_37_and_evicted_nobody_b2_4():
    rule = taint_rule("r")
    rule = msgspec.structs.replace(rule, spec=msgspec.structs.replace(rule.spec, device_selector=None))
    objects = (node("n1"), devices_of("n1", 1), device_class(), *running("a", "gpu-0"), rule)
    for number, taints in (("1.36", 1), ("1.37", 0)):
        snapshot = cluster(*objects, on=release(number, "DRADeviceTaintRules=true"))
        offered = snapshot.inventory.devices(snapshot.nodes[0])
        assert [len(one.device.taints) for one in offered.devices] == [taints]
        assert evictions(snapshot, NOW) == {}
