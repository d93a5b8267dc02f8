"""A claim that would take more of a quota than is left is refused, and told what was asked, used and allowed."""

from __future__ import annotations

from typing import Any

import pytest

from dravite.admission.plugins import InSight
from dravite.admission.quotas import Counting, device_usage, read_quota
from dravite.admission.refusals import Refused
from dravite.admission.requests import Accepted, judge
from dravite.api.core_v1 import Pod
from dravite.api.resource_v1 import ResourceClaim
from tests.admission.writes import server, stored, written

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: c
spec:
  devices:
    requests:
    - REQUEST
"""
EXACT = "{name: r, exactly: {deviceClassName: gpu, count: 2}}"
ALL = "{name: r, exactly: {deviceClassName: gpu, allocationMode: All}}"
EITHER = """\
name: r
      firstAvailable:
      - {name: a, deviceClassName: gpu, count: 2}
      - {name: b, deviceClassName: gpu, count: 4}
      - {name: c, deviceClassName: tpu}
"""
DEVICES = "gpu.deviceclass.resource.k8s.io/devices"
PAID = """\
metadata:
  name: c
  annotations: {resource.kubernetes.io/extended-resource-claim: "true"}
  ownerReferences: [{apiVersion: v1, kind: Pod, name: p, uid: pod-uid, controller: true}]
"""
POD = Pod.from_dict(
    {
        "metadata": {"name": "p", "namespace": "default", "uid": "pod-uid"},
        "spec": {"containers": [{"name": "c", "resources": {"requests": {"example.com/gpu": "2"}}}]},
    }
)


def quota(hard: dict[str, Any], used: dict[str, Any] | None = None, **spec: Any) -> dict[str, Any]:
    zeros = dict.fromkeys(hard, "0") if used is None else used
    meta = {"name": "q", "namespace": "default"}
    return {"metadata": meta, "spec": {"hard": hard, **spec}, "status": {"hard": hard, "used": zeros}}


def asked(request: str, *quotas: dict[str, Any], release: str = "1.37", **counting: Any) -> Accepted | Refused:
    seen = Counting(quotas=tuple(map(read_quota, quotas)), **counting)
    in_sight = InSight(namespaces={"default": {}}, counting=seen)
    text = CLAIM.replace("REQUEST", request) if request.startswith(("{", "name")) else request
    return judge(written(text), in_sight, server(release))


def test_a_claim_within_the_quota_is_taken() -> None:
    assert isinstance(asked(EXACT, quota({DEVICES: "2"})), Accepted)


def test_a_claim_beyond_the_quota_is_told_how_far() -> None:
    answer = asked(EXACT, quota({DEVICES: "3"}, {DEVICES: "2"}))
    assert isinstance(answer, Refused)
    assert (answer.code, answer.reason) == (403, "Forbidden")
    assert answer.message == (
        'resourceclaims.resource.k8s.io "c" is forbidden: exceeded quota: q, '
        f"requested: {DEVICES}=2, used: {DEVICES}=2, limited: {DEVICES}=3"
    )


def test_all_devices_count_as_the_most_that_a_claim_can_hold() -> None:
    answer = asked(ALL, quota({DEVICES: "31"}))
    assert isinstance(answer, Refused)
    assert f"requested: {DEVICES}=32," in answer.message
    assert isinstance(asked(ALL, quota({DEVICES: "32"})), Accepted)


def test_alternatives_count_as_the_greediest_of_each_class() -> None:
    claim = stored(CLAIM.replace("REQUEST", EITHER), server())
    assert isinstance(claim, ResourceClaim)
    assert device_usage(claim) == {"gpu": 4, "tpu": 1}


def test_claims_themselves_are_counted_too() -> None:
    name = "count/resourceclaims.resource.k8s.io"
    answer = asked(EXACT, quota({name: "1"}, {name: "1"}))
    assert isinstance(answer, Refused)
    assert answer.message.endswith(f"exceeded quota: q, requested: {name}=1, used: {name}=1, limited: {name}=1")


def test_a_quota_that_was_not_counted_yet_refuses() -> None:
    answer = asked(EXACT, quota({DEVICES: "9", "pods": "1"}, {}))
    assert isinstance(answer, Refused)
    assert answer.message.endswith(f"is forbidden: status unknown for quota: q, resources: {DEVICES}")


def test_a_quota_with_scopes_or_for_other_things_or_elsewhere_does_not_count() -> None:
    elsewhere = quota({DEVICES: "0"}) | {"metadata": {"name": "q", "namespace": "other"}}
    others = quota({DEVICES: "0"}, scopes=["BestEffort"]), quota({"pods": "0"}), elsewhere, quota({DEVICES: "many"})
    assert isinstance(asked(EXACT, *others), Accepted)


@pytest.mark.parametrize("name", ["requests.deviceclass.resource.kubernetes.io/gpu", "requests.example.com/gpu"])
def test_the_names_of_extended_resources_count_the_same_devices(name: str) -> None:
    known = {"gpu": "example.com/gpu"}
    assert isinstance(asked(EXACT, quota({name: "1"}), extended_resources=known), Refused)
    assert isinstance(asked(EXACT, quota({name: "1"}), extended_resources={}), Accepted)
    assert isinstance(asked(EXACT, quota({name: "1"}), extended_resources=known, release="1.35"), Accepted)


def test_what_a_pod_was_counted_for_is_not_counted_again_for_its_claim() -> None:
    text = CLAIM.replace("metadata:\n  name: c\n", PAID).replace("REQUEST", EXACT)
    limit = quota({"requests.example.com/gpu": "0"})
    known = {"gpu": "example.com/gpu"}
    assert isinstance(asked(text, limit, extended_resources=known), Refused)
    assert isinstance(asked(text, limit, extended_resources=known, pods=(POD,)), Accepted)
    assert isinstance(asked(CLAIM.replace("REQUEST", EXACT), limit, extended_resources=known, pods=(POD,)), Refused)


def test_other_kinds_are_counted_by_number_alone() -> None:
    template = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: t}
spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}}
"""
    name = "count/resourceclaimtemplates.resource.k8s.io"
    answer = asked(template, quota({name: "1", DEVICES: "0"}, {name: "1", DEVICES: "0"}))
    assert isinstance(answer, Refused)
    assert answer.message.endswith(f"requested: {name}=1, used: {name}=1, limited: {name}=1")


def test_a_claim_of_1_31_is_counted() -> None:
    flat = CLAIM.replace("/v1\n", "/v1alpha3\n").replace("REQUEST", "{name: r, deviceClassName: gpu, count: 2}")
    assert isinstance(asked(flat, quota({DEVICES: "1"}), release="1.31"), Refused)
    assert isinstance(asked(flat, quota({DEVICES: "2"}), release="1.31"), Accepted)
