"""Stand-ins for kubelets: nodes report, pods that are bound run, end, and go when they are deleted."""

from __future__ import annotations

from typing import Any

from dravite.api.releases import newest_profile
from dravite.controllers.kubelets import LEASES, Habits, Kubelets
from tests.controllers.servers import World

NODE = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}, "status": {"capacity": {"cpu": "4"}}}


def pod(name: str, restart: str = "Always", grace: int = 30) -> dict[str, Any]:
    spec = {
        "nodeName": "n1",
        "restartPolicy": restart,
        "terminationGracePeriodSeconds": grace,
        "containers": [{"name": "main", "image": "i"}],
    }
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": spec}


def world(habits: Habits) -> World:
    return World(newest_profile(), lambda _: Kubelets(habits))


def phase(there: World, name: str) -> str:
    found = there.get("Pod", name)
    return "" if found is None else str(found["status"]["phase"])


def test_a_pod_that_ends_by_itself_does_so_in_its_time() -> None:
    there = world(Habits(pod_seconds=5))
    there.apply(pod("job", restart="Never"), pod("server"))
    assert (phase(there, "job"), phase(there, "server")) == ("Running", "Running")
    there.wait(4)
    assert phase(there, "job") == "Running"
    there.wait(1)
    assert (phase(there, "job"), phase(there, "server")) == ("Succeeded", "Running")


def test_a_pod_that_is_deleted_goes_in_a_second() -> None:
    there = world(Habits())
    there.apply(pod("p", grace=30), pod("hasty", grace=0))
    there.delete("Pod", "p")
    there.delete("Pod", "hasty")
    assert (phase(there, "p"), phase(there, "hasty")) == ("Running", "")
    there.wait(1)
    assert phase(there, "p") == ""


def test_a_pod_that_is_deleted_goes_after_its_grace_period_where_that_is_wanted() -> None:
    there = world(Habits(longest_grace=None))
    there.apply(pod("p", grace=7))
    there.delete("Pod", "p")
    there.wait(6)
    assert phase(there, "p") == "Running"
    there.wait(1)
    assert phase(there, "p") == ""


def test_a_pod_that_others_hold_on_to_says_that_it_has_ended() -> None:
    there = world(Habits(longest_grace=None))
    held = pod("p", grace=7)
    held["metadata"]["finalizers"] = ["example.com/hold"]
    there.apply(held)
    there.delete("Pod", "p")
    there.wait(6)
    assert phase(there, "p") == "Running"
    there.wait(1)
    assert phase(there, "p") == "Failed"
    there.patch("Pod", "p", {"metadata": {"finalizers": None}})
    assert phase(there, "p") == ""


def test_a_node_is_ready_and_its_lease_is_renewed_every_ten_seconds() -> None:
    there = world(Habits())
    there.apply(NODE)
    node, lease = there.get("Node", "n1"), there.get("Lease", "n1", LEASES)
    assert node is not None
    assert lease is not None
    assert [one["type"] for one in node["status"]["conditions"]] == ["Ready"]
    before = there.server.store.revision
    there.wait(30)
    assert there.server.store.revision == before + 3
    renewed = there.get("Lease", "n1", LEASES)
    assert renewed is not None
    assert renewed["spec"]["renewTime"] > lease["spec"]["renewTime"]


def test_where_only_pods_run_nodes_say_nothing() -> None:
    there = world(Habits(reports=False))
    there.apply(NODE)
    there.wait(60)
    assert there.get("Lease", "n1", LEASES) is None
