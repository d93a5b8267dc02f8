"""Deletion: finalizers, time for pods to end in, and namespaces that take all with them."""

from __future__ import annotations

from typing import Any

from asking import CLAIMS, ask, claim, server

from dravite.apiserver import ApiServer

PODS = "/api/v1/namespaces/default/pods"


def pod(to: ApiServer, name: str = "p") -> Any:
    return ask(to, "POST", PODS, {"metadata": {"name": name}, "spec": {"containers": [{"name": "c", "image": "i"}]}})


def bind(to: ApiServer, name: str = "p", node: str = "n") -> tuple[int, Any]:
    return ask(to, "POST", f"{PODS}/{name}/binding", {"metadata": {"name": name}, "target": {"name": node}})


def test_a_pod_is_bound_once() -> None:
    to = server()
    pod(to)
    assert bind(to)[0] == 201
    found = ask(to, "GET", f"{PODS}/p")[1]
    assert found["spec"]["nodeName"] == "n"
    assert [(item["type"], item["status"]) for item in found["status"]["conditions"]] == [("PodScheduled", "True")]
    code, status = bind(to, node="m")
    assert (code, status["reason"]) == (409, "Conflict")
    assert status["message"].endswith('pod p is already assigned to node "n"')


def test_a_binding_names_a_node() -> None:
    to = server()
    pod(to)
    code, status = ask(to, "POST", f"{PODS}/p/binding", {"metadata": {"name": "p"}, "target": {}})
    assert (code, status["details"]["causes"][0]["field"]) == (422, "target.name")
    assert ask(to, "POST", f"{PODS}/p/binding", {"target": {"name": "n"}})[0] == 400


def test_a_pod_without_a_node_goes_at_once() -> None:
    to = server()
    pod(to)
    assert ask(to, "DELETE", f"{PODS}/p")[0] == 200
    assert ask(to, "GET", f"{PODS}/p")[0] == 404


def test_a_running_pod_is_given_time() -> None:
    to = server()
    pod(to)
    bind(to)
    ask(to, "DELETE", f"{PODS}/p")
    meta = ask(to, "GET", f"{PODS}/p")[1]["metadata"]
    assert meta["deletionGracePeriodSeconds"] == 30
    assert meta["deletionTimestamp"] > meta["creationTimestamp"]
    ask(to, "DELETE", f"{PODS}/p?gracePeriodSeconds=5")
    assert ask(to, "GET", f"{PODS}/p")[1]["metadata"]["deletionGracePeriodSeconds"] == 5
    ask(to, "DELETE", f"{PODS}/p", {"gracePeriodSeconds": 0})
    assert ask(to, "GET", f"{PODS}/p")[0] == 404


def test_an_eviction_is_a_deletion() -> None:
    to = server()
    pod(to)
    body = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "p"}}
    assert ask(to, "POST", f"{PODS}/p/eviction", body)[0] == 201
    assert ask(to, "GET", f"{PODS}/p")[0] == 404


def test_a_namespace_takes_all_with_it() -> None:
    to = server()
    ask(to, "POST", "/api/v1/namespaces", {"metadata": {"name": "n"}})
    place = CLAIMS.replace("default", "n")
    assert ask(to, "POST", place, claim("a"))[0] == 201
    assert ask(to, "DELETE", "/api/v1/namespaces/n")[0] == 200
    assert ask(to, "GET", "/api/v1/namespaces/n")[0] == 404
    assert ask(to, "GET", f"{place}/a")[0] == 404


def test_the_pods_of_a_job_stay_where_nobody_says_what_is_to_become_of_them() -> None:
    to = server()
    jobs = "/apis/batch/v1/namespaces/default/jobs"
    template = {"spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}}
    for name in ("a", "b", "c"):
        ask(to, "POST", jobs, {"metadata": {"name": name}, "spec": {"template": template}})
    assert ask(to, "DELETE", f"{jobs}/a")[1]["metadata"]["finalizers"] == ["orphan"]
    ask(to, "DELETE", f"{jobs}/b?propagationPolicy=Background")
    assert ask(to, "GET", f"{jobs}/b")[0] == 404
    ask(to, "DELETE", f"{jobs}/c?propagationPolicy=Foreground")
    assert ask(to, "DELETE", f"{jobs}/c")[1]["metadata"]["finalizers"] == ["foregroundDeletion"]


def test_a_namespace_waits_for_what_is_held() -> None:
    to = server()
    ask(to, "POST", "/api/v1/namespaces", {"metadata": {"name": "n"}})
    place = CLAIMS.replace("default", "n")
    ask(to, "POST", place, claim("a", finalizers=["example.com/hold"]))
    assert ask(to, "DELETE", "/api/v1/namespaces/n")[1]["status"]["phase"] == "Terminating"
    code, status = ask(to, "POST", place, claim("b"))
    assert (code, status["details"]["causes"][0]["reason"]) == (403, "NamespaceTerminating")
    patch = {"metadata": {"finalizers": None}}
    ask(to, "PATCH", f"{place}/a", patch, content_type="application/merge-patch+json")
    assert ask(to, "GET", "/api/v1/namespaces/n")[0] == 404
