"""Every remedy works, is the smallest edit of its kind, and says what comes of it."""

import msgspec
import pytest

from dravite.api.core_v1 import Affinity, Container, PodAffinity, PodAffinityTerm, ResourceRequirements, Taint
from dravite.api.meta import ObjectRef
from dravite.api.quantity import Quantity
from dravite.api.resource_v1 import CapacityRequestPolicy, CapacityRequestPolicyRange
from dravite.diagnosis.verdicts import Aborted, Scheduled
from dravite.explain import explain
from dravite.explain.remedies import advice as a
from dravite.planning.planner import make_plan
from dravite.snapshot.changes import with_changes
from tests.clusters import DRIVER, amounts, claim, device_class, node, pod, selects, with_claims
from tests.explain.worlds import (
    ATTRIBUTES,
    MEMORY,
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
    waiting,
    wants,
)

TEMPLATE = ObjectRef("ResourceClaimTemplate", "default", "t")
P = ObjectRef("Pod", "default", "p")


def advice(found, kind):
    return [remedy.advice for remedy in found.remedies if isinstance(remedy.advice, kind)]


def rewritten(selector, *devices):
    found = told(published("n1", *devices), template("t", wants("gpu", selector)), waiting())
    return {one.how: one for one in advice(found, a.ReplaceSelector)}


def test_a_count_is_lowered_to_what_the_best_node_has():
    found = told(published("n1", *gpus(1)), published("n2", *gpus(3)), template("t", wants(count=4)), waiting())
    (lower,) = advice(found, a.LowerCount)
    assert (lower.asked, lower.possible) == (4, 3)
    assert found.remedies[0].outcome.node == "n2"


def test_all_becomes_a_number_where_some_devices_can_be_had():
    found = told(published("n1", *gpus(3)), held("taken", "n1", "gpu-0"), template("t", wants(all_of=True)), waiting())
    (count,) = advice(found, a.CountInsteadOfAll)
    assert count.possible == 2
    assert [r.device for r in found.remedies[0].outcome.claims[0].allocation.devices.results] == ["gpu-1", "gpu-2"]


def test_a_count_under_a_constraint_is_lowered_to_the_largest_group():
    devices = [gpu(number, numa=number // 2) for number in range(6)]
    found = told(
        published("n1", *devices), template("t", wants(count=4), constraints=[match(f"{DRIVER}/numa")]), waiting()
    )
    assert [one.possible for one in advice(found, a.LowerCount)] == [2]
    assert [one.attribute for one in advice(found, a.DropConstraint)] == [f"{DRIVER}/numa"]


def test_an_amount_is_lowered_to_what_one_device_has():
    found = told(
        published("n1", *[shared(one) for one in gpus(2, memory="8Gi")]), template("t", wants(memory="10Gi")), waiting()
    )
    (lower,) = advice(found, a.LowerCapacity)
    assert (lower.capacity, lower.asked, lower.possible) == ("memory", "10Gi", "8Gi")
    assert lower.demand.path == "spec.spec.devices.requests[0].exactly.capacity.requests[memory]"


@pytest.mark.parametrize(("limits", "possible"), [({"max": "4Gi"}, "4Gi"), ({"max": "10Gi", "step": "3Gi"}, "7Gi")])
def test_an_amount_is_lowered_to_what_a_request_policy_takes(limits, possible):
    limits = {name: Quantity.parse(text) for name, text in {"min": "1Gi", **limits}.items()}
    policy = CapacityRequestPolicy(default=limits["min"], valid_range=CapacityRequestPolicyRange(**limits))
    device = shared(gpu(0, "9Gi"))
    capacity = msgspec.structs.replace(device.capacity["memory"], request_policy=policy)
    device = msgspec.structs.replace(device, capacity={"memory": capacity})
    found = told(published("n1", device), template("t", wants(memory="8Gi")), waiting())
    (lower,) = advice(found, a.LowerCapacity)
    assert (lower.asked, lower.possible) == ("8Gi", possible)


def test_a_capacity_is_compared_as_one():
    made = rewritten(f'{ATTRIBUTES}.memory >= "16Gi"', *gpus(1, memory="24Gi"))
    assert made["capacity"].expression == f'{MEMORY}.compareTo(quantity("16Gi")) >= 0'


def test_a_version_is_compared_as_one():
    made = rewritten(f'{ATTRIBUTES}.level >= "8.0"', gpu(0, level="v8.0.0"))
    assert made["version"].expression == f'{ATTRIBUTES}.level.compareTo(semver("8.0.0")) >= 0'


def test_a_number_beside_a_capacity_becomes_a_quantity():
    made = rewritten(f"{MEMORY} > 16", *gpus(1))
    assert made["quantity"].expression == f'{MEMORY}.compareTo(quantity("16")) > 0'


def test_a_misspelt_attribute_is_replaced():
    made = rewritten(f'{ATTRIBUTES}.modle == "A100"', gpu(0, model="A100"))
    assert made["name"].expression == f'{ATTRIBUTES}.model == "A100"'


def test_a_domain_with_dots_gets_its_brackets_and_an_amount_loses_its_bytes():
    made = rewritten(f'device.attributes.{DRIVER}.model == "A100"', gpu(0, model="A100"))
    assert made["name"].expression == f'{ATTRIBUTES}.model == "A100"'
    made = rewritten(f'{MEMORY}.compareTo(quantity("16 GB")) >= 0', *gpus(1, memory="24Gi"))
    assert made["quantity"].expression == f'{MEMORY}.compareTo(quantity("16G")) >= 0'


def test_a_value_is_replaced_by_a_published_one():
    made = rewritten(f'{ATTRIBUTES}.model == "A100 80GB"', gpu(0, model="A100-SXM4-80GB"))
    assert made["value"].added == f'{ATTRIBUTES}.model == "A100-SXM4-80GB"'


@pytest.mark.parametrize(
    ("written", "published_as", "meant"),
    [
        ('.rdma == "true"', True, ".rdma == true"),
        ('.numa == "0"', 0, ".numa == 0"),
        (".numa == 0", "0", '.numa == "0"'),
    ],
)
def test_a_value_of_another_kind_is_compared_as_its_own(written, published_as, meant):
    name = written[1:].partition(" ")[0]
    made = rewritten(f"{ATTRIBUTES}{written}", gpu(0, **{name: published_as}))
    assert made["value"].expression == f"{ATTRIBUTES}{meant}"


def test_a_text_in_another_case_is_written_as_it_is_published():
    made = rewritten(f'{ATTRIBUTES}.model.contains("h100")', gpu(0, model="NVIDIA H100 80GB HBM3"))
    assert made["value"].expression == f'{ATTRIBUTES}.model.contains("H100")'


def test_an_amount_in_a_selector_is_lowered_to_the_largest_published():
    made = rewritten(f'{MEMORY}.compareTo(quantity("80Gi")) >= 0', gpu(0, memory="24Gi"), gpu(1, memory="40Gi"))
    assert made["value"].expression == f'{MEMORY}.compareTo(quantity("40Gi")) >= 0'


def test_an_attribute_that_some_devices_lack_is_tested_for_first():
    found = told(
        published("n1", gpu(0)),
        published("n2", gpu(0, mode="ATS")),
        template("t", wants("gpu", f'{ATTRIBUTES}.mode == "ATS"')),
        waiting(),
    )
    (guard,) = advice(found, a.ReplaceSelector)
    assert guard.how == "guard"
    assert guard.expression == f'has({ATTRIBUTES}.mode) && {ATTRIBUTES}.mode == "ATS"'
    assert [(one.label, one.value) for one in advice(found, a.PinToNode)] == [("kubernetes.io/hostname", "n2")]


def test_a_guard_that_leaves_nothing_is_not_told():
    found = told(published("n1", gpu(0)), template("t", wants("gpu", f'{ATTRIBUTES}.mode == "ATS"')), waiting())
    assert found.remedies == ()


def test_a_selector_may_be_left_out_whole():
    made = rewritten("false", *gpus(1))
    assert (made["drop"].expression, made["drop"].removed) == ("", "false")


@pytest.mark.parametrize(("given", "kind"), [("device", a.TolerateDeviceTaint), ("node", a.TolerateNodeTaint)])
def test_taints_are_tolerated_where_they_are_looked_at(given, kind):
    taint = Taint(key="example.com/broken", value="", effect="NoSchedule")
    device = tainted(gpu(0)) if given == "device" else gpu(0)
    host = node("n1", taints=[taint] if given == "node" else [])
    found = told(host, published("n1", device), template("t", wants()), waiting())
    (one,) = advice(found, kind)
    assert (one.key, one.effect) == ("example.com/broken", "NoSchedule")


def test_a_constraint_on_an_unpublished_attribute_is_renamed_or_dropped():
    devices = [gpu(number, pciRoot="pci0") for number in range(2)]
    found = told(
        published("n1", *devices),
        template("t", wants(count=2), constraints=[match("resource.kubernetes.io/pcieRoot")]),
        waiting(),
    )
    assert [one.published for one in advice(found, a.RenameAttribute)] == [f"{DRIVER}/pciRoot"]
    assert len(advice(found, a.DropConstraint)) == 1


def test_an_existing_template_is_named_in_place_of_a_missing_one():
    found = told(published("n1", *gpus(1)), template("shared-gpu", wants()), waiting(template="single-gpu"))
    assert [one.use.name for one in advice(found, a.UseObject)] == ["shared-gpu"]


def test_another_class_is_only_advised_where_the_name_is_near():
    objects = (published("n1", *gpus(1)), device_class("large-accelerator"))
    near = told(*objects, template("t", wants(of="large_accelerator")), waiting())
    assert [one.use.name for one in advice(near, a.UseObject)] == ["large-accelerator"]
    assert told(*objects, template("t", wants(of="fpga.example.com")), waiting()).remedies == ()


def test_a_claim_is_copied_from_another_namespace():
    other = claim("net")
    other = msgspec.structs.replace(other, metadata=msgspec.structs.replace(other.metadata, namespace="infra"))
    found = told(published("n1", *gpus(1)), other, with_claims(pod("p"), a="net"))
    (copied,) = advice(found, a.CopyObject)
    assert (copied.existing.namespace, copied.copy.namespace) == ("infra", "default")


def test_pods_that_were_to_share_get_one_claim():
    found = told(published("n1", *gpus(1)), template("t", wants()), waiting("first"), waiting())
    (share,) = advice(found, a.ShareClaim)
    assert [one.name for one in share.pods] == ["first", "p"]


def test_a_pod_that_runs_cannot_be_made_to_share():
    made_for = held("other-a-x", "n1", "gpu-0", by="other")
    found = told(
        published("n1", *gpus(1)), made_for, running("other", "n1", a="other-a-x"), template("t", wants()), waiting()
    )
    assert advice(found, a.ShareClaim) == []
    (free,) = advice(found, a.FreeDevices)
    assert (free.pods, free.claims) == (
        (ObjectRef("Pod", "default", "other"),),
        (ObjectRef("ResourceClaim", "default", "other-a-x"),),
    )


def test_a_claim_that_no_pod_uses_is_deleted():
    found = told(published("n1", *gpus(1)), held("idle", "n1", "gpu-0"), template("t", wants()), waiting())
    (free,) = advice(found, a.FreeDevices)
    assert (free.pods, free.claims) == ((), (ObjectRef("ResourceClaim", "default", "idle"),))


def test_all_holders_are_ended_where_one_is_not_enough():
    objects = [published("n1", *gpus(2)), template("t", wants(count=2)), waiting()]
    for number in range(2):
        objects += [
            held(f"c{number}", "n1", f"gpu-{number}", by=f"o{number}"),
            running(f"o{number}", "n1", a=f"c{number}"),
        ]
    (free,) = advice(told(*objects), a.FreeDevices)
    assert [one.name for one in free.pods] == ["o0", "o1"]


def test_ranks_that_must_not_share_a_node_get_claims_of_their_own():
    apart = PodAffinityTerm(topology_key="kubernetes.io/hostname", label_selector=None)
    apart = msgspec.structs.replace(apart, label_selector=selects(job="ring"))
    affinity = Affinity(pod_anti_affinity=PodAffinity(required=(apart,)))
    ranks = [with_claims(pod(name, labels={"job": "ring"}, affinity=affinity), a="rail") for name in ("first", "p")]
    found = told(published("n1", *gpus(1)), published("n2", *gpus(1)), claim("rail"), *ranks)
    (each,) = advice(found, a.ClaimPerPod)
    assert (each.claim.name, [one.name for one in each.pods]) == ("rail", ["first", "p"])


def test_too_many_devices_for_a_claim_are_spread_over_several():
    found = told(published("n1", *gpus(40)), template("t", wants(count=33)), waiting())
    (split,) = advice(found, a.SplitClaim)
    assert split.counts == (17, 16)
    assert len(found.remedies[0].outcome.claims) == 2


def test_an_extended_resource_is_served_by_a_class():
    wanted = {"example.com/gpu": amounts(x="1")["x"]}
    container = Container(name="main", resources=ResourceRequirements(requests=wanted, limits=wanted))
    found = told(published("n1", *gpus(1)), device_class("gpu.example.com"), pod("p", containers=(container,)))
    assert [one.device_class for one in advice(found, a.ProvideResource)] == ["gpu.example.com"]
    assert [one.implicit for one in advice(found, a.RequestImplicitResource)] == [
        "deviceclass.resource.kubernetes.io/gpu.example.com"
    ]


def test_a_device_that_a_share_was_asked_of_would_have_to_be_shareable():
    found = told(
        published("n1", gpu(0, memory="24Gi")), template("t", wants(memory="6Gi")), waiting("first"), waiting()
    )
    (share,) = advice(found, a.ShareDevice)
    assert [one.device for one in share.devices] == ["gpu-0"]


def test_a_label_that_keeps_all_devices_out_is_dropped():
    found = told(
        node("n1", {"zone": "a"}),
        published("n1", *gpus(1)),
        template("t", wants()),
        waiting(node_selector={"zone": "b"}),
    )
    assert [one.key for one in advice(found, a.DropNodeSelection)] == ["zone"]


def test_a_cordoned_node_is_uncordoned_where_the_pod_would_run_on_it():
    far, small, fitting = (node(name, cpu=cpu) for name, cpu in (("n1", "4"), ("n2", "500m"), ("n3", "4")))
    cordoned = [
        msgspec.structs.replace(one, spec=msgspec.structs.replace(one.spec, unschedulable=True))
        for one in (far, small, fitting)
    ]
    found = told(*cordoned, published("n2", *gpus(1)), published("n3", *gpus(1)), template("t", wants()), waiting())
    assert advice(found, a.UncordonNode) == [a.UncordonNode("n3")]
    assert found.remedies[0].outcome.node == "n3"


def test_the_changes_of_a_remedy_lead_to_its_outcome():
    plan = plan_of(published("n1", *gpus(2)), template("t", wants(count=3)), waiting())
    for remedy in explain(plan, P).remedies:
        after = make_plan(with_changes(plan.start, remedy.changes)).decision(P)
        assert isinstance(after.decision, Scheduled)
        assert (after.decision.node, after.claims) == (remedy.outcome.node, remedy.outcome.claims)


def test_what_is_told_of_a_remedy_is_what_becomes_of_the_pod_after_an_error_in_mid_search():
    selector = f'{MEMORY}.compareTo(quantity("40Gi")) >= 0'
    plan = plan_of(
        published("n1", gpu(0)), published("n2", gpu(0, ""), gpu(1)), template("t", wants("a", selector)), waiting()
    )
    assert isinstance(plan.decision(P).decision, Aborted)
    remedies = explain(plan, P).remedies
    assert remedies
    for one in remedies:
        after = make_plan(with_changes(plan.start, one.changes)).decision(P)
        assert after.decision.node == one.outcome.node


def test_two_selectors_that_fail_are_mended_together():
    wrong = [f"{MEMORY} > 16", f'{ATTRIBUTES}.level >= "8.0"']
    objects = (published("n1", gpu(0, level="v8.0.0"), gpu(1, level="v8.0.0")), waiting())
    found = told(*objects, template("t", *(wants(name, one) for name, one in zip("ab", wrong, strict=True))))
    (both,) = advice(found, a.Together)[:1]
    assert [part.how for part in both.parts] == ["quantity", "version"]
