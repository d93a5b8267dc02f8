from __future__ import annotations

import msgspec

from dravite.api.core_v1 import Taint
from dravite.api.meta import ObjectRef
from dravite.planning.planner import make_plan
from dravite.snapshot.changes import AddNodes, Cordon, RemoveObject, Scale, SetObject, with_changes
from dravite.snapshot.manifests import PlannedPod
from tests.clusters import claim, cluster, device_class, devices_of, node, pod, taint_rule, template, with_claims

GPUS = (node("n1"), devices_of("n1", 2), device_class(), template("gpu"))


def wanting(name: str):
    return with_claims(pod(name), gpu="@gpu")


def plan_changed(snapshot, changes):
    return make_plan(with_changes(snapshot, changes))


def places(plan) -> dict[str, str | None]:
    return {one.pod.name: getattr(one.decision, "node", None) for one in plan.decisions}


def test_a_changed_template_leads_to_other_claims_also_after_planning():
    plan = make_plan(cluster(*GPUS, template("big", count=3), with_claims(pod("p"), gpu="@big")))
    assert places(plan) == {"p": None}
    seen = plan.seen(ObjectRef("Pod", "default", "p"))
    assert places(plan_changed(seen, (SetObject(template("big", count=2)),))) == {"p": "n1"}


def test_a_pod_that_goes_frees_its_devices_and_the_claim_that_was_made_for_it():
    plan = make_plan(cluster(*GPUS, wanting("a"), wanting("b"), wanting("c")))
    seen = plan.seen(ObjectRef("Pod", "default", "c"))
    after = plan_changed(seen, (RemoveObject(ObjectRef("Pod", "default", "a")),))
    assert places(after) == {"c": "n1"}
    assert after.final.claim("default", "a-gpu-xxxxx") is None
    assert seen.claim("default", "a-gpu-xxxxx") is not None


def test_a_copied_node_brings_its_slices():
    snapshot = cluster(*GPUS, wanting("a"), wanting("b"), wanting("c"))
    after = plan_changed(snapshot, (AddNodes("n1", 1),))
    assert places(after) == {"a": "n1", "b": "n1-2", "c": "n1"}


def test_a_taint_rule_keeps_devices_out():
    rule = taint_rule("broken", "NoSchedule", pool="n1")
    snapshot = cluster(*GPUS, wanting("a"))
    assert places(plan_changed(snapshot, (SetObject(rule),))) == {"a": None}
    after = plan_changed(snapshot, (SetObject(rule), RemoveObject(ObjectRef("DeviceTaintRule", "", "broken"))))
    assert places(after) == {"a": "n1"}


def test_a_class_that_appears_serves_those_who_waited_for_it():
    snapshot = cluster(node("n1"), devices_of("n1", 1), claim("c"), with_claims(pod("p"), gpu="c"))
    assert places(make_plan(snapshot)) == {"p": None}
    assert places(plan_changed(snapshot, (SetObject(device_class()),))) == {"p": "n1"}


def test_a_claim_replaced_by_one_that_asks_for_less_fits():
    snapshot = cluster(*GPUS, claim("c", count=3), with_claims(pod("p"), gpu="c"))
    assert places(plan_changed(snapshot, (SetObject(claim("c", count=2)),))) == {"p": "n1"}


def test_a_workload_is_scaled_both_ways():
    owner = ObjectRef("Deployment", "default", "web")
    members = [PlannedPod(pod(f"web-{number}"), owner) for number in range(2)]
    snapshot = cluster(*GPUS, *members)
    assert list(places(plan_changed(snapshot, (Scale(owner, 1),)))) == ["web-0"]
    assert list(places(plan_changed(snapshot, (Scale(owner, 4),)))) == ["web-0", "web-1", "web-2", "web-3"]


def test_the_snapshot_that_was_changed_stays_as_it_was():
    snapshot = cluster(*GPUS, wanting("a"))
    before = places(make_plan(snapshot))
    plan_changed(snapshot, (RemoveObject(ObjectRef("ResourceSlice", "", "gpu-n1")), AddNodes("n1", 3)))
    assert places(make_plan(snapshot)) == before
    assert len(snapshot.nodes) == 1


def test_an_inferred_node_is_replaced_by_a_real_one():
    snapshot = cluster(devices_of("n1", 1), device_class(), claim("c"), with_claims(pod("p", "9"), gpu="c"))
    assert places(make_plan(snapshot)) == {"p": "n1"}
    assert places(plan_changed(snapshot, (SetObject(node("n1")),))) == {"p": None}


def test_a_pod_that_is_set_with_a_node_counts_there():
    running = msgspec.structs.replace(pod("o", "4", node_name="n1", phase="Running"))
    snapshot = cluster(*GPUS, pod("p"))
    assert places(plan_changed(snapshot, (SetObject(running),))) == {"p": None}


def test_a_cordoned_node_takes_nobody_until_it_is_uncordoned():
    snapshot = cluster(*GPUS, pod("p"))
    assert places(plan_changed(snapshot, (Cordon("n1"),))) == {"p": None}
    assert places(plan_changed(snapshot, (Cordon("n1"), Cordon("n1", lifted=True)))) == {"p": "n1"}


def test_a_copy_of_a_node_that_was_made_up_stands_beside_it():
    snapshot = cluster(devices_of("n1", 1), device_class(), template("gpu"), wanting("a"), wanting("b"))
    assert places(make_plan(snapshot)) == {"a": "n1", "b": None}
    assert places(plan_changed(snapshot, (AddNodes("n1"),))) == {"a": "n1", "b": "n1-2"}


def test_a_copy_of_a_node_that_takes_nobody_takes_pods():
    broken = node("n1", taints=[Taint(key="node.kubernetes.io/not-ready", effect="NoExecute")])
    snapshot = cluster(broken, pod("p"))
    assert places(make_plan(snapshot)) == {"p": None}
    assert places(plan_changed(snapshot, (Cordon("n1"), AddNodes("n1")))) == {"p": "n1-2"}
