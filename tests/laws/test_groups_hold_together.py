"""What holds of every plan with groups: all or nothing, one domain, no device twice, priorities never inverted.

Clusters are small and tight: a few nodes in racks, devices, pods that run, and groups of several priorities that want
more than there is. A group of which preemption took pods is left out where a law is about its size: Kubernetes takes
them one by one unless the group says otherwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import permutations

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dravite.api.core_v1 import Pod
from dravite.api.meta import ObjectMeta, ObjectRef
from dravite.api.scheduling_v1beta1 import (
    AllDisruptionMode,
    CompositeGangSchedulingPolicy,
    CompositePodGroup,
    CompositePodGroupSchedulingPolicy,
    CompositePodGroupSpec,
    DisruptionMode,
)
from dravite.diagnosis.reasons import DevicesShort
from dravite.planning.plan import Plan, Preempted
from dravite.planning.planner import make_plan
from dravite.snapshot.groups import Group, placed_members, tree, waiting_members
from dravite.snapshot.snapshot import Snapshot
from tests.clusters import (
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

GATES = {
    "1.36": "GenericWorkload=true,GangScheduling=true,TopologyAwareWorkloadScheduling=true,"
    "WorkloadAwarePreemption=true",
    "1.37": "GenericWorkload=true,TopologyAwareWorkloadScheduling=true,CompositePodGroup=true,"
    "PodGroupPreemptionPolicy=true",
}
LAWFUL = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
EVERY_RELEASE = pytest.mark.parametrize("number", GATES)

Objects = tuple[object, ...]


class Shape(msgspec.Struct, frozen=True):
    """What a group asks; all its pods ask for the same."""

    pods: int
    minimum: int | None
    cpu: str
    gpus: int
    topology: bool

    def objects(self, name: str, importance: Mapping[str, object], **spec: object) -> Objects:
        """The group and its pods, all equally important."""
        if self.topology:
            spec["scheduling_constraints"] = in_domain("rack")
        claims = {"gpu": f"@gpus-{self.gpus}"} if self.gpus else {}
        pods = (with_claims(one, **claims) for one in members(self.pods, self.cpu, name, **importance))
        return (group(name, self.minimum, **importance, **spec), *pods)


@st.composite
def shapes(draw) -> Shape:
    pods = draw(st.integers(1, 5))
    return Shape(
        pods=pods,
        minimum=draw(st.sampled_from([None, 1, pods, pods, pods + 1])),
        cpu=draw(st.sampled_from(["1", "2"])),
        gpus=draw(st.sampled_from([0, 0, 1, 2])),
        topology=draw(st.booleans()),
    )


@st.composite
def racks(draw) -> Objects:
    """Nodes, the pods on them, and their devices."""
    objects: list[object] = [device_class(), template("gpus-1"), template("gpus-2", 2)]
    for number in range(draw(st.integers(2, 4))):
        name = f"n{number}"
        rack = draw(st.sampled_from(["a", "a", "b", ""]))
        objects += [node(name, {"rack": rack} if rack else {}), devices_of(name, draw(st.integers(0, 3)))]
        if draw(st.booleans()):
            priority = draw(st.sampled_from([0, 0, 5]))
            objects.append(pod(f"old-{name}", "2", node_name=name, phase="Running", priority=priority))
    return tuple(objects)


@st.composite
def crowds(draw, number: str) -> Objects:
    """A cluster, what runs in it, and groups that want to."""
    objects = [*draw(racks())]
    usual = draw(st.lists(shapes(), min_size=1, max_size=2))
    for name in ("g", "h", "i")[: draw(st.integers(2, 3))]:
        policy = draw(st.sampled_from([None, None, None, "Never"]))
        importance = {"priority": draw(st.sampled_from([0, 5, 9, 9])), "preemption_policy": policy}
        objects += draw(st.sampled_from(usual)).objects(name, importance)
    if draw(st.booleans()):
        objects += draw(running())
    if number == "1.37" and draw(st.booleans()):
        objects += draw(composites())
    return tuple(objects)


@st.composite
def running(draw) -> Objects:
    """A group of which two pods run, and maybe one more waits."""
    mode = draw(st.sampled_from([DisruptionMode(all=AllDisruptionMode()), None]))
    one = group("run", 2, priority=0, disruption_mode=mode, scheduling_constraints=in_domain("rack"))
    on, phase = draw(st.sampled_from(["n0", "n1"])), "Running"
    pods = [*members(2, of="run", node_name=on, phase=phase, priority=0), *members(3, of="run", priority=0)[2:]]
    return (one, *pods[: draw(st.integers(2, 3))])


@st.composite
def composites(draw) -> Objects:
    """Two groups under another, of which both or one have to start."""
    policy = CompositePodGroupSchedulingPolicy(
        gang=CompositeGangSchedulingPolicy(min_group_count=draw(st.integers(1, 2)))
    )
    priority = draw(st.sampled_from([0, 5]))
    spec = CompositePodGroupSpec(
        scheduling_policy=policy,
        scheduling_constraints=in_domain("rack") if draw(st.booleans()) else None,
        priority=priority,
    )
    top = CompositePodGroup(metadata=ObjectMeta(name="top", namespace="default"), spec=spec)
    importance, above = {"priority": priority}, {"parent_composite_pod_group_name": "top"}
    below = (draw(shapes()).objects(name, importance, **above) for name in ("x", "y"))
    return (top, *(one for objects in below for one in objects))


def planned(number: str, data: st.DataObject) -> Plan:
    """The plan for a cluster that is drawn."""
    return make_plan(cluster(*data.draw(crowds(number)), on=release(number, GATES[number])))


def victims(plan: Plan) -> set[tuple[str, str]]:
    """The pods that preemption took."""
    notes = (one for one in plan.notes if isinstance(one, Preempted))
    return {(victim.namespace, victim.name) for note in notes for victim in note.victims}


def roots(plan: Plan) -> Iterator[Group]:
    """The trees with pods that wait, but for those that lost pods to others."""
    taken = victims(plan)
    for root in _roots(plan.start):
        pods = [key for leaf in root.leaves() for key in plan.start.members.get(leaf.key) or ()]
        if any(waiting_members(plan.start, leaf.key) for leaf in root.leaves()) and not taken & set(pods):
            yield root


def _roots(snapshot: Snapshot) -> Iterator[Group]:
    for one in (*snapshot.composite_pod_groups.values(), *snapshot.pod_groups.values()):
        if one.spec.parent_composite_pod_group_name is None:
            yield tree(snapshot, one)


def gains(plan: Plan, leaf: Group) -> int:
    """How many pods of a group the plan has placed."""
    return len(placed_members(plan.final, leaf.key)) - len(placed_members(plan.start, leaf.key))


def is_enough(plan: Plan, leaf: Group) -> bool:
    """Whether as many pods of a group have a node as have to."""
    return len(placed_members(plan.final, leaf.key)) >= (leaf.minimum or 1)


@EVERY_RELEASE
@LAWFUL
@given(data=st.data())
def test_a_group_gets_nothing_or_enough(number, data):
    plan = planned(number, data)
    for root in roots(plan):
        for leaf in root.leaves():
            assert not gains(plan, leaf) or is_enough(plan, leaf)
        if root.is_composite and any(gains(plan, leaf) for leaf in root.leaves()):
            assert sum(is_enough(plan, leaf) for leaf in root.leaves()) >= (root.minimum or 0)


@EVERY_RELEASE
@LAWFUL
@given(data=st.data())
def test_what_is_said_of_a_group_is_what_became_of_its_pods(number, data):
    plan = planned(number, data)
    for root in roots(plan):
        for leaf in root.leaves():
            told = plan.group(leaf.ref)
            assert (told is not None and told.outcome == "scheduled") == bool(gains(plan, leaf))


@EVERY_RELEASE
@LAWFUL
@given(data=st.data())
def test_a_constrained_group_lies_in_one_domain(number, data):
    plan = planned(number, data)
    for root in roots(plan):
        for one in root.groups():
            if one.topology_key is not None:
                assert len(domains(plan, one)) <= 1


def domains(plan: Plan, constrained: Group) -> set[str]:
    """Where its pods lie, if the plan has placed any of them."""
    if not any(gains(plan, leaf) for leaf in constrained.leaves()):
        return set()
    pods = (one for leaf in constrained.leaves() for one in placed_members(plan.final, leaf.key))
    return {rack_of(plan, one.spec.node_name) or "none" for one in pods}


def rack_of(plan: Plan, name: str) -> str | None:
    return plan.start.states[name].labels.get("rack")


@EVERY_RELEASE
@LAWFUL
@given(data=st.data())
def test_no_device_and_no_core_is_given_away_twice(number, data):
    plan = planned(number, data)
    allocations = [one.status.allocation for _, one in plan.final.claims.items() if one.status.allocation]
    devices = Counter((each.pool, each.device) for one in allocations for each in one.devices.results)
    assert set(devices.values()) <= {1}
    before = cpus(plan.start)
    for name, used in cpus(plan.final).items():
        assert used <= max(plan.final.states[name].allocatable["cpu"], before[name])


def cpus(snapshot: Snapshot) -> Mapping[str, int]:
    """The cpu that the pods of each node ask for, in thousandths."""
    used: Counter[str] = Counter()
    for _, one in snapshot.pods.items():
        if one.pod.spec.node_name:
            used[one.pod.spec.node_name] += 1000 * cpu_of(one.pod)
    return used


def cpu_of(one: Pod) -> int:
    return int(str(one.spec.containers[0].resources.requests["cpu"]))


@EVERY_RELEASE
@LAWFUL
@given(data=st.data())
def test_only_lower_priorities_go_and_only_where_the_group_may_take_them(number, data):
    plan = planned(number, data)
    for note in plan.notes:
        if isinstance(note, Preempted):
            of = priority_of(plan, note.preemptor)
            assert all((plan.start.pods[one.namespace, one.name].pod.spec.priority or 0) < of for one in note.victims)
            assert not never_preempts(plan, note.preemptor)


def priority_of(plan: Plan, preemptor: ObjectRef) -> int:
    key = (preemptor.namespace, preemptor.name)
    if preemptor.kind == "Pod":
        return plan.start.pods[key].pod.spec.priority or 0
    kinds = {"PodGroup": plan.start.pod_groups, "CompositePodGroup": plan.start.composite_pod_groups}
    return kinds[preemptor.kind][key].spec.priority or 0


def never_preempts(plan: Plan, preemptor: ObjectRef) -> bool:
    """Whether the pods of a PodGroup may not take others' places."""
    pods = waiting_members(plan.start, (preemptor.namespace, preemptor.name)) if preemptor.kind == "PodGroup" else ()
    return any(one.spec.preemption_policy == "Never" for one in pods)


@EVERY_RELEASE
@LAWFUL
@given(data=st.data())
def test_of_groups_that_ask_the_same_the_more_important_does_not_wait_for_the_less(number, data):
    plan = planned(number, data)
    if not victims(plan):
        for first, second in rivals(plan):
            assert gains(plan, first) or not gains(plan, second)


def rivals(plan: Plan) -> Iterator[tuple[Group, Group]]:
    """Two groups that ask the same, the more important first."""
    single = [one for one in roots(plan) if not one.is_composite]
    for first, second in permutations(single, 2):
        if first.priority > second.priority and asks(plan, first) == asks(plan, second):
            yield first, second


def asks(plan: Plan, one: Group) -> object:
    pods = waiting_members(plan.start, one.key)
    claims = {each.resource_claim_template_name for pod in pods for each in pod.spec.resource_claims}
    running_there = {each.spec.node_name for each in placed_members(plan.start, one.key)}
    return (one.minimum, one.topology_key, len(pods), {cpu_of(each) for each in pods}, claims, running_there)


@EVERY_RELEASE
@LAWFUL
@given(data=st.data())
def test_the_same_cluster_gets_the_same_plan(number, data):
    objects = data.draw(crowds(number))
    first, second = (make_plan(cluster(*objects, on=release(number, GATES[number]))) for _ in range(2))
    told = [msgspec.json.encode((one.decisions, one.groups, one.notes), enc_hook=str) for one in (first, second)]
    assert told[0] == told[1]


@EVERY_RELEASE
def test_the_generator_reaches_what_the_laws_are_about(number):
    """A law over clusters in which everything fits would hold by itself."""
    reached: Counter[str] = Counter()

    @settings(max_examples=200, deadline=None, database=None, derandomize=True)
    @given(data=st.data())
    def look(data):
        plan = planned(number, data)
        reached.update({f"group {one.outcome}" for one in plan.groups})
        reached.update(set(_cases(plan)))

    look()
    wanted = ["group scheduled", "group unschedulable", "group waiting", "a part would fit", "more than enough"]
    wanted += ["in one of several domains", "no domain has room", "devices are short", "preempts", "rivals"]
    wanted += ["a whole group goes"]
    wanted += ["composite scheduled", "composite unschedulable"] if number == "1.37" else []
    assert {case for case in wanted if reached[case] < 3} == set(), reached


def _cases(plan: Plan) -> Iterator[str]:
    for one in plan.groups:
        if one.root != one.group:
            yield f"composite {one.outcome}"
        if (
            one.topology_key
            and one.outcome == "scheduled"
            and len({rack_of(plan, name) for name in plan.start.order}) > 1
        ):
            yield "in one of several domains"
        if len(one.placements) > 1:
            yield "no domain has room"
        for placement in one.placements:
            if placement.placed:
                yield "a part would fit"
            if any(isinstance(each, DevicesShort) for node in placement.reasons for each in node.reasons):
                yield "devices are short"
    for root in roots(plan):
        if any(gains(plan, leaf) > (leaf.minimum or 99) for leaf in root.leaves()):
            yield "more than enough"
    if any(True for _ in rivals(plan)):
        yield "rivals"
    taken = victims(plan)
    if taken:
        yield "preempts"
    if {("default", "run-0"), ("default", "run-1")} <= taken:
        yield "a whole group goes"
