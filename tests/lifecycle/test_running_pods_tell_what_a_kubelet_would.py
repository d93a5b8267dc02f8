"""The stand-in for a kubelet: what a pod's status says when it starts, runs to its end, or is deleted."""

from __future__ import annotations

from typing import Any

from dravite.lifecycle.running_pods import completion_time, end_time, is_waiting_to_start, running, succeeded

NOW = 1_767_398_400.0
STAMP = "2026-01-03T00:00:00Z"


def pod(status: dict[str, Any], restart: str = "Never", **meta: Any) -> dict[str, Any]:
    spec = {"nodeName": "n1", "restartPolicy": restart, "containers": [{"name": "main", "image": "i"}]}
    return {"metadata": {"name": "p", "uid": "u", **meta}, "spec": spec, "status": status}


def true_conditions(status: dict[str, Any]) -> set[str]:
    return {one["type"] for one in status["conditions"] if one["status"] == "True"}


def test_a_bound_pod_starts_and_is_ready() -> None:
    bound = pod({"phase": "Pending", "conditions": [{"type": "PodScheduled", "status": "True"}]})
    assert is_waiting_to_start(bound)
    status = running(bound, NOW)
    assert (status["phase"], status["startTime"]) == ("Running", STAMP)
    ready = {"PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"}
    assert true_conditions(status) == ready
    assert [(one["name"], one["ready"]) for one in status["containerStatuses"]] == [("main", True)]
    assert not is_waiting_to_start(pod(status))


def test_a_pod_of_a_dump_that_runs_is_given_what_is_missing_and_keeps_its_start() -> None:
    known = pod({"phase": "Running", "startTime": "2025-01-01T00:00:00Z"})
    assert is_waiting_to_start(known)
    assert running(known, NOW)["startTime"] == "2025-01-01T00:00:00Z"


def test_a_pod_without_a_node_or_being_deleted_is_not_started() -> None:
    without = pod({"phase": "Pending"})
    del without["spec"]["nodeName"]
    assert not is_waiting_to_start(without)
    assert not is_waiting_to_start(pod({"phase": "Pending"}, deletionTimestamp=STAMP))


def test_only_pods_that_end_by_themselves_complete() -> None:
    status = {"phase": "Running", "startTime": STAMP}
    assert completion_time(pod(status), 10) == NOW + 10
    assert completion_time(pod(status, restart="OnFailure"), 10) == NOW + 10
    assert completion_time(pod(status, restart="Always"), 10) is None
    assert completion_time(pod({"phase": "Pending"}), 10) is None
    done = succeeded(pod(status), NOW + 10)
    assert done["phase"] == "Succeeded"
    assert done["containerStatuses"][0]["state"]["terminated"]["exitCode"] == 0
    assert true_conditions(done) == {"Initialized"}


def test_a_pod_that_is_deleted_ends_after_its_grace_period() -> None:
    going = pod({"phase": "Running"}, deletionTimestamp="2026-01-03T00:00:30Z", deletionGracePeriodSeconds=30)
    assert end_time(going) == NOW + 30
    assert end_time(going, longest=2) == NOW + 2
    assert end_time(pod({"phase": "Running"})) is None
