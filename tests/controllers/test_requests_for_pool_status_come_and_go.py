from __future__ import annotations

from dravite.controllers.pool_status import PoolStatus
from tests.clusters import release
from tests.controllers.servers import Plain, World

KIND = "ResourcePoolStatusRequest"
ASKED: Plain = {
    "apiVersion": "resource.k8s.io/v1alpha3",
    "kind": KIND,
    "metadata": {"name": "r"},
    "spec": {"driver": "d.example.com"},
}


def published(name: str, slices: int) -> Plain:
    pool = {"name": "n1", "generation": 1, "resourceSliceCount": slices}
    spec = {"driver": "d.example.com", "nodeName": "n1", "pool": pool, "devices": [{"name": name}]}
    return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": name}, "spec": spec}


def world() -> World:
    return World(release("1.37", "DRAResourcePoolStatus=true"), PoolStatus)


def test_c5_2_a_request_is_answered_once():
    cluster = world()
    cluster.apply(published("a", 1), ASKED)
    found = cluster.get(KIND, "r")
    assert found is not None
    assert found["status"]["pools"][0]["totalDevices"] == 1
    assert found["status"]["conditions"][0]["type"] == "Complete"
    cluster.apply(published("b", 1))
    assert cluster.get(KIND, "r") == found


def test_c5_1_a_pool_that_stays_incomplete_is_given_up():
    cluster = world()
    cluster.apply(published("a", 2), ASKED)
    cluster.wait(2)
    cluster.apply(published("b", 2))
    cluster.wait(60)
    found = cluster.get(KIND, "r")
    assert found is not None
    assert "status" not in found


def test_c5_1_a_slice_that_comes_at_once_is_not_too_late():
    cluster = world()
    cluster.apply(published("a", 2), ASKED)
    cluster.apply(published("b", 2))
    cluster.wait(1)
    found = cluster.get(KIND, "r")
    assert found is not None
    assert found["status"]["pools"][0]["totalDevices"] == 2


def test_c5_4_answers_go_after_an_hour_and_questions_after_a_day():
    cluster = world()
    cluster.apply(published("a", 1), ASKED)
    cluster.wait(3599)
    assert cluster.names(KIND) == ["r"]
    cluster.wait(1)
    assert cluster.names(KIND) == []
    waiting = world()
    waiting.apply(published("a", 2), ASKED)
    waiting.wait(24 * 3600 - 1)
    assert waiting.names(KIND) == ["r"]
    waiting.wait(1)
    assert waiting.names(KIND) == []
