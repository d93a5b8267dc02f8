"""Pods that do not tolerate a NoExecute taint of their node go, at once or when their time is over."""

from __future__ import annotations

from dravite.controllers.node_taints import NodeTaintEvictions
from dravite.controllers.scheduling import Scheduling
from tests.clusters import release
from tests.controllers.servers import Plain, World

TAINT: Plain = {"key": "k", "value": "v", "effect": "NoExecute"}


def world(*tolerations: Plain) -> World:
    """A node with a pod."""
    scheduling = Scheduling(release())
    made = World(release(), lambda _: scheduling, lambda _: NodeTaintEvictions(lambda: scheduling.snapshot))
    spec: Plain = {"nodeName": "n1", "containers": [{"name": "c", "image": "i"}], "tolerations": list(tolerations)}
    made.apply({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}})
    made.apply({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": spec})
    return made


def taint(cluster: World, *taints: Plain) -> None:
    cluster.patch("Node", "n1", {"spec": {"taints": list(taints)}}, namespace="")


def tolerated(seconds: int | None = None) -> Plain:
    limit = {} if seconds is None else {"tolerationSeconds": seconds}
    return {"key": "k", "operator": "Exists", "effect": "NoExecute", **limit}


def is_going(cluster: World) -> bool:
    pod = cluster.get("Pod", "p")
    return pod is None or "deletionTimestamp" in pod["metadata"]


def told(cluster: World) -> list[tuple[str, str]]:
    return [(about, text) for reason, about, text in cluster.events() if reason == "TaintManagerEviction"]


def test_a_pod_goes_and_says_why():
    cluster = world()
    taint(cluster, TAINT)
    pod = cluster.get("Pod", "p")
    assert pod is not None
    assert "deletionTimestamp" in pod["metadata"]
    (why,) = (one for one in pod["status"]["conditions"] if one["type"] == "DisruptionTarget")
    assert (why["reason"], why["message"]) == (
        "DeletionByTaintManager",
        "Taint manager: deleting due to NoExecute taint",
    )
    assert told(cluster) == [("Pod p", "Marking for deletion Pod default/p")]


def test_the_first_toleration_that_covers_the_taint_says_how_long():
    cluster = world(tolerated(5), tolerated())
    taint(cluster, TAINT)
    cluster.wait(4)
    assert not is_going(cluster)
    cluster.wait(1)
    assert is_going(cluster)


def test_a_pod_stays_where_the_taint_goes_in_time_and_it_is_told_so():
    cluster = world(tolerated(5))
    taint(cluster, TAINT)
    taint(cluster)
    cluster.wait(9)
    assert not is_going(cluster)
    assert told(cluster) == [("Pod p", "Cancelling deletion of Pod default/p")]


def test_other_effects_and_tolerations_without_a_limit_let_a_pod_stay():
    cluster = world(tolerated())
    taint(cluster, TAINT, {"key": "other", "effect": "NoSchedule"})
    cluster.wait(9)
    assert not is_going(cluster)
