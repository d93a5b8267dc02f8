"""Workloads, and what tests do with their pods."""

from __future__ import annotations

from dravite.controllers.garbage import GarbageCollector
from dravite.controllers.workloads import Workloads
from tests.clusters import release
from tests.controllers.servers import Plain, World

TEMPLATE: Plain = {"metadata": {"labels": {"app": "a"}}, "spec": {"containers": [{"name": "main", "image": "i:1"}]}}
SELECTOR: Plain = {"matchLabels": {"app": "a"}}
READY: Plain = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}


def world(gates: str = "", on: str = "1.37") -> World:
    return World(release(on, gates), Workloads, lambda _: GarbageCollector())


def workload(kind: str, name: str = "w", **spec: object) -> Plain:
    given: Plain = {"selector": SELECTOR, "template": TEMPLATE, **spec}
    return {"apiVersion": "apps/v1", "kind": kind, "metadata": {"name": name}, "spec": given}


def job(name: str = "w", **spec: object) -> Plain:
    template: Plain = {"spec": {**TEMPLATE["spec"], "restartPolicy": "Never"}}
    given: Plain = {"template": template, **spec}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name}, "spec": given}


def node(name: str) -> Plain:
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}}


def status(cluster: World, kind: str, name: str = "w") -> Plain:
    found = cluster.get(kind, name)
    assert found is not None
    return dict(found["status"])


def run_all(cluster: World) -> None:
    """Let all pods run, again and again until there are no new ones."""
    while waiting := [one for one in cluster.all("Pod") if one["status"]["phase"] == "Pending"]:
        for one in waiting:
            cluster.patch("Pod", one["metadata"]["name"], {"status": READY}, "status")


def end(cluster: World, pod: Plain, phase: str) -> None:
    cluster.patch("Pod", pod["metadata"]["name"], {"status": {"phase": phase}}, "status")


def images(cluster: World) -> list[str]:
    return sorted(one["spec"]["containers"][0]["image"] for one in cluster.all("Pod"))
