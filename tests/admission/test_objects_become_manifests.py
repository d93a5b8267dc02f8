"""Documents become what planning takes: each object once, at the hub version, defaulted, with uids and lines."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dravite.admission.admit import admit
from dravite.api.documents import split
from dravite.api.meta import ObjectRef
from dravite.api.releases import Profile, profile
from dravite.snapshot.manifests import Manifests

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c}
spec:
  devices:
    requests:
    - name: r
      exactly: {deviceClassName: gpu.example.com}
"""
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers: [{name: c, image: i}]
"""


def stock(release: str = "1.37", gates: str = "") -> Profile:
    found = profile(release, gates)
    assert isinstance(found, Profile)
    return found


def admitted(*texts: str, release: str = "1.37", gates: str = "", namespace: str = "default") -> Manifests:
    files = (split(f"{number}.yaml", text.encode()) for number, text in enumerate(texts))
    return admit([document for file in files for document in file], stock(release, gates), namespace)


def told(manifests: Manifests) -> list[tuple[str, str, str | None, int | None]]:
    return [(problem.severity, problem.type, problem.field, problem.line) for problem in manifests.problems]


def test_a_claim_is_defaulted_named_and_found_again() -> None:
    manifests = admitted(CLAIM, namespace="team")
    (claim,) = manifests.claims
    assert (claim.metadata.namespace, claim.metadata.uid) == ("team", "resourceclaim/team/c")
    exactly = claim.spec.devices.requests[0].exactly
    assert exactly is not None
    assert (exactly.allocation_mode, exactly.count) == ("ExactCount", 1)
    ref = ObjectRef("ResourceClaim", "team", "c")
    assert manifests.origins[ref].file == "0.yaml"
    assert manifests.line_of(ref, "spec.devices.requests[0].exactly.deviceClassName") == 8
    assert manifests.line_of(ref, "spec.devices.requests[0].exactly.count") == 8
    assert manifests.line_of(ObjectRef("Pod", "team", "c"), "spec") is None


def test_old_versions_are_converted_with_a_warning() -> None:
    old = CLAIM.replace("/v1\n", "/v1beta1\n").replace(
        "exactly: {deviceClassName: gpu.example.com}", "deviceClassName: gpu.example.com"
    )
    manifests = admitted(old)
    assert manifests.claims == admitted(CLAIM).claims
    assert told(manifests) == [("warning", "version-not-served", "apiVersion", 1)]
    assert manifests.problems[0].hint == "use resource.k8s.io/v1"
    assert told(admitted(CLAIM, release="1.32"))[0][:2] == ("warning", "version-not-served")


def test_a_gate_that_is_off_drops_its_fields_said_once() -> None:
    tainted = CLAIM.replace("gpu.example.com}", "gpu.example.com, capacity: {requests: {memory: 1Gi}}}")
    manifests = admitted(tainted, tainted.replace("name: c}", "name: d}"), gates="DRAConsumableCapacity=false")
    (problem,) = manifests.problems
    assert (problem.severity, problem.type) == ("warning", "gate-off")
    assert "DRAConsumableCapacity" in problem.message
    assert "1 more object" in problem.message
    assert all(claim.spec.devices.requests[0].exactly.capacity is None for claim in manifests.claims)  # type: ignore[union-attr]


def test_an_object_with_an_error_is_not_planned_and_the_rest_is() -> None:
    bad = CLAIM.replace("name: r\n", "name: R_\n").replace("name: c}", "name: bad}")
    manifests = admitted(CLAIM, bad)
    assert [claim.metadata.name for claim in manifests.claims] == ["c"]
    (problem,) = manifests.problems
    assert (problem.object, problem.field, problem.line) == (
        "ResourceClaim default/bad",
        "spec.devices.requests[0].name",
        7,
    )
    assert problem.message.startswith('Invalid value: "R_": a lowercase RFC 1123 label must')


def test_a_node_that_is_applied_again_without_a_status_keeps_its_own() -> None:
    node = "{apiVersion: v1, kind: Node, metadata: {name: n, labels: {rack: r1}}, status: {allocatable: {cpu: 4}}}"
    found = admitted(node, "{apiVersion: v1, kind: Node, metadata: {name: n, labels: {rack: r2}}}")
    (one,) = found.nodes
    assert (one.metadata.labels["rack"], str(one.status.allocatable["cpu"])) == ("r2", "4")


def test_an_object_that_is_read_twice_counts_once_as_if_applied() -> None:
    manifests = admitted(CLAIM, CLAIM.replace("gpu.example.com", "other.example.com"))
    (claim,) = manifests.claims
    assert claim.spec.devices.requests[0].exactly is not None
    assert claim.spec.devices.requests[0].exactly.device_class_name == "other.example.com"
    (problem,) = manifests.problems
    assert (problem.severity, problem.type) == ("warning", "object-read-twice")
    assert "0.yaml:1" in problem.message
    assert [p.severity for p in admitted(CLAIM, CLAIM).problems] == ["info"]


def test_a_bad_second_version_leaves_the_first() -> None:
    manifests = admitted(CLAIM, CLAIM.replace("deviceClassName: gpu.example.com", "count: 1"))
    assert manifests.claims == admitted(CLAIM).claims
    assert [problem.severity for problem in manifests.problems] == ["warning", "error"]


def test_what_only_a_server_writes_survives_applying_again() -> None:
    allocated = CLAIM.replace("{name: c}", "{name: c, uid: u1}") + (
        "status: {allocation: {devices: {results: [{request: r, driver: d, pool: p, device: x}]}}}\n"
    )
    (claim,) = admitted(allocated, CLAIM).claims
    assert claim.metadata.uid == "u1"
    assert claim.status.allocation is not None
    bound = POD.replace("spec:\n", "spec:\n  nodeName: n1\n")
    assert admitted(bound, POD).pods[0].pod.spec.node_name == "n1"


def test_kinds_without_a_part_are_counted() -> None:
    manifests = admitted(
        "apiVersion: v1\nkind: ConfigMap\n---\napiVersion: a.b/v1\nkind: Foo\n---\napiVersion: a.b/v2\nkind: Foo\n"
    )
    assert manifests.unknown_kinds == {"ConfigMap": 1, "Foo.a.b": 2}
    assert manifests.problems == ()


def test_versions_and_kinds_that_are_gone_are_explained() -> None:
    text = "apiVersion: resource.k8s.io/v1alpha2\nkind: ResourceClass\nmetadata: {name: gpu}\n"
    (problem,) = admitted(text).problems
    assert (problem.severity, problem.type, problem.object) == ("error", "unknown-version", "ResourceClass gpu")
    assert "DeviceClass" in problem.message
    (problem,) = admitted("apiVersion: resource.k8s.io/v1\nkind: resourceclaim\n").problems
    assert problem.hint == "did you mean ResourceClaim?"


@pytest.mark.parametrize(
    ("api_version", "kind", "field", "hint"),
    [
        ("apps/v1", "Deploymnet", "kind", "did you mean Deployment?"),
        ("v1", "pods", "kind", "did you mean Pod?"),
        ("v1", "Job", "apiVersion", "use batch/v1"),
        ("extensions/v1beta1", "DaemonSet", "apiVersion", "use apps/v1"),
        ("batch/v1", "ResourceClaim", "apiVersion", "use resource.k8s.io/v1"),
        ("apps/v1", "Banana", "kind", None),
    ],
)
def test_a_kind_that_kubernetes_does_not_have_is_an_error(
    api_version: str, kind: str, field: str, hint: str | None
) -> None:
    (problem,) = admitted(f"apiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: x}}\n").problems
    assert (problem.severity, problem.message) == ("error", f"{api_version} {kind} does not exist")
    assert (problem.field, problem.hint) == (field, hint)


def test_names_that_would_be_drawn_are_numbered() -> None:
    manifests = admitted(
        POD.replace("name: p}", "generateName: p-}") + "---\n" + POD.replace("name: p}", "generateName: p-}")
    )
    assert [(pod.pod.metadata.name, pod.inferred) for pod in manifests.pods] == [("p-1", True), ("p-2", True)]


def test_a_namespace_on_a_cluster_wide_object_means_nothing() -> None:
    text = "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: c, namespace: x}\n"
    assert admitted(text).classes[0].metadata.namespace == ""


def test_an_owner_without_uid_is_refused() -> None:
    owner = "{name: c, ownerReferences: [{apiVersion: v1, kind: Pod, name: p}]}"
    manifests = admitted(CLAIM.replace("{name: c}", owner))
    assert told(manifests) == [("error", "FieldValueRequired", "metadata.ownerReferences[0].uid", 3)]


def test_a_lone_letter_is_text_where_nothing_else_fits() -> None:
    manifests = admitted(POD.replace("name: p}", "name: n, labels: {a: y}}"))
    (pod,) = manifests.pods
    assert (pod.pod.metadata.name, pod.pod.metadata.labels) == ("n", {"a": "y"})
    assert told(manifests) == [
        ("warning", "ambiguous-word", "metadata.name", 3),
        ("warning", "ambiguous-word", "metadata.labels.a", 3),
    ]
    assert told(admitted(POD.replace("name: p}", "name: no}")))[0][:2] == ("error", "FieldValueTypeInvalid")
    admin = CLAIM.replace("gpu.example.com}", "gpu.example.com, adminAccess: n}")
    assert admitted(admin).problems == ()


def test_problems_stand_in_the_order_of_files_and_lines() -> None:
    bad = CLAIM.replace("name: r\n", "name: R_\n")
    manifests = admitted(
        bad + "---\n" + POD.replace("containers:", "containerz:"), bad.replace("{name: c}", "{name: d}")
    )
    assert [(p.file, p.line) for p in manifests.problems] == [
        ("0.yaml", 7),
        ("0.yaml", 13),
        ("0.yaml", 14),
        ("1.yaml", 7),
    ]


WORDS = """\
apiVersion: v1
kind: Pod
kind: List
items:
- kind: Node
  apiVersion: v1
metadata: {name: a}
metadata: {name: n}
spec: {}
spec: []
spec: {containers: [null]}
---
status: null
kind: Job
apiVersion: batch/v1
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
kind: ResourceClaim
  metadata: 5
x: &a [*a]
"""


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=150)
@given(st.lists(st.sampled_from(WORDS.splitlines()), max_size=12))
def test_whatever_is_read_admission_never_raises(parts: list[str]) -> None:
    manifests = admitted("\n".join(parts))
    assert all(problem.message for problem in manifests.problems)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.binary(max_size=60))
def test_arbitrary_bytes_never_raise_either(data: bytes) -> None:
    head = b"apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: "
    for text in (data, head + data, b'{"apiVersion":"v1","kind":"Node","metadata":' + data + b"}"):
        admit(split("x", text), stock())
