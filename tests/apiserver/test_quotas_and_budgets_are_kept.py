from __future__ import annotations

from typing import Any

from asking import CLAIMS, ask, claim, server

from dravite.apiserver import ApiServer

QUOTAS = "/api/v1/namespaces/default/resourcequotas"
PODS = "/api/v1/namespaces/default/pods"
BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets"
MERGE = {"content_type": "application/merge-patch+json"}


def _limit(to: ApiServer, **hard: str) -> None:
    named = {name.replace("__", "/").replace("_", "."): amount for name, amount in hard.items()}
    assert ask(to, "POST", QUOTAS, {"metadata": {"name": "q"}, "spec": {"hard": named}})[0] == 201


def test_claims_beyond_a_quota_are_refused_until_others_go() -> None:
    to = server()
    _limit(to, count__resourceclaims_resource_k8s_io="2")
    assert [ask(to, "POST", CLAIMS, claim(name))[0] for name in ("a", "b", "c")] == [201, 201, 403]
    code, said = ask(to, "POST", CLAIMS, claim("c"))
    counted = "count/resourceclaims.resource.k8s.io"
    assert code == 403
    assert said["message"].endswith(
        f'"c" is forbidden: exceeded quota: q, requested: {counted}=1, used: {counted}=2, limited: {counted}=2'
    )
    assert ask(to, "DELETE", f"{CLAIMS}/a")[0] == 200
    assert ask(to, "POST", CLAIMS, claim("c"))[0] == 201


def test_devices_are_counted_by_class() -> None:
    to = server()
    _limit(to, c_example_com_deviceclass_resource_k8s_io__devices="3")
    wide = claim("wide")
    wide["spec"]["devices"]["requests"][0]["exactly"]["count"] = 3
    assert ask(to, "POST", CLAIMS, wide)[0] == 201
    assert ask(to, "POST", CLAIMS, claim("one"))[0] == 403
    assert ask(to, "PATCH", f"{CLAIMS}/wide", {"metadata": {"labels": {"a": "b"}}}, **MERGE)[0] == 200


def _pod(to: ApiServer, name: str, status: dict[str, Any]) -> None:
    body = {"metadata": {"name": name, "labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
    assert ask(to, "POST", PODS, body)[0] == 201
    assert ask(to, "PATCH", f"{PODS}/{name}/status", {"status": status}, **MERGE)[0] == 200


def _evict(to: ApiServer, name: str) -> tuple[int, Any]:
    return ask(to, "POST", f"{PODS}/{name}/eviction", {"metadata": {"name": name}})


def test_a_budget_lets_so_many_pods_go() -> None:
    to = server()
    ready = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    for name in ("a", "b"):
        _pod(to, name, ready)
    _pod(to, "waiting", {"phase": "Pending"})
    budget = {"metadata": {"name": "two"}, "spec": {"minAvailable": 1, "selector": {"matchLabels": {"a": "b"}}}}
    assert ask(to, "POST", BUDGETS, budget)[0] == 201
    told = {"disruptionsAllowed": 1, "currentHealthy": 2, "desiredHealthy": 1, "expectedPods": 3}
    assert ask(to, "PATCH", f"{BUDGETS}/two/status", {"status": told}, **MERGE)[0] == 200
    assert _evict(to, "waiting")[0] == 201
    assert _evict(to, "a")[0] == 201
    left = ask(to, "GET", f"{BUDGETS}/two")[1]["status"]
    assert (left["disruptionsAllowed"], list(left["disruptedPods"])) == (0, ["a"])
    code, said = _evict(to, "b")
    assert (code, said["reason"]) == (429, "TooManyRequests")
    assert said["message"] == "Cannot evict pod as it would violate the pod's disruption budget."
    assert said["details"]["causes"] == [
        {
            "reason": "DisruptionBudget",
            "message": "The disruption budget two needs 1 healthy pods and has 2 currently",
        }
    ]
    assert ask(to, "DELETE", f"{PODS}/b")[0] == 200
