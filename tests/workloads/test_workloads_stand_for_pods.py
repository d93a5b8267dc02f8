"""Expansion: names, numbers, labels and owners of the pods that each kind of workload makes."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from dravite.api.field import ErrorType, FieldError
from dravite.api.meta import ObjectRef
from dravite.workloads import BUILT_IN, ExpandedPod, expand, makes_pods, why_not_accepted
from dravite.workloads.counting import MAX_PODS


def pods(text: str, *others: str) -> list[ExpandedPod]:
    made = expand(yaml.safe_load(text), others=[yaml.safe_load(other) for other in others])
    assert all(isinstance(item, ExpandedPod) for item in made), made
    return [item for item in made if isinstance(item, ExpandedPod)]


def names(text: str) -> list[str]:
    return [item.name for item in pods(text)]


def faults(text: str) -> list[tuple[str, ErrorType]]:
    made = expand(yaml.safe_load(text))
    assert all(isinstance(item, FieldError) for item in made), made
    return [(item.field, item.type) for item in made if isinstance(item, FieldError)]


def workload(api_version: str, kind: str, spec: str) -> str:
    return f"{{apiVersion: {api_version}, kind: {kind}, metadata: {{name: w, namespace: ml}}, spec: {{{spec}}}}}"


TEMPLATE = "template: {spec: {containers: []}}"
TWO_AT_ONCE = f"jobTemplate: {{spec: {{parallelism: 2, completions: 2, {TEMPLATE}}}}}"
TORCH = f"pytorchReplicaSpecs: {{Master: {{{TEMPLATE}}}, Worker: {{replicas: 2, {TEMPLATE}}}}}"
JAX = f"jaxReplicaSpecs: {{Worker: {{{TEMPLATE}}}}}"


@pytest.mark.parametrize(
    ("api_version", "kind", "spec", "expected", "inferred"),
    [
        ("apps/v1", "Deployment", f"replicas: 2, {TEMPLATE}", ["w-0", "w-1"], True),
        ("apps/v1", "Deployment", TEMPLATE, ["w-0"], True),
        ("apps/v1", "Deployment", f"replicas: 0, {TEMPLATE}", [], True),
        ("apps/v1", "ReplicaSet", f"replicas: 1, {TEMPLATE}", ["w-0"], True),
        ("v1", "ReplicationController", f"replicas: 1, {TEMPLATE}", ["w-0"], True),
        ("apps/v1", "StatefulSet", f"replicas: 2, ordinals: {{start: 3}}, {TEMPLATE}", ["w-3", "w-4"], False),
        ("apps/v1", "DaemonSet", TEMPLATE, ["w-{node}"], True),
        ("batch/v1", "CronJob", TWO_AT_ONCE, ["w-0", "w-1"], True),
        ("batch/v1", "CronJob", f"suspend: true, {TWO_AT_ONCE}", [], True),
        ("kubeflow.org/v1", "PyTorchJob", TORCH, ["w-master-0", "w-worker-0", "w-worker-1"], False),
        ("kubeflow.org/v1", "TFJob", f"tfReplicaSpecs: {{PS: {{replicas: 1, {TEMPLATE}}}}}", ["w-ps-0"], False),
        ("kubeflow.org/v1", "XGBoostJob", f"xgbReplicaSpecs: {{Master: {{{TEMPLATE}}}}}", ["w-master-0"], False),
        ("kubeflow.org/v1", "PaddleJob", f"paddleReplicaSpecs: {{Worker: {{{TEMPLATE}}}}}", ["w-worker-0"], False),
        ("kubeflow.org/v1", "JAXJob", JAX, ["w-worker-0"], False),
        ("kubeflow.org/v1", "JAXJob", f"runPolicy: {{suspend: true}}, {JAX}", [], False),
    ],
)  # fmt: skip
def test_pods_are_called_as_their_controller_calls_them(
    api_version: str, kind: str, spec: str, expected: list[str], *, inferred: bool
) -> None:
    made = pods(workload(api_version, kind, spec))
    assert [item.name for item in made] == expected
    assert all(item.inferred is inferred for item in made)


@pytest.mark.parametrize("version", ["v1", "v2beta1"])
def test_an_mpi_job_has_workers_and_a_launcher(version: str) -> None:
    spec = f"mpiReplicaSpecs: {{Launcher: {{{TEMPLATE}}}, Worker: {{replicas: 2, {TEMPLATE}}}}}"
    made = pods(workload(f"kubeflow.org/{version}", "MPIJob", spec))
    assert [(item.name, item.inferred) for item in made] == [
        ("w-worker-0", False),
        ("w-worker-1", False),
        ("w-launcher", True),
    ]
    assert made[1].pod["metadata"]["labels"] == {
        "training.kubeflow.org/operator-name": "mpi-operator",
        "training.kubeflow.org/job-name": "w",
        "training.kubeflow.org/job-role": "worker",
        "training.kubeflow.org/replica-index": "1",
    }
    assert made[2].template_path == "spec.mpiReplicaSpecs.Launcher.template"


def test_a_mpi_job_may_lack_workers() -> None:
    assert names(workload("kubeflow.org/v2beta1", "MPIJob", f"mpiReplicaSpecs: {{Launcher: {{{TEMPLATE}}}}}")) == [
        "w-launcher"
    ]


@pytest.mark.parametrize(
    ("spec", "status", "expected"),
    [
        ("", "", ["w-0"]),
        ("parallelism: 3", "", ["w-0", "w-1", "w-2"]),
        ("parallelism: 3", "succeeded: 1", []),
        ("parallelism: 3, completions: 2", "", ["w-0", "w-1"]),
        ("parallelism: 3, completions: 4", "succeeded: 2", ["w-0", "w-1"]),
        ("completions: 4", "", ["w-0"]),
        ("completionMode: Indexed, completions: 6, parallelism: 3", "completedIndexes: '0-1,3'", ["w-2", "w-4", "w-5"]),
        ("completionMode: Indexed, completions: 3, parallelism: 3", "completedIndexes: '0-2'", []),
        ("parallelism: 2, suspend: true", "", []),
        ("parallelism: 2", "conditions: [{type: Complete, status: 'True'}]", []),
        ("parallelism: 0", "", []),
    ],
)
def test_a_job_still_has_so_much_to_do(spec: str, status: str, expected: list[str]) -> None:
    document = yaml.safe_load(workload("batch/v1", "Job", f"{TEMPLATE}, {spec}"))
    document["status"] = yaml.safe_load(f"{{{status}}}")
    assert [item.name for item in expand(document) if isinstance(item, ExpandedPod)] == expected


def test_pods_of_an_indexed_job_know_their_index() -> None:
    made = pods(workload("batch/v1", "Job", f"completionMode: Indexed, completions: 2, parallelism: 2, {TEMPLATE}"))
    metadata = made[1].pod["metadata"]
    assert metadata["labels"] == {
        "batch.kubernetes.io/job-name": "w",
        "job-name": "w",
        "batch.kubernetes.io/job-completion-index": "1",
    }
    assert metadata["annotations"] == {"batch.kubernetes.io/job-completion-index": "1"}


def test_a_job_set_has_jobs_of_jobs() -> None:
    job = f"template: {{spec: {{parallelism: 2, completions: 2, {TEMPLATE}}}}}"
    spec = f"replicatedJobs: [{{name: driver, template: {{spec: {{{TEMPLATE}}}}}}}, {{name: work, replicas: 2, {job}}}]"
    made = pods(workload("jobset.x-k8s.io/v1alpha2", "JobSet", spec))
    assert [item.name for item in made] == [
        "w-driver-0-0",
        "w-work-0-0",
        "w-work-0-1",
        "w-work-1-0",
        "w-work-1-1",
    ]
    assert made[3].template_path == "spec.replicatedJobs[1].template.spec.template"
    assert made[3].pod["metadata"]["labels"] == {
        "jobset.sigs.k8s.io/jobset-name": "w",
        "jobset.sigs.k8s.io/replicatedjob-name": "work",
        "jobset.sigs.k8s.io/replicatedjob-replicas": "2",
        "jobset.sigs.k8s.io/job-index": "1",
        "batch.kubernetes.io/job-name": "w-work-1",
        "job-name": "w-work-1",
        "batch.kubernetes.io/job-completion-index": "0",
    }


def test_a_leader_worker_set_has_leaders_and_workers() -> None:
    spec = "replicas: 2, leaderWorkerTemplate: {size: 3, workerTemplate: {spec: {}}, leaderTemplate: {spec: {}}}"
    made = pods(workload("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", spec))
    assert [item.name for item in made] == ["w-0", "w-1", "w-0-1", "w-0-2", "w-1-1", "w-1-2"]
    assert made[0].template_path == "spec.leaderWorkerTemplate.leaderTemplate"
    assert made[5].pod["metadata"]["labels"] == {
        "leaderworkerset.sigs.k8s.io/name": "w",
        "leaderworkerset.sigs.k8s.io/group-index": "1",
        "leaderworkerset.sigs.k8s.io/worker-index": "2",
    }
    alone = "leaderWorkerTemplate: {workerTemplate: {spec: {}}}"
    (leader,) = pods(workload("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", alone))
    assert (leader.name, leader.template_path) == ("w-0", "spec.leaderWorkerTemplate.workerTemplate")


RAY = (
    "headGroupSpec: {template: {spec: {}}}, workerGroupSpecs: ["
    "{groupName: gpu, replicas: 2, numOfHosts: 2, template: {spec: {}}}, "
    "{groupName: small, minReplicas: 1, template: {spec: {}}}, "
    "{groupName: many, replicas: 9, maxReplicas: 1, template: {spec: {}}}, "
    "{groupName: off, replicas: 3, suspend: true, template: {spec: {}}}]"
)
RAY_PODS = [
    "w-head",
    "w-gpu-worker-0",
    "w-gpu-worker-1",
    "w-gpu-worker-2",
    "w-gpu-worker-3",
    "w-small-worker-0",
    "w-many-worker-0",
]


@pytest.mark.parametrize(
    ("kind", "spec", "expected"),
    [
        ("RayCluster", RAY, RAY_PODS),
        ("RayCluster", f"suspend: true, {RAY}", []),
        ("RayJob", f"rayClusterSpec: {{{RAY}}}", RAY_PODS),
        ("RayJob", f"submitterPodTemplate: {{spec: {{}}}}, rayClusterSpec: {{{RAY}}}", [*RAY_PODS, "w-submitter"]),
        ("RayService", f"rayClusterConfig: {{{RAY}}}", RAY_PODS),
    ],
)
def test_ray_clusters_have_a_head_and_worker_groups(kind: str, spec: str, expected: list[str]) -> None:
    assert names(workload("ray.io/v1", kind, spec)) == expected


RUNTIME = """
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata: {name: torch}
spec:
  mlPolicy: {numNodes: 1}
  template:
    spec:
      replicatedJobs:
      - name: node
        template:
          metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
          spec: {template: {spec: {nodeSelector: {a: b}, containers: [{name: node, image: old}, {name: side}]}}}
"""


def test_a_train_job_adjusts_its_runtime() -> None:
    spec = (
        "runtimeRef: {name: torch}, trainer: {numNodes: 2, image: new, resourcesPerNode: {limits: {cpu: 1}}}, "
        "podTemplateOverrides: [{targetJobs: [{name: node}], spec: {nodeSelector: {c: d}, tolerations: [{key: k}]}}]"
    )
    made = pods(workload("trainer.kubeflow.org/v1alpha1", "TrainJob", spec), RUNTIME)
    assert [item.name for item in made] == ["w-node-0-0", "w-node-0-1"]
    assert made[0].owner == ObjectRef("TrainJob", "ml", "w")
    assert made[0].template_owner == ObjectRef("ClusterTrainingRuntime", "", "torch")
    assert made[0].template_path == "spec.template.spec.replicatedJobs[0].template.spec.template"
    assert made[0].pod["spec"] == {
        "nodeSelector": {"a": "b", "c": "d"},
        "tolerations": [{"key": "k"}],
        "containers": [{"name": "node", "image": "new", "resources": {"limits": {"cpu": 1}}}, {"name": "side"}],
    }
    assert faults(workload("trainer.kubeflow.org/v1alpha1", "TrainJob", spec)) == [
        ("spec.runtimeRef.name", ErrorType.NOT_FOUND)
    ]


def test_pods_belong_to_their_workload_and_keep_what_the_template_says() -> None:
    text = """
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: w, namespace: ml, uid: u-1}
spec:
  replicas: 1
  template:
    metadata: {name: ignored, labels: {app: a, apps.kubernetes.io/pod-index: x}, annotations: {note: n}}
    spec: {containers: [{name: c}]}
"""
    (item,) = pods(text)
    assert item.owner == item.template_owner == ObjectRef("StatefulSet", "ml", "w")
    assert item.pod == {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": "w-0",
            "namespace": "ml",
            "labels": {
                "app": "a",
                "apps.kubernetes.io/pod-index": "0",
                "statefulset.kubernetes.io/pod-name": "w-0",
            },
            "annotations": {"note": "n"},
            "ownerReferences": [
                {
                    "apiVersion": "apps/v1",
                    "kind": "StatefulSet",
                    "name": "w",
                    "uid": "u-1",
                    "controller": True,
                    "blockOwnerDeletion": True,
                }
            ],
        },
        "spec": {"containers": [{"name": "c"}]},
    }


@pytest.mark.parametrize(
    ("api_version", "kind", "spec", "expected"),
    [
        ("apps/v1", "Deployment", "replicas: 1", [("spec.template", ErrorType.REQUIRED)]),
        ("apps/v1", "Deployment", "template: {}", [("spec.template.spec", ErrorType.REQUIRED)]),
        ("apps/v1", "Deployment", "template: text", [("spec.template.spec", ErrorType.REQUIRED)]),
        ("apps/v1", "Deployment", f"replicas: many, {TEMPLATE}", [("spec.replicas", ErrorType.TYPE_INVALID)]),
        ("apps/v1", "Deployment", f"replicas: -1, {TEMPLATE}", [("spec.replicas", ErrorType.INVALID)]),
        ("apps/v1", "Deployment", f"replicas: {MAX_PODS + 1}, {TEMPLATE}", [("spec.replicas", ErrorType.TOO_MANY)]),
        ("batch/v1", "Job", f"parallelism: 9999999999, {TEMPLATE}", [("spec.parallelism", ErrorType.TOO_MANY)]),
        ("batch/v1", "Job", f"completions: x, {TEMPLATE}", [("spec.completions", ErrorType.TYPE_INVALID)]),
        ("batch/v1", "Job", f"parallelism: [1], {TEMPLATE}", [("spec.parallelism", ErrorType.TYPE_INVALID)]),
        ("apps/v1", "Deployment", f"replicas: {{}}, {TEMPLATE}", [("spec.replicas", ErrorType.TYPE_INVALID)]),
        ("kubeflow.org/v1", "TFJob", "", [("spec.tfReplicaSpecs", ErrorType.REQUIRED)]),
        (
            "jobset.x-k8s.io/v1alpha2",
            "JobSet",
            "replicatedJobs: [{name: a, template: {spec: {}}}, {name: b}]",
            [
                ("spec.replicatedJobs[0].template.spec.template", ErrorType.REQUIRED),
                ("spec.replicatedJobs[1].template.spec.template", ErrorType.REQUIRED),
            ],
        ),
    ],
)
def test_what_cannot_be_counted_is_said_with_its_field(
    api_version: str, kind: str, spec: str, expected: list[tuple[str, ErrorType]]
) -> None:
    assert faults(workload(api_version, kind, spec)) == expected


def test_only_kinds_of_the_table_make_pods() -> None:
    def makes(api_version: str, kind: str) -> bool:
        return makes_pods({"apiVersion": api_version, "kind": kind})

    assert makes("apps/v1", "Deployment")
    assert makes("apps/v1beta2", "Deployment")
    assert makes("trainer.kubeflow.org/v1alpha1", "TrainJob")
    assert not makes("example.com/v1", "Deployment")
    assert not makes("v1", "Pod")
    assert not makes_pods({})


def test_every_row_can_be_expanded_from_nothing() -> None:
    for group, kind in BUILT_IN:
        document: dict[str, Any] = {"apiVersion": f"{group}/v1" if group else "v1", "kind": kind}
        for broken in ({}, {"metadata": None}, {"spec": None}, {"spec": []}, {"metadata": [], "spec": {"template": 1}}):
            assert isinstance(expand(document | broken), tuple)


@pytest.mark.parametrize(
    ("api_version", "kind", "spec", "expected"),
    [
        (
            "apps/v1",
            "Deployment",
            "selector: {matchLabels: {a: b}}",
            [("spec.template.metadata.labels", ErrorType.INVALID)],
        ),
        ("apps/v1", "DaemonSet", "selector: {}", [("spec.selector", ErrorType.INVALID)]),
        ("apps/v1", "StatefulSet", "selector: {matchLabels: {app: w}}", []),
        ("apps/v1", "ReplicaSet", "selector: {matchExpressions: [{key: app, operator: Exists}]}", []),
        ("apps/v1", "Deployment", "replicas: 1", []),
        ("example.com/v1", "Deployment", "selector: {matchLabels: {a: b}}", []),
    ],
)
def test_a_workload_must_select_its_own_pods(
    api_version: str, kind: str, spec: str, expected: list[tuple[str, ErrorType]]
) -> None:
    template = "template: {metadata: {labels: {app: w}}, spec: {containers: []}}"
    document = yaml.safe_load(workload(api_version, kind, f"{spec}, {template}"))
    assert [(error.field, error.type) for error in why_not_accepted(document)] == expected


@pytest.mark.parametrize(
    ("api_version", "kind", "policy", "expected"),
    [
        ("batch/v1", "Job", "Always", [("spec.template.spec.restartPolicy", ErrorType.REQUIRED)]),
        ("batch/v1", "Job", "Never", []),
        ("apps/v1", "Deployment", "Never", [("spec.template.spec.restartPolicy", ErrorType.NOT_SUPPORTED)]),
        ("apps/v1", "Deployment", "Always", []),
    ],
)
def test_a_workload_must_be_able_to_restart_its_pods_as_they_say(
    api_version: str, kind: str, policy: str, expected: list[tuple[str, ErrorType]]
) -> None:
    document = yaml.safe_load(workload(api_version, kind, f"template: {{spec: {{restartPolicy: {policy}}}}}"))
    assert [(error.field, error.type) for error in why_not_accepted(document)] == expected
