"""What workloads and pods leave out is filled in as Kubernetes does."""

from __future__ import annotations

from typing import Any

import pytest
from asking import ask, server

NAMED = {"metadata": {"name": "w"}}
LABELS = {"app": "a"}
CONTAINER = {"name": "c", "image": "i:1"}
TEMPLATE: dict[str, Any] = {"metadata": {"labels": LABELS}, "spec": {"containers": [CONTAINER]}}
SELECTING = {"selector": {"matchLabels": LABELS}, "template": TEMPLATE}
FILLED_CONTAINER = {
    **CONTAINER,
    "imagePullPolicy": "IfNotPresent",
    "resources": {},
    "terminationMessagePath": "/dev/termination-log",
    "terminationMessagePolicy": "File",
}
FILLED = {
    "containers": [FILLED_CONTAINER],
    "dnsPolicy": "ClusterFirst",
    "restartPolicy": "Always",
    "schedulerName": "default-scheduler",
    "securityContext": {},
    "terminationGracePeriodSeconds": 30,
}


def kept(plural: str, spec: dict[str, Any], group: str = "apps") -> dict[str, Any]:
    """The specification that a server keeps of one that is sent."""
    code, said = ask(server(), "POST", f"/apis/{group}/v1/namespaces/default/{plural}", {**NAMED, "spec": spec})
    assert code == 201, said
    return dict(said["spec"])


def test_a_deployment() -> None:
    spec = kept("deployments", SELECTING)
    assert spec.pop("template")["spec"] == FILLED
    assert spec == {
        "progressDeadlineSeconds": 600,
        "replicas": 1,
        "revisionHistoryLimit": 10,
        "selector": {"matchLabels": LABELS},
        "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": "25%"}},
    }
    recreated = kept("deployments", {**SELECTING, "strategy": {"type": "Recreate"}})
    assert recreated["strategy"] == {"type": "Recreate"}
    surging = kept("deployments", {**SELECTING, "strategy": {"rollingUpdate": {"maxSurge": 1}}})
    assert surging["strategy"]["rollingUpdate"] == {"maxSurge": 1, "maxUnavailable": "25%"}


def test_a_stateful_set_and_a_daemon_set() -> None:
    spec = kept("statefulsets", {**SELECTING, "serviceName": "s"})
    assert spec["updateStrategy"] == {"type": "RollingUpdate", "rollingUpdate": {"partition": 0, "maxUnavailable": 1}}
    assert spec["persistentVolumeClaimRetentionPolicy"] == {"whenDeleted": "Retain", "whenScaled": "Retain"}
    assert (spec["replicas"], spec["podManagementPolicy"], spec["revisionHistoryLimit"]) == (1, "OrderedReady", 10)
    update = kept("daemonsets", SELECTING)["updateStrategy"]
    assert update == {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 0, "maxUnavailable": 1}}


def test_a_job_and_a_cron_job() -> None:
    template = {"spec": {**TEMPLATE["spec"], "restartPolicy": "Never"}}
    spec = kept("jobs", {"template": template}, "batch")
    counts = ("parallelism", "completions", "backoffLimit", "completionMode", "suspend", "podReplacementPolicy")
    assert [spec[name] for name in counts] == [1, 1, 6, "NonIndexed", False, "TerminatingOrFailed"]
    assert "completions" not in kept("jobs", {"template": template, "parallelism": 2}, "batch")
    indexed = {"template": template, "completions": 2, "completionMode": "Indexed", "backoffLimitPerIndex": 1}
    assert kept("jobs", indexed, "batch")["backoffLimit"] == 2_147_483_647
    spec = kept("cronjobs", {"schedule": "* * * * *", "jobTemplate": {"spec": {"template": template}}}, "batch")
    limits = (spec["successfulJobsHistoryLimit"], spec["failedJobsHistoryLimit"])
    assert (spec["concurrencyPolicy"], spec["suspend"], limits) == ("Allow", False, (3, 1))
    assert spec["jobTemplate"]["spec"] == {"template": {"metadata": {}, "spec": {**FILLED, "restartPolicy": "Never"}}}


def test_parts_of_containers_and_volumes() -> None:
    field = {"name": "N", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}
    probe = {"httpGet": {"port": 80}}
    container = {"name": "c", "image": "i", "ports": [{"containerPort": 80}], "env": [field], "readinessProbe": probe}
    volumes = [{"name": "a", "secret": {"secretName": "s"}}, {"name": "b"}, {"name": "c", "hostPath": {"path": "/"}}]
    template = {**TEMPLATE, "spec": {"containers": [container], "volumes": volumes}}
    spec = kept("deployments", {**SELECTING, "template": template})["template"]["spec"]
    (found,) = spec["containers"]
    assert found["imagePullPolicy"] == "Always"
    assert found["ports"] == [{"containerPort": 80, "protocol": "TCP"}]
    assert found["env"][0]["valueFrom"]["fieldRef"] == {"apiVersion": "v1", "fieldPath": "metadata.name"}
    assert found["readinessProbe"] == {
        "httpGet": {"port": 80, "path": "/", "scheme": "HTTP"},
        "timeoutSeconds": 1,
        "periodSeconds": 10,
        "successThreshold": 1,
        "failureThreshold": 3,
    }
    assert spec["volumes"] == [
        {"name": "a", "secret": {"secretName": "s", "defaultMode": 420}},
        {"name": "b", "emptyDir": {}},
        {"name": "c", "hostPath": {"path": "/", "type": ""}},
    ]


@pytest.mark.parametrize(
    ("image", "policy"),
    [
        ("nginx", "Always"),
        ("nginx:latest", "Always"),
        ("host:5000/nginx", "Always"),
        ("nginx:1.27", "IfNotPresent"),
        ("nginx@sha256:0123", "IfNotPresent"),
    ],
)
def test_the_latest_image_is_always_pulled(image: str, policy: str) -> None:
    spec = {"containers": [{"name": "c", "image": image}]}
    code, said = ask(server(), "POST", "/api/v1/namespaces/default/pods", {**NAMED, "spec": spec})
    assert (code, said["spec"]["containers"][0]["imagePullPolicy"]) == (201, policy)
