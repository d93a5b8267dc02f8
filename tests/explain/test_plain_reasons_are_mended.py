"""What keeps a pod from nodes besides devices: what to change, whom to end, or what to add."""

import msgspec
import pytest

from dravite.api.core_v1 import (
    Affinity,
    Container,
    ContainerPort,
    NodeAffinity,
    PodAffinity,
    PodAffinityTerm,
    PodSchedulingGate,
    ResourceRequirements,
    Taint,
    TopologySpreadConstraint,
)
from dravite.api.meta import ObjectRef, OwnerReference
from dravite.api.node_selector import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from dravite.api.resource_v1 import ResourceClaim
from dravite.diagnosis.reasons import ConstraintID
from dravite.diagnosis.verdicts import Waiting
from dravite.explain import explain
from dravite.explain.remedies import advice as a
from dravite.planning.planner import make_plan
from dravite.snapshot.manifests import PlannedPod
from dravite.snapshot.snapshot import build
from tests.clusters import (
    DRIVER,
    amounts,
    cluster,
    device_class,
    members,
    node,
    pod,
    release,
    selects,
    template,
    with_claims,
)
from tests.clusters import group as pod_group
from tests.explain.worlds import gpus, held, plan_of, published, running, told, waiting, wants
from tests.explain.worlds import template as asking_template

P = ObjectRef("Pod", "default", "p")
GROUPS = release(gates="GenericWorkload=true")
DEDICATED = Taint(key="dedicated", value="ml", effect="NoSchedule")


def helps(*objects):
    """The advice for pod p in a cluster, each with the node that it leads to."""
    return [(one.advice, one.outcome.node) for one in told(*objects).remedies]


def advice(found, kind):
    return [one for one, _ in found if isinstance(one, kind)]


def asking(**requests):
    return (Container(name="main", resources=ResourceRequirements(requests=amounts(**requests))),)


def there(name, on="n1", cpu="1", **spec):
    return pod(name, cpu, node_name=on, phase="Running", **spec)


def test_a_pod_asks_for_as_much_as_the_roomiest_node_has_left():
    found = helps(node("n1"), node("n2", cpu="8"), there("o", "n2", "3"), pod("p", "16"))
    assert [(one.amounts, on) for one, on in found] == [((a.LoweredAmount("cpu", "16", "5"),), "n2")]


def test_cpu_and_memory_are_lowered_at_once():
    (lower,) = advice(helps(node("n1"), pod("p", containers=asking(cpu="8", memory="9000Mi"))), a.LowerResources)
    assert lower.amounts == (a.LoweredAmount("cpu", "8", "4"), a.LoweredAmount("memory", "9000Mi", "8Gi"))
    assert lower.request.path == "spec.containers[0].resources.requests[cpu]"


@pytest.mark.parametrize(
    ("requests", "left"),
    [(("1", "7"), ["1", "3"]), (("4", "4"), ["2", "2"]), (("2", "6", "400m"), ["2", "1600m", "400m"])],
)
def test_the_hungriest_container_gives_way_and_else_all_alike(requests, left):
    containers = tuple(asking(cpu=cpu)[0] for cpu in requests)
    plan = plan_of(node("n1"), pod("p", containers=containers))
    lowered = next(one for one in explain(plan, P).remedies if isinstance(one.advice, a.LowerResources))
    (change,) = lowered.changes
    assert [one.resources.requests["cpu"].text for one in change.object.spec.containers] == left


def test_an_extended_resource_is_lowered_in_request_and_limit():
    wanted = {"example.com/fpga": amounts(x="4")["x"]}
    containers = (Container(name="main", resources=ResourceRequirements(requests=wanted, limits=wanted)),)
    host = node("n1", **{"example.com/fpga": "2"})
    plan = plan_of(host, pod("p", containers=containers))
    (change,) = explain(plan, P).remedies[0].changes
    resources = change.object.spec.containers[0].resources
    assert [one["example.com/fpga"].text for one in (resources.requests, resources.limits)] == ["2", "2"]


def test_the_least_important_pods_would_have_to_end_and_no_more_than_necessary():
    small, vital = there("small", cpu="1"), there("vital", cpu="2", priority=9)
    found = helps(node("n1"), small, there("other", cpu="1"), vital, pod("p", "1"))
    assert advice(found, a.EndPods) == [a.EndPods((ObjectRef("Pod", "default", "other"),), "n1")]


@pytest.mark.parametrize("kind", ["DaemonSet", "Node"])
def test_what_comes_back_at_once_is_not_ended(kind):
    owned = there("agent", cpu="4")
    owner = OwnerReference(api_version="v1", kind=kind, name="agent", uid="u", controller=True)
    owned = msgspec.structs.replace(owned, metadata=msgspec.structs.replace(owned.metadata, owner_references=(owner,)))
    assert advice(helps(node("n1"), owned, pod("p", "1")), a.EndPods) == []


def test_what_this_plan_has_placed_is_not_ended():
    assert advice(helps(node("n1"), pod("first", "4"), pod("p", "1")), a.EndPods) == []


def test_a_node_is_added_where_room_is_all_that_is_missing():
    assert (a.AddNodes("n2", 1), "n2-2") in helps(node("n1", cpu="1"), node("n2"), there("o", "n2", "3"), pod("p", "2"))


def test_no_node_is_added_that_is_too_small_as_well():
    assert advice(helps(node("n1"), pod("p", "5")), a.AddNodes) == []


@pytest.mark.parametrize(
    ("selector", "labels", "changed"),
    [
        ({"pool": "gpu"}, {"pool": "gpus"}, ("pool=gpu", "pool=gpus")),
        ({"pools": "gpus"}, {"pool": "gpus"}, ("pools=gpus", "pool=gpus")),
        ({"Pool": "gpu"}, {"pool": "gpus"}, ("Pool=gpu", "pool=gpus")),
    ],
)
def test_nodes_are_selected_by_the_nearest_label(selector, labels, changed):
    found = advice(helps(node("n1", labels), pod("p", node_selector=selector)), a.ReplaceNodeSelection)
    assert [(one.removed, one.added) for one in found] == [changed]


def test_a_label_that_some_node_has_is_not_replaced():
    nodes = (node("n1", {"pool": "web"}), node("n2", {"pool": "gpus"}, taints=[DEDICATED]))
    assert advice(helps(*nodes, pod("p", node_selector={"pool": "gpus"})), a.ReplaceNodeSelection) == []


def required(*terms):
    terms = tuple(NodeSelectorTerm(match_expressions=one) for one in terms)
    return Affinity(node_affinity=NodeAffinity(required=NodeSelector(node_selector_terms=terms)))


def test_a_requirement_of_the_affinity_is_mended_in_its_place():
    rule = NodeSelectorRequirement(key="zone", operator="In", values=("eu-1x", "us-1"))
    plan = plan_of(node("n1", {"zone": "eu-1a"}), pod("p", affinity=required((rule,))))
    mended = explain(plan, P).remedies[0]
    assert isinstance(mended.advice, a.ReplaceNodeSelection)
    term = mended.changes[0].object.spec.affinity.node_affinity.required.node_selector_terms[0]
    assert term.match_expressions[0].values == ("eu-1a", "us-1")


def test_an_affinity_of_which_nothing_would_be_left_goes_as_a_whole():
    rule = NodeSelectorRequirement(key="ssd", operator="Exists")
    plan = plan_of(node("n1"), pod("p", affinity=required((rule,))))
    (dropped,) = explain(plan, P).remedies
    assert dropped.advice == a.DropNodeSelection(dropped.advice.selection, "ssd")
    assert dropped.changes[0].object.spec.affinity.node_affinity.required is None


def test_a_taint_is_tolerated_but_not_one_that_says_that_the_node_is_not_well():
    sick = Taint(key="node.kubernetes.io/not-ready", effect="NoSchedule")
    assert advice(helps(node("n1", taints=[DEDICATED]), pod("p")), a.TolerateNodeTaint) == [
        a.TolerateNodeTaint(P, "dedicated", "ml", "NoSchedule")
    ]
    assert helps(node("n1", taints=[sick]), pod("p")) == [(a.AddNodes("n1", 1), "n1-2")]


def test_a_host_port_is_done_without_or_freed():
    def listening(name, **spec):
        ports = (ContainerPort(container_port=80, host_port=80, protocol="TCP"),)
        return pod(name, containers=(Container(name="main", ports=ports),), **spec)

    objects = (node("n1"), listening("web", node_name="n1"), there("other"))
    found = helps(*objects, listening("p"))
    assert [type(one) for one, _ in found] == [a.DropHostPort, a.EndPods, a.AddNodes]
    assert advice(found, a.EndPods)[0].pods == (ObjectRef("Pod", "default", "web"),)
    assert advice(helps(*objects, listening("p", host_network=True)), a.DropHostPort) == []


def apart(key="kubernetes.io/hostname", **labels):
    term = PodAffinityTerm(topology_key=key, label_selector=selects(**labels))
    return Affinity(pod_anti_affinity=PodAffinity(required=(term,)))


def test_the_pod_that_the_anti_affinity_means_is_named():
    found = helps(node("n1"), there("db", labels={"app": "db"}), there("web"), pod("p", affinity=apart(app="db")))
    assert [type(one) for one, _ in found] == [a.DropPodRule, a.EndPods, a.AddNodes]
    assert advice(found, a.EndPods)[0].pods == (ObjectRef("Pod", "default", "db"),)


def test_so_is_a_pod_of_the_same_zone_that_keeps_others_away():
    nodes = (node("n1", {"zone": "a"}), node("n2", {"zone": "a"}))
    lonely = there("lonely", "n2", affinity=apart("zone", app="web"))
    found = helps(*nodes, there("o"), lonely, pod("p", labels={"app": "web"}))
    assert advice(found, a.EndPods)[0].pods == (ObjectRef("Pod", "default", "lonely"),)


def test_a_rule_of_a_workload_is_left_out_of_all_its_pods():
    owner = ObjectRef("Deployment", "default", "web")
    pods = [pod(name, labels={"app": "web"}, affinity=apart(app="web")) for name in ("first", "p")]
    found = told(node("n1"), *(PlannedPod(one, owner) for one in pods))
    dropped = next(one for one in found.remedies if isinstance(one.advice, a.DropPodRule))
    assert [change.object.metadata.name for change in dropped.changes] == ["p", "first"]
    assert dropped.outcome == a.Outcome(node="n1")


def test_an_affinity_asks_for_the_nearest_label_that_pods_have():
    def near(**labels):
        term = PodAffinityTerm(topology_key="kubernetes.io/hostname", label_selector=selects(**labels))
        objects = (node("n1"), node("n2"), there("cache", "n2", labels={"app": "cache"}))
        return helps(*objects, pod("p", affinity=Affinity(pod_affinity=PodAffinity(required=(term,)))))

    mended, _ = near(app="caches")
    assert (mended[0].removed, mended[0].added, mended[1]) == ("app=caches", "app=cache", "n2")
    assert advice(near(apps="cache"), a.ReplacePodLabel)[0].added == "app=cache"
    assert advice(near(app="db"), a.ReplacePodLabel) == []


def test_a_spread_becomes_a_wish():
    spread = TopologySpreadConstraint(
        topology_key="zone", max_skew=1, when_unsatisfiable="DoNotSchedule", label_selector=selects(app="web")
    )
    nodes = (node("n1", {"zone": "a"}), node("n2", {"zone": "b"}, taints=[DEDICATED]))
    waits = pod("p", labels={"app": "web"}, topology_spread_constraints=(spread,))
    found = helps(*nodes, there("o", labels={"app": "web"}), waits)
    path = "spec.topologySpreadConstraints[0].whenUnsatisfiable"
    assert [(one.constraint.path, one.topology_key) for one in advice(found, a.RelaxSpread)] == [(path, "zone")]


def test_gates_are_lifted_where_the_pod_would_run_then():
    gate = PodSchedulingGate(name="example.com/quota")
    assert helps(node("n1"), pod("p", scheduling_gates=(gate,))) == [(a.LiftGates(P, ("example.com/quota",)), "n1")]
    (together,) = advice(helps(node("n1"), pod("p", "5", scheduling_gates=(gate,))), a.Together)
    assert [type(part) for part in together.parts] == [a.LiftGates, a.LowerResources]


def test_room_that_the_scheduler_makes_itself_counts():
    low, high = there("low", cpu="4"), pod("p", "4", priority=9)
    assert advice(helps(node("n1", taints=[DEDICATED]), low, high), a.TolerateNodeTaint) != []


def test_a_class_is_created_for_the_driver_of_its_name():
    found = helps(published("n1", *gpus(1)), asking_template("t", wants(of=DRIVER)), waiting())
    assert advice(found, a.CreateClass) == [a.CreateClass(DRIVER)]


def test_a_template_that_was_named_as_a_claim_is_named_as_what_it_is():
    found = helps(published("n1", *gpus(1)), asking_template("t", wants()), with_claims(pod("p"), a="t"))
    (other,) = advice(found, a.NameOtherSource)
    assert (other.entry.path, other.source.kind) == ("spec.resourceClaims[0]", "ResourceClaimTemplate")


def test_a_claim_that_was_named_as_a_template_is_named_as_what_it_is():
    claim = ResourceClaim(metadata=template("t").metadata, spec=template("t").spec.spec)
    found = helps(published("n1", *gpus(1)), claim, with_claims(pod("p"), a="@t"))
    assert [one.source.kind for one in advice(found, a.NameOtherSource)] == ["ResourceClaim"]


def test_two_things_are_done_together_where_one_is_not_enough():
    field = ConstraintID(P, "spec.containers[0].resources.requests[cpu]")
    tolerate = a.TolerateNodeTaint(P, "dedicated", "ml", "NoSchedule")
    lower = a.LowerResources(field, (a.LoweredAmount("cpu", "6", "4"),))
    assert helps(node("n1", taints=[DEDICATED]), pod("p", "6")) == [(a.Together((tolerate, lower)), "n1")]


def test_a_toleration_goes_together_with_fewer_devices():
    host = node("n1", taints=[DEDICATED])
    found = helps(host, published("n1", *gpus(2)), asking_template("t", wants(count=3)), waiting())
    assert [[type(part) for part in one.parts] for one in advice(found, a.Together)] == [
        [a.TolerateNodeTaint, a.LowerCount]
    ]


def test_three_things_are_not_advised():
    taints = [DEDICATED, Taint(key="night", effect="NoSchedule")]
    assert helps(node("n1", taints=taints), pod("p", "6")) == []
    assert len(advice(helps(node("n1", taints=taints), pod("p")), a.Together)) == 1


def test_a_node_with_devices_is_added_only_where_nothing_else_helps():
    devices, asked = published("n1", *gpus(1)), asking_template("t", wants())
    holder = running("o", "n1", a="c")
    assert advice(helps(devices, asked, held("c", "n1", "gpu-0", by="o"), holder, waiting()), a.AddNodes) == []
    sick = Taint(key="node.kubernetes.io/unreachable", effect="NoExecute")
    assert helps(node("n1", taints=[sick]), devices, asked, waiting()) == [(a.AddNodes("n1", 1), "n1-2")]


def test_all_pods_of_a_group_are_changed_alike():
    plan = make_plan(cluster(node("n1", taints=[DEDICATED]), pod_group("g", 2), *members(2), on=GROUPS))
    remedies = explain(plan, ObjectRef("Pod", "default", "g-0")).remedies
    (tolerate,) = [one for one in remedies if isinstance(one.advice, a.TolerateNodeTaint)]
    assert [change.object.metadata.name for change in tolerate.changes] == ["g-0", "g-1"]


@pytest.mark.parametrize(
    ("asked", "kind", "possible"),
    [({"all_of": True}, a.CountInsteadOfAll, [3]), ({"count": 6}, a.LowerCount, [3]), ({"count": 3}, a.LowerCount, [])],
)
def test_as_many_devices_are_asked_for_as_a_quota_allows(asked, kind, possible):
    hard = {"gpu.deviceclass.resource.k8s.io/devices": "3"}
    quota = {"metadata": {"name": "gpus", "namespace": "default"}, "spec": {"hard": hard}}
    objects = (node("n1"), published("n1", *gpus(8)), device_class(), asking_template("t", wants(**asked)), waiting())
    read = msgspec.structs.replace(cluster(*objects).manifests, quotas=(quota,))
    found = explain(make_plan(build(read)), P)
    assert [one.advice.possible for one in found.remedies if isinstance(one.advice, kind)] == possible
    assert isinstance(found.decision.decision, Waiting) == bool(possible)


def test_as_many_pods_would_have_to_end_as_a_zone_has_too_many():
    spread = TopologySpreadConstraint(
        topology_key="zone", max_skew=2, when_unsatisfiable="DoNotSchedule", label_selector=selects(app="web")
    )
    nodes = (node("n1", {"zone": "a"}), node("n2", {"zone": "b"}, taints=[DEDICATED]))
    others = (there(f"o{priority}", labels={"app": "web"}, priority=priority) for priority in (5, 7, 6))
    waits = pod("p", labels={"app": "web"}, topology_spread_constraints=(spread,))
    (end,) = advice(helps(*nodes, *others, waits), a.EndPods)
    assert [one.name for one in end.pods] == ["o6", "o5"]
