"""Why no node will do: counts that add up, the nearest miss, who holds what, and what cannot hold together."""

import msgspec
import pytest

from dravite.api.core_v1 import Taint, Toleration
from dravite.api.meta import DeviceID, ObjectRef
from dravite.api.quantity import Quantity
from dravite.api.resource_v1 import CapacityRequestPolicy, CapacityRequestPolicyRange
from dravite.diagnosis.reasons import CountersExhausted, InUse, NodeTainted, SelectorFalse, TaintNotTolerated
from dravite.diagnosis.verdicts import Unschedulable
from dravite.explain import Detail, explain
from dravite.explain.devices.amounts import is_policed
from dravite.explain.notes import (
    AllNeedsEvery,
    DeviceTaintIsNotNodeTaint,
    NeverPreempted,
    OneDevicePerAmount,
    PoolsUnusable,
)
from dravite.snapshot.device_paths import DevicePath
from tests.clusters import DRIVER, node, pod, with_claims
from tests.explain.worlds import (
    ATTRIBUTES,
    MEMORY,
    first_of,
    gpu,
    gpus,
    held,
    match,
    plan_of,
    published,
    running,
    shared,
    tainted,
    template,
    told,
    using,
    waiting,
    wants,
)


def the_story(explanation):
    return explanation.groups[0].devices


def test_eligible_and_refused_devices_are_all_devices_seen():
    devices = (*gpus(2, model="A100"), tainted(gpu(2, model="A100")), gpu(3, model="T4"))
    found = told(
        published("n1", *devices), template("t", wants("gpu", f'{ATTRIBUTES}.model == "A100"', count=4)), waiting()
    )
    (request,) = the_story(found).requests
    assert (request.needed, request.eligible, request.seen, request.missing) == (4, 2, 4, 2)
    reasons = {type(group.reason): len(group.devices) for group in request.refusals}
    assert reasons == {TaintNotTolerated: 1, SelectorFalse: 1}
    assert (found.nearest.node, found.nearest.missing, found.nearest.needed) == ("n1", 2, 4)


def test_nodes_with_equal_reasons_are_one_group_and_all_nodes_are_counted():
    slices = [published(f"n{number}", *gpus(2)) for number in range(20)]
    objects = [*slices, template("t", wants(count=3)), waiting()]
    found = told(*objects)
    (group,) = found.groups
    assert (group.size, len(group.nodes), group.devices_seen) == (20, 8, 40)
    assert found.nodes_total == 20
    full = explain(plan_of(*objects), ObjectRef("Pod", "default", "p"), Detail.ALL)
    assert len(full.groups[0].nodes) == 20


def test_the_nearest_node_comes_first():
    found = told(published("n1", *gpus(1)), published("n2", *gpus(3)), template("t", wants(count=4)), waiting())
    assert [group.nodes for group in found.groups] == [("n2",), ("n1",)]
    assert found.nearest.missing == 1


def test_nodes_with_devices_of_the_class_come_before_nodes_with_more_devices_of_others():
    found = told(
        published("n1", *gpus(3), driver="nic.example.com"),
        published("n2", gpu(0)),
        template("t", wants("gpu", "false")),
        waiting(),
    )
    assert [group.nodes for group in found.groups] == [("n2",), ("n1",)]


def test_a_node_whose_devices_are_in_use_is_nearer_than_one_with_devices_that_never_will_do():
    found = told(
        published("n1", *gpus(4, model="T4")),
        published("n2", gpu(0, model="A100")),
        held("taken", "n2", "gpu-0", by="other"),
        running("other", "n2", a="taken"),
        template("t", wants("gpu", f'{ATTRIBUTES}.model == "A100"')),
        waiting(),
    )
    assert [group.nodes for group in found.groups] == [("n2",), ("n1",)]
    assert [(one.devices.missing, one.devices.lacking) for one in found.groups] == [(1, 0), (1, 1)]


def test_an_incomplete_pool_plays_a_part_where_it_may_hold_what_is_asked_for():
    def the_pools(*slices):
        found = told(*slices, template("t", wants(count=2)), waiting())
        return [(pool.pool, group.devices.hidden) for group in found.groups for pool in group.devices.pools]

    here = published("n1", gpu(0))
    other = published("n1", *gpus(2), driver="nic.example.com", pool="x", slices=2)
    assert the_pools(here, other) == []
    assert the_pools(here, published("n1", *gpus(2), pool="x", slices=2, name="x")) == [("x", 2)]
    nothing = published("n1", driver="nic.example.com", pool="x", slices=2)
    assert the_pools(here, nothing) == [("x", 0)]


def test_amounts_are_not_summed_up_where_policies_refuse_some_of_them():
    policy = CapacityRequestPolicy(
        default=Quantity.parse("1Gi"),
        valid_range=CapacityRequestPolicyRange(min=Quantity.parse("1Gi"), max=Quantity.parse("8Gi")),
    )
    small, policed = shared(gpu(0, "4Gi")), shared(gpu(1, "10Gi"))
    capacity = {"memory": msgspec.structs.replace(policed.capacity["memory"], request_policy=policy)}
    policed = msgspec.structs.replace(policed, capacity=capacity)
    found = told(published("n1", small, policed), template("t", wants(memory="9Gi")), waiting())
    (amount,) = found.amounts
    assert is_policed(amount, found.groups)
    found = told(published("n1", small), template("t", wants(memory="9Gi")), waiting())
    assert not is_policed(found.amounts[0], found.groups)


def test_who_holds_a_device_is_said_with_the_pods():
    found = told(
        published("n1", *gpus(2)),
        held("taken", "n1", "gpu-0", by="other"),
        running("other", "n1", a="taken"),
        template("t", wants(count=2)),
        waiting(),
    )
    (holding,) = found.holdings
    assert holding.device == DeviceID(DRIVER, "n1", "gpu-0")
    assert holding.claim == ObjectRef("ResourceClaim", "default", "taken")
    assert holding.pods == (ObjectRef("Pod", "default", "other"),)
    assert not holding.planned


def test_devices_taken_by_an_earlier_pod_of_the_plan_are_marked():
    found = told(published("n1", *gpus(1)), template("t", wants()), waiting("first"), waiting("p"))
    (holding,) = found.holdings
    assert holding.planned
    assert holding.pods == (ObjectRef("Pod", "default", "first"),)


def test_a_device_that_would_not_do_anyway_is_not_told_as_in_use():
    found = told(
        published("n1", gpu(0, model="T4")),
        held("taken", "n1", "gpu-0", by="other"),
        running("other", "n1", a="taken"),
        template("t", wants("gpu", f'{ATTRIBUTES}.model == "A100"')),
        waiting(),
    )
    (group,) = the_story(found).requests[0].refusals
    assert isinstance(group.reason, SelectorFalse)
    assert found.holdings == ()


def test_a_selector_is_told_with_the_values_it_saw():
    slices = [published(f"n{number}", *gpus(4)) for number in range(2)]
    found = told(*slices, template("t", wants("gpu", f'{MEMORY}.compareTo(quantity("80Gi")) >= 0')), waiting())
    (selector,) = found.selectors
    assert (selector.matched, selector.devices) == (0, 8)
    (read,) = selector.clauses[0].seen
    assert (read.path, read.values[0].value, read.values[0].devices) == (
        DevicePath("capacity", DRIVER, "memory"),
        "40Gi",
        8,
    )
    assert selector.clauses[0].comparison.operand == "80Gi"


def test_a_selector_that_enough_devices_meet_is_not_told():
    found = told(
        published("n1", gpu(0, model="A100"), gpu(1, model="T4")),
        held("taken", "n1", "gpu-0"),
        template("t", wants("gpu", f'{ATTRIBUTES}.model == "A100"')),
        waiting(),
    )
    assert found.selectors == ()
    assert isinstance(the_story(found).requests[0].refusals[0].reason, InUse)


def test_demands_that_cannot_hold_together_are_told_as_a_minimal_clash():
    devices = (gpu(0, numa=0), gpu(1, numa=1), gpu(2, numa=2))
    found = told(
        published("n1", *devices),
        template("t", wants(count=2), constraints=[match(f"{DRIVER}/numa")]),
        waiting(),
    )
    story = the_story(found)
    assert story.missing == 0
    assert [one.path for one in story.clash.core] == [
        "spec.spec.devices.requests[0]",
        "spec.spec.devices.requests[0].exactly.count",
        "spec.spec.devices.constraints[0].matchAttribute",
    ]
    (constraint,) = found.constraints
    assert (constraint.largest, constraint.needed) == (1, (("gpu", 2),))
    assert [group.value for group in constraint.groups] == ["0", "1", "2"]


def test_requests_that_have_enough_are_left_out_where_another_is_short():
    found = told(
        published("n1", *gpus(2), *(gpu(7, model="nic"),)),
        template("t", wants("nic", f'has({ATTRIBUTES}.model) && {ATTRIBUTES}.model == "nic"'), wants("gpu", count=9)),
        waiting(),
    )
    assert [request.request for request in the_story(found).requests] == ["gpu"]


def test_alternatives_are_told_one_by_one():
    found = told(
        published("n1", gpu(0, model="T4")),
        template(
            "t",
            first_of(
                "gpu",
                big=(f'{ATTRIBUTES}.model == "H100"', {}),
                small=(f'{ATTRIBUTES}.model == "A100"', {}),
            ),
        ),
        waiting(),
    )
    assert [request.request for request in the_story(found).requests] == ["gpu/big", "gpu/small"]
    assert [selector.request for selector in found.selectors] == ["gpu/big", "gpu/small"]


def test_counters_name_the_device_that_took_them():
    whole, part = using(gpu(0, part="whole"), "card", slots=2), using(gpu(1, part="half"), "card", slots=1)
    found = told(
        published("n1", sets={"card": {"slots": 2}}, slices=2, name="counters"),
        published("n1", whole, part, slices=2),
        held("taken", "n1", "gpu-1", by="other"),
        running("other", "n1", a="taken"),
        template("t", wants("gpu", f'{ATTRIBUTES}.part == "whole"')),
        waiting(),
    )
    refusals = {type(group.reason): group.reason for group in the_story(found).requests[0].refusals}
    assert (refusals[CountersExhausted].needed, refusals[CountersExhausted].available) == ("2", "1")
    (holding,) = found.holdings
    assert (holding.device.device, holding.counters) == ("gpu-1", True)
    (amount,) = found.amounts
    assert (amount.what, amount.name, amount.needed, amount.largest) == ("counter", "card/slots", "2", "1")


def test_an_amount_comes_from_one_device():
    devices = [shared(one) for one in gpus(2, memory="8Gi")]
    found = told(published("n1", *devices), template("t", wants(memory="10Gi")), waiting())
    (amount,) = found.amounts
    assert (amount.needed, amount.largest, amount.total, amount.devices) == ("10Gi", "8Gi", "16Gi", 2)
    assert OneDevicePerAmount("memory", "8Gi", "16Gi") in found.notes


def test_an_incomplete_pool_is_told_with_what_it_hides():
    found = told(published("n1", *gpus(2), slices=2), template("t", wants()), waiting())
    (pool,) = the_story(found).pools
    assert (pool.state, pool.slices_seen, pool.slices_expected) == ("incomplete", 1, 2)
    assert the_story(found).hidden == 2
    assert PoolsUnusable("incomplete", DRIVER, "n1", 2) in found.notes


@pytest.mark.parametrize(
    ("toleration", "is_told"),
    [
        ({"operator": "Exists"}, True),
        ({"key": "example.com/broken", "operator": "Exists"}, True),
        ({"key": "node.kubernetes.io/not-ready", "operator": "Exists"}, False),
    ],
)
def test_a_pods_toleration_does_not_help_against_the_taint_of_a_device(toleration, is_told):
    pending = waiting()
    spec = msgspec.structs.replace(pending.spec, tolerations=(Toleration(**toleration),))
    device = tainted(gpu(0), key="example.com/broken")
    found = told(published("n1", device), template("t", wants()), msgspec.structs.replace(pending, spec=spec))
    notes = [one for one in found.notes if isinstance(one, DeviceTaintIsNotNodeTaint)]
    assert [(one.key, len(one.devices)) for one in notes] == ([("example.com/broken", 1)] if is_told else [])


def test_values_that_only_look_alike_are_told_with_their_kinds():
    devices = (gpu(0, numa=0), gpu(1, numa="0"))
    found = told(
        published("n1", *devices), template("t", wants(count=2), constraints=[match(f"{DRIVER}/numa")]), waiting()
    )
    (constraint,) = found.constraints
    assert ([group.value for group in constraint.groups], constraint.largest) == (["0 (int)", "0 (string)"], 1)


def test_all_needs_every_device():
    found = told(published("n1", *gpus(2)), held("taken", "n1", "gpu-0"), template("t", wants(all_of=True)), waiting())
    assert any(isinstance(note, AllNeedsEvery) for note in found.notes)
    (request,) = the_story(found).requests
    assert (request.needed, request.eligible, request.missing) == (None, 1, 1)
    assert the_story(found).clash is None


def test_a_node_that_other_filters_refuse_has_no_story():
    taint = Taint(key="gpu", value="yes", effect="NoSchedule")
    found = told(
        node("n1"),
        node("n2", taints=[taint]),
        published("n1"),
        published("n2", *gpus(1)),
        template("t", wants()),
        waiting(),
    )
    tainted_group = next(group for group in found.groups if group.devices is None)
    assert tainted_group.reasons == (NodeTainted("gpu", "yes", "NoSchedule"),)
    assert sum(group.size for group in found.groups) == 2


def test_labels_that_keep_nodes_out_are_told_with_what_is_there():
    found = told(
        node("n1", {"zone": "a"}),
        published("n1", *gpus(1)),
        template("t", wants()),
        waiting(node_selector={"zone": "b"}),
    )
    (unmet,) = found.unmet
    assert (unmet.key, unmet.values, unmet.values_seen) == ("zone", ("b",), (("a", 1),))


def test_priority_does_not_free_devices():
    found = told(
        published("n1", *gpus(1)),
        held("taken", "n1", "gpu-0", by="other"),
        running("other", "n1", a="taken"),
        template("t", wants()),
        waiting(priority=1000),
    )
    assert NeverPreempted(1000, ((ObjectRef("Pod", "default", "other"), 0),)) in found.notes


def test_priority_does_not_free_devices_of_nodes_that_lack_room_first():
    crowd = with_claims(pod("other", "4", node_name="n1", phase="Running", priority=1), a="taken")
    found = told(
        node("n1"),
        published("n1", *gpus(1)),
        held("taken", "n1", "gpu-0", by="other"),
        crowd,
        template("t", wants()),
        waiting(priority=1000),
    )
    assert isinstance(found.decision.decision, Unschedulable)
    assert NeverPreempted(1000, ((ObjectRef("Pod", "default", "other"), 1),)) in found.notes


def test_pods_of_a_cluster_without_claims_are_explained_too():
    found = told(node("n1"), pod("p", cpu="99"))
    assert isinstance(found.decision.decision, Unschedulable)
    (group,) = found.groups
    assert group.devices is None


def test_a_clash_is_minimal_although_an_amount_helps_to_share_a_device():
    devices = (shared(gpu(0, "8Gi")), gpu(1, "8Gi"))
    asked = (wants("a", count=2, memory="4Gi"), wants("b", count=2, memory="4Gi"))
    found = told(published("n1", *devices), template("t", *asked), waiting())
    paths = [one.path.removeprefix("spec.spec.devices.requests") for one in the_story(found).clash.core]
    assert paths == ["[0]", "[0].exactly.count", "[1]"]
