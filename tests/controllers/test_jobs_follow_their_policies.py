"""Jobs whose policies say what failures mean, when enough has succeeded, and when pods are replaced."""

from __future__ import annotations

from typing import Any

from dravite.controllers.garbage import GarbageCollector
from dravite.controllers.workloads import Workloads
from tests.clusters import release
from tests.controllers.servers import Plain, World

INDEX = "batch.kubernetes.io/job-completion-index"
FAILURES = "batch.kubernetes.io/job-index-failure-count"


def job(**spec: object) -> Plain:
    template: Plain = {"spec": {"restartPolicy": "Never", "containers": [{"name": "m", "image": "i:1"}]}}
    given: Plain = {"template": template, **spec}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "j"}, "spec": given}


def indexed(**spec: object) -> Plain:
    return job(**{"completions": 3, "parallelism": 3, "completionMode": "Indexed", **spec})


def world(given: Plain) -> World:
    cluster = World(release("1.37"), Workloads, lambda _: GarbageCollector())
    cluster.apply(given)
    return cluster


def status(cluster: World) -> Plain:
    found = cluster.get("Job", "j")
    assert found is not None
    return dict(found["status"])


def ends(cluster: World) -> list[tuple[str, str, str]]:
    return [(one["type"], one["reason"], one["message"]) for one in status(cluster).get("conditions", ())]


def active(cluster: World) -> list[Plain]:
    return [one for one in cluster.all("Pod") if one["status"]["phase"] == "Pending"]


def end(cluster: World, index: int | None = None, phase: str = "Failed", **more: Any) -> str:
    """End a pod that runs, the first or that of an index: with an exit code, and maybe with a condition."""
    pod = next(one for one in active(cluster) if index is None or one["metadata"]["annotations"][INDEX] == str(index))
    code = more.pop("code", 0 if phase == "Succeeded" else 1)
    ended = {"exitCode": code, "finishedAt": cluster.server.backend.source.now()}
    containers = [{"name": "m", "image": "i", "imageID": "", "ready": False, "restartCount": 0}]
    containers[0]["state"] = {"terminated": ended}
    cluster.patch(
        "Pod", pod["metadata"]["name"], {"status": {"phase": phase, "containerStatuses": containers, **more}}, "status"
    )
    return str(pod["metadata"]["name"])


def test_an_exit_code_may_fail_the_job():
    rule = {"action": "FailJob", "onExitCodes": {"operator": "In", "values": [42]}}
    cluster = world(job(completions=3, parallelism=2, podFailurePolicy={"rules": [rule]}))
    end(cluster, code=1)
    assert ends(cluster) == []
    name = end(cluster, code=42)
    text = f"Container m for pod default/{name} failed with exit code 42 matching FailJob rule at index 0"
    assert ends(cluster) == [("FailureTarget", "PodFailurePolicy", text), ("Failed", "PodFailurePolicy", text)]
    assert ("PodFailurePolicy", "Job j", text) in cluster.events()


def test_a_rule_may_except_codes_and_name_a_container():
    rule = {"action": "FailJob", "onExitCodes": {"containerName": "m", "operator": "NotIn", "values": [1]}}
    other = {"action": "FailJob", "onExitCodes": {"containerName": "x", "operator": "In", "values": [1]}}
    cluster = world(job(podFailurePolicy={"rules": [other, rule]}))
    end(cluster, code=1)
    assert ends(cluster) == []
    cluster.wait(10)
    end(cluster, code=2)
    assert [one[:2] for one in ends(cluster)] == [
        ("FailureTarget", "PodFailurePolicy"),
        ("Failed", "PodFailurePolicy"),
    ]


def test_a_disruption_may_count_for_nothing():
    pattern = {"type": "DisruptionTarget", "status": "True"}
    rule = {"action": "Ignore", "onPodConditions": [pattern]}
    cluster = world(job(backoffLimit=0, podFailurePolicy={"rules": [rule]}))
    name = end(cluster, conditions=[pattern])
    cluster.wait(10)
    assert "failed" not in status(cluster)
    assert status(cluster)["active"] == 1
    pod = cluster.get("Pod", name)
    assert pod is not None
    assert "finalizers" not in pod["metadata"]


def test_failed_pods_are_replaced_after_longer_and_longer():
    cluster = world(job())
    end(cluster)
    cluster.wait(9)
    assert active(cluster) == []
    cluster.wait(1)
    end(cluster)
    cluster.wait(19)
    assert active(cluster) == []
    cluster.wait(1)
    assert len(active(cluster)) == 1
    assert status(cluster)["failed"] == 2


def test_each_index_may_have_a_limit_of_its_own():
    cluster = world(indexed(backoffLimitPerIndex=1, maxFailedIndexes=1))
    assert {one["metadata"]["annotations"][FAILURES] for one in active(cluster)} == {"0"}
    first = end(cluster, 0)
    assert status(cluster)["failedIndexes"] == ""
    held = cluster.get("Pod", first)
    assert held is not None
    assert held["metadata"]["finalizers"]  # until the next one counts on from it
    cluster.wait(10)
    assert sorted(one["metadata"]["annotations"][FAILURES] for one in active(cluster)) == ["0", "0", "1"]
    end(cluster, 0)
    assert (status(cluster)["failedIndexes"], status(cluster)["failed"]) == ("0", 2)
    cluster.wait(60)
    assert sorted(one["metadata"]["annotations"][INDEX] for one in active(cluster)) == ["1", "2"]
    end(cluster, 1)
    cluster.wait(10)
    end(cluster, 1)
    text = "Job has exceeded the specified maximal number of failed indexes"
    reason = "MaxFailedIndexesExceeded"
    assert ends(cluster) == [("FailureTarget", reason, text), ("Failed", reason, text)]
    assert (status(cluster)["failedIndexes"], status(cluster)["failed"]) == ("0,1", 5)


def test_an_index_may_fail_at_once_and_the_others_run_to_their_end():
    rule = {"action": "FailIndex", "onExitCodes": {"operator": "In", "values": [7]}}
    cluster = world(indexed(backoffLimitPerIndex=2, podFailurePolicy={"rules": [rule]}))
    end(cluster, 1, code=7)
    assert status(cluster)["failedIndexes"] == "1"
    end(cluster, 0, "Succeeded")
    assert ends(cluster) == []
    end(cluster, 2, "Succeeded")
    text = "Job has failed indexes"
    assert ends(cluster) == [("FailureTarget", "FailedIndexes", text), ("Failed", "FailedIndexes", text)]
    assert status(cluster)["completedIndexes"] == "0,2"


def test_some_indexes_may_be_enough():
    cluster = world(
        indexed(successPolicy={"rules": [{"succeededIndexes": "2"}, {"succeededIndexes": "0-1", "succeededCount": 1}]})
    )
    end(cluster, 1, "Succeeded")
    text = "Matched rules at index 1"
    assert ends(cluster) == [("SuccessCriteriaMet", "SuccessPolicy", text), ("Complete", "SuccessPolicy", text)]
    assert active(cluster) == []
    assert "failed" not in status(cluster)
    assert ("Completed", "Job j", "Job completed") in cluster.events()


def test_a_pod_may_keep_its_place_until_it_has_failed():
    cluster = world(job(completions=2, parallelism=2, podReplacementPolicy="Failed"))
    name = active(cluster)[0]["metadata"]["name"]
    binding = {"metadata": {"name": name}, "target": {"name": "n1"}}
    cluster.ask("POST", f"/api/v1/namespaces/default/pods/{name}/binding", binding)
    cluster.delete("Pod", name)
    assert (status(cluster)["active"], status(cluster)["terminating"]) == (1, 1)
    assert len(cluster.names("Pod")) == 2
    cluster.patch("Pod", name, {"status": {"phase": "Failed"}}, "status")
    assert status(cluster)["failed"] == 1
    cluster.wait(10)
    assert status(cluster)["active"] == 2


def test_pods_that_go_because_the_job_is_suspended_have_not_failed():
    cluster = world(job(completions=2, parallelism=2))
    cluster.patch("Job", "j", {"spec": {"suspend": True}})
    assert "failed" not in status(cluster)
    assert cluster.names("Pod") == []
