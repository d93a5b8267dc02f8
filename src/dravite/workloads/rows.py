"""Where pod templates stand in the kinds that make pods, how many pods they make, and what the pods are called.

One table for all kinds, as data. Names and labels are patterns over these words:

| word | what it is |
|---|---|
| `{name}` | the workload's name |
| `{entry}`, `{type}` | what `[*]` stands for, as it is written and in lower case |
| `{replica}` | which replica, from 0 |
| `{index}` | which pod of the replica |
| `{ordinal}` | which pod of the template, over all replicas |
| `{replicas}` | how many replicas |
| `{pod}` | the pod's name (labels only) |
| `{node}` | the node, for kinds with one pod a node |

Sources: the controllers of Kubernetes, JobSet, LeaderWorkerSet, MPI operator, Kubeflow training operator and KubeRay.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec


class PodTemplateRow(msgspec.Struct, frozen=True, kw_only=True):
    """One pod template of one kind.

    Attributes:
        group, kind: the kind, in any version of its group.
        template: path of the pod template. `fallback` is taken where there is none.
        optional: whether objects of the kind may lack the template.
        replicas: path of the number of replicas, or the number; `default_replicas` where the path is unset.
        at_least, at_most: paths of bounds of the number of replicas.
        size: path of the number of pods in each replica, or the number; 1 where the path is unset.
        first: the first index; a size of 3 and a first index of 1 give the pods 1 and 2.
        start: path of the first ordinal.
        job: path of a Job's spec, which then decides how many pods a replica has.
        job_mode: the completion mode of such a Job that names none.
        suspended: paths of flags that keep the pods from being made.
        name: pattern of the pods' names.
        inferred: whether the controller draws part of the name at random, so that the pattern is dravite's.
        labels: labels that the controller adds. Together they tell which pod of a workload is which.
        per_node: whether every node that the pod can run on gets one.
    """

    group: str
    kind: str
    template: str = "spec.template"
    fallback: str = ""
    optional: bool = False
    replicas: str | int = 1
    default_replicas: int = 1
    at_least: str = ""
    at_most: str = ""
    size: str | int = 1
    first: int = 0
    start: str = ""
    job: str = ""
    job_mode: str = "NonIndexed"
    suspended: tuple[str, ...] = ()
    name: str = "{name}-{ordinal}"
    inferred: bool = True
    labels: Mapping[str, str] = {}
    per_node: bool = False


PodTemplates = Mapping[tuple[str, str], tuple[PodTemplateRow, ...]]
"""The rows of each (group, kind)."""

_JOB_LABELS: Final = {"batch.kubernetes.io/job-name": "{name}", "job-name": "{name}"}
_LWS: Final = "spec.leaderWorkerTemplate"
_LWS_LABELS: Final = {
    "leaderworkerset.sigs.k8s.io/name": "{name}",
    "leaderworkerset.sigs.k8s.io/group-index": "{replica}",
    "leaderworkerset.sigs.k8s.io/worker-index": "{index}",
}
_RAY_KINDS: Final = {"RayCluster": "spec", "RayJob": "spec.rayClusterSpec", "RayService": "spec.rayClusterConfig"}
_TRAINING_KINDS: Final = {
    "PyTorchJob": "pytorch",
    "TFJob": "tf",
    "XGBoostJob": "xgb",
    "PaddleJob": "paddle",
    "JAXJob": "jax",
}


def _apps() -> tuple[PodTemplateRow, ...]:
    return (
        PodTemplateRow(group="apps", kind="Deployment", replicas="spec.replicas"),
        PodTemplateRow(group="apps", kind="ReplicaSet", replicas="spec.replicas"),
        PodTemplateRow(group="", kind="ReplicationController", replicas="spec.replicas"),
        PodTemplateRow(
            group="apps",
            kind="StatefulSet",
            replicas="spec.replicas",
            start="spec.ordinals.start",
            inferred=False,
            labels={"statefulset.kubernetes.io/pod-name": "{pod}", "apps.kubernetes.io/pod-index": "{ordinal}"},
        ),
        PodTemplateRow(group="apps", kind="DaemonSet", name="{name}-{node}", per_node=True),
    )


def _jobs() -> tuple[PodTemplateRow, ...]:
    return (
        PodTemplateRow(
            group="batch",
            kind="Job",
            job="spec",
            name="{name}-{index}",
            suspended=("spec.suspend",),
            labels=_JOB_LABELS,
        ),
        PodTemplateRow(
            group="batch",
            kind="CronJob",
            template="spec.jobTemplate.spec.template",
            job="spec.jobTemplate.spec",
            name="{name}-{index}",
            suspended=("spec.suspend",),
        ),
        PodTemplateRow(
            group="jobset.x-k8s.io",
            kind="JobSet",
            template="spec.replicatedJobs[*].template.spec.template",
            replicas="spec.replicatedJobs[*].replicas",
            job="spec.replicatedJobs[*].template.spec",
            job_mode="Indexed",
            suspended=("spec.suspend",),
            name="{name}-{entry}-{replica}-{index}",
            labels={
                "jobset.sigs.k8s.io/jobset-name": "{name}",
                "jobset.sigs.k8s.io/replicatedjob-name": "{entry}",
                "jobset.sigs.k8s.io/replicatedjob-replicas": "{replicas}",
                "jobset.sigs.k8s.io/job-index": "{replica}",
                "batch.kubernetes.io/job-name": "{name}-{entry}-{replica}",
                "job-name": "{name}-{entry}-{replica}",
            },
        ),
    )


def _leader_worker_sets() -> tuple[PodTemplateRow, ...]:
    group, kind = "leaderworkerset.x-k8s.io", "LeaderWorkerSet"
    return (
        PodTemplateRow(
            group=group,
            kind=kind,
            template=f"{_LWS}.leaderTemplate",
            fallback=f"{_LWS}.workerTemplate",
            replicas="spec.replicas",
            name="{name}-{replica}",
            inferred=False,
            labels=_LWS_LABELS,
        ),
        PodTemplateRow(
            group=group,
            kind=kind,
            template=f"{_LWS}.workerTemplate",
            replicas="spec.replicas",
            size=f"{_LWS}.size",
            first=1,
            name="{name}-{replica}-{index}",
            inferred=False,
            labels=_LWS_LABELS,
        ),
    )


def _kubeflow() -> tuple[PodTemplateRow, ...]:
    group = "kubeflow.org"
    mpi = PodTemplateRow(group=group, kind="MPIJob", suspended=("spec.runPolicy.suspend",), optional=True)
    worker = msgspec.structs.replace(
        mpi,
        template="spec.mpiReplicaSpecs.Worker.template",
        replicas="spec.mpiReplicaSpecs.Worker.replicas",
        default_replicas=0,
        name="{name}-worker-{replica}",
        inferred=False,
        labels=_training_labels("mpi-operator", "worker") | {"training.kubeflow.org/replica-index": "{replica}"},
    )
    launcher = msgspec.structs.replace(
        mpi,
        template="spec.mpiReplicaSpecs.Launcher.template",
        name="{name}-launcher",
        labels=_training_labels("mpi-operator", "launcher"),
    )
    return (worker, launcher, *(_training(kind, word) for kind, word in _TRAINING_KINDS.items()))


def _training(kind: str, word: str) -> PodTemplateRow:
    return PodTemplateRow(
        group="kubeflow.org",
        kind=kind,
        template=f"spec.{word}ReplicaSpecs[*].template",
        replicas=f"spec.{word}ReplicaSpecs[*].replicas",
        suspended=("spec.runPolicy.suspend",),
        name="{name}-{type}-{replica}",
        inferred=False,
        labels={
            "training.kubeflow.org/operator-name": f"{kind.lower()}-controller",
            "training.kubeflow.org/job-name": "{name}",
            "training.kubeflow.org/replica-type": "{type}",
            "training.kubeflow.org/replica-index": "{replica}",
        },
    )


def _training_labels(operator: str, role: str) -> dict[str, str]:
    return {
        "training.kubeflow.org/operator-name": operator,
        "training.kubeflow.org/job-name": "{name}",
        "training.kubeflow.org/job-role": role,
    }


def _ray() -> tuple[PodTemplateRow, ...]:
    rows = [row for kind, spec in _RAY_KINDS.items() for row in _ray_cluster(kind, spec)]
    submitter = PodTemplateRow(
        group="ray.io",
        kind="RayJob",
        template="spec.submitterPodTemplate",
        optional=True,
        suspended=("spec.suspend",),
        name="{name}-submitter",
    )
    return (*rows, submitter)


def _ray_cluster(kind: str, spec: str) -> tuple[PodTemplateRow, ...]:
    """The cluster of a RayJob or RayService has a random name; its pods are called after their owner here."""
    head = PodTemplateRow(
        group="ray.io",
        kind=kind,
        template=f"{spec}.headGroupSpec.template",
        suspended=("spec.suspend",),
        name="{name}-head",
        labels=_ray_labels("head", "headgroup"),
    )
    workers = msgspec.structs.replace(
        head,
        template=f"{spec}.workerGroupSpecs[*].template",
        optional=True,
        replicas=f"{spec}.workerGroupSpecs[*].replicas",
        default_replicas=0,
        at_least=f"{spec}.workerGroupSpecs[*].minReplicas",
        at_most=f"{spec}.workerGroupSpecs[*].maxReplicas",
        size=f"{spec}.workerGroupSpecs[*].numOfHosts",
        suspended=("spec.suspend", f"{spec}.workerGroupSpecs[*].suspend"),
        name="{name}-{entry}-worker-{ordinal}",
        labels=_ray_labels("worker", "{entry}"),
    )
    return head, workers


def _ray_labels(node_type: str, group: str) -> dict[str, str]:
    return {
        "ray.io/is-ray-node": "yes",
        "ray.io/cluster": "{name}",
        "ray.io/node-type": node_type,
        "ray.io/group": group,
    }


def table_of(rows: tuple[PodTemplateRow, ...]) -> PodTemplates:
    """The rows by kind, in the order in which they were given."""
    table: dict[tuple[str, str], tuple[PodTemplateRow, ...]] = {}
    for row in rows:
        table[row.group, row.kind] = (*table.get((row.group, row.kind), ()), row)
    return table


BUILT_IN: Final[PodTemplates] = table_of((*_apps(), *_jobs(), *_leader_worker_sets(), *_kubeflow(), *_ray()))
