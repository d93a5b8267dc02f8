"""What is still to be made, given the pods that exist, and whose pods those are."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from dravite.api.core_v1 import Pod, PodSpec, PodStatus
from dravite.api.meta import ObjectMeta, ObjectRef, OwnerReference
from dravite.workloads import ExpandedPod, Outstanding, Owned, Owners, expand, outstanding, rollout, surplus
from dravite.workloads.outstanding import says_no_more

TEMPLATE = "template: {metadata: {labels: {app: w}}, spec: {containers: [{name: c, image: new}]}}"


def expanded(text: str) -> list[ExpandedPod]:
    return [item for item in expand(yaml.safe_load(text)) if isinstance(item, ExpandedPod)]


def workload(kind: str, spec: str, api_version: str = "apps/v1") -> str:
    return f"{{apiVersion: {api_version}, kind: {kind}, metadata: {{name: w}}, spec: {{{spec}}}}}"


def pod(name: str, phase: str = "Running", node: str = "n1", *, deleting: bool = False, **labels: str) -> Pod:
    wire = {key.replace("__", "/").replace("_", "-"): value for key, value in labels.items()}
    return Pod(
        metadata=ObjectMeta(name=name, labels=wire, deletion_timestamp="2026-01-01T00:00:00Z" if deleting else None),
        spec=PodSpec(node_name=node),
        status=PodStatus(phase=phase),
    )


def planned(found: Outstanding) -> list[str]:
    return [item.name for item in found.planned]


def test_a_stateful_set_makes_the_pods_whose_names_are_missing() -> None:
    wanted = expanded(workload("StatefulSet", f"replicas: 3, {TEMPLATE}"))
    assert planned(outstanding(wanted, [pod("w-1")])) == ["w-0", "w-2"]
    assert planned(outstanding(wanted, [pod("w-1", deleting=True)])) == ["w-0", "w-2"]
    assert planned(outstanding(wanted, [pod("w-1", "Failed")])) == ["w-0", "w-1", "w-2"]


def test_a_replica_set_makes_as_many_as_are_missing() -> None:
    wanted = expanded(workload("ReplicaSet", f"replicas: 3, {TEMPLATE}"))
    assert planned(outstanding(wanted, [pod("w-x7k2p"), pod("w-b94ds")])) == ["w-2"]
    assert planned(outstanding(wanted, [pod("w-x7k2p", "Failed"), pod("w-b94ds", deleting=True)])) == [
        "w-0",
        "w-1",
        "w-2",
    ]
    assert planned(outstanding(wanted, [pod(f"w-{number}x") for number in range(5)])) == []


def test_a_replica_set_that_wants_fewer_gives_up_those_that_got_least_far() -> None:
    wanted = expanded(workload("ReplicaSet", f"replicas: 2, {TEMPLATE}"))
    pods = [pod("w-a"), pod("w-b"), pod("w-c", "Pending", ""), pod("w-d", "Failed"), pod("w-e", deleting=True)]
    assert surplus("ReplicaSet", wanted, pods) == ("w-c",)
    assert surplus("ReplicaSet", (), pods) == ("w-c", "w-b", "w-a")
    assert surplus("PyTorchJob", (), pods) == ()


def test_a_stateful_set_that_wants_fewer_gives_up_the_names_that_it_does_not_want() -> None:
    wanted = expanded(workload("StatefulSet", f"replicas: 2, {TEMPLATE}"))
    assert surplus("StatefulSet", wanted, [pod("w-0"), pod("w-3"), pod("w-1"), pod("w-2")]) == ("w-3", "w-2")


def test_a_deployment_that_wants_fewer_gives_them_up_outside_of_rollouts() -> None:
    deployment = yaml.safe_load(workload("Deployment", f"replicas: 1, {TEMPLATE}"))
    wanted = expanded(workload("Deployment", f"replicas: 1, {TEMPLATE}"))
    assert rollout(deployment, wanted, [pod("w-a"), pod("w-b")], ()).removed == ("w-b",)


def test_an_indexed_job_makes_the_indexes_that_nobody_works_on() -> None:
    spec = f"completionMode: Indexed, completions: 3, parallelism: 3, {TEMPLATE}"
    wanted = expanded(workload("Job", spec, "batch/v1"))
    labels = {
        "batch.kubernetes.io/job-name": "w",
        "job-name": "w",
        "batch.kubernetes.io/job-completion-index": "1",
    }
    running = Pod(metadata=ObjectMeta(name="w-1-abcde", labels=labels), status=PodStatus(phase="Running"))
    assert planned(outstanding(wanted, [running])) == ["w-0", "w-2"]


def test_daemons_cover_the_nodes_where_they_run() -> None:
    wanted = expanded(workload("DaemonSet", TEMPLATE))
    found = outstanding(wanted, [pod("w-a", node="n1"), pod("w-b", node="n2", deleting=True), pod("w-c", node="")])
    assert found.covered == {"n1"}
    assert planned(found) == ["w-{node}"]


@given(replicas=st.integers(0, 6), alive=st.integers(0, 6))
def test_running_and_planned_pods_add_up(replicas: int, alive: int) -> None:
    wanted = expanded(workload("Deployment", f"replicas: {replicas}, {TEMPLATE}"))
    existing = [pod(f"w-abc-{number}") for number in range(alive)]
    found = rollout({}, wanted, existing, ())
    assert len(found.planned) == max(0, replicas - alive)
    assert len(found.removed) == max(0, alive - replicas)
    assert found.planned == outstanding(wanted, existing).planned


def deployment(spec: str = "") -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load(workload("Deployment", f"{TEMPLATE}, {spec}"))
    return document


def replica_set(template_hash: str, image: str) -> dict[str, Any]:
    labels = {"app": "w", "pod-template-hash": template_hash}
    container = {"name": "c", "image": image, "imagePullPolicy": "IfNotPresent"}
    spec = {"containers": [container], "restartPolicy": "Always"}
    return {"spec": {"template": {"metadata": {"labels": labels}, "spec": spec}}}


SETS = (replica_set("aaa", "old"), replica_set("bbb", "new"))


def old_pods(number: int) -> list[Pod]:
    return [pod(f"w-aaa-{index}", pod_template_hash="aaa") for index in range(number)]


@pytest.mark.parametrize(
    ("replicas", "old", "strategy", "expected"),
    [
        (1, 1, "", (1, 0, 0)),
        (1, 1, "strategy: {type: Recreate}", (1, 1, 0)),
        (1, 1, "strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}", (1, 1, 0)),
        (1, 1, "strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 0}}", (1, 1, 0)),
        (10, 10, "", (3, 0, 7)),
        (10, 10, "strategy: {rollingUpdate: {maxSurge: 100%}}", (10, 0, 0)),
        (10, 10, "strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 30%}}", (3, 3, 7)),
        (4, 2, "", (3, 0, 1)),
        (2, 5, "", (0, 0, 2)),
    ],
)
def test_a_rollout_takes_one_step(replicas: int, old: int, strategy: str, expected: tuple[int, int, int]) -> None:
    document = deployment(f"replicas: {replicas}, {strategy}")
    wanted = [item for item in expand(document) if isinstance(item, ExpandedPod)]
    found = rollout(document, wanted, old_pods(old), SETS)
    assert (len(found.planned), len(found.removed), found.later) == expected
    assert set(found.removed) <= {f"w-aaa-{index}" for index in range(old)}


def test_pods_of_the_current_template_count_and_unknown_ones_are_current() -> None:
    document = deployment("replicas: 2")
    wanted = [item for item in expand(document) if isinstance(item, ExpandedPod)]
    current = pod("w-bbb-x", pod_template_hash="bbb")
    assert planned(rollout(document, wanted, [current, *old_pods(1)], SETS)) == ["w-1"]
    assert planned(rollout(document, wanted, [current, pod("w-ccc-x", pod_template_hash="ccc")], SETS)) == []


@pytest.mark.parametrize(
    ("said", "stored", "same"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, True),
        ({"a": 1}, {"a": 2}, False),
        ({"a": [1, {"b": 2}]}, {"a": [1, {"b": 2, "c": 3}]}, True),
        ({"a": [1]}, {"a": [1, 2]}, False),
        ({"a": None}, {}, True),
        ({"a": {}}, {}, False),
        ("x", "x", True),
    ],
)
def test_a_manifest_is_current_when_the_server_says_all_that_it_says(said: Any, stored: Any, *, same: bool) -> None:
    assert says_no_more(said, stored) is same


def owned(kind: str, name: str, uid: str = "", owner: tuple[str, str, str] | None = None, **labels: str) -> Owned:
    reference = owner and OwnerReference(kind=owner[0], name=owner[1], uid=owner[2], controller=True)
    wire = {key.replace("__", "/").replace("_", "-"): value for key, value in labels.items()}
    return Owned(ref=ObjectRef(kind, "ml", name), uid=uid, controller=reference or None, labels=wire)


def root(item: Owned, *others: Owned) -> str:
    return str(Owners((item, *others)).root_of(item).ref)


def test_owners_are_followed_by_uid_and_by_name() -> None:
    deployed = owned("Deployment", "w", "u1")
    replicas = owned("ReplicaSet", "w-aaa", "u2", ("Deployment", "w", "u1"))
    running = owned("Pod", "w-aaa-x", "u3", ("ReplicaSet", "w-aaa", "u2"))
    assert root(running, replicas, deployed) == "Deployment ml/w"
    written = owned("Deployment", "w")
    assert root(running, replicas, written) == "Deployment ml/w"
    another = owned("Deployment", "w", "u9")
    assert root(running, replicas, another) == "ReplicaSet ml/w-aaa"
    assert root(running) == "Pod ml/w-aaa-x"


def test_labels_help_where_a_link_was_not_read() -> None:
    running = owned("Pod", "w-aaa-x", "u3", ("ReplicaSet", "w-aaa", "u2"), pod_template_hash="aaa")
    assert root(running, owned("Deployment", "w", "u1")) == "Deployment ml/w"
    labels = {"jobset.sigs.k8s.io__jobset_name": "js"}
    member = owned("Pod", "js-a-0-0-x", "u4", ("Job", "js-a-0", "u5"), **labels)
    assert root(member, owned("JobSet", "js", "u6")) == "JobSet ml/js"


def test_a_ring_of_owners_comes_to_an_end() -> None:
    one = owned("Job", "a", "u1", ("Job", "b", "u2"))
    two = owned("Job", "b", "u2", ("Job", "a", "u1"))
    assert root(one, two) in ("Job ml/a", "Job ml/b")
