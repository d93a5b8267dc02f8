"""What a plan says of gangs: all or nothing, in one domain, with whom they preempt, release by release."""

from __future__ import annotations

import msgspec
import pytest

from dravite.api.core_v1 import WorkloadReference
from dravite.api.meta import ObjectMeta, ObjectRef
from dravite.api.scheduling_v1beta1 import (
    AllDisruptionMode,
    CompositeGangSchedulingPolicy,
    CompositePodGroup,
    CompositePodGroupSchedulingPolicy,
    CompositePodGroupSpec,
    DisruptionMode,
    GangSchedulingPolicy,
    PodGroupSchedulingPolicy,
    PodGroupTemplate,
    Workload,
    WorkloadSpec,
)
from dravite.diagnosis.verdicts import Scheduled, Unschedulable, Waiting
from dravite.planning.plan import Plan, Preempted, TakenAsGangs
from dravite.planning.planner import make_plan
from dravite.planning.settings import Settings
from dravite.snapshot.manifests import PlannedPod
from tests.clusters import (
    claim,
    cluster,
    device_class,
    devices_of,
    group,
    in_domain,
    members,
    node,
    pod,
    release,
    template,
    with_claims,
)

WHOLE = "GenericWorkload=true,TopologyAwareWorkloadScheduling=true,CompositePodGroup=true"
PERMITS = "GenericWorkload=true,GangScheduling=true"
RACKS = [node("a1", {"rack": "a"}), node("a2", {"rack": "a"}), node("b1", {"rack": "b"}), node("b2", {"rack": "b"})]


def plan_of(*objects: object, number: str = "1.37", gates: str = WHOLE, settings: Settings | None = None) -> Plan:
    return make_plan(cluster(*objects, on=release(number, gates)), settings or Settings())


def nodes(plan: Plan) -> dict[str, str | None]:
    found = ((one.pod.name, one.decision) for one in plan.decisions)
    return {name: one.node if isinstance(one, Scheduled) else None for name, one in found}


def running(name: str, on: str, cpu: str, priority: int = 0):
    return pod(name, cpu=cpu, node_name=on, phase="Running", priority=priority)


@pytest.mark.parametrize(("number", "gates"), [("1.37", WHOLE), ("1.37", "GenericWorkload=true"), ("1.36", PERMITS)])
def test_a_gang_that_fits_is_placed_and_one_that_does_not_gets_nothing(number, gates):
    fits = plan_of(node("n1"), group(minimum=3), *members(3), number=number, gates=gates)
    assert nodes(fits) == {"g-0": "n1", "g-1": "n1", "g-2": "n1"}
    assert [one.outcome for one in fits.groups] == ["scheduled"]
    large = plan_of(node("n1"), group(minimum=5), *members(5), number=number, gates=gates)
    assert set(nodes(large).values()) == {None}
    assert [one.outcome for one in large.groups] == ["unschedulable"]
    assert large.final.states["n1"].pods == ()


def test_pods_that_fit_are_told_that_their_group_holds_them_back():
    plan = plan_of(node("n1"), group(minimum=5), *members(5))
    held = plan.decisions[0].decision
    assert isinstance(held, Unschedulable)
    assert held.held_back is not None
    assert (held.held_back.node, str(held.held_back.group)) == ("n1", "PodGroup default/g")
    last = plan.decisions[-1].decision
    assert isinstance(last, Unschedulable)
    assert last.message == "0/1 nodes are available: 1 Insufficient cpu."


def test_e4_3_a_gang_takes_more_than_its_minimum_if_it_can():
    plan = plan_of(node("n1"), group(minimum=2), *members(6))
    assert sum(on is not None for on in nodes(plan).values()) == 4


def test_e3_2_a_gang_waits_for_pods_that_are_not_there():
    plan = plan_of(node("n1"), group(minimum=4), *members(3))
    assert {one.decision for one in plan.decisions} == {Waiting(reason="group-incomplete", detail="3 of 4 pods")}
    assert [one.outcome for one in plan.groups] == ["waiting"]


def test_a_pod_that_waits_keeps_its_whole_group_waiting():
    first, second = members(2)
    plan = plan_of(node("n1"), group(minimum=2), first, with_claims(second, gpu="gone"))
    reasons = {one.pod.name: one.decision.reason for one in plan.decisions if isinstance(one.decision, Waiting)}
    assert reasons == {"g-0": "group-gated", "g-1": "claim-missing"}


def test_e5_all_pods_go_to_one_domain():
    plan = plan_of(*RACKS, group(minimum=4, scheduling_constraints=in_domain("rack")), *members(4, "2"))
    assert {on[0] for on in nodes(plan).values() if on} == {"a"}
    assert (plan.groups[0].topology_key, plan.groups[0].domain, plan.groups[0].tied) == ("rack", "a", ("a", "b"))


def test_each_domain_tells_how_many_fit_where_none_is_enough():
    crowd = [running("o1", "a1", "4"), running("o2", "b1", "2")]
    plan = plan_of(*RACKS, *crowd, group(minimum=4, scheduling_constraints=in_domain("rack")), *members(4, "2"))
    told = [(one.domain, len(one.placed), one.needed) for one in plan.groups[0].placements]
    assert told == [("a", 2, 4), ("b", 3, 4)]


def test_a_seed_chooses_another_of_equal_domains():
    objects = (*RACKS, group(minimum=2, scheduling_constraints=in_domain("rack")), *members(2))
    taken = {plan_of(*objects, settings=Settings(seed=seed)).groups[0].domain for seed in range(12)}
    assert taken == {"a", "b"}


def test_e5_3_members_that_run_decide_on_the_domain():
    there = msgspec.structs.replace(members(1)[0], spec=msgspec.structs.replace(members(1)[0].spec, node_name="b2"))
    more = members(2)[1:]
    plan = plan_of(*RACKS, there, group(minimum=2, scheduling_constraints=in_domain("rack")), *more)
    assert nodes(plan)["g-1"] in ("b1", "b2")


def test_f6_a_claim_shared_by_a_gang_binds_all_to_one_node():
    pods = [with_claims(one, gpu="shared") for one in members(2)]
    plan = plan_of(
        node("n1"), node("n2"), devices_of("n1", 0), devices_of("n2", 1), device_class(), claim("shared"),
        group(minimum=2), *pods,
    )  # fmt: skip
    assert nodes(plan) == {"g-0": "n2", "g-1": "n2"}


def test_a_gang_whose_devices_do_not_suffice_holds_none():
    pods = [with_claims(one, gpu="@gpu") for one in members(3)]
    plan = plan_of(node("n1"), devices_of("n1", 2), device_class(), template("gpu"), group(minimum=3), *pods)
    assert set(nodes(plan).values()) == {None}
    assert all(claim.status.allocation is None for _, claim in plan.final.claims.items())


def test_e6_a_gang_preempts_as_a_whole_and_the_plan_goes_on_without_its_victims():
    crowd = [running("low", "n1", "2"), running("high", "n1", "2", 9)]
    plan = plan_of(node("n1"), *crowd, group(minimum=2, priority=5), *members(2, priority=5))
    assert nodes(plan) == {"g-0": "n1", "g-1": "n1"}
    (note,) = plan.notes
    assert isinstance(note, Preempted)
    assert (str(note.preemptor), note.victims) == ("PodGroup default/g", (ObjectRef("Pod", "default", "low"),))


def test_e6_4_a_group_that_goes_together_is_told_as_the_reason():
    together = group("old", 2, disruption_mode=DisruptionMode(all=AllDisruptionMode()))
    crowd = members(2, "2", "old", node_name="n1", phase="Running", priority=0)
    plan = plan_of(node("n1"), node("n2"), together, *crowd, running("o", "n2", "2"), pod("p", "4", priority=5))
    note = next(one for one in plan.notes if isinstance(one, Preempted))
    assert [(one.pod.name, one.priority, one.goes_with) for one in note.facts] == [("o", 0, None)]
    alone = plan_of(node("n1"), together, *crowd, pod("p", "2", priority=5))
    note = next(one for one in alone.notes if isinstance(one, Preempted))
    assert {(one.pod.name, str(one.goes_with)) for one in note.facts} == {
        ("old-0", "PodGroup default/old"),
        ("old-1", "PodGroup default/old"),
    }


def test_priorities_that_differ_are_an_error_of_the_whole_group():
    first, second = members(2, priority=5)
    other = msgspec.structs.replace(second, spec=msgspec.structs.replace(second.spec, priority=1))
    plan = plan_of(node("n1"), group(minimum=2, priority=5), first, other)
    text = "all pods in a single pod group should have the same priority as the pod group's priority, got 1 and 5"
    assert {one.decision.message for one in plan.decisions} == {text}
    assert plan.groups[0].message == text


def test_composite_groups_start_with_enough_of_their_groups():
    top = CompositePodGroup(
        metadata=ObjectMeta(name="top", namespace="default"),
        spec=CompositePodGroupSpec(
            scheduling_policy=CompositePodGroupSchedulingPolicy(gang=CompositeGangSchedulingPolicy(min_group_count=2))
        ),
    )
    below = [group(name, 2, parent_composite_pod_group_name="top") for name in ("x", "y")]
    fits = plan_of(node("n1"), top, *below, *members(2, of="x"), *members(2, of="y"))
    assert set(nodes(fits).values()) == {"n1"}
    large = plan_of(node("n1"), top, *below, *members(2, of="x"), *members(2, "2", of="y"))
    assert set(nodes(large).values()) == {None}
    assert {one.root.name for one in large.groups} == {"top"}


def test_what_came_of_each_domain_is_told_of_every_group_of_a_tree():
    top = CompositePodGroup(
        metadata=ObjectMeta(name="top", namespace="default"),
        spec=CompositePodGroupSpec(
            scheduling_policy=CompositePodGroupSchedulingPolicy(gang=CompositeGangSchedulingPolicy(min_group_count=2)),
            scheduling_constraints=in_domain("rack"),
        ),
    )
    below = [group(name, 2, parent_composite_pod_group_name="top") for name in ("x", "y")]
    nodes_ = [node("a1", {"rack": "a"}), node("b1", {"rack": "b"}, cpu="6")]
    plan = plan_of(*nodes_, top, *below, *members(2, "2", of="x"), *members(2, "2", of="y"))
    told = {
        one.group.name: [(each.domain, len(each.placed), each.needed) for each in one.placements] for one in plan.groups
    }
    assert told == {"x": [("a", 2, 2), ("b", 2, 2)], "y": [("a", 0, 2), ("b", 1, 2)]}
    held = plan.decision(ObjectRef("Pod", "default", "x-0")).decision
    assert isinstance(held, Unschedulable)
    assert held.held_back is not None
    assert (held.held_back.node, str(held.held_back.group)) == ("a1", "CompositePodGroup default/top")


def test_1_35_has_groups_inside_workloads():
    entry = PodGroupTemplate(
        name="workers", scheduling_policy=PodGroupSchedulingPolicy(gang=GangSchedulingPolicy(min_count=3))
    )
    workload = Workload(
        metadata=ObjectMeta(name="w", namespace="default"), spec=WorkloadSpec(pod_group_templates=(entry,))
    )
    named = WorkloadReference(name="w", pod_group="workers")
    pods = [pod(f"g-{number}", "2", workload_ref=named) for number in range(3)]
    small = plan_of(node("n1"), workload, *pods, number="1.35", gates=PERMITS)
    assert set(nodes(small).values()) == {None}
    assert small.final.states["n1"].pods == ()
    (told,) = small.groups
    assert [(len(one.placed), one.needed) for one in told.placements] == [(2, 3)]
    assert told.placements[0].refused == ObjectRef("Pod", "default", "g-2")
    large = plan_of(node("n1"), node("n2"), workload, *pods, number="1.35", gates=PERMITS)
    assert None not in nodes(large).values()


def test_a_workload_may_be_taken_as_a_gang_for_planning():
    owner = ObjectRef("JobSet", "default", "train")
    pods = [PlannedPod(pod(f"train-{number}", "2"), owner) for number in range(3)]
    alone = plan_of(node("n1"), *pods, gates="")
    assert sum(on is not None for on in nodes(alone).values()) == 2
    together = plan_of(node("n1"), *pods, gates="", settings=Settings(gangs=("jobset",)))
    assert set(nodes(together).values()) == {None}
    assert together.notes == (TakenAsGangs(("jobset",), (ObjectRef("PodGroup", "default", "train"),)),)
