"""Objects that a server takes and that say little or nothing where controllers look: none of them is brought down."""

from __future__ import annotations

from typing import Any

import pytest

from dravite.api.releases import newest_profile
from dravite.controllers.client import Call
from dravite.controllers.kubelets import Habits
from dravite.controllers.roster import controllers_for
from dravite.controllers.runner import Runner
from tests.controllers.servers import World

PODS = "/api/v1/namespaces/default/pods"


def there() -> World:
    made = World(newest_profile())
    made.runner = Runner(made.client, controllers_for(newest_profile(), kubelets=Habits()), lambda: made.now)
    return made


@pytest.mark.parametrize(
    "given",
    [
        {"metadata": {"name": "p", "labels": None}, "spec": {"nodeName": "n1", "containers": [{"image": "i"}]}},
        {"metadata": {"name": "p", "labels": {"a": None}}, "spec": {"nodeName": "n1", "containers": None}},
        {"metadata": {"name": "p", "ownerReferences": []}, "spec": {"containers": [{"name": None}]}},
        {"metadata": {"name": "p", "annotations": {"a": None}}, "spec": {"containers": [None]}},
        {"metadata": {"name": "p", "finalizers": []}, "spec": {"nodeName": "n1", "restartPolicy": "Never"}},
        {"metadata": {"name": "p"}, "spec": {"nodeName": "n1"}, "status": {"conditions": [{}, None]}},
        {"metadata": {"name": "p"}, "spec": {"resourceClaims": [{"name": None}], "tolerations": [None]}},
        {"metadata": {"name": "p"}},
    ],
)
def test_a_pod_that_says_little(given: dict[str, Any]) -> None:
    world = there()
    world.ask("POST", PODS, given)
    world.wait(60)
    world.ask("DELETE", f"{PODS}/p")
    world.wait(60)


def test_a_node_that_says_nothing_of_itself() -> None:
    world = there()
    status = {"capacity": None, "conditions": [{"type": None}]}
    world.ask("POST", "/api/v1/nodes", {"metadata": {"name": "n1"}, "status": status})
    world.wait(60)
    node = world.get("Node", "n1")
    assert node is not None
    assert {"Ready"} <= {one.get("type") for one in node["status"]["conditions"]}


TEMPLATE: dict[str, Any] = {
    "metadata": {"labels": {"a": "b"}},
    "spec": {"restartPolicy": "Never", "containers": [{"name": "m", "image": "i"}]},
}
RULES = [{}, {"action": "FailJob", "onExitCodes": {}}, {"action": "Ignore", "onPodConditions": [{}]}]


@pytest.mark.parametrize(
    ("kind", "spec"),
    [
        ("CronJob", {"schedule": "", "jobTemplate": {}}),
        ("CronJob", {"schedule": "* * * * *", "jobTemplate": {"spec": {}}}),
        ("CronJob", {"schedule": "* * * * *", "timeZone": "../etc", "jobTemplate": {"spec": {"template": TEMPLATE}}}),
        ("CronJob", {"schedule": "* * * * *", "timeZone": "Europe", "jobTemplate": {"spec": {"template": TEMPLATE}}}),
        ("CronJob", {"schedule": "@every 1s", "failedJobsHistoryLimit": -1, "jobTemplate": {"spec": {"template": {}}}}),
        ("CronJob", {"schedule": "@every 876000h", "startingDeadlineSeconds": -9, "jobTemplate": {"metadata": None}}),
        ("Job", {}),
        ("Job", {"template": TEMPLATE, "podFailurePolicy": {"rules": RULES}, "backoffLimit": -1}),
        ("Job", {"template": TEMPLATE, "successPolicy": {"rules": [{}, {"succeededIndexes": "9-1,x,,3-"}]}}),
        ("Job", {"template": TEMPLATE, "completionMode": "Indexed", "backoffLimitPerIndex": -1}),
        ("Job", {"template": TEMPLATE, "completionMode": "Indexed", "completions": 2, "maxFailedIndexes": -1}),
        ("Job", {"template": TEMPLATE, "completionMode": "No", "podReplacementPolicy": "No", "managedBy": ""}),
        ("Deployment", {"template": TEMPLATE, "progressDeadlineSeconds": -1, "minReadySeconds": -1}),
        ("Deployment", {"template": TEMPLATE, "strategy": {"type": "No", "rollingUpdate": {"maxSurge": "x"}}}),
        ("DaemonSet", {"template": TEMPLATE, "updateStrategy": {"rollingUpdate": {"maxSurge": "200%"}}}),
        ("StatefulSet", {"template": TEMPLATE, "minReadySeconds": 2147483647, "replicas": 2}),
    ],
)
def test_a_workload_that_says_little_or_too_much(kind: str, spec: dict[str, Any]) -> None:
    world = there()
    world.ask("POST", "/api/v1/nodes", {"metadata": {"name": "n1"}, "status": {"capacity": {"pods": "9"}}})
    group = "batch" if kind in ("CronJob", "Job") else "apps"
    selector = {"selector": {"matchLabels": {"a": "b"}}} if group == "apps" else {}
    path = f"/apis/{group}/v1/namespaces/default/{kind.lower()}s"
    answer = world.client.ask(
        Call(method="POST", path=path, body={"metadata": {"name": "w"}, "spec": {**selector, **spec}})
    )
    world.wait(61)
    if answer.is_yes:
        statuses = {"lastScheduleTime": "9999-12-31T23:59:59Z", "active": [{}], "startTime": "0001-01-01T00:00:00Z"}
        body = {"status": statuses}
        media = "application/merge-patch+json"
        world.client.ask(Call(method="PATCH", path=f"{path}/w/status", body=body, media=media))
        world.wait(61)
        world.ask("DELETE", f"{path}/w", {"propagationPolicy": "Background"})
        world.wait(60)


def test_pods_of_a_job_whose_marks_say_too_much() -> None:
    world = there()
    spec = {"template": TEMPLATE, "completionMode": "Indexed", "completions": 1, "backoffLimitPerIndex": 2147483647}
    body = {"metadata": {"name": "w"}, "spec": spec}
    world.ask("POST", "/apis/batch/v1/namespaces/default/jobs", body)
    world.settle()
    (pod,) = world.all("Pod")
    marks = {"batch.kubernetes.io/job-index-failure-count": "9" * 9, "batch.kubernetes.io/job-completion-index": "0"}
    world.patch("Pod", pod["metadata"]["name"], {"metadata": {"annotations": marks}})
    world.patch("Pod", pod["metadata"]["name"], {"status": {"phase": "Failed"}}, "status")
    world.wait(700)
    assert len(world.names("Pod")) == 2
