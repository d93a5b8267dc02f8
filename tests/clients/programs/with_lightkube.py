"""The suite with lightkube."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

from lightkube import ApiError, Client
from lightkube.models import resource_v1 as m
from lightkube.models.core_v1 import Container, PodSpec
from lightkube.models.meta_v1 import ObjectMeta
from lightkube.models.scheduling_v1beta1 import GangSchedulingPolicy, PodGroupSchedulingPolicy, PodGroupSpec
from lightkube.resources.core_v1 import ConfigMap, Pod
from lightkube.resources.resource_v1 import DeviceClass, ResourceClaim, ResourceSlice
from lightkube.resources.scheduling_v1 import PriorityClass
from lightkube.resources.scheduling_v1beta1 import PodGroup
from lightkube.types import PatchType

CLIENT = Client(field_manager="suite")


def claim(**metadata: Any) -> ResourceClaim:
    request = m.DeviceRequest(name="gpu", exactly=m.ExactDeviceRequest(deviceClassName="gpu.example.com"))
    spec = m.ResourceClaimSpec(devices=m.DeviceClaim(requests=[request]))
    return ResourceClaim(metadata=ObjectMeta(**metadata), spec=spec)


def refusal(call: Callable[[], object]) -> Any:
    """The Status with which a call is refused."""
    try:
        call()
    except ApiError as error:
        return error.status
    return None


def reason(call: Callable[[], object]) -> str:
    said = refusal(call)
    return f"{said.code} {said.reason}"


def writes() -> None:
    made = CLIENT.create(claim(name="a", labels={"suite": "1"}))
    exactly = made.spec.devices.requests[0].exactly
    print("created:", exactly.allocationMode, exactly.count)
    read = CLIENT.get(ResourceClaim, "a")
    print("read:", read.metadata.uid == made.metadata.uid)
    drawn = CLIENT.create(claim(generateName="drawn-"))
    print("named:", drawn.metadata.name[:6], len(drawn.metadata.name))
    read.metadata.annotations = {"x": "y"}
    print("replaced:", CLIENT.replace(read).metadata.annotations["x"])
    print("replaced after a change:", reason(lambda: CLIENT.replace(read)))


def patches() -> None:
    print("merge patch:", patched({"metadata": {"labels": {"n": "1"}}}, PatchType.MERGE))
    print("JSON patch:", patched([{"op": "replace", "path": "/metadata/labels/n", "value": "2"}], PatchType.JSON))
    containers = [Container(name=name, image="old") for name in ("c", "d")]
    CLIENT.create(Pod(metadata=ObjectMeta(name="p"), spec=PodSpec(containers=containers)))
    change = Pod(spec=PodSpec(containers=[Container(name="c", image="new")]))
    changed = CLIENT.patch(Pod, "p", change, patch_type=PatchType.STRATEGIC)
    print("strategic merge patch:", *(f"{one.name}={one.image}" for one in changed.spec.containers))
    print("applied:", applied("suite", "1").metadata.labels["by"])
    print("applied by another:", reason(lambda: applied("other", "2")))


def patched(change: Any, kind: PatchType) -> str:
    return str(CLIENT.patch(ResourceClaim, "a", change, patch_type=kind).metadata.labels["n"])


def applied(manager: str, value: str) -> DeviceClass:
    metadata = ObjectMeta(name="gpu.example.com", labels={"by": value})
    return CLIENT.apply(DeviceClass(metadata=metadata, spec=m.DeviceClassSpec()), field_manager=manager)


def reads() -> None:
    chosen = CLIENT.list(ResourceClaim, labels={"suite": "1"}, fields={"metadata.name": "a"})
    print("selected:", *(one.metadata.name for one in chosen))
    for number in range(101):
        CLIENT.create(ConfigMap(metadata=ObjectMeta(name=f"page-{number}", labels={"pages": "1"})))
    print("in pages:", len(list(CLIENT.list(ConfigMap, labels={"pages": "1"}, chunk_size=40))))


def watches() -> None:
    before = CLIENT.list(ResourceClaim)
    list(before)
    CLIENT.create(claim(name="w"))
    CLIENT.patch(ResourceClaim, "w", {"metadata": {"labels": {"n": "1"}}})
    CLIENT.delete(ResourceClaim, "w")
    events = CLIENT.watch(ResourceClaim, resource_version=before.resourceVersion, server_timeout=20)
    print("watched:", *(f"{happened} {one.metadata.name}" for happened, one in islice(events, 3)))


def statuses() -> None:
    result = m.DeviceRequestAllocationResult(request="gpu", driver="gpu.example.com", pool="node-1", device="gpu-0")
    allocation = m.AllocationResult(devices=m.DeviceAllocationResult(results=[result]))
    found = CLIENT.get(ResourceClaim, "a")
    found.status = m.ResourceClaimStatus(allocation=allocation)
    body = ResourceClaim.Status(metadata=found.metadata, spec=found.spec, status=found.status)
    print("status:", CLIENT.replace(body).status.allocation.devices.results[0].device)


def refusals() -> None:
    print("missing:", reason(lambda: CLIENT.get(ResourceClaim, "missing")))
    print("there already:", reason(lambda: CLIENT.create(claim(name="a"))))
    wrong = claim(name="wrong")
    wrong.spec.devices.requests[0].name = "GPU"
    said = refusal(lambda: CLIENT.create(wrong))
    print("refused:", said.code, said.reason, said.details.causes[0].field)


def kinds() -> None:
    pool = m.ResourcePool(name="node-1", generation=1, resourceSliceCount=1)
    device = m.Device(name="gpu-0", attributes={"model": m.DeviceAttribute(string="G80")})
    published = m.ResourceSliceSpec(driver="gpu.example.com", nodeName="node-1", pool=pool, devices=[device])
    CLIENT.create(ResourceSlice(metadata=ObjectMeta(name="s"), spec=published))
    (found,) = CLIENT.list(ResourceSlice, fields={"spec.driver": "gpu.example.com"})
    print("slice:", found.spec.devices[0].attributes["model"]["string"])
    policy = PodGroupSchedulingPolicy(gang=GangSchedulingPolicy(minCount=2))
    made = CLIENT.create(PodGroup(metadata=ObjectMeta(name="g"), spec=PodGroupSpec(schedulingPolicy=policy)))
    print("group:", made.spec.schedulingPolicy.gang.minCount)
    high = CLIENT.create(PriorityClass(metadata=ObjectMeta(name="high"), value=1000))
    print("priority class:", high.preemptionPolicy)


def deletions() -> None:
    CLIENT.delete(ResourceClaim, "a", dry_run=True)
    print("deleted only in a dry run:", CLIENT.get(ResourceClaim, "a").metadata.name)
    CLIENT.delete(ResourceClaim, "a")
    CLIENT.deletecollection(ResourceClaim)
    print("left:", len(list(CLIENT.list(ResourceClaim))))


for step in (writes, patches, reads, watches, statuses, refusals, kinds, deletions):
    step()
