from __future__ import annotations

from dravite.controllers.disruption import Disruption
from tests.clusters import release
from tests.controllers.servers import Plain, World

READY: Plain = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}


def world(pods: int, **spec: object) -> World:
    """Pods that run, and a budget for them."""
    cluster = World(release(), lambda _: Disruption())
    for number in range(pods):
        containers = [{"name": "main", "image": "i"}]
        meta = {"name": f"p{number}", "labels": {"app": "a"}}
        pod: Plain = {"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": {"containers": containers}}
        cluster.apply({**pod, "status": READY})
    budget: Plain = {"selector": {"matchLabels": {"app": "a"}}, **spec}
    cluster.apply({"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "b"}, "spec": budget})
    return cluster


def status(cluster: World) -> tuple[int, ...]:
    """Expected, healthy, desired and allowed."""
    found = cluster.get("PodDisruptionBudget", "b")
    assert found is not None
    names = ("expectedPods", "currentHealthy", "desiredHealthy", "disruptionsAllowed")
    return tuple(found["status"][name] for name in names)


def test_what_is_not_needed_may_go():
    assert status(world(3, minAvailable=2)) == (3, 3, 2, 1)
    assert status(world(3, maxUnavailable="34%")) == (3, 3, 1, 2)


def test_pods_that_are_not_well_leave_less():
    cluster = world(3, minAvailable=2)
    cluster.patch("Pod", "p0", {"status": {"conditions": [{"type": "Ready", "status": "False"}]}}, "status")
    assert status(cluster) == (3, 2, 2, 0)
    found = cluster.get("PodDisruptionBudget", "b")
    assert found is not None
    assert found["status"]["conditions"][0]["reason"] == "InsufficientPods"


def test_a_budget_without_pods_is_told_so_once():
    cluster = world(0, minAvailable=1)
    assert status(cluster) == (0, 0, 1, 0)
    assert cluster.events() == [("NoPods", "PodDisruptionBudget b", "No matching pods found")]
