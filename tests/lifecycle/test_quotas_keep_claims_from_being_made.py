"""Claims from templates against the quotas of their namespace: charged one after the other, refused with the event."""

from __future__ import annotations

import pytest

from dravite.admission.admit import admit
from dravite.api.documents import split
from dravite.api.releases import newest_profile
from dravite.diagnosis.verdicts import Scheduled, Waiting
from dravite.planning.plan import Plan
from dravite.planning.planner import make_plan
from dravite.snapshot.snapshot import build

DEVICES = "gpu.deviceclass.resource.k8s.io/devices"
CLUSTER = """\
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: "64", memory: 64Gi, pods: "110"}}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: gpu.example.com
  pool: {name: n1, generation: 1, resourceSliceCount: 1}
  nodeName: n1
  devices: [{name: g0}, {name: g1}, {name: g2}, {name: g3}, {name: g4}, {name: g5}, {name: g6}, {name: g7}]
"""
QUOTA = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: ml}\nspec: {hard: {%s: 4}}\n"
TEMPLATE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: t, namespace: ml}
spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, %s}}]}}}
"""
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: %s, namespace: ml}
spec:
  resourceClaims: [{name: gpu, resourceClaimTemplateName: t}]
  containers: [{name: c, image: i, resources: {claims: [{name: gpu}]}}]
"""


def planned(*documents: str) -> Plan:
    text = "---\n".join((CLUSTER, *documents))
    manifests = admit(split("m.yaml", text.encode()), newest_profile())
    assert manifests.problems == ()
    assert manifests.unknown_kinds == {}
    return make_plan(build(manifests))


def test_a_request_for_all_counts_as_32_whatever_there_is() -> None:
    [one] = planned(QUOTA % DEVICES, TEMPLATE % "allocationMode: All", POD % "p").decisions
    assert isinstance(one.decision, Waiting)
    assert one.decision.reason == "claim-refused"
    assert one.decision.detail == f"exceeded quota: q, requested: {DEVICES}=32, used: {DEVICES}=0, limited: {DEVICES}=4"
    assert one.decision.event is not None
    assert one.decision.event.startswith(
        'PodResourceClaim gpu: create ResourceClaim : resourceclaims.resource.k8s.io "p-gpu-'
    )


def test_each_claim_is_charged_before_the_next_is_made() -> None:
    plan = planned(QUOTA % DEVICES, TEMPLATE % "count: 2", *(POD % name for name in "abc"))
    kinds = [type(one.decision) for one in plan.decisions]
    assert kinds == [Scheduled, Scheduled, Waiting]
    assert isinstance(plan.decisions[2].decision, Waiting)
    assert f"used: {DEVICES}=4" in plan.decisions[2].decision.detail


def test_what_the_status_of_the_quota_says_is_used() -> None:
    full = QUOTA % DEVICES + f"status: {{hard: {{{DEVICES}: 4}}, used: {{{DEVICES}: 3}}}}\n"
    [one] = planned(full, TEMPLATE % "count: 2", POD % "p").decisions
    assert isinstance(one.decision, Waiting)


@pytest.mark.parametrize("namespace", ["other", "ml"])
def test_claims_that_are_there_count_in_their_own_namespace(namespace: str) -> None:
    claim = (TEMPLATE % "count: 3").replace("ClaimTemplate", "Claim").replace("{spec: {devices", "{devices")
    claim = (
        claim.replace("]}}}\n", "]}}\n")
        .replace("namespace: ml", f"namespace: {namespace}")
        .replace("name: t", "name: c")
    )
    [one] = planned(QUOTA % DEVICES, claim, TEMPLATE % "count: 2", POD % "p").decisions
    assert isinstance(one.decision, Waiting) is (namespace == "ml")
