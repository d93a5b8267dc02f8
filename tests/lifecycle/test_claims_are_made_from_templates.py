from __future__ import annotations

import msgspec
import pytest

from dravite.api.core_v1 import PodResourceClaimStatus, PodSchedulingGroup
from dravite.api.meta import ObjectMeta, OwnerReference
from dravite.api.scheduling_v1beta1 import PodGroupResourceClaim, PodGroupResourceClaimStatus, PodGroupStatus
from dravite.lifecycle.claim_templates import make_claims
from dravite.lifecycle.settling import settle
from dravite.snapshot.generated_names import generate_name
from dravite.snapshot.pod_claims import pod_claims
from tests.clusters import claim, cluster, group, pod, release, template, with_claims


@pytest.mark.parametrize(
    ("owner", "entry", "expected"),
    [
        ("p", "gpu", "p-gpu-"),
        ("p" * 40, "e" * 15, "p" * 40 + "-" + "e" * 15 + "-"),
        ("p" * 60, "e" * 30, "p" * 37 + "-" + "e" * 18),
    ],
)
def test_a2_6_long_names_are_cut_in_proportion_and_lose_the_hyphen(owner, entry, expected):
    assert generate_name(owner, entry) == expected


def test_a2_5_the_claim_belongs_to_the_pod_and_says_for_which_entry_it_is():
    snapshot = make_claims(cluster(template("two", count=2), with_claims(pod("p"), gpu="@two")))
    made = snapshot.claim("default", "p-gpu-xxxxx")
    assert made is not None
    assert made.metadata.generate_name == "p-gpu-"
    assert made.metadata.annotations == {"resource.kubernetes.io/pod-claim-name": "gpu"}
    assert made.metadata.owner_references == (
        OwnerReference(api_version="v1", kind="Pod", name="p", uid="uid-p", controller=True),
    )
    assert made.spec.devices.requests[0].exactly.count == 2
    assert ("default", "p-gpu-xxxxx") in snapshot.made_claims
    statuses = snapshot.pods[("default", "p")].pod.status.resource_claim_statuses
    assert statuses == (PodResourceClaimStatus(name="gpu", resource_claim_name="p-gpu-xxxxx"),)


def test_a2_7_nothing_is_noted_while_one_template_is_missing_but_the_claims_before_it_are_made():
    waiting = with_claims(pod("p"), a="@there", b="@gone", c="@there")
    snapshot = make_claims(cluster(template("there"), waiting))
    assert snapshot.claim("default", "p-a-xxxxx") is not None
    assert snapshot.claim("default", "p-c-xxxxx") is None
    pod_after = snapshot.pods[("default", "p")].pod
    assert pod_after.status.resource_claim_statuses == ()
    assert [one.missing.name for one in pod_claims(snapshot, pod_after).missing] == ["gone"]


def test_a2_8_a_missing_template_is_told_in_the_words_of_the_event():
    snapshot = settle(cluster(with_claims(pod("p"), c="@tpl")))
    waiting = pod_claims(snapshot, snapshot.pods[("default", "p")].pod)
    assert waiting.reason == "template-missing"
    assert waiting.missing[0].field == "spec.resourceClaims[0].resourceClaimTemplateName"
    assert waiting.event == (
        'PodResourceClaim c: resource claim template "tpl": resourceclaimtemplate.resource.k8s.io "tpl" not found'
    )


def owned(name: str, entry: str, uid: str, by: str = "p"):
    metadata = ObjectMeta(
        name=name,
        namespace="default",
        annotations={"resource.kubernetes.io/pod-claim-name": entry},
        owner_references=(OwnerReference(api_version="v1", kind="Pod", name=by, uid=uid, controller=True),),
    )
    return msgspec.structs.replace(claim(name), metadata=metadata)


def test_a2_3_a_claim_that_was_made_and_not_noted_is_taken_over():
    snapshot = make_claims(cluster(template("t"), owned("p-a-12345", "a", "uid-p"), with_claims(pod("p"), a="@t")))
    statuses = snapshot.pods[("default", "p")].pod.status.resource_claim_statuses
    assert [status.resource_claim_name for status in statuses] == ["p-a-12345"]
    assert len(snapshot.claims) == 1


def noted(name: str | None):
    one = with_claims(pod("p"), a="@t")
    status = PodResourceClaimStatus(name="a", resource_claim_name=name)
    return msgspec.structs.replace(one, status=msgspec.structs.replace(one.status, resource_claim_statuses=(status,)))


def test_a2_2_a_claim_that_is_noted_and_gone_is_not_made_again():
    snapshot = settle(cluster(template("t"), noted("p-a-12345")))
    waiting = pod_claims(snapshot, snapshot.pods[("default", "p")].pod)
    assert waiting.reason == "claim-missing"
    assert waiting.missing[0].missing.name == "p-a-12345"


def test_a1_2_an_entry_that_needs_no_claim_is_passed_over():
    snapshot = settle(cluster(template("t"), noted(None)))
    assert pod_claims(snapshot, snapshot.pods[("default", "p")].pod) == ()
    assert len(snapshot.claims) == 0


def test_a1_4_a_claim_of_another_pod_is_not_accepted():
    snapshot = settle(cluster(template("t"), owned("foreign", "a", "uid-other", by="other"), noted("foreign")))
    waiting = pod_claims(snapshot, snapshot.pods[("default", "p")].pod)
    assert (waiting.reason, waiting.detail) == ("claim-not-owned", "foreign")


def test_names_that_would_be_drawn_twice_differ():
    long = "p" * 60
    waiting = with_claims(pod(long), **{"e" * 30 + "1": "@t", "e" * 30 + "2": "@t"})
    snapshot = make_claims(cluster(template("t"), waiting))
    assert len(snapshot.claims) == 2


@pytest.mark.parametrize(("number", "noted"), [("1.37", []), ("1.36", ["g-c-xxxxx"])])
def test_a2_12_a_claim_of_the_group_that_is_gone_is_not_noted_at_its_pods(number, noted):
    profile = release(number, "GenericWorkload=true,DRAWorkloadResourceClaims=true")
    entry = PodGroupResourceClaim(name="c", resource_claim_template_name="tpl")
    made = PodGroupResourceClaimStatus(name="c", resource_claim_name="g-c-xxxxx")
    one = msgspec.structs.replace(
        group(minimum=1, resource_claims=(entry,)), status=PodGroupStatus(resource_claim_statuses=(made,))
    )
    member = with_claims(pod("p", scheduling_group=PodSchedulingGroup(pod_group_name="g")), c="@tpl")
    snapshot = settle(cluster(template("tpl"), one, member, on=profile))
    statuses = snapshot.pods[("default", "p")].pod.status.resource_claim_statuses
    assert [status.resource_claim_name for status in statuses] == noted  # observed on both
    assert snapshot.claim("default", "p-c-xxxxx") is None
