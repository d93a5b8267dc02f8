"""A fault that keeps an object from being read hides none of its other faults, and brings none of its own."""

from __future__ import annotations

import pytest

from dravite.admission.admit import admit
from dravite.api.documents import split
from dravite.api.releases import newest_profile

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c}
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu
        allocationMod: All
        count: "two"
        selectors:
        - cel: {expression: "device.driver =="}
    - name: gpu
      exactly: {deviceClassName: gpu}
"""


def told(text: str) -> list[tuple[str, str | None]]:
    """The types of all problems, with their fields."""
    problems = admit(split("f.yaml", text.encode()), newest_profile()).problems
    return [(problem.type, problem.field) for problem in problems]


def test_a_claim_with_four_faults_of_four_kinds_is_told_all_of_them() -> None:
    first = "spec.devices.requests[0].exactly"
    assert told(CLAIM) == [
        ("unknown-field", f"{first}.allocationMod"),
        ("FieldValueTypeInvalid", f"{first}.count"),
        ("FieldValueInvalid", f"{first}.selectors[0].cel.expression"),
        ("FieldValueDuplicate", "spec.devices.requests[1]"),
    ]


@pytest.mark.parametrize("api_version", ["v1beta1", "v1beta2", "v1alpha3"])
def test_older_versions_are_told_the_same_faults(api_version: str) -> None:
    text = CLAIM.replace("/v1\n", f"/{api_version}\n")
    if api_version != "v1beta2":
        text = text.replace("      exactly:\n", "").replace("{deviceClassName: gpu}", "").replace("exactly: ", "")
        text = text.replace("        ", "      ") + "      deviceClassName: gpu\n"
    kinds = [kind for kind, _ in told(text)]
    assert set(kinds) >= {
        "unknown-field",
        "FieldValueTypeInvalid",
        "FieldValueInvalid",
        "FieldValueDuplicate",
    }


@pytest.mark.parametrize(
    ("exactly", "expected"),
    [
        ("foo", [("FieldValueTypeInvalid", "spec.devices.requests[0].exactly")]),
        ("{deviceClassName: 5}", [("FieldValueTypeInvalid", "spec.devices.requests[0].exactly.deviceClassName")]),
        (
            "{deviceClassName: gpu, tolerations: [{key: 5, value: x}]}",
            [("FieldValueTypeInvalid", "spec.devices.requests[0].exactly.tolerations[0].key")],
        ),
        (
            "{deviceClassName: gpu, selectors: [foo, {cel: {expression: 'true'}}]}",
            [("FieldValueTypeInvalid", "spec.devices.requests[0].exactly.selectors[0]")],
        ),
    ],
)
def test_what_only_follows_from_a_fault_is_not_told(exactly: str, expected: list[tuple[str, str]]) -> None:
    text = f"{{devices: {{requests: [{{name: a, exactly: {exactly}}}]}}}}"
    assert (
        told(f"apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{name: c}}\nspec: {text}\n") == expected
    )


def test_pod_templates_are_told_all_faults_too() -> None:
    container = "{name: A_b, image: x, resources: {requests: {cpu: [1]}}}"
    spec = f"{{replicas: 2, template: {{spec: {{priority: high, containers: [{container}]}}}}}}"
    found = told(f"apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {{name: r}}\nspec: {spec}\n")
    assert sorted(found) == [
        ("FieldValueInvalid", "spec.template.spec.containers[0].name"),
        ("FieldValueTypeInvalid", "spec.template.spec.containers[0].resources.requests[cpu]"),
        ("FieldValueTypeInvalid", "spec.template.spec.priority"),
    ]


def test_an_object_with_a_fault_is_not_planned() -> None:
    assert admit(split("f.yaml", CLAIM.encode()), newest_profile()).claims == ()
