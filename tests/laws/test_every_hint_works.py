"""Whatever is advised was planned: done to the cluster it leads to where the hint says, whatever the reasons are."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given, settings
from hypothesis import strategies as st

from dravite.api.core_v1 import (
    Affinity,
    Container,
    ContainerPort,
    Node,
    Pod,
    PodAffinity,
    PodAffinityTerm,
    PodSchedulingGate,
    ResourceRequirements,
    Taint,
    TopologySpreadConstraint,
)
from dravite.api.meta import ObjectRef
from dravite.diagnosis.verdicts import Scheduled
from dravite.explain import explain, explain_group
from dravite.explain.remedies.advice import Together
from dravite.planning.planner import make_plan
from dravite.snapshot.changes import with_changes
from tests.clusters import (
    amounts,
    cluster,
    device_class,
    devices_of,
    group,
    members,
    node,
    pod,
    release,
    running,
    selects,
    template,
    with_claims,
)

P = ObjectRef("Pod", "default", "p")
G = ObjectRef("PodGroup", "default", "g")
ZONE = "topology.kubernetes.io/zone"


@st.composite
def nodes(draw: st.DrawFn) -> tuple[Node, ...]:
    def one(number: int) -> Node:
        labels = {ZONE: draw(st.sampled_from(["a", "b"])), "pool": draw(st.sampled_from(["gpus", "web"]))}
        taints = draw(st.sampled_from([(), (Taint(key="dedicated", value="ml", effect="NoSchedule"),)]))
        return node(
            f"n{number}", labels, taints, cpu=draw(st.sampled_from(["1", "4"])), pods=draw(st.sampled_from("29"))
        )

    return tuple(one(number) for number in range(draw(st.integers(1, 3))))


@st.composite
def asking(draw: st.DrawFn) -> Mapping[str, object]:
    """The spec of the pod that waits: what it asks of nodes, neighbours and devices."""
    apart = PodAffinityTerm(topology_key=draw(st.sampled_from([ZONE, "kubernetes.io/hostname"])), label_selector=APP)
    spread = TopologySpreadConstraint(
        topology_key=ZONE, max_skew=1, when_unsatisfiable="DoNotSchedule", label_selector=APP
    )
    ports = (ContainerPort(host_port=80, protocol="TCP"),)
    requests = amounts(cpu=draw(st.sampled_from(["500m", "2", "16"])))
    containers = (
        Container(
            name="main",
            resources=ResourceRequirements(requests=requests),
            ports=draw(st.sampled_from([(), ports])),
        ),
    )
    affinity = draw(st.sampled_from([None, Affinity(pod_anti_affinity=PodAffinity(required=(apart,)))]))
    return {
        "containers": containers,
        "affinity": affinity,
        "topology_spread_constraints": draw(st.sampled_from([(), (spread,)])),
        "node_selector": draw(st.sampled_from([{}, {"pool": "gpu"}, {"pools": "web"}, {ZONE: "a"}])),
        "scheduling_gates": draw(st.sampled_from([(), (), (PodSchedulingGate(name="example.com/quota"),)])),
    }


APP = selects(app="web")


@st.composite
def others(draw: st.DrawFn, on: str) -> Pod:
    port = draw(st.sampled_from([(), (ContainerPort(host_port=80, protocol="TCP"),)]))
    requests = amounts(cpu=draw(st.sampled_from(["500m", "1"])))
    containers = (Container(name="main", resources=ResourceRequirements(requests=requests), ports=port),)
    name = f"o{draw(st.integers(0, 999))}-{on}"
    return pod(name, containers=containers, node_name=on, labels={"app": "web"}, priority=draw(st.integers(0, 2)))


@st.composite
def clusters(draw: st.DrawFn) -> tuple[object, ...]:
    found = draw(nodes())
    names = [one.metadata.name for one in found]
    there = {one.metadata.name: one for name in names for one in draw(st.lists(others(name), max_size=2))}
    waiting = pod("p", labels={"app": "web"}, **draw(asking()))
    objects: list[object] = [*found, *there.values()]
    if draw(st.booleans()):
        waiting = with_claims(waiting, gpus="@t")
        held = [part for name in names if draw(st.booleans()) for part in running(f"holder-{name}", "gpu-0", name)]
        devices = [devices_of(name, draw(st.integers(1, 2))) for name in names]
        objects += [device_class(), template("t", draw(st.integers(1, 2))), *devices, *held]
    return (*objects, waiting)


@settings(max_examples=60, deadline=None)
@given(clusters())
def test_done_to_the_cluster_it_leads_to_where_the_hint_says(objects: tuple[object, ...]) -> None:
    plan = make_plan(cluster(*objects))
    for remedy in explain(plan, P).remedies:
        after = make_plan(with_changes(plan.start, remedy.changes)).decision(P)
        assert after is not None
        assert isinstance(after.decision, Scheduled), remedy.advice
        assert (after.decision.node, after.claims) == (remedy.outcome.node, remedy.outcome.claims)


@settings(max_examples=60, deadline=None)
@given(clusters())
def test_two_things_are_only_advised_where_no_single_one_helps(objects: tuple[object, ...]) -> None:
    remedies = explain(make_plan(cluster(*objects)), P).remedies
    pairs = [remedy for remedy in remedies if isinstance(remedy.advice, Together)]
    assert not pairs or len(pairs) == len(remedies)


@st.composite
def gangs(draw: st.DrawFn) -> tuple[object, ...]:
    """A gang that asks for the same on some nodes, perhaps with devices of a template."""
    found = draw(nodes())
    names = [one.metadata.name for one in found]
    size = draw(st.integers(2, 3))
    spec = {key: asked for key, asked in draw(asking()).items() if key in ("node_selector", "scheduling_gates")}
    pods = members(size, draw(st.sampled_from(["500m", "2", "16"])), **spec)
    objects: list[object] = [*found, group(minimum=size)]
    if draw(st.booleans()):
        pods = tuple(with_claims(one, gpus="@t") for one in pods)
        devices = [devices_of(name, draw(st.integers(1, 2))) for name in names]
        objects += [device_class(), template("t", draw(st.integers(1, 2))), *devices]
    return (*objects, *pods)


@settings(max_examples=40, deadline=None)
@given(gangs())
def test_a_hint_for_a_group_starts_it(objects: tuple[object, ...]) -> None:
    plan = make_plan(cluster(*objects, on=release(gates="GenericWorkload=true")))
    for remedy in explain_group(plan, G).remedies:
        after = make_plan(with_changes(plan.start, remedy.changes))
        started = after.group(G)
        assert started is not None
        assert started.outcome == "scheduled", remedy.advice
        assert sum(isinstance(one.decision, Scheduled) for one in after.decisions) == remedy.placed
