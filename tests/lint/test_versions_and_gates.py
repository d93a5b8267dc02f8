"""Versions that go or are gone, gates that are off, and admission: as the release named would have it."""

from __future__ import annotations

import pytest

from tests.lint.manifests import CLASS, codes, joined, pod, problems, template, the

BETA = """\
apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaim
metadata: {name: c}
spec:
  devices:
    requests:
    - {name: a, deviceClassName: gpu.example.com}
    - name: b
      deviceClassName: gpu.example.com
      tolerations: [{key: k, operator: Exists, effect: NoSchedule}]
"""
ALPHA = "apiVersion: resource.k8s.io/v1alpha2\nkind: ResourceClass\nmetadata: {name: c}\ndriverName: d\n"
ADMIN = template("adminAccess: true").replace("{name: gpu}", "{name: gpu, namespace: metrics}")
NAMESPACE = "apiVersion: v1\nkind: Namespace\nmetadata: {name: metrics, labels: {%s: '%s'}}\n"


def test_a_deprecated_version_is_told_with_the_one_to_move_to() -> None:
    found = the("version-deprecated", problems(BETA))
    assert found.message == "resource.k8s.io/v1beta1 ResourceClaim is deprecated in v1.35+, unavailable in v1.38+"
    assert found.hint == "use resource.k8s.io/v1; `dravite convert --to resource.k8s.io/v1` does it"
    assert found.line == 1


def test_whether_a_version_is_served_depends_on_the_release() -> None:
    assert codes(BETA, release="1.33") == ["version-off-by-default", "gate-off"]
    assert "version-not-served" in codes(BETA, release="1.31")
    assert the("version-not-served", problems(template(), release="1.33")).severity == "error"


def test_a_field_whose_gate_is_off_is_told_where_it_stands() -> None:
    found = the("gate-off", problems(BETA, release="1.34"))
    assert found.message == (
        "DRADeviceTaints is off in Kubernetes 1.34: spec.devices.requests[].exactly.tolerations is dropped"
    )
    assert (found.field, found.line) == ("spec.devices.requests[1].tolerations", 10)
    assert "gate-off" not in codes(BETA, release="1.34", gates="DRADeviceTaints=true")


@pytest.mark.parametrize(
    ("gates", "missing"),
    [
        ("", "CompositePodGroup=true,GenericWorkload=true,TopologyAwareWorkloadScheduling=true"),
        ("GenericWorkload=true,TopologyAwareWorkloadScheduling=true", "CompositePodGroup=true"),
    ],
)
def test_a_gate_is_named_with_those_that_it_needs(gates: str, missing: str) -> None:
    group = "apiVersion: scheduling.k8s.io/v1alpha3\nkind: PodGroup\nmetadata: {name: a, namespace: n}\n"
    text = f"{group}spec: {{parentCompositePodGroupName: top, schedulingPolicy: {{basic: {{}}}}}}\n"
    found = the("gate-off", problems(text, gates=gates))
    assert (found.hint or "").startswith(f"--feature-gates {missing} answers for a cluster that has ")


@pytest.mark.parametrize(
    ("release", "field", "message", "hint"),
    [
        (
            "1.37",
            "workloadRef: {name: w, podGroup: g}",
            "Kubernetes 1.37 has no field spec.workloadRef: it went after 1.35",
            "since 1.36 a pod names a PodGroup, in spec.schedulingGroup.podGroupName",
        ),
        (
            "1.35",
            "schedulingGroup: {podGroupName: g}",
            "Kubernetes 1.35 has no field spec.schedulingGroup: it came with 1.36",
            "1.35 has spec.workloadRef, which names a Workload and one of its groups",
        ),
    ],
)
def test_a_field_of_other_releases_is_unknown_whatever_its_gate(
    release: str, field: str, message: str, hint: str
) -> None:
    grouped = pod(container="").replace("spec:\n", f"spec:\n  {field}\n").replace("  resourceClaims", "  # claims")
    found = the("unknown-field", problems(grouped, release=release, gates="GenericWorkload=true"))
    assert (found.severity, found.message, found.hint, found.line) == ("error", message, hint, 5)


def test_what_a_release_took_out_of_an_old_version_is_told_although_the_version_is_served() -> None:
    rule = (
        "apiVersion: resource.k8s.io/v1alpha3\nkind: DeviceTaintRule\nmetadata: {name: r}\n"
        "spec: {deviceSelector: {deviceClassName: gpu}, taint: {key: a/b, effect: NoExecute}}\n"
    )
    found = the("lost-in-conversion", problems(rule))
    assert (found.field, found.message) == (
        "spec.deviceSelector.deviceClassName",
        "rules no longer select by class since 1.35",
    )
    assert "lost-in-conversion" not in codes(rule, release="1.34")


def test_kinds_that_are_gone_are_told_with_what_took_their_place() -> None:
    found = the("unknown-version", problems(ALPHA))
    assert "DeviceClass" in found.message


def test_a_group_is_judged_as_by_a_server_that_has_groups() -> None:
    group = (
        "apiVersion: scheduling.k8s.io/v1beta1\nkind: PodGroup\nmetadata: {name: g}\n"
        "spec: {schedulingPolicy: {basic: {}}, disruptionMode: {single: {}}}\n"
    )
    [found] = problems(group)
    assert (found.type, found.hint) == ("version-off-by-default", "the gate GenericWorkload must be on, too")


def test_admin_access_needs_the_label_of_the_release() -> None:
    right = NAMESPACE % ("resource.kubernetes.io/admin-access", "true")
    old = NAMESPACE % ("resource.k8s.io/admin-access", "true")
    assert codes(joined(CLASS, ADMIN)) == ["admin-access-unchecked"]
    assert codes(joined(CLASS, right, ADMIN)) == []
    found = the("FieldValueForbidden", problems(joined(CLASS, old, ADMIN)))
    assert found.hint == (
        "kubectl label namespace metrics resource.kubernetes.io/admin-access=true "
        "(resource.k8s.io/admin-access is the label of 1.33)"
    )
    capital = NAMESPACE % ("resource.kubernetes.io/admin-access", "True")
    assert the("FieldValueForbidden", problems(joined(CLASS, capital, ADMIN))).hint == (
        'kubectl label namespace metrics resource.kubernetes.io/admin-access=true --overwrite (it is "True")'
    )
    beta = joined(CLASS, old, ADMIN).replace("resource.k8s.io/v1\n", "resource.k8s.io/v1beta2\n")
    assert "FieldValueForbidden" not in codes(beta, release="1.33", gates="DRAAdminAccess=true")
