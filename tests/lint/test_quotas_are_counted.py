"""Claims and templates against the quotas of their namespace."""

from __future__ import annotations

from tests.lint.manifests import CLASS, codes, joined, problems, template, the

DEVICES = "gpu.example.com.deviceclass.resource.k8s.io/devices"
QUOTA = f"apiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: q}}\nspec: {{hard: {{{DEVICES}: 4}}}}\n"
CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: %s}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com, count: 3}}]}}
"""


def test_a_template_whose_claims_can_never_be_made_is_told() -> None:
    found = the("quota-exceeded", problems(template("allocationMode: All"), joined(CLASS, QUOTA)))
    assert (found.severity, found.field) == ("error", "spec.spec.devices.requests")
    assert found.message == f"exceeded quota: q, requested: {DEVICES}=32, used: {DEVICES}=0, limited: {DEVICES}=4"
    assert found.hint == "a request for all devices counts as 32, whatever there is: ask for an exact count"
    assert codes(template("count: 4"), joined(CLASS, QUOTA)) == []


def test_a_claim_is_counted_beside_those_of_the_cluster() -> None:
    assert codes(CLAIM % "a", joined(CLASS, QUOTA)) == []
    assert codes(CLAIM % "b", joined(CLASS, QUOTA, CLAIM % "a")) == ["quota-exceeded"]
    assert codes(CLAIM % "a", joined(CLASS, QUOTA, CLAIM % "a")) == []


def test_quotas_of_other_namespaces_and_folders_are_not_met() -> None:
    assert (
        codes(template("allocationMode: All"), joined(CLASS, QUOTA.replace("name: q", "name: q, namespace: x"))) == []
    )
    assert codes({"a/t.yaml": joined(CLASS, template("allocationMode: All")), "b/q.yaml": QUOTA}) == []
