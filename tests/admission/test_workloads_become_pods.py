"""Workloads stand for the pods that they still need."""

from __future__ import annotations

import pytest

from dravite.api.meta import ObjectRef
from tests.admission.test_objects_become_manifests import admitted, told

JOB = """\
apiVersion: batch/v1
kind: Job
metadata: {name: train}
spec:
  completions: 2
  parallelism: 2
  completionMode: Indexed
  template:
    spec:
      containers: [{name: c, image: i}]
      resourceClaims:
      - name: gpu
        resourceClaimTemplateName: gpu
"""
NODE = "apiVersion: v1\nkind: Node\nmetadata: {{name: {name}, labels: {{rack: {rack}}}}}\n"
DAEMON = """\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  template:
    spec:
      nodeSelector: {rack: a}
      containers: [{name: c, image: i}]
"""


@pytest.mark.parametrize(
    ("field", "kind"), [("workloadRef: {name: w, podGroup: g}", "unknown-field"), ("schedulingGroup: {}", "gate-off")]
)
def test_what_a_release_drops_from_a_template_is_told_once(field: str, kind: str) -> None:
    path = f"spec.template.spec.{field.partition(':')[0]}"
    grouped = JOB.replace("      resourceClaims:", f"      {field}\n      resourceClaims:")
    assert told(admitted(grouped)) == [("warning", kind, path, 11)]


def test_pods_of_a_job_point_into_its_template() -> None:
    manifests = admitted(JOB)
    assert [pod.pod.metadata.name for pod in manifests.pods] == ["train-0", "train-1"]
    assert {pod.owner for pod in manifests.pods} == {ObjectRef("Job", "default", "train")}
    ref = ObjectRef("Pod", "default", "train-0")
    assert manifests.line_of(ref, "spec.resourceClaims[0].resourceClaimTemplateName") == 13
    owner = manifests.pods[0].pod.metadata.owner_references[0]
    assert (owner.kind, owner.uid) == ("Job", "job/default/train")


def test_faults_of_a_template_are_said_once_with_the_workload_and_its_path() -> None:
    manifests = admitted(JOB.replace("resourceClaimTemplateName: gpu", "source: {resourceClaimTemplateName: gpu}"))
    assert manifests.pods == ()
    path = "spec.template.spec.resourceClaims[0]"
    assert told(manifests) == [
        ("error", "FieldValueInvalid", path, 12),
        ("warning", "unknown-field", f"{path}.source", 13),
    ]
    assert {problem.object for problem in manifests.problems} == {"Job default/train"}
    assert f"stands directly in {path}" in (manifests.problems[1].hint or "")


def test_a_daemon_set_makes_a_pod_for_each_node_that_it_selects() -> None:
    nodes = [NODE.format(name=f"n{number}", rack=rack) for number, rack in enumerate("aba")]
    manifests = admitted(*nodes, DAEMON)
    assert [pod.pod.metadata.name for pod in manifests.pods] == ["agent-n0", "agent-n2"]


def test_pods_that_exist_are_not_made_again() -> None:
    existing = (
        "apiVersion: v1\nkind: Pod\nmetadata:\n  name: train-0\n  uid: u\n  ownerReferences:\n"
        "  - {apiVersion: batch/v1, kind: Job, name: train, uid: job-uid, controller: true}\n"
        "  labels: {batch.kubernetes.io/job-completion-index: '0'}\n"
        "spec: {nodeName: n, containers: [{name: c, image: i}]}\nstatus: {phase: Running}\n"
    )
    job = JOB.replace("{name: train}", "{name: train, uid: job-uid}")
    for texts in ((job, existing), (job, existing, JOB)):  # applied again without its uid, it keeps its pods
        assert [pod.pod.metadata.name for pod in admitted(*texts).pods] == ["train-0", "train-1"]


def test_a_workload_without_a_template_is_refused() -> None:
    (problem,) = admitted("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec: {replicas: 2}\n").problems
    assert (problem.severity, problem.object, problem.field) == ("error", "Deployment default/d", "spec.template")
