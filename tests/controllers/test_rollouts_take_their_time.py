"""Rollouts wait for pods to be available, go on in order, and are told when they do not go on at all."""

from __future__ import annotations

import pytest

from tests.controllers.servers import Plain, World
from tests.controllers.workload_parts import READY, TEMPLATE, images, node, run_all, status, workload, world


def test_a_template_that_says_less_is_another_version():
    cluster = world()
    cluster.apply(workload("Deployment", replicas=2))
    run_all(cluster)
    noted = {**TEMPLATE, "metadata": {**TEMPLATE["metadata"], "annotations": {"restarted": "now"}}}
    cluster.patch("Deployment", "w", {"spec": {"template": noted}})
    run_all(cluster)
    assert len(cluster.names("ReplicaSet")) == 2
    cluster.patch("Deployment", "w", {"spec": {"template": {"metadata": {"annotations": None}}}})
    run_all(cluster)
    assert len(cluster.names("ReplicaSet")) == 2
    assert not any("annotations" in one["metadata"] for one in cluster.all("Pod"))
    assert status(cluster, "Deployment")["updatedReplicas"] == 2


def ready_now(cluster: World) -> None:
    """Let all pods be ready from this moment on that are not yet."""
    for one in cluster.all("Pod"):
        if one["status"]["phase"] == "Pending":
            condition = {"type": "Ready", "status": "True", "lastTransitionTime": cluster.server.backend.source.now()}
            patch = {"status": {"phase": "Running", "conditions": [condition]}}
            cluster.patch("Pod", one["metadata"]["name"], patch, "status")


def test_a_pod_is_available_once_it_has_been_ready_for_long_enough():
    cluster = world()
    cluster.apply(workload("Deployment", replicas=2, minReadySeconds=5))
    ready_now(cluster)
    cluster.wait(4)
    found = status(cluster, "Deployment")
    assert (found["readyReplicas"], found["unavailableReplicas"], "availableReplicas" in found) == (2, 2, False)
    cluster.wait(1)
    assert status(cluster, "Deployment")["availableReplicas"] == 2
    other: Plain = {"spec": {"template": {"spec": {"containers": [{"name": "main", "image": "i:2"}]}}}}
    cluster.patch("Deployment", "w", other)
    ready_now(cluster)
    assert images(cluster) == ["i:1", "i:1", "i:2"]
    cluster.wait(5)
    ready_now(cluster)
    cluster.wait(5)
    assert images(cluster) == ["i:2", "i:2"]
    cluster.patch("Deployment", "w", {"spec": {"minReadySeconds": 0}})
    assert "minReadySeconds" not in next(one["spec"] for one in cluster.all("ReplicaSet") if one["spec"]["replicas"])


def progress(cluster: World) -> tuple[str, str, str]:
    (found,) = (one for one in status(cluster, "Deployment")["conditions"] if one["type"] == "Progressing")
    return found["status"], found["reason"], found["message"]


def test_a_rollout_that_goes_nowhere_is_told():
    cluster = world()
    cluster.apply(workload("Deployment", replicas=2, progressDeadlineSeconds=60))
    (name,) = cluster.names("ReplicaSet")
    cluster.wait(30)
    cluster.patch("Pod", cluster.names("Pod")[0], {"status": READY}, "status")
    cluster.wait(59)
    assert progress(cluster) == ("True", "ReplicaSetUpdated", f'ReplicaSet "{name}" is progressing.')
    cluster.wait(1)
    assert progress(cluster) == ("False", "ProgressDeadlineExceeded", f'ReplicaSet "{name}" has timed out progressing.')
    cluster.wait(600)
    run_all(cluster)
    complete = ("True", "NewReplicaSetAvailable", f'ReplicaSet "{name}" has successfully progressed.')
    assert progress(cluster) == complete
    lost = {"conditions": [{"type": "Ready", "status": "False"}]}
    cluster.patch("Pod", cluster.names("Pod")[0], {"status": lost}, "status")
    cluster.wait(600)
    assert progress(cluster) == complete


def test_a_rollout_that_is_paused_is_not_judged():
    cluster = world()
    cluster.apply(workload("Deployment", replicas=1, progressDeadlineSeconds=60))
    cluster.patch("Deployment", "w", {"spec": {"paused": True}})
    cluster.wait(100)
    assert progress(cluster) == ("Unknown", "DeploymentPaused", "Deployment is paused")


def test_pods_of_a_stateful_set_wait_for_each_other_to_be_available():
    cluster = world()
    cluster.apply(workload("StatefulSet", replicas=2, serviceName="s", minReadySeconds=5))
    ready_now(cluster)
    cluster.wait(4)
    assert (cluster.names("Pod"), status(cluster, "StatefulSet")["availableReplicas"]) == (["w-0"], 0)
    cluster.wait(1)
    assert (cluster.names("Pod"), status(cluster, "StatefulSet")["availableReplicas"]) == (["w-0", "w-1"], 1)


def test_a_daemon_may_come_before_the_old_one_goes():
    cluster = world()
    update: Plain = {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}
    cluster.apply(node("n1"), node("n2"), workload("DaemonSet", updateStrategy=update, minReadySeconds=5))
    ready_now(cluster)
    assert status(cluster, "DaemonSet")["numberUnavailable"] == 2
    cluster.wait(5)
    assert status(cluster, "DaemonSet")["numberAvailable"] == 2
    other: Plain = {"spec": {"template": {"spec": {"containers": [{"name": "main", "image": "i:2"}]}}}}
    cluster.patch("DaemonSet", "w", other)
    assert images(cluster) == ["i:1", "i:1", "i:2"]
    ready_now(cluster)
    cluster.wait(5)
    assert images(cluster) == ["i:1", "i:2", "i:2"]
    ready_now(cluster)
    cluster.wait(5)
    assert images(cluster) == ["i:2", "i:2"]
    assert status(cluster, "DaemonSet")["updatedNumberScheduled"] == 2


def test_an_old_daemon_that_is_of_no_use_keeps_no_new_one_waiting():
    cluster = world()
    update: Plain = {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}
    cluster.apply(node("n1"), node("n2"), workload("DaemonSet", updateStrategy=update))
    other: Plain = {"spec": {"template": {"spec": {"containers": [{"name": "main", "image": "i:2"}]}}}}
    cluster.patch("DaemonSet", "w", other)
    assert images(cluster) == ["i:1", "i:1", "i:2", "i:2"]


@pytest.mark.parametrize("kind", ["StatefulSet", "DaemonSet"])
def test_templates_are_remembered_so_that_one_can_go_back(kind: str):
    cluster = world()
    cluster.apply(node("n1"), workload(kind, revisionHistoryLimit=1))
    run_all(cluster)
    (first,) = cluster.all("ControllerRevision")
    assert (first["revision"], first["data"]["spec"]["template"]["$patch"]) == (1, "replace")
    assert first["metadata"]["labels"]["app"] == "a"
    assert first["metadata"]["ownerReferences"][0]["kind"] == kind
    for image in ("i:2", "i:3"):
        other: Plain = {"spec": {"template": {"spec": {"containers": [{"name": "main", "image": image}]}}}}
        cluster.patch(kind, "w", other)
        run_all(cluster)
    kept = {one["revision"]: one for one in cluster.all("ControllerRevision")}
    assert sorted(kept) == [2, 3]  # no pod is of the first any more
    before = kept[2]["data"]["spec"]["template"]
    cluster.patch(kind, "w", {"spec": {"template": {name: before[name] for name in ("metadata", "spec")}}})
    run_all(cluster)
    assert images(cluster) == ["i:2"]
    assert sorted(one["revision"] for one in cluster.all("ControllerRevision")) == [3, 4]
    cluster.delete(kind, "w")
    assert cluster.names("ControllerRevision") == []
