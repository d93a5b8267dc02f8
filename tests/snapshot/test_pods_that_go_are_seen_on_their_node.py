"""A pod that is being deleted is known as such on its node, where spreading and preemption look."""

from __future__ import annotations

import msgspec

from dravite.api.core_v1 import Pod
from dravite.snapshot.pod_edits import with_going_pod
from tests.clusters import cluster, node, pod


def placed(name: str) -> Pod:
    one = pod(name)
    return msgspec.structs.replace(one, spec=msgspec.structs.replace(one.spec, node_name="n1"))


def test_it_is_seen_in_its_place() -> None:
    before = cluster(node("n1"), placed("a"), placed("b"), placed("c"))
    going = before.pods[("default", "b")].pod
    metadata = msgspec.structs.replace(going.metadata, deletion_timestamp="2026-01-02T00:00:00Z")
    after = with_going_pod(before, msgspec.structs.replace(going, metadata=metadata))
    seen = [(one.pod.metadata.name, one.pod.metadata.deletion_timestamp) for one in after.states["n1"].pods]
    assert seen == [("a", None), ("b", "2026-01-02T00:00:00Z"), ("c", None)]
    assert after.states["n1"].requested == before.states["n1"].requested
