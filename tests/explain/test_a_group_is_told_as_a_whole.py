"""What is told of a group that does not start: its domains, what clashes, and remedies that were planned."""

from __future__ import annotations

import msgspec
import pytest

from dravite.api.core_v1 import PodSchedulingGate, Taint
from dravite.api.meta import ObjectRef
from dravite.explain import explain_group, glance_at_group
from dravite.explain.groups.explanation import (
    AddNodes,
    AskInOtherOrder,
    DropTopology,
    EndPods,
    GroupExplanation,
    LowerMinCount,
    ScaleWorkload,
)
from dravite.explain.remedies.advice import LiftGates, LowerCount, TolerateNodeTaint
from dravite.planning.planner import make_plan
from dravite.planning.settings import Settings
from dravite.snapshot.changes import with_changes
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
from tests.explain import worlds

GATES = "GenericWorkload=true,TopologyAwareWorkloadScheduling=true"
G = ObjectRef("PodGroup", "default", "g")
RACKS = [node(f"{rack}{number}", {"rack": rack}) for rack in "ab" for number in (1, 2)]


def told(*objects: object, settings: Settings | None = None) -> GroupExplanation:
    return explain_group(make_plan(cluster(*objects, on=release("1.37", GATES)), settings or Settings()), G)


def running(name: str, on: str, cpu: str, priority: int = 9):
    return pod(name, cpu, node_name=on, phase="Running", priority=priority)


def advice(found: GroupExplanation) -> list[object]:
    return [one.advice for one in found.remedies]


def test_the_nearest_domain_comes_first_with_what_the_next_pod_lacks():
    crowd = [running("o1", "a1", "4"), running("o2", "b1", "2")]
    found = told(*RACKS, *crowd, group(minimum=4, scheduling_constraints=in_domain("rack")), *members(4, "2"))
    assert [(one.finding.domain, one.fits, one.finding.needed) for one in found.domains] == [("b", 3, 4), ("a", 2, 4)]
    nearest = found.domains[0]
    assert nearest.finding.refused == ObjectRef("Pod", "default", "g-3")
    assert {name for group_ in nearest.groups for name in group_.nodes} == {"b1", "b2"}


def test_demands_that_clash_are_as_few_as_can_be():
    found = told(*RACKS, group(minimum=5, scheduling_constraints=in_domain("rack")), *members(5, "2"))
    assert found.clash == ("min-count", "topology", "resources")
    small = told(*RACKS, group(minimum=9, scheduling_constraints=in_domain("rack")), *members(9, "2"))
    assert small.clash == ("min-count", "resources")


def test_remedies_are_planned_with_the_whole_group():
    crowd = [running("o1", "a1", "2"), running("o2", "b1", "2")]
    found = told(*RACKS, *crowd, group(minimum=4, scheduling_constraints=in_domain("rack")), *members(4, "2"))
    assert advice(found) == [
        LowerMinCount(G, 4, 3),
        DropTopology(G, "rack"),
        EndPods((ObjectRef("Pod", "default", "o1"),), "a"),
        AddNodes("a2", 1),
    ]
    assert [(one.placed, one.domain) for one in found.remedies] == [(3, "a"), (4, None), (4, "a"), (4, "a")]


@pytest.mark.parametrize("minimum", [3, 4, 6])
def test_every_remedy_works_when_it_is_followed(minimum):
    objects = [
        *RACKS, *(devices_of(f"{rack}1", 2) for rack in "ab"), device_class(), template("gpu"),
        group(minimum=minimum, scheduling_constraints=in_domain("rack")),
        *(with_claims(one, gpu="@gpu") for one in members(minimum)),
    ]  # fmt: skip
    plan = make_plan(cluster(*objects, on=release("1.37", GATES)))
    found = explain_group(plan, G)
    assert found.remedies
    for one in found.remedies:
        decision = make_plan(with_changes(plan.start, one.changes)).group(G)
        assert decision is not None
        assert (decision.outcome, decision.domain) == ("scheduled", one.domain)


def test_a_gang_that_waits_is_told_what_it_waits_for():
    owner = ObjectRef("Job", "default", "train")
    found = told(node("n1"), group(minimum=4), *(PlannedPod(one, owner) for one in members(3)))
    assert found.decision.outcome == "waiting"
    assert advice(found) == [LowerMinCount(G, 4, 3), ScaleWorkload(owner, 3, 4)]


def test_nothing_is_to_be_changed_in_a_group_that_nobody_wrote():
    owner = ObjectRef("JobSet", "default", "g")
    jobs = [PlannedPod(pod(f"g-{number}", "2"), owner) for number in range(3)]
    found = told(node("n1"), *jobs, settings=Settings(gangs=("jobset",)))
    assert advice(found) == [AddNodes("n1", 1)]


def test_alternatives_in_another_order_leave_room_for_the_others():
    big, small = (f'{worlds.ATTRIBUTES}.size == "{size}"' for size in ("big", "small"))
    devices = (worlds.gpu(0, size="big"), worlds.gpu(1, size="small"))
    objects = [
        device_class(), node("n1"), worlds.published("n1", *devices), group(minimum=2),
        worlds.template("either", worlds.first_of("gpu", big=(big, {}), small=(small, {}))),
        worlds.template("big", worlds.wants("gpu", big)),
        with_claims(members(1)[0], gpu="@either"), with_claims(members(2)[1], gpu="@big"),
    ]  # fmt: skip
    holder = ObjectRef("ResourceClaimTemplate", "default", "either")
    assert AskInOtherOrder(holder, "gpu", ("small", "big")) in advice(told(*objects))


def test_what_would_be_preempted_for_a_remedy_is_told():
    crowd = [running("low", "b1", "4", priority=0), running("high", "b2", "4")]
    gang = group(minimum=3, priority=5, scheduling_constraints=in_domain("rack"))
    found = told(*RACKS, *crowd, gang, *members(3, "4", priority=5))
    wider = next(one for one in found.remedies if isinstance(one.advice, DropTopology))
    assert (wider.placed, wider.displaced) == (3, (ObjectRef("Pod", "default", "low"),))


def test_how_sure_a_no_is():
    alike = told(node("n1"), group(minimum=5), *members(5))
    assert alike.certainty == "proven"
    mixed = told(node("n1"), group(minimum=5), *members(4), *members(5, "2")[4:])
    assert mixed.certainty == "not-found"
    nowhere = told(node("n1"), group(minimum=2), *members(2, "9"))
    assert nowhere.certainty == "proven"


def test_a_shared_claim_is_one_demand_of_all():
    pods = [with_claims(one, gpu="shared") for one in members(2, "3")]
    found = told(
        node("n1"), node("n2"), devices_of("n1", 1), devices_of("n2", 1), device_class(), claim("shared"),
        group(minimum=2), *pods,
    )  # fmt: skip
    assert set(found.clash) == {"min-count", "devices", "resources"}


def test_a_glance_needs_no_remedies_and_a_group_that_is_not_there_is_an_error():
    plan = make_plan(cluster(node("n1"), group(minimum=5), *members(5), on=release("1.37", GATES)))
    assert glance_at_group(plan, G).remedies == ()
    with pytest.raises(LookupError, match="no decision for PodGroup default/other"):
        glance_at_group(plan, msgspec.structs.replace(G, name="other"))


def test_what_helps_the_next_pod_is_done_to_all_and_helps_the_group():
    tainted = [
        node(f"n{number}", taints=[Taint(key="dedicated", value="ml", effect="NoSchedule")]) for number in (1, 2)
    ]
    found = told(*tainted, group(minimum=4), *members(4, "2"))
    (one,) = [remedy for remedy in found.remedies if isinstance(remedy.advice, TolerateNodeTaint)]
    assert one.placed == 4
    assert [change.object.metadata.name for change in one.changes] == ["g-0", "g-1", "g-2", "g-3"]


def test_a_request_of_their_template_is_lowered_once_for_all():
    objects = [device_class(), template("t", 3), devices_of("n1", 2), devices_of("n2", 2)]
    pods = [with_claims(one, gpus="@t") for one in members(2)]
    found = told(node("n1"), node("n2"), *objects, group(minimum=2), *pods)
    lower = next(remedy for remedy in found.remedies if isinstance(remedy.advice, LowerCount))
    assert (lower.advice.possible, lower.placed) == (2, 2)


def test_gated_pods_are_told_what_holds_them_and_that_it_would_start():
    gate = PodSchedulingGate(name="example.com/quota")
    found = told(node("n1"), group(minimum=2), *members(2, scheduling_gates=(gate,)))
    assert found.decision.outcome == "waiting"
    assert [(type(one.advice), one.placed) for one in found.remedies] == [(LiftGates, 2)]


def test_what_helps_one_pod_and_not_all_is_no_hint_for_the_group():
    nodes = [node("n1", taints=[Taint(key="dedicated", effect="NoSchedule")])]
    found = told(*nodes, group(minimum=4), *members(4, "2"))
    assert not any(isinstance(one, TolerateNodeTaint) for one in advice(found))
