"""Workloads get as many pods as they want, and their status says what has become of them."""

from __future__ import annotations

from dravite.controllers.garbage import GarbageCollector
from dravite.controllers.group_protection import GroupProtection
from dravite.controllers.workloads import Workloads
from tests.clusters import release
from tests.controllers.servers import Plain, World
from tests.controllers.workload_parts import READY, TEMPLATE, end, images, job, node, run_all, status, workload, world


def test_a_replica_set_has_as_many_pods_as_it_says():
    cluster = world()
    cluster.apply(workload("ReplicaSet", replicas=2))
    first, second = cluster.all("Pod")
    assert first["metadata"]["generateName"] == "w-"
    assert first["metadata"]["name"] != second["metadata"]["name"]
    owner = first["metadata"]["ownerReferences"][0]
    assert (owner["kind"], owner["controller"], owner["blockOwnerDeletion"]) == ("ReplicaSet", True, True)
    created = [
        ("SuccessfulCreate", "ReplicaSet w", f"Created pod: {one['metadata']['name']}") for one in (first, second)
    ]
    assert sorted(cluster.events()) == sorted(created)
    found = status(cluster, "ReplicaSet")
    assert (found["replicas"], found["fullyLabeledReplicas"], found.get("readyReplicas")) == (2, 2, None)
    run_all(cluster)
    assert status(cluster, "ReplicaSet")["availableReplicas"] == 2


def test_a_pod_that_goes_is_replaced_by_one_of_another_name():
    cluster = world()
    cluster.apply(workload("ReplicaSet"))
    (before,) = cluster.names("Pod")
    cluster.delete("Pod", before)
    (after,) = cluster.names("Pod")
    assert after != before


def test_too_many_pods_go_and_those_that_run_stay():
    cluster = world()
    cluster.apply(workload("ReplicaSet", replicas=3))
    kept = cluster.names("Pod")[1]
    cluster.patch("Pod", kept, {"status": READY}, "status")
    cluster.patch("ReplicaSet", "w", {"spec": {"replicas": 1}})
    assert cluster.names("Pod") == [kept]


def test_a_deployment_makes_a_replica_set_and_tells_it():
    cluster = world()
    cluster.apply(workload("Deployment", replicas=2))
    (name,) = cluster.names("ReplicaSet")
    assert len(cluster.names("Pod")) == 2
    assert ("ScalingReplicaSet", "Deployment w", f"Scaled up replica set {name} from 0 to 2") in cluster.events()
    run_all(cluster)
    found = status(cluster, "Deployment")
    counts = ("replicas", "updatedReplicas", "readyReplicas", "availableReplicas")
    assert [found[one] for one in counts] == [2, 2, 2, 2]
    told = [(one["type"], one["status"], one["reason"], one["message"]) for one in found["conditions"]]
    assert told == [
        ("Available", "True", "MinimumReplicasAvailable", "Deployment has minimum availability."),
        ("Progressing", "True", "NewReplicaSetAvailable", f'ReplicaSet "{name}" has successfully progressed.'),
    ]
    deployment = cluster.get("Deployment", "w")
    assert deployment is not None
    assert deployment["metadata"]["annotations"] == {"deployment.kubernetes.io/revision": "1"}


def test_a_new_template_rolls_out_within_its_margins():
    cluster = world()
    cluster.apply(workload("Deployment", replicas=4))
    run_all(cluster)
    other: Plain = {"spec": {"template": {"spec": {"containers": [{"name": "main", "image": "i:2"}]}}}}
    cluster.patch("Deployment", "w", other)
    assert images(cluster) == ["i:1", "i:1", "i:1", "i:2", "i:2"]
    run_all(cluster)
    assert images(cluster) == ["i:2"] * 4
    sizes = {
        one["metadata"]["annotations"]["deployment.kubernetes.io/revision"]: one["spec"]["replicas"]
        for one in cluster.all("ReplicaSet")
    }
    assert sizes == {"1": 0, "2": 4}


def test_going_back_is_a_new_revision():
    cluster = world()
    cluster.apply(workload("Deployment", replicas=1))
    run_all(cluster)
    for image in ("i:2", "i:1"):
        other: Plain = {"spec": {"template": {"spec": {"containers": [{"name": "main", "image": image}]}}}}
        cluster.patch("Deployment", "w", other)
        fresh = [one for one in cluster.all("Pod") if one["status"]["phase"] == "Pending"]
        cluster.patch("Pod", fresh[0]["metadata"]["name"], {"status": READY}, "status")
    found = {
        one["metadata"]["annotations"]["deployment.kubernetes.io/revision"]: one["spec"]["replicas"]
        for one in cluster.all("ReplicaSet")
    }
    assert found == {"2": 0, "3": 1}
    assert cluster.all("Deployment")[0]["metadata"]["annotations"]["deployment.kubernetes.io/revision"] == "3"


def test_a_deployment_that_recreates_ends_all_old_pods_first():
    cluster = world()
    cluster.apply(workload("Deployment", replicas=2, strategy={"type": "Recreate"}))
    run_all(cluster)
    for name in cluster.names("Pod"):
        cluster.patch("Pod", name, {"metadata": {"finalizers": ["example.com/hold"]}})
    other: Plain = {"spec": {"template": {"spec": {"containers": [{"name": "main", "image": "i:2"}]}}}}
    cluster.patch("Deployment", "w", other)
    assert images(cluster) == ["i:1", "i:1"]
    for name in cluster.names("Pod"):
        cluster.patch("Pod", name, {"metadata": {"finalizers": None}})
    assert images(cluster) == ["i:2", "i:2"]


def test_a_deployment_goes_with_all_that_it_has():
    cluster = world()
    cluster.apply(workload("Deployment", replicas=2))
    cluster.delete("Deployment", "w")
    assert cluster.names("ReplicaSet") == []
    assert cluster.names("Pod") == []


def test_a_stateful_set_makes_its_pods_one_after_the_other():
    cluster = world()
    cluster.apply(workload("StatefulSet", replicas=3, serviceName="s"))
    assert cluster.names("Pod") == ["w-0"]
    run_all(cluster)
    assert cluster.names("Pod") == ["w-0", "w-1", "w-2"]
    found = cluster.get("Pod", "w-1")
    assert found is not None
    assert (found["spec"]["hostname"], found["spec"]["subdomain"]) == ("w-1", "s")
    assert ("SuccessfulCreate", "StatefulSet w", "Create Pod w-1 in StatefulSet w successful") in cluster.events()
    cluster.patch("StatefulSet", "w", {"spec": {"replicas": 1}})
    assert cluster.names("Pod") == ["w-0"]


def test_a_stateful_set_replaces_pods_from_the_last_one_on():
    cluster = world()
    cluster.apply(workload("StatefulSet", replicas=2))
    run_all(cluster)
    other: Plain = {"spec": {"template": {"spec": {"containers": [{"name": "main", "image": "i:2"}]}}}}
    cluster.patch("StatefulSet", "w", other)
    assert images(cluster) == ["i:1", "i:2"]
    run_all(cluster)
    assert images(cluster) == ["i:2", "i:2"]
    found = status(cluster, "StatefulSet")
    assert found["currentRevision"] == found["updateRevision"]


def test_a_daemon_set_has_a_pod_on_every_node():
    cluster = world()
    cluster.apply(node("n1"), workload("DaemonSet"), node("n2"))
    assert len(cluster.names("Pod")) == 2
    found = status(cluster, "DaemonSet")
    assert (found["desiredNumberScheduled"], found["currentNumberScheduled"]) == (2, 2)
    cluster.delete("Node", "n2")
    assert len(cluster.names("Pod")) == 1


def test_a_daemon_set_gives_one_node_after_the_other_a_new_template():
    cluster = world()
    cluster.apply(node("n1"), node("n2"), node("n3"), workload("DaemonSet"))
    run_all(cluster)
    other: Plain = {"spec": {"template": {"spec": {"containers": [{"name": "main", "image": "i:2"}]}}}}
    cluster.patch("DaemonSet", "w", other)
    assert images(cluster) == ["i:1", "i:1", "i:2"]
    assert status(cluster, "DaemonSet")["updatedNumberScheduled"] == 1
    run_all(cluster)
    assert images(cluster) == ["i:2"] * 3
    found = status(cluster, "DaemonSet")
    assert (found["updatedNumberScheduled"], found["observedGeneration"]) == (3, 2)


def test_a_daemon_set_whose_pods_another_cluster_has_marked_is_left_alone():
    cluster = World(release("1.37"))
    counts = {"currentNumberScheduled": 1, "updatedNumberScheduled": 1, "observedGeneration": 1}
    cluster.apply(node("n1"), workload("DaemonSet") | {"status": counts})
    found = cluster.get("DaemonSet", "w")
    assert found is not None
    owner = {"apiVersion": "apps/v1", "kind": "DaemonSet", "name": "w", "uid": found["metadata"]["uid"]}
    meta = {"labels": {"controller-revision-hash": "elsewhere"}, "ownerReferences": [{**owner, "controller": True}]}
    spec = {**TEMPLATE["spec"], "nodeName": "n1"}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "w-1", **meta}, "spec": spec, "status": READY}
    cluster.apply(pod)
    cluster.begin(Workloads)
    assert "deletionTimestamp" not in cluster.all("Pod")[0]["metadata"]
    other: Plain = {"spec": {"template": {"spec": {"containers": [{"name": "main", "image": "i:2"}]}}}}
    cluster.patch("DaemonSet", "w", other)
    assert "deletionTimestamp" in cluster.all("Pod")[0]["metadata"]


def test_a_daemon_set_may_leave_old_pods_to_others():
    cluster = world()
    cluster.apply(node("n1"), workload("DaemonSet", updateStrategy={"type": "OnDelete"}))
    run_all(cluster)
    other: Plain = {"spec": {"template": {"spec": {"containers": [{"name": "main", "image": "i:2"}]}}}}
    cluster.patch("DaemonSet", "w", other)
    assert images(cluster) == ["i:1"]
    cluster.delete("Pod", cluster.names("Pod")[0])
    assert images(cluster) == ["i:2"]


def test_an_indexed_job_runs_to_its_end():
    cluster = world()
    cluster.apply(job(completions=3, parallelism=2, completionMode="Indexed"))
    first = cluster.all("Pod")
    assert [one["spec"]["hostname"] for one in first] == ["w-0", "w-1"]
    assert first[0]["metadata"]["labels"]["batch.kubernetes.io/job-completion-index"] == "0"
    assert first[0]["spec"]["containers"][0]["env"][0]["name"] == "JOB_COMPLETION_INDEX"
    assert status(cluster, "Job")["active"] == 2
    for one in first:
        end(cluster, one, "Succeeded")
    assert status(cluster, "Job")["completedIndexes"] == "0,1"
    end(cluster, cluster.all("Pod")[2], "Succeeded")
    found = status(cluster, "Job")
    assert (found["completedIndexes"], found["succeeded"], found["completionTime"]) == (
        "0-2",
        3,
        "2026-01-03T00:00:00Z",
    )
    told = [(one["type"], one["reason"], one["message"]) for one in found["conditions"]]
    text = "Reached expected number of succeeded pods"
    assert told == [("SuccessCriteriaMet", "CompletionsReached", text), ("Complete", "CompletionsReached", text)]
    assert ("Completed", "Job w", "Job completed") in cluster.events()
    assert all("finalizers" not in one["metadata"] for one in cluster.all("Pod"))


def test_a_job_fails_after_too_many_failures():
    cluster = world()
    cluster.apply(job(completions=2, backoffLimit=1))
    end(cluster, cluster.all("Pod")[0], "Failed")
    assert status(cluster, "Job")["failed"] == 1
    cluster.wait(10)
    running = next(one for one in cluster.all("Pod") if one["status"]["phase"] == "Pending")
    end(cluster, running, "Failed")
    found = status(cluster, "Job")
    text = "Job has reached the specified backoff limit"
    assert [(one["type"], one["reason"]) for one in found["conditions"]] == [
        ("FailureTarget", "BackoffLimitExceeded"),
        ("Failed", "BackoffLimitExceeded"),
    ]
    assert ("BackoffLimitExceeded", "Job w", text) in cluster.events()
    assert len(cluster.names("Pod")) == 2


def test_a_pod_that_is_deleted_before_its_end_has_failed_and_can_go():
    cluster = world()
    cluster.apply(job())
    (before,) = cluster.names("Pod")
    cluster.delete("Pod", before)
    assert before not in cluster.names("Pod")
    assert status(cluster, "Job")["failed"] == 1


def test_pods_do_not_hold_on_for_a_job_that_is_gone():
    cluster = world()
    cluster.apply(job("gone"), job("orphaned"))
    cluster.delete("Job", "orphaned", "Orphan")
    left = [one["metadata"] for one in cluster.all("Pod") if one["metadata"]["generateName"] == "orphaned-"]
    assert [one.get("finalizers") for one in left] == [None]
    cluster.delete("Job", "gone")
    assert [one["metadata"]["generateName"] for one in cluster.all("Pod")] == ["orphaned-"]


def test_a_namespace_goes_with_its_workloads():
    cluster = world()
    cluster.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "x"}})
    for made in (job(), workload("Deployment", "d", replicas=2), workload("StatefulSet", "s")):
        cluster.apply({**made, "metadata": {**made["metadata"], "namespace": "x"}})
    assert len(cluster.names("Pod")) == 4
    cluster.delete("Namespace", "x", namespace="")
    cluster.wait(100)
    assert (cluster.names("Pod"), cluster.get("Namespace", "x", "")) == ([], None)


def test_a_job_of_another_controller_is_left_alone():
    cluster = world()
    cluster.apply(job(managedBy="kueue.x-k8s.io/multikueue"), job("ours", managedBy="kubernetes.io/job-controller"))
    assert [one["metadata"]["generateName"] for one in cluster.all("Pod")] == ["ours-"]


def test_a_job_may_be_too_slow():
    cluster = world()
    cluster.apply(job(activeDeadlineSeconds=60))
    cluster.wait(59)
    assert len(cluster.names("Pod")) == 1
    cluster.wait(1)
    assert cluster.names("Pod") == []
    assert status(cluster, "Job")["conditions"][1]["reason"] == "DeadlineExceeded"


def test_a_job_that_is_suspended_has_no_pods_until_it_goes_on():
    cluster = world()
    cluster.apply(job(suspend=True))
    assert cluster.names("Pod") == []
    assert status(cluster, "Job")["conditions"][0]["reason"] == "JobSuspended"
    cluster.patch("Job", "w", {"spec": {"suspend": False}})
    assert len(cluster.names("Pod")) == 1
    assert ("Resumed", "Job w", "Job resumed") in cluster.events()


def test_a_job_that_has_ended_goes_in_its_time():
    cluster = world()
    cluster.apply(job(ttlSecondsAfterFinished=100))
    end(cluster, cluster.all("Pod")[0], "Succeeded")
    cluster.wait(99)
    assert cluster.names("Job") == ["w"]
    cluster.wait(1)
    assert cluster.names("Job") == []
    assert cluster.names("Pod") == []


def test_e8_7_every_job_has_a_group_since_1_37():
    cluster = world("GenericWorkload=true,WorkloadWithJob=true")
    cluster.apply(job())
    (made,), (group,) = cluster.all("Workload"), cluster.all("PodGroup")
    name = made["metadata"]["name"]
    assert made["spec"]["controllerRef"] == {"apiGroup": "batch", "kind": "Job", "name": "w"}
    assert made["spec"]["podGroupTemplates"][0]["name"] == "w-pgt-0"
    owners = [(one["kind"], one["name"], one.get("controller", False)) for one in group["metadata"]["ownerReferences"]]
    assert owners == [("Job", "w", True), ("Workload", name, False)]
    assert group["metadata"]["ownerReferences"][1]["uid"] == made["metadata"]["uid"]
    assert group["spec"]["workloadRef"] == {"workloadName": name, "templateName": "w-pgt-0"}
    assert group["spec"]["schedulingPolicy"] == {"basic": {}}
    (pod,) = cluster.all("Pod")
    assert pod["spec"]["schedulingGroup"] == {"podGroupName": group["metadata"]["name"]}
    told = [text for reason, _, text in cluster.events() if reason in ("WorkloadCreated", "PodGroupCreated")]
    assert sorted(told) == [
        f"Created PodGroup {group['metadata']['name']} for Job w",
        f"Created Workload {name} for Job w",
    ]


def test_a_job_that_goes_takes_its_group_along():
    gates = "WorkloadWithJob=true,GenericWorkload=true"
    cluster = World(release("1.37", gates), Workloads, lambda _: GarbageCollector(), lambda _: GroupProtection())
    cluster.apply(job(parallelism=2, completions=2, completionMode="Indexed"))
    assert cluster.names("PodGroup")
    cluster.delete("Job", "w", "Foreground")
    cluster.wait(60)
    assert [cluster.names(kind) for kind in ("Job", "Workload", "Pod")] == [[], [], []]


def test_e8_4_in_1_36_only_gangs_have_one():
    gates = "GenericWorkload=true,WorkloadWithJob=true,GangScheduling=true"
    cluster = world(gates, "1.36")
    cluster.apply(job("plain"), job("gang", completions=2, parallelism=2, completionMode="Indexed"))
    (group,) = cluster.all("PodGroup")
    assert group["spec"]["schedulingPolicy"] == {"gang": {"minCount": 2}}
    assert group["spec"]["podGroupTemplateRef"]["workload"]["podGroupTemplateName"] == "gang-pgt-0"
    assert [one["spec"].get("schedulingGroup") for one in cluster.all("Pod")].count(None) == 1
    assert "PodGroupCreated" not in [reason for reason, _, _ in cluster.events()]


def test_a_replication_controller_has_as_many_pods_as_it_says():
    cluster = world()
    spec: Plain = {"replicas": 2, "template": TEMPLATE}
    cluster.apply({"apiVersion": "v1", "kind": "ReplicationController", "metadata": {"name": "w"}, "spec": spec})
    run_all(cluster)
    owner = cluster.all("Pod")[0]["metadata"]["ownerReferences"][0]
    assert (owner["apiVersion"], owner["kind"]) == ("v1", "ReplicationController")
    assert status(cluster, "ReplicationController")["readyReplicas"] == 2
    cluster.patch("ReplicationController", "w", {"spec": {"replicas": 1}})
    assert len(cluster.names("Pod")) == 1
