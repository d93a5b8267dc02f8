"""The part `scale` of Deployments and their like, and what `kubectl get all` finds."""

from __future__ import annotations

from typing import Any

from asking import ask, server

from dravite.apiserver import ApiServer

DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"
SCALE = f"{DEPLOYMENTS}/web/scale"
MERGE = "application/merge-patch+json"


def deployed() -> ApiServer:
    """A server with a deployment of two."""
    to = server()
    terms = [{"key": "tier", "operator": "In", "values": ["b", "a"]}, {"key": "old", "operator": "DoesNotExist"}]
    template = {
        "metadata": {"labels": {"app": "web", "tier": "a"}},
        "spec": {"containers": [{"name": "c", "image": "i"}]},
    }
    spec = {"replicas": 2, "selector": {"matchLabels": {"app": "web"}, "matchExpressions": terms}, "template": template}
    code, said = ask(to, "POST", DEPLOYMENTS, {"metadata": {"name": "web"}, "spec": spec})
    assert code == 201, said
    return to


def replicas(to: ApiServer) -> Any:
    return ask(to, "GET", f"{DEPLOYMENTS}/web")[1]["spec"]["replicas"]


def test_a_scale_tells_what_is_wanted_and_which_pods_count() -> None:
    to = deployed()
    code, scale = ask(to, "GET", SCALE)
    assert (code, scale["kind"], scale["apiVersion"], scale["spec"]) == (
        200,
        "Scale",
        "autoscaling/v1",
        {"replicas": 2},
    )
    assert scale["status"] == {"replicas": 0, "selector": "app=web,!old,tier in (a,b)"}


def test_it_is_changed_by_patch_and_by_update() -> None:
    to = deployed()
    code, scale = ask(to, "PATCH", SCALE, {"spec": {"replicas": 5}}, content_type=MERGE)
    assert (code, scale["spec"]["replicas"], replicas(to)) == (200, 5, 5)
    code, _ = ask(to, "PUT", SCALE, {**scale, "spec": {"replicas": 3}})
    assert (code, replicas(to)) == (200, 3)
    code, said = ask(to, "PUT", SCALE, {**scale, "spec": {"replicas": 4}})
    assert (code, said["reason"], replicas(to)) == (409, "Conflict", 3)


def test_wrong_scales_are_refused() -> None:
    to = deployed()
    assert ask(to, "PUT", SCALE, {"metadata": {"name": "web", "namespace": "other"}, "spec": {"replicas": 1}})[0] == 400
    assert ask(to, "PUT", SCALE, {"metadata": {}, "spec": {"replicas": 1}})[0] == 400
    code, said = ask(to, "PATCH", SCALE, {"spec": {"replicas": -1}}, content_type=MERGE)
    assert (code, said["details"]["causes"][0]["field"]) == (422, "spec.replicas")
    assert ask(to, "PATCH", SCALE, {"spec": {"replicas": "many"}}, content_type=MERGE)[0] == 400
    assert ask(to, "PATCH", SCALE, [], content_type=MERGE)[0] == 400
    assert ask(to, "PATCH", SCALE, {}, content_type="application/apply-patch+yaml")[0] == 415
    assert ask(to, "GET", SCALE.replace("web", "gone"))[0] == 404
    assert ask(to, "GET", "/apis/batch/v1/namespaces/default/jobs/j/scale")[0] == 404
    assert replicas(to) == 2


def test_discovery_tells_of_it_and_of_what_all_means() -> None:
    found = {one["name"]: one for one in ask(server(), "GET", "/apis/apps/v1")[1]["resources"]}
    assert found["deployments/scale"]["kind"] == "Scale"
    assert found["deployments"]["categories"] == ["all"]
    assert "daemonsets/scale" not in found


def test_both_forms_of_discovery_name_the_scale() -> None:
    to = deployed()
    whole = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
    groups = ask(to, "GET", "/apis", accept=whole)[1]["items"]
    (apps,) = (one["versions"][0]["resources"] for one in groups if one["metadata"]["name"] == "apps")
    (parts,) = (one["subresources"] for one in apps if one["resource"] == "deployments")
    scale = {"group": "autoscaling", "version": "v1", "kind": "Scale"}
    assert parts[0] == {"subresource": "scale", "responseKind": scale, "verbs": ["get", "patch", "update"]}
    listed = ask(to, "GET", "/apis/apps/v1")[1]["resources"]
    assert {"deployments", "deployments/scale", "deployments/status"} <= {one["name"] for one in listed}


def test_a_replication_controller_has_a_scale_too() -> None:
    to = server()
    path = "/api/v1/namespaces/default/replicationcontrollers"
    template = {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
    code, said = ask(to, "POST", path, {"metadata": {"name": "web"}, "spec": {"template": template}})
    assert (code, said["spec"]["selector"]) == (201, {"app": "web"})
    scale = ask(to, "GET", f"{path}/web/scale")[1]
    assert (scale["spec"], scale["status"]) == ({"replicas": 1}, {"replicas": 0, "selector": "app=web"})
