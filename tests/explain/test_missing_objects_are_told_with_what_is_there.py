"""Classes, templates and claims that are named and not there."""

import msgspec

from dravite.api.meta import ObjectRef
from dravite.diagnosis.verdicts import Unschedulable, Waiting
from dravite.explain.notes import NamespaceBound, NoConditionYet, NoSuchDriver, TemplateReadOnce
from tests.clusters import claim, device_class, pod, with_claims
from tests.explain.worlds import gpus, published, template, told, waiting, wants


def elsewhere(one, namespace):
    return msgspec.structs.replace(one, metadata=msgspec.structs.replace(one.metadata, namespace=namespace))


def test_a_missing_class_is_named_where_the_template_names_it():
    found = told(published("n1", *gpus(1)), template("t", wants("acc", of="gpus.example.com")), waiting())
    assert isinstance(found.decision.decision, Unschedulable)
    (missing,) = found.missing
    assert missing.named_by == ObjectRef("ResourceClaimTemplate", "default", "t")
    assert missing.field == "spec.spec.devices.requests[0].exactly.deviceClassName"
    assert (missing.request, missing.existing) == ("acc", ("gpu",))
    assert missing.drivers == ("gpu.example.com",)
    assert NoSuchDriver("gpus.example.com", ("gpu.example.com",)) in found.notes


def test_a_class_that_is_nearly_there_is_told_as_near():
    found = told(published("n1", *gpus(1)), device_class("large-gpu"), template("t", wants(of="large_gpu")), waiting())
    assert found.missing[0].near[0] == "large-gpu"


def test_a_missing_template_leaves_the_pod_unseen():
    found = told(published("n1", *gpus(1)), template("shared-gpu", wants()), waiting(template="single-gpu"))
    assert isinstance(found.decision.decision, Waiting)
    (missing,) = found.missing
    assert missing.missing == ObjectRef("ResourceClaimTemplate", "default", "single-gpu")
    assert missing.field == "spec.resourceClaims[0].resourceClaimTemplateName"
    assert missing.existing == ("shared-gpu",)
    assert set(found.notes) == {TemplateReadOnce(missing.missing), NoConditionYet(found.decision.pod)}


def test_a_claim_of_another_namespace_is_no_claim_of_the_pod():
    other = elsewhere(claim("net"), "infra")
    found = told(published("n1", *gpus(1)), other, with_claims(pod("p"), a="net"))
    (missing,) = found.missing
    there = ObjectRef("ResourceClaim", "infra", "net")
    assert missing.elsewhere == (there,)
    assert NamespaceBound(missing.missing, (there,)) in found.notes


def test_many_existing_names_are_counted():
    templates = [template(f"t-{number:02}", wants()) for number in range(20)]
    found = told(published("n1", *gpus(1)), *templates, waiting(template="zzz"))
    assert (len(found.missing[0].existing), found.missing[0].existing_total) == (8, 20)


def test_a_gated_pod_needs_no_remark_on_the_scheduler():
    from dravite.api.core_v1 import PodSchedulingGate

    found = told(
        published("n1", *gpus(1)), template("t", wants()), waiting(scheduling_gates=(PodSchedulingGate(name="hold"),))
    )
    assert found.missing == ()
    assert found.notes == ()
