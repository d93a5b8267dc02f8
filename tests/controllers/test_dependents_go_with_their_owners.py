from __future__ import annotations

from dravite.controllers.garbage import GarbageCollector
from tests.clusters import release
from tests.controllers.servers import Plain, World


def world() -> World:
    return World(release(), lambda _: GarbageCollector())


def made(cluster: World, name: str, *owners: str, blocks: bool = False, finalizers: tuple[str, ...] = ()) -> None:
    """A ConfigMap that other ConfigMaps own."""
    references = []
    for owner in owners:
        found = cluster.get("ConfigMap", owner)
        assert found is not None
        reference: Plain = {"apiVersion": "v1", "kind": "ConfigMap", "name": owner, "uid": found["metadata"]["uid"]}
        references.append({**reference, "blockOwnerDeletion": True} if blocks else reference)
    meta: Plain = {"name": name, "ownerReferences": references, "finalizers": list(finalizers)}
    cluster.apply({"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta})


def stands(cluster: World, name: str) -> Plain | None:
    """The metadata of an object that is still there."""
    found = cluster.get("ConfigMap", name)
    return None if found is None else found["metadata"]


def test_in_the_background_the_owner_goes_first_and_all_below_it_follows():
    cluster = world()
    made(cluster, "root")
    made(cluster, "child", "root")
    made(cluster, "grandchild", "child")
    made(cluster, "other")
    cluster.delete("ConfigMap", "root")
    assert cluster.names("ConfigMap") == ["other"]


def test_an_object_stays_while_one_of_its_owners_is_there_and_forgets_the_other():
    cluster = world()
    made(cluster, "a")
    made(cluster, "b")
    made(cluster, "child", "a", "b")
    cluster.delete("ConfigMap", "a")
    meta = stands(cluster, "child")
    assert meta is not None
    assert [one["name"] for one in meta["ownerReferences"]] == ["b"]


def test_in_the_foreground_the_owner_waits_for_dependents_that_block_it():
    cluster = world()
    made(cluster, "root")
    made(cluster, "child", "root", blocks=True, finalizers=("example.com/hold",))
    made(cluster, "loose", "root", finalizers=("example.com/hold",))
    cluster.delete("ConfigMap", "root", "Foreground")
    root = stands(cluster, "root")
    assert root is not None
    assert root["finalizers"] == ["foregroundDeletion"]
    for name in ("child", "loose"):
        meta = stands(cluster, name)
        assert meta is not None
        assert "deletionTimestamp" in meta
    cluster.patch("ConfigMap", "child", {"metadata": {"finalizers": None}})
    assert cluster.names("ConfigMap") == ["loose"]


def test_in_the_foreground_children_with_children_wait_as_well():
    cluster = world()
    made(cluster, "root")
    made(cluster, "child", "root", blocks=True)
    made(cluster, "grandchild", "child", blocks=True, finalizers=("example.com/hold",))
    cluster.delete("ConfigMap", "root", "Foreground")
    child = stands(cluster, "child")
    assert child is not None
    assert child["finalizers"] == ["foregroundDeletion"]
    cluster.patch("ConfigMap", "grandchild", {"metadata": {"finalizers": None}})
    assert cluster.names("ConfigMap") == []


def test_orphans_are_left_to_themselves():
    cluster = world()
    made(cluster, "root")
    made(cluster, "child", "root")
    cluster.delete("ConfigMap", "root", "Orphan")
    assert cluster.names("ConfigMap") == ["child"]
    meta = stands(cluster, "child")
    assert meta is not None
    assert "ownerReferences" not in meta


def test_an_owner_that_was_made_again_is_another_one():
    cluster = world()
    made(cluster, "root")
    made(cluster, "child", "root", finalizers=("example.com/hold",))
    cluster.delete("ConfigMap", "root")
    made(cluster, "root")
    meta = stands(cluster, "child")
    assert meta is not None
    assert "deletionTimestamp" in meta


def test_an_owner_of_a_kind_that_is_not_served_may_be_there():
    cluster = world()
    owner: Plain = {"apiVersion": "example.com/v1", "kind": "Thing", "name": "t", "uid": "no-such-uid"}
    absent: Plain = {"apiVersion": "v1", "kind": "ConfigMap", "name": "t", "uid": "no-such-uid"}
    for name, reference in (("unknown", owner), ("gone", absent)):
        meta: Plain = {"name": name, "ownerReferences": [reference]}
        cluster.apply({"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta})
    assert cluster.names("ConfigMap") == ["unknown"]


def test_a_circle_of_owners_is_no_trap():
    cluster = world()
    made(cluster, "a")
    made(cluster, "b", "a", blocks=True)
    b = stands(cluster, "b")
    assert b is not None
    back: Plain = {"apiVersion": "v1", "kind": "ConfigMap", "name": "b", "uid": b["uid"], "blockOwnerDeletion": True}
    cluster.patch("ConfigMap", "a", {"metadata": {"ownerReferences": [back]}})
    cluster.delete("ConfigMap", "a", "Foreground")
    assert cluster.names("ConfigMap") == []
