"""A pod that was refused is tried again for what may help it, and for nothing else (A5.2, F11.2)."""

from __future__ import annotations

import msgspec
import pytest

from dravite.api.core_v1 import Container, Pod
from dravite.api.meta import ObjectRef
from dravite.api.resource_v1 import DeviceClass
from dravite.rehearsal.deleting import delete
from dravite.rehearsal.editing import put
from dravite.rehearsal.queue import Queue
from dravite.rehearsal.scheduling import schedule_next
from dravite.rehearsal.world import Terms, World
from dravite.snapshot.changes import Editable
from dravite.snapshot.snapshot import Snapshot
from tests.clusters import claim, cluster, device_class, devices_of, node, pod, release, running, with_claims

GPU = "vendor.example/gpu"


def asking() -> Pod:
    return with_claims(pod("p"), gpu="of-p")


def wanting_resource() -> Pod:
    return pod("p", containers=tuple(map(_with_gpu, pod("p").spec.containers)))


def _with_gpu(container: Container) -> Container:
    requests = {**container.resources.requests, GPU: container.resources.requests["cpu"]}
    return msgspec.structs.replace(container, resources=msgspec.structs.replace(container.resources, requests=requests))


def providing(name: str, resource: str | None = GPU, **labels: str) -> DeviceClass:
    one = device_class(name)
    metadata = msgspec.structs.replace(one.metadata, labels=labels)
    return msgspec.structs.replace(
        one, metadata=metadata, spec=msgspec.structs.replace(one.spec, extended_resource_name=resource)
    )


class Refused:
    """A world in which everybody was tried in vain, and what is tried after something has happened."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.world, self._queue = World(snapshot, Terms()), Queue()
        self.tried()

    def tried(self) -> list[str]:
        self.world.now += 20
        self.world.record.told.clear()
        while schedule_next(self.world, self._queue):
            pass
        return [told.about.name for told in self.world.record.told]

    def after(self, obj: Editable) -> list[str]:
        put(self.world, obj)
        return self.tried()


def short_of_devices(on: str = "1.37") -> Refused:
    objects = (node("n1"), device_class(), devices_of("n1", 1), *running("busy", "gpu-0"))
    return Refused(cluster(*objects, claim("of-p"), asking(), on=release(on, "DynamicResourceAllocation=true")))


def test_a_class_or_slice_that_goes_wakes_nobody():
    there = short_of_devices()
    delete(there.world, ObjectRef("ResourceSlice", "", "gpu-n1"))
    delete(there.world, ObjectRef("DeviceClass", "", "gpu"))
    assert there.tried() == []


def test_a_slice_that_comes_and_a_class_that_changes_wake_who_lacks_devices():
    there = short_of_devices()
    assert there.after(devices_of("n2", 1)) == ["p"]
    assert there.after(providing("gpu", None, a="b")) == ["p"]


@pytest.mark.parametrize(("on", "woken"), [("1.37", []), ("1.32", []), ("1.31", ["p"])])
def test_a5_2_the_claim_of_somebody_else_wakes_nobody_where_the_scheduler_looks_closely(on: str, woken: list[str]):
    assert short_of_devices(on=on).after(claim("other")) == woken


def test_a5_2_a_label_on_its_claim_does_not_wake_a_pod():
    there = short_of_devices()
    own = there.world.snapshot.claims[("default", "of-p")]
    labelled = msgspec.structs.replace(own, metadata=msgspec.structs.replace(own.metadata, labels={"a": "b"}))
    assert there.after(labelled) == []


def test_a5_2_devices_that_become_free_wake_everybody_who_lacks_some():
    there = short_of_devices()
    busy = there.world.snapshot.claims[("default", "busy")]
    status = msgspec.structs.replace(busy.status, allocation=None, reserved_for=())
    assert there.after(msgspec.structs.replace(busy, status=status)) == ["p"]


def test_f7_2_a_class_wakes_who_wants_a_resource_only_when_it_begins_to_serve_it():
    there = Refused(
        cluster(node("n1"), devices_of("n1", 1), providing("a", "vendor.example/other"), wanting_resource())
    )
    assert there.after(providing("a", "vendor.example/other", a="b")) == []
    assert there.after(providing("b", "vendor.example/third")) == []
    assert there.after(providing("a", GPU)) == ["p"]
