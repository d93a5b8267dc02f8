"""What Kubernetes writes as null is no reason to lose an object."""

from __future__ import annotations

from asking import CLAIMS, ask, server

MERGE = "application/merge-patch+json"


def test_a_claim_without_requests_can_be_changed() -> None:
    to = server()
    code, made = ask(to, "POST", CLAIMS, {"metadata": {"name": "a"}})
    assert (code, made["spec"]) == (201, {"devices": {"requests": None}})
    code, changed = ask(to, "PATCH", f"{CLAIMS}/a", {"metadata": {"labels": {"a": "b"}}}, content_type=MERGE)
    assert (code, changed["metadata"]["labels"]) == (200, {"a": "b"})
    assert ask(to, "PUT", f"{CLAIMS}/a", changed)[0] == 200


def test_it_is_shown_in_every_version_and_list() -> None:
    to = server()
    ask(to, "POST", CLAIMS, {"metadata": {"name": "a"}})
    older = CLAIMS.replace("/v1/", "/v1beta1/")
    assert ask(to, "GET", f"{older}/a")[1]["spec"] == {"devices": {"requests": None}}
    for path in (CLAIMS, older):
        item = ask(to, "GET", path)[1]["items"][0]
        assert (item["spec"], "kind" in item, "apiVersion" in item) == ({"devices": {"requests": None}}, False, False)


def test_a_workload_without_templates_is_refused_by_its_rules_alone() -> None:
    to = server("1.37", "GenericWorkload=true")
    path = "/apis/scheduling.k8s.io/v1beta1/namespaces/default/workloads"
    code, status = ask(to, "POST", path, {"metadata": {"name": "w"}})
    assert (code, status["details"]["causes"][0]["field"]) == (422, "spec")
