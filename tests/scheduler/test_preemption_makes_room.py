from __future__ import annotations

import msgspec

from dravite.api.meta import LabelSelector, ObjectMeta, ObjectRef
from dravite.api.policy_v1 import PodDisruptionBudget, PodDisruptionBudgetSpec
from dravite.diagnosis.verdicts import Aborted, Scheduled, Unschedulable
from dravite.planning.plan import Preempted, Victim
from dravite.planning.planner import make_plan
from tests.clusters import claim, cluster, device_class, devices_of, node, pod, release, with_claims
from tests.explain.worlds import held


def running(name: str, on: str, cpu: str, priority: int, start: str | None = None):
    one = pod(name, cpu=cpu, node_name=on, phase="Running", priority=priority)
    return msgspec.structs.replace(one, status=msgspec.structs.replace(one.status, start_time=start))


def plan_of(*objects: object, gates: str = "", number: str = "1.37"):
    return make_plan(cluster(*objects, on=release(number, gates)))


def message(plan) -> str:
    decision = plan.decisions[-1].decision
    assert isinstance(decision, Unschedulable)
    return decision.message


def test_f11_3_without_lower_pods_there_are_no_victims():
    plan = plan_of(node("n1"), running("o", "n1", "4", 0), pod("p"))
    assert message(plan).endswith(
        "preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod."
    )


def test_f11_3_what_is_left_after_all_lower_pods_is_told():
    plan = plan_of(node("n1"), running("high", "n1", "3", 9), running("low", "n1", "1", 1), pod("p", "3", priority=5))
    assert message(plan).endswith("preemption: 0/1 nodes are available: 1 Insufficient cpu.")


def test_f11_3_a_node_that_is_too_small_is_not_helped():
    plan = plan_of(node("n1"), running("low", "n1", "1", 1), pod("p", "5", priority=5))
    assert message(plan).endswith("1 Preemption is not helpful for scheduling.")


def test_a_pod_that_preempts_is_placed_and_the_plan_says_who_goes():
    plan = plan_of(node("n1"), running("low", "n1", "4", 1), pod("p", "2", priority=5))
    assert plan.decisions[-1].decision == Scheduled(node="n1")
    assert plan.notes == (
        Preempted(
            preemptor=ObjectRef("Pod", "default", "p"),
            victims=(ObjectRef("Pod", "default", "low"),),
            nodes=("n1",),
            message=(
                "0/1 nodes are available: 1 Insufficient cpu. "
                "preemption: found a potential placement for pod on node n1, preempting 1 victims"
            ),
            facts=(Victim(pod=ObjectRef("Pod", "default", "low"), node="n1", priority=1),),
        ),
    )
    assert [one.key for one in plan.final.states["n1"].pods] == [("default", "p")]


def test_a_preemption_after_which_the_claim_cannot_be_reserved_is_in_vain():
    by_hand = held("c", "n1", "gpu-0")
    bare = msgspec.structs.replace(by_hand.status.allocation, allocation_timestamp=None)
    by_hand = msgspec.structs.replace(by_hand, status=msgspec.structs.replace(by_hand.status, allocation=bare))
    waiting = with_claims(pod("p", "2", priority=5), gpu="c")
    plan = plan_of(node("n1"), device_class(), devices_of("n1", 1), by_hand, running("low", "n1", "4", 1), waiting)
    (note,) = plan.notes
    assert isinstance(note, Preempted)
    assert note.in_vain
    assert isinstance(plan.decisions[-1].decision, Aborted)


def test_e6_11_what_speaks_against_other_nodes_is_told():
    crowd = [
        running("a", "n1", "4", 3), running("b", "n2", "4", 1), running("c", "n3", "2", 1), running("d", "n3", "2", 1),
        running("e", "n4", "4", 1), running("f", "n5", "4", 9),
    ]  # fmt: skip
    plan = plan_of(*(node(f"n{number}") for number in range(1, 6)), *crowd, pod("p", "4", priority=5))
    (note,) = plan.notes
    assert isinstance(note, Preempted)
    assert (note.nodes, note.spared) == (("n2",), 4)
    assert {one.node: one.because for one in note.instead_of} == {"n1": "priority", "n3": "pods", "n4": "order"}


def test_room_that_is_made_serves_others_too_the_most_important_first():
    waiting = [pod("p", "2", priority=5), pod("q", "2", priority=1), pod("r", "2", priority=1)]
    plan = plan_of(node("n1"), running("low", "n1", "4", 0), *waiting)
    placed = {one.pod.name: isinstance(one.decision, Scheduled) for one in plan.decisions}
    assert placed == {"p": True, "q": True, "r": False}


def test_budgets_are_respected_where_others_can_go():
    guarded = msgspec.structs.replace(
        running("guarded", "n1", "2", 1),
        metadata=msgspec.structs.replace(running("guarded", "n1", "2", 1).metadata, labels={"app": "guarded"}),
    )
    budget = PodDisruptionBudget(
        metadata=ObjectMeta(name="b", namespace="default"),
        spec=PodDisruptionBudgetSpec(min_available=1, selector=LabelSelector(match_labels={"app": "guarded"})),
    )
    plan = plan_of(node("n1"), guarded, running("other", "n1", "2", 1), pod("p", "2", priority=5), budget)
    assert [victim.name for victim in plan.notes[0].victims] == ["other"]


def test_e6_11_as_many_as_possible_are_spared_the_most_important_first():
    pods = [running("a", "n1", "1", 3), running("b", "n1", "1", 2), running("c", "n1", "2", 1)]
    plan = plan_of(node("n1"), *pods, pod("p", "2", priority=5))
    assert [victim.name for victim in plan.notes[0].victims] == ["c"]


def test_e6_11_of_several_nodes_the_one_with_the_least_important_victims_is_cleared():
    nodes = [node("n1"), node("n2"), node("n3")]
    by_priority = [running("o1", "n1", "4", 3), running("o2", "n2", "4", 1), running("o3", "n3", "4", 2)]
    assert plan_of(*nodes, *by_priority, pod("p", "4", priority=5)).notes[0].nodes == ("n2",)
    early, late = "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"
    by_start = [running(f"o{i}", f"n{i}", "4", 1, late if i == 2 else early) for i in (1, 2, 3)]
    assert plan_of(*nodes, *by_start, pod("p", "4", priority=5)).notes[0].nodes == ("n2",)


def test_a_policy_of_never_is_respected():
    plan = plan_of(node("n1"), running("low", "n1", "4", 1), pod("p", "2", priority=5, preemption_policy="Never"))
    assert message(plan).endswith("preemption: not eligible due to preemptionPolicy=Never.")
    assert plan.notes == ()


def test_f2_7_missing_devices_are_never_freed_that_way():
    holder = with_claims(pod("low", priority=1), a="held")
    plan = plan_of(
        node("n1"), devices_of("n1", 1), device_class(), claim("held"), claim("wanted"), holder,
        with_claims(pod("p", priority=0), a="wanted"),
    )  # fmt: skip
    assert message(plan) == (
        "0/1 nodes are available: 1 cannot allocate all claims. "
        "preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."
    )


def test_1_36_says_what_became_of_the_claims():
    plain = plan_of(node("n1"), pod("p", "5"), number="1.36")
    assert "1 Insufficient cpu. no new claims to deallocate, preemption: 0/1" in message(plain)
    wanting = with_claims(pod("p"), a="c")
    claims = plan_of(node("n1"), devices_of("n1", 0), device_class(), claim("c"), wanting, number="1.36")
    assert "1 cannot allocate all claims. still not schedulable, preemption: 0/1" in message(claims)
    refused = plan_of(node("n1"), claim("c", device_class="none"), wanting, number="1.36")
    assert "device class none does not exist. no new claims to deallocate, preemption: 0/1" in message(refused)
