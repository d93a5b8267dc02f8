from __future__ import annotations

from dravite.controllers.group_protection import GroupProtection
from tests.clusters import release
from tests.controllers.servers import Plain, World

GATES = "GenericWorkload=true"


def world() -> World:
    made = World(release("1.37", GATES), lambda _: GroupProtection())
    made.apply(
        {
            "apiVersion": "scheduling.k8s.io/v1beta1",
            "kind": "PodGroup",
            "metadata": {"name": "g"},
            "spec": {"schedulingPolicy": {"basic": {}}},
        }
    )
    return made


def pod(name: str) -> Plain:
    spec: Plain = {"containers": [{"name": "main", "image": "i"}], "schedulingGroup": {"podGroupName": "g"}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": spec}


def finalizers(cluster: World) -> list[str] | None:
    found = cluster.get("PodGroup", "g")
    return None if found is None else found["metadata"].get("finalizers", [])


def test_e8_2_a_group_that_is_deleted_waits_for_its_pods():
    cluster = world()
    cluster.apply(pod("a"), pod("b"))
    cluster.delete("PodGroup", "g")
    cluster.delete("Pod", "a")
    assert finalizers(cluster) == ["scheduling.k8s.io/podgroup-protection"]
    cluster.delete("Pod", "b")
    assert finalizers(cluster) is None


def test_e8_2_pods_that_have_ended_keep_no_group():
    cluster = world()
    cluster.apply(pod("a"))
    cluster.patch("Pod", "a", {"status": {"phase": "Succeeded"}}, "status")
    cluster.delete("PodGroup", "g")
    assert finalizers(cluster) is None


def test_e8_2_a_used_group_gets_the_finalizer_back():
    cluster = world()
    cluster.patch("PodGroup", "g", {"metadata": {"finalizers": []}})
    assert finalizers(cluster) == []
    cluster.apply(pod("a"))
    assert finalizers(cluster) == ["scheduling.k8s.io/podgroup-protection"]
