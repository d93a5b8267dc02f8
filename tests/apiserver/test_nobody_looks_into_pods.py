"""Logs of a pod and ways into it are refused with the reason: nothing runs in it."""

from __future__ import annotations

import pytest
from asking import ask, server

from dravite.apiserver import ApiServer

PODS = "/api/v1/namespaces/default/pods"


def with_pod(node: str) -> ApiServer:
    to = server()
    spec = {"containers": [{"name": "c", "image": "i"}], **({"nodeName": node} if node else {})}
    code, said = ask(to, "POST", PODS, {"metadata": {"name": "p"}, "spec": spec})
    assert code == 201, said
    return to


@pytest.mark.parametrize(
    ("method", "part"), [("GET", "log"), ("POST", "exec"), ("GET", "exec"), ("POST", "attach"), ("POST", "portforward")]
)
def test_it_is_said_that_nothing_runs(method: str, part: str) -> None:
    code, said = ask(with_pod("n1"), method, f"{PODS}/p/{part}")
    assert (code, said["reason"]) == (400, "BadRequest")
    assert said["message"] == (
        f'nothing runs in pod "p", so there is nothing behind pods/{part}: '
        "dravite serve simulates nodes and starts no containers"
    )


def test_a_pod_without_a_node_is_told_of_as_kubernetes_does() -> None:
    code, said = ask(with_pod(""), "GET", f"{PODS}/p/log")
    assert (code, said["message"]) == (400, "pod p does not have a host assigned")


def test_a_pod_that_is_not_there_is_not_found() -> None:
    assert ask(server(), "GET", f"{PODS}/p/log")[0] == 404
