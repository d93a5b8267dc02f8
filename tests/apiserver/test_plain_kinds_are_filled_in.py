"""What a server makes of kinds without types of their own, as kube-apiserver 1.37.2 was seen to do it."""

from __future__ import annotations

from typing import Any

import pytest
from asking import ask, server

from dravite.apiserver.requests import Request

_NAMESPACED = "/api/v1/namespaces/default"
_APPS = "/apis/apps/v1/namespaces/default"
_BATCH = "/apis/batch/v1/namespaces/default"
_RBAC = "/apis/rbac.authorization.k8s.io/v1"
_CONTAINERS = {"containers": [{"name": "c", "image": "i"}]}
_TEMPLATE = {"metadata": {"labels": {"a": "b"}}, "spec": _CONTAINERS}
_SELECTED = {"selector": {"matchLabels": {"a": "b"}}, "template": _TEMPLATE}


def _made(path: str, body: dict[str, Any]) -> dict[str, Any]:
    code, made = ask(server(), "POST", path, {"metadata": {"name": "x"}, **body}, user_agent="u")
    assert code == 201, made
    found: dict[str, Any] = made
    return found


def _owned(made: dict[str, Any]) -> Any:
    return made["metadata"]["managedFields"][0]["fieldsV1"]


def test_a_deployment_has_a_strategy_and_its_pods_are_complete() -> None:
    made = _made(f"{_APPS}/deployments", {"spec": _SELECTED})
    spec = made["spec"]
    assert spec["strategy"] == {
        "type": "RollingUpdate",
        "rollingUpdate": {"maxUnavailable": "25%", "maxSurge": "25%"},
    }
    assert (spec["replicas"], spec["revisionHistoryLimit"], spec["progressDeadlineSeconds"]) == (1, 10, 600)
    assert made["status"] == {}
    pod = spec["template"]["spec"]
    assert (pod["restartPolicy"], pod["terminationGracePeriodSeconds"]) == ("Always", 30)
    assert pod["containers"][0]["imagePullPolicy"] == "Always"


@pytest.mark.parametrize(
    ("image", "policy"), [("r/i:1", "IfNotPresent"), ("r:5/i", "Always"), ("i@sha256:0", "IfNotPresent")]
)
def test_images_are_looked_for_by_their_tags(image: str, policy: str) -> None:
    made = _made(f"{_NAMESPACED}/pods", {"spec": {"containers": [{"name": "c", "image": image}]}})
    assert made["spec"]["containers"][0]["imagePullPolicy"] == policy


def test_a_daemon_set_counts_its_templates() -> None:
    to = server()
    path = f"{_APPS}/daemonsets"
    name = "deprecated.daemonset.template.generation"
    ask(to, "POST", path, {"metadata": {"name": "x"}, "spec": _SELECTED})
    merge = "application/merge-patch+json"
    for change, count in (({"minReadySeconds": 1}, "1"), ({"template": {"metadata": {"labels": {"c": "d"}}}}, "2")):
        made = ask(to, "PATCH", f"{path}/x", {"spec": change}, content_type=merge)[1]
        assert made["metadata"]["annotations"][name] == count


def test_the_pods_of_a_job_are_known_by_its_uid() -> None:
    made = _made(f"{_BATCH}/jobs", {"spec": {"template": {"spec": {**_CONTAINERS, "restartPolicy": "Never"}}}})
    uid = made["metadata"]["uid"]
    assert made["spec"]["selector"] == {"matchLabels": {"batch.kubernetes.io/controller-uid": uid}}
    labels = made["spec"]["template"]["metadata"]["labels"]
    assert (labels["job-name"], labels["controller-uid"]) == ("x", uid)
    assert (made["spec"]["completions"], made["spec"]["parallelism"]) == (1, 1)
    assert "f:selector" not in _owned(made)["f:spec"]


def test_what_always_stands_there_is_nobodys() -> None:
    path = "/apis/policy/v1/namespaces/default/poddisruptionbudgets"
    made = _made(path, {"spec": {"minAvailable": 1, "selector": {"matchLabels": {"a": "b"}}}})
    assert made["status"] == {"disruptionsAllowed": 0, "currentHealthy": 0, "desiredHealthy": 0, "expectedPods": 0}
    assert _owned(made) == {"f:spec": {"f:minAvailable": {}, "f:selector": {}}}


def test_what_a_server_decides_is_nobodys() -> None:
    made = _made("/api/v1/namespaces", {})
    assert made["spec"] == {"finalizers": ["kubernetes"]}
    assert _owned(made) == {"f:metadata": {"f:labels": {".": {}, "f:kubernetes.io/metadata.name": {}}}}
    made = _made(f"{_NAMESPACED}/pods", {"spec": _CONTAINERS, "status": {"phase": "Running", "podIP": "1.2.3.4"}})
    assert made["status"] == {"phase": "Pending", "qosClass": "BestEffort"}
    assert (made["metadata"]["generation"], made["spec"]["serviceAccountName"]) == (1, "default")
    assert "f:serviceAccountName" not in _owned(made)["f:spec"]


def test_what_no_type_has_is_gone_and_what_holds_nothing_is_left_out() -> None:
    made = _made(f"{_NAMESPACED}/configmaps", {"data": {}, "unknown": 1, "immutable": False})
    assert "data" not in made
    assert "unknown" not in made
    assert made["immutable"] is False
    made = _made(f"{_RBAC}/clusterroles", {"rules": []})
    assert made["rules"] is None


def test_texts_of_a_secret_become_data() -> None:
    made = _made(f"{_NAMESPACED}/secrets", {"data": {"a": "YQ=="}, "stringData": {"b": "c"}})
    assert (made["data"], made["type"]) == ({"a": "YQ==", "b": "Yw=="}, "Opaque")


def test_subjects_and_roles_have_groups() -> None:
    reference = {"kind": "ClusterRole", "name": "r"}
    subjects = [{"kind": "User", "name": "u"}, {"kind": "ServiceAccount", "name": "s", "namespace": "d"}]
    made = _made(f"{_RBAC}/clusterrolebindings", {"roleRef": reference, "subjects": subjects})
    assert made["roleRef"]["apiGroup"] == "rbac.authorization.k8s.io"
    assert [subject.get("apiGroup") for subject in made["subjects"]] == ["rbac.authorization.k8s.io", None]


def test_quantities_have_their_usual_form() -> None:
    made = _made(f"{_NAMESPACED}/resourcequotas", {"spec": {"hard": {"cpu": 0.5, "memory": "1024Mi", "pods": 3}}})
    assert made["spec"]["hard"] == {"cpu": "500m", "memory": "1Gi", "pods": "3"}


@pytest.mark.parametrize(
    ("path", "meta", "field"),
    [
        (f"{_NAMESPACED}/configmaps", {"name": "A_"}, "metadata.name"),
        (f"{_NAMESPACED}/configmaps", {"name": "x", "labels": {"a": "b c"}}, "metadata.labels"),
        (f"{_NAMESPACED}/configmaps", {"name": "x", "finalizers": ["hold"]}, "metadata.finalizers[0]"),
        (f"{_NAMESPACED}/services", {"name": "1x"}, "metadata.name"),
        (f"{_BATCH}/cronjobs", {"name": "x" * 53}, "metadata.name"),
        ("/api/v1/namespaces", {"name": "a.b"}, "metadata.name"),
        ("/apis/node.k8s.io/v1/runtimeclasses", {}, "metadata.name"),
    ],
)
def test_metadata_that_break_rules_are_refused(path: str, meta: dict[str, Any], field: str) -> None:
    code, status = ask(server(), "POST", path, {"metadata": meta})
    assert (code, status["details"]["causes"][0]["field"]) == (422, field)


def test_roles_may_be_called_as_paths_may() -> None:
    assert _made(f"{_RBAC}/clusterroles", {"metadata": {"name": "system:Reader"}, "rules": []})


def test_a_job_is_deleted_with_a_warning() -> None:
    to = server()
    for query, count in (({}, 1), ({"propagationPolicy": ("Background",)}, 0)):
        answer = to.handle(Request(method="DELETE", path=f"{_BATCH}/jobs/none", query=query))
        assert len(answer.warnings) == count


def test_a_status_is_written_with_the_metadata_beside_it() -> None:
    to = server()
    path = f"{_NAMESPACED}/resourcequotas"
    made = ask(to, "POST", path, {"metadata": {"name": "x"}, "spec": {"hard": {"pods": "1"}}})[1]
    changed = {**made, "metadata": {**made["metadata"], "labels": {"a": "b"}}, "spec": {}, "status": {}}
    found = ask(to, "PUT", f"{path}/x/status", changed)[1]
    assert (found["metadata"]["labels"], found["spec"]) == ({"a": "b"}, {"hard": {"pods": "1"}})
    path = f"{_APPS}/deployments"
    made = ask(to, "POST", path, {"metadata": {"name": "x", "labels": {"c": "d"}}, "spec": _SELECTED})[1]
    changed = {**made, "metadata": {**made["metadata"], "labels": {"a": "b"}}}
    assert ask(to, "PUT", f"{path}/x/status", changed)[1]["metadata"]["labels"] == {"c": "d"}


def test_pods_and_namespaces_are_marked_before_they_go() -> None:
    to = server()
    ask(to, "POST", f"{_NAMESPACED}/pods", {"metadata": {"name": "x"}, "spec": _CONTAINERS})
    gone = ask(to, "DELETE", f"{_NAMESPACED}/pods/x")[1]["metadata"]
    assert (gone["generation"], gone["deletionGracePeriodSeconds"]) == (2, 0)
    assert ask(to, "GET", f"{_NAMESPACED}/pods/x")[0] == 404
    ask(to, "POST", "/api/v1/namespaces", {"metadata": {"name": "y"}})
    gone = ask(to, "DELETE", "/api/v1/namespaces/y")[1]
    assert gone["status"]["phase"] == "Terminating"
    assert "deletionGracePeriodSeconds" not in gone["metadata"]
    assert ask(to, "GET", "/api/v1/namespaces/y")[0] == 404


def test_a_deletion_that_is_to_cascade_and_waits_is_accepted() -> None:
    to = server()
    path = f"{_NAMESPACED}/configmaps"
    ask(to, "POST", path, {"metadata": {"name": "x", "finalizers": ["example.com/hold"]}})
    assert ask(to, "DELETE", f"{path}/x?orphanDependents=false")[0] == 202
    assert ask(to, "DELETE", f"{path}/x")[0] == 200


def test_pods_had_no_generation_before_1_33() -> None:
    made = ask(server("1.31"), "POST", f"{_NAMESPACED}/pods", {"metadata": {"name": "x"}, "spec": _CONTAINERS})[1]
    assert "generation" not in made["metadata"]
