"""A new status of a claim is measured against the claim and against the status before it."""

from __future__ import annotations

import msgspec

from dravite.admission.refusals import Refused
from dravite.admission.requests import Accepted, judge
from dravite.api.meta import Model
from dravite.api.resource_v1 import ResourceClaim
from tests.admission.writes import HERE, faults, server, stored, written

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c, namespace: default, resourceVersion: "1", labels: {a: b}}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}
"""
ALLOCATION = "{devices: {results: [{request: r, driver: d.example.com, pool: p, device: dev}]}}"
CONSUMER = "{resource: pods, name: p, uid: u}"
REPORT = "{driver: d.example.com, pool: p, device: dev, data: {ready: true}}"
GROUP = """\
apiVersion: scheduling.k8s.io/v1beta1
kind: PodGroup
metadata: {name: g, namespace: default, resourceVersion: "1"}
spec:
  schedulingPolicy: {basic: {}}
  resourceClaims: [{name: a, resourceClaimTemplateName: t}]
"""


def said(old: Model, status: str, text: str = CLAIM, gates: str = "") -> Accepted | Refused:
    """The answer to a status, on the object as it is stored."""
    return judge(written(f"{text}status: {status}\n", "update status", old), HERE, server(gates=gates))


def after(old: Model, status: str) -> Model:
    answer = said(old, status)
    assert isinstance(answer, Accepted), answer
    meta = msgspec.structs.replace(answer.object.metadata, resource_version="1")  # type: ignore[attr-defined]
    return msgspec.structs.replace(answer.object, metadata=meta)


def test_a_claim_is_reserved_only_once_it_is_allocated() -> None:
    claim = stored(CLAIM, server())
    assert faults(said(claim, f"{{reservedFor: [{CONSUMER}]}}")) == ["status.reservedFor: FieldValueForbidden"]
    both = f"{{allocation: {ALLOCATION}, reservedFor: [{CONSUMER}]}}"
    assert faults(said(claim, both)) == []


def test_an_allocation_is_taken_back_but_never_changed() -> None:
    claim = after(stored(CLAIM, server()), f"{{allocation: {ALLOCATION}}}")
    assert faults(said(claim, f"{{allocation: {ALLOCATION.replace('dev}', 'other}')}}}")) == [
        "status.allocation: FieldValueInvalid"
    ]
    assert faults(said(claim, "{}")) == []


def test_an_allocation_names_requests_of_the_claim() -> None:
    claim = stored(CLAIM, server())
    other = ALLOCATION.replace("request: r", "request: other")
    place = "status.allocation.devices.results[0].request"
    assert faults(said(claim, f"{{allocation: {other}}}")) == [f"{place}: FieldValueInvalid"]


def test_reports_of_devices_go_with_the_allocation() -> None:
    claim = after(stored(CLAIM, server()), f"{{allocation: {ALLOCATION}, devices: [{REPORT}]}}")
    assert isinstance(claim, ResourceClaim)
    assert len(claim.status.devices) == 1
    freed = said(claim, f"{{devices: [{REPORT}]}}")
    assert isinstance(freed, Accepted)
    assert isinstance(freed.object, ResourceClaim)
    assert freed.object.status.devices == ()


def test_nothing_but_the_status_changes() -> None:
    claim = stored(CLAIM, server())
    text = CLAIM.replace("a: b", "a: c").replace("gpu", "tpu")
    answer = said(claim, f"{{allocation: {ALLOCATION}}}", text)
    assert isinstance(answer, Accepted)
    assert isinstance(answer.object, ResourceClaim)
    assert answer.object.metadata.labels == {"a": "b"}
    assert answer.object.spec == claim.spec  # type: ignore[attr-defined]


def test_a_claim_whose_deletion_began_gets_no_new_consumers() -> None:
    claim = after(stored(CLAIM, server()), f"{{allocation: {ALLOCATION}}}")
    meta = msgspec.structs.replace(claim.metadata, deletion_timestamp="2026-01-01T00:00:00Z")  # type: ignore[attr-defined]
    going = msgspec.structs.replace(claim, metadata=meta)
    more = f"{{allocation: {ALLOCATION}, reservedFor: [{CONSUMER}]}}"
    assert faults(said(going, more)) == ["status.reservedFor: FieldValueForbidden"]


def test_a_group_tells_of_claims_that_it_has() -> None:
    gates = "GenericWorkload=true,DRAWorkloadResourceClaims=true"
    group = stored(GROUP, server(gates=gates))
    known = said(group, "{resourceClaimStatuses: [{name: a, resourceClaimName: c}]}", GROUP, gates)
    unknown = said(group, "{resourceClaimStatuses: [{name: b, resourceClaimName: c}]}", GROUP, gates)
    assert faults(known) == []
    assert faults(unknown) == ["status.resourceClaimStatuses[0].name: FieldValueInvalid"]


def test_a_faulty_allocation_is_told_before_faults_of_reports() -> None:
    claim = after(stored(CLAIM, server()), f"{{allocation: {ALLOCATION}}}")
    changed = ALLOCATION.replace("request: r", "request: x")
    report = REPORT.replace("data: {ready: true}", f"networkData: {{hardwareAddress: {'a' * 129}}}")
    found = faults(said(claim, f"{{allocation: {changed}, devices: [{report}]}}"))
    assert found == [
        "status.allocation: FieldValueInvalid",
        "status.devices[0].networkData.hardwareAddress: FieldValueTooLong",
    ]
