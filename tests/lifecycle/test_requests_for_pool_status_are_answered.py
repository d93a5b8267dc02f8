from __future__ import annotations

from dravite.api.releases import Profile
from dravite.api.resource_v1 import DeviceTaintRule, ResourceClaim, ResourceSlice
from dravite.api.resource_v1alpha3 import ResourcePoolStatusRequest
from dravite.lifecycle.pool_reports import DeviceSight, answered, expires
from tests.clusters import release

NOW = 1_767_398_400.0
ALL = release("1.37", "AllAlpha=true,GenericWorkload=true")
OLD = release("1.36", "DRAResourcePoolStatus=true")
COUNTERS = [{"name": "cs", "counters": {"m": {"value": "8"}}}]
COSTS_ONE = [{"counterSet": "cs", "counters": {"m": {"value": "1"}}}]


def published(name: str, pool: str, slices: int = 1, generation: int = 1, **spec: object) -> ResourceSlice:
    head = {"name": pool, "generation": generation, "resourceSliceCount": slices}
    given = {"driver": "d.example.com", "pool": head, "nodeName": "n1", **spec}
    return ResourceSlice.from_dict({"metadata": {"name": name}, "spec": given})


def devices(*names: str) -> list[dict[str, object]]:
    return [{"name": name} for name in names]


def held(*results: dict[str, object]) -> ResourceClaim:
    known = {"request": "r", "driver": "d.example.com", "pool": "n1"}
    allocation = {"devices": {"results": [{**known, **one} for one in results]}}
    return ResourceClaim.from_dict({"metadata": {"name": "c"}, "status": {"allocation": allocation}})


def rule(effect: str, **selector: str) -> DeviceTaintRule:
    spec = {"deviceSelector": selector, "taint": {"key": "k", "effect": effect}}
    return DeviceTaintRule.from_dict({"metadata": {"name": "rule"}, "spec": spec})


def ask(sight: DeviceSight, on: Profile = ALL, **spec: object) -> dict[str, object] | None:
    request = ResourcePoolStatusRequest.from_dict({"metadata": {}, "spec": {"driver": "d.example.com", **spec}})
    found = answered(request, sight, on, NOW)
    return None if found is None else found.to_dict()["status"]


def pools(sight: DeviceSight, on: Profile = ALL, **spec: object) -> list[dict[str, object]]:
    status = ask(sight, on, **spec)
    assert status is not None
    return status["pools"]  # type: ignore[return-value]


def counts(pool: dict[str, object]) -> tuple[object, ...]:
    """Total, allocated, available, unavailable."""
    return tuple(pool[f"{name}Devices"] for name in ("total", "allocated", "available", "unavailable"))


def typed(name: str, value: dict[str, object], cost: object = COSTS_ONE) -> dict[str, object]:
    return {"name": name, "attributes": {"type": value}, "consumesCounters": cost}


def partitions(pool: dict[str, object]) -> list[tuple[object, ...]]:
    found: list[dict[str, object]] = pool["partitionSummary"]  # type: ignore[assignment]
    return [(one["type"], one["total"], one["allocatable"]) for one in found]


def test_c2_a_pool_is_told_with_what_is_taken_and_what_a_taint_keeps_out():
    sight = DeviceSight(
        (published("s1", "n1", devices=devices("a", "b")), published("s2", "n2", devices=devices("a", "b"))),
        (held({"device": "a"}),),
        (rule("NoSchedule", pool="n2", device="a"),),
    )
    condition = {
        "type": "Complete",
        "status": "True",
        "lastTransitionTime": "2026-01-03T00:00:00Z",
        "reason": "CalculationComplete",
        "message": "Calculated status for 2 pools",
    }
    first = {"driver": "d.example.com", "poolName": "n1", "generation": 1, "nodeName": "n1", "resourceSliceCount": 1}
    taken = {"totalDevices": 2, "allocatedDevices": 1, "availableDevices": 1, "unavailableDevices": 0}
    tainted = {"totalDevices": 2, "allocatedDevices": 0, "availableDevices": 1, "unavailableDevices": 1}
    assert ask(sight) == {
        "poolCount": 2,
        "pools": [{**first, **taken}, {**first, "poolName": "n2", **tainted}],
        "conditions": [condition],
    }


def test_c2_11_pools_are_sorted_and_cut_after_they_were_counted():
    sight = DeviceSight([published(name, name, devices=devices("x")) for name in ("b", "a", "c/d")])
    status = ask(sight, limit=2)
    assert status is not None
    assert [pool["poolName"] for pool in status["pools"]] == ["a", "b"]  # type: ignore[attr-defined]
    assert status["poolCount"] == 3
    assert status["conditions"][0]["message"] == "Calculated status for 2 pools"  # type: ignore[index]


def test_c2_12_a_driver_without_pools_gets_an_empty_answer():
    status = ask(DeviceSight((published("s", "n1"),)), driver="x.example.com")
    assert status is not None
    assert (status["poolCount"], "pools" in status) == (0, False)
    assert status["conditions"][0]["message"] == "Calculated status for 0 pools"  # type: ignore[index]


def test_c2_3_only_the_newest_generation_counts():
    old = published("old", "n1", devices=devices("a", "b", "c"))
    new = published("new", "n1", generation=2, devices=devices("a"))
    assert [counts(pool) for pool in pools(DeviceSight((old, new)))] == [(1, 0, 1, 0)]


def test_c2_4_names_that_two_slices_have_count_twice_and_more_slices_than_said_are_no_fault():
    slices = (published("s1", "n1", devices=devices("a", "b")), published("s2", "n1", devices=devices("a", "b")))
    (pool,) = pools(DeviceSight(slices))
    assert (pool["resourceSliceCount"], counts(pool)) == (2, (4, 0, 4, 0))


def test_c2_5_the_node_is_named_where_all_slices_agree():
    mixed = (published("s1", "p", 2, devices=devices("a")), published("s2", "p", 2, nodeName=None, allNodes=True))
    assert "nodeName" not in pools(DeviceSight(mixed))[0]


def test_c2_7_a_device_with_two_shares_counts_once_and_admin_access_does_not_except_in_1_36():
    sight = DeviceSight(
        (published("s", "n1", devices=devices("a", "b")),),
        (held({"device": "a"}, {"device": "a"}, {"device": "b", "adminAccess": True}),),
    )
    assert counts(pools(sight)[0]) == (2, 1, 1, 0)
    assert counts(pools(sight, OLD)[0]) == (2, 3, 0, 0)


def test_c2_8_a_device_that_is_taken_and_tainted_is_subtracted_twice():
    sight = DeviceSight(
        (published("s", "n1", devices=devices("a", "b", "c")),),
        (held({"device": "a"}, {"device": "b"}),),
        (rule("NoExecute", device="a"),),
    )
    assert counts(pools(sight)[0]) == (3, 2, 0, 1)


def test_c4_1_36_knows_no_taints():
    tainted = [{"name": "a", "taints": [{"key": "k", "effect": "NoExecute"}]}]
    sight = DeviceSight((published("s", "n1", devices=tainted),))
    assert counts(pools(sight)[0]) == (1, 0, 0, 1)
    assert counts(pools(sight, OLD)[0]) == (1, 0, 1, 0)


def test_c5_1_while_a_pool_of_the_page_is_incomplete_nothing_is_answered():
    slices = (published("s1", "a", devices=devices("x")), published("s2", "b", 2, devices=devices("x")))
    assert ask(DeviceSight(slices)) is None
    assert [pool["poolName"] for pool in pools(DeviceSight(slices), limit=1)] == ["a"]


def test_c3_5_every_type_has_all_that_is_left_to_itself():
    half = [{"counterSet": "cs", "counters": {"m": {"value": "4"}}}]
    whole = [{"counterSet": "cs", "counters": {"m": {"value": "8"}}}]
    made = [
        typed("whole", {"string": "whole"}, whole),
        typed("half-0", {"string": "half"}, half),
        typed("half-1", {"string": "half"}, half),
        typed("q", {"string": "eighth"}),
    ]
    slices = (
        published("s1", "n1", 2, sharedCounters=COUNTERS),
        published("s2", "n1", 2, devices=made, partitionTypeAttribute="d.example.com/type"),
    )
    (empty,) = pools(DeviceSight(slices))
    assert partitions(empty) == [("eighth", 1, 1), ("half", 2, 2), ("whole", 1, 1)]
    (used,) = pools(DeviceSight(slices, (held({"device": "q"}),)))
    assert partitions(used) == [("eighth", 1, 0), ("half", 2, 1), ("whole", 1, 0)]


def test_c3_1_the_attribute_of_the_request_is_asked_only_where_no_slice_names_one():
    undeclared = (
        published("s1", "n1", 2, sharedCounters=COUNTERS),
        published("s2", "n1", 2, devices=[typed("a", {"string": "t"})]),
    )
    (pool,) = pools(DeviceSight(undeclared), defaultPartitionTypeAttribute="d.example.com/type")
    assert partitions(pool) == [("t", 1, 1)]
    other = {"name": "b", "attributes": {"q": {"string": "u"}}, "consumesCounters": COSTS_ONE}
    mixed = (
        published("s1", "n1", 3, sharedCounters=COUNTERS),
        published("s2", "n1", 3, devices=[typed("a", {"string": "t"})]),
        published("s3", "n1", 3, devices=[other], partitionTypeAttribute="d.example.com/q"),
    )
    (pool,) = pools(DeviceSight(mixed), defaultPartitionTypeAttribute="d.example.com/type")
    assert partitions(pool) == [("u", 1, 1)]


def test_c3_3_partitions_need_counters():
    (pool,) = pools(
        DeviceSight((published("s", "n1", devices=devices("a")),)), defaultPartitionTypeAttribute="d.example.com/type"
    )
    assert pool["validationError"] == (
        "PartitionTypeMissing: pool d.example.com/n1 declares partitionTypeAttribute but publishes no sharedCounters"
    )


def test_c3_4_faults_of_partitions_are_told_and_the_counts_stay():
    def fault(*given: dict[str, object]) -> object:
        slices = (
            published("s1", "n1", 2, sharedCounters=COUNTERS),
            published("s2", "n1", 2, devices=list(given), partitionTypeAttribute="d.example.com/type"),
        )
        status = ask(DeviceSight(slices))
        assert status is not None
        assert status["conditions"][0]["message"] == "Calculated status for 1 pools (1 incomplete)"  # type: ignore[index]
        (pool,) = status["pools"]  # type: ignore[misc]
        assert counts(pool) == (len(given), 0, len(given), 0)
        return pool["validationError"]

    assert fault(typed("a", {"int": 3})) == (
        'PartitionTypeMissing: device "a" in pool d.example.com/n1 does not carry partition type attribute '
        '"d.example.com/type"'
    )
    two = [{"counterSet": "cs", "counters": {"m": {"value": "2"}}}]
    assert fault(typed("a", {"string": "t"}), typed("b", {"string": "t"}, two)) == (
        'PartitionCostMismatch: devices of partition type "t" in pool d.example.com/n1 consume different counters'
    )
    assert fault(*(typed(f"d{number}", {"string": f"t{number}"}) for number in range(33))) == (
        "PartitionSummaryOverCap: pool d.example.com/n1 has 33 partition types, exceeding the maximum of 32"
    )


def test_c3_6_a_counter_that_is_not_published_fits_nothing():
    elsewhere = [{"counterSet": "zz", "counters": {"m": {"value": "1"}}}]
    slices = (
        published("s1", "n1", 2, sharedCounters=COUNTERS),
        published(
            "s2",
            "n1",
            2,
            devices=[typed("a", {"string": "t"}, elsewhere)],
            partitionTypeAttribute="d.example.com/type",
        ),
    )
    assert partitions(pools(DeviceSight(slices))[0]) == [("t", 1, 0)]


def shareable(name: str, **capacity: str) -> dict[str, object]:
    amounts = {key: {"value": value} for key, value in capacity.items()}
    return {"name": name, "allowMultipleAllocations": True, "capacity": amounts}


def test_c3_7_shared_devices_are_summed_up_by_capacity():
    made = [shareable("a", m="10"), shareable("b", m="10", x="1Gi"), {"name": "c"}]
    sight = DeviceSight(
        (published("s", "n1", devices=made),),
        (held({"device": "a", "consumedCapacity": {"m": "4"}}, {"device": "a", "consumedCapacity": {"m": "4"}}),),
    )
    (pool,) = pools(sight)
    assert counts(pool) == (3, 1, 2, 0)
    assert pool["shareableSummary"] == {
        "fullyAvailableDevices": 1,
        "partiallyAvailableDevices": 1,
        "capacity": [
            {"name": "m", "total": "20", "consumed": "8", "available": "12"},
            {"name": "x", "total": "1Gi", "consumed": "0", "available": "1Gi"},
        ],
    }
    assert "shareableSummary" not in pools(sight, OLD)[0]


def test_c3_7_too_many_capacities_are_not_listed_and_a_fault_of_partitions_leaves_those_that_are():
    many = shareable("a", **{f"k{number}": "1" for number in range(33)})
    (pool,) = pools(DeviceSight((published("s", "n1", devices=[many]),)))
    assert pool["validationError"] == (
        "ShareableSummaryOverCap: pool d.example.com/n1 has 33 shareable capacity keys, exceeding the maximum of 32"
    )
    slices = (
        published("s1", "n1", 2, sharedCounters=COUNTERS),
        published("s2", "n1", 2, devices=[shareable("a", k="1"), typed("b", {"int": 1})]),
    )
    (pool,) = pools(DeviceSight(slices), defaultPartitionTypeAttribute="d.example.com/type")
    assert str(pool["validationError"]).startswith("PartitionTypeMissing: ")
    assert "shareableSummary" in pool


def test_c5_4_answers_live_for_an_hour_and_questions_for_a_day():
    asked = ResourcePoolStatusRequest.from_dict(
        {"metadata": {"name": "r", "creationTimestamp": "2026-01-02T00:00:00Z"}, "spec": {"driver": "d.example.com"}}
    )
    assert expires(asked) == NOW
    told = answered(asked, DeviceSight(()), ALL, NOW)
    assert told is not None
    assert expires(told) == NOW + 3600
    assert expires(ResourcePoolStatusRequest()) is None
