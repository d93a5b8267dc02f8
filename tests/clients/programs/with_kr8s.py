"""The suite with kr8s, in its asynchronous form; what its objects do not know is sent over its `call_api`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable
from typing import Any

import kr8s
from kr8s.asyncio import api
from kr8s.asyncio.objects import ConfigMap, Pod, new_class

DEVICES = "resource.k8s.io/v1"
Claim = new_class(kind="ResourceClaim", version=DEVICES)
Slice = new_class(kind="ResourceSlice", version=DEVICES, namespaced=False)
Class = new_class(kind="DeviceClass", version=DEVICES, namespaced=False, plural="deviceclasses")
Group = new_class(kind="PodGroup", version="scheduling.k8s.io/v1beta1")
Priority = new_class(kind="PriorityClass", version="scheduling.k8s.io/v1", namespaced=False, plural="priorityclasses")


async def claim(request: str = "gpu", **metadata: Any) -> Any:
    requests = [{"name": request, "exactly": {"deviceClassName": "gpu.example.com"}}]
    return await Claim({"metadata": {"namespace": "default", **metadata}, "spec": {"devices": {"requests": requests}}})


async def made(one: Any) -> Any:
    one = await one
    await one.create()
    return one


async def found(name: str) -> Any:
    return await Claim.get(name, namespace="default")


async def sent(method: str, one: Any, body: object, kind: str = "json", **query: str) -> Any:
    """What the server answers to an object."""
    async with (await api()).call_api(
        method,
        version=one.version,
        namespace=one.namespace if one.namespaced else None,
        url=f"{one.endpoint}/{one.name}",
        content=json.dumps(body),
        headers={"Content-Type": f"application/{kind}"},
        params=query,
    ) as response:
        return response.json()


async def refusal(call: Awaitable[object]) -> dict[str, Any]:
    """The Status with which a call is refused."""
    try:
        await call
    except kr8s.ServerError as error:
        return dict(error.response.json())
    return {}


async def reason(call: Awaitable[object]) -> str:
    said = await refusal(call)
    return f"{said.get('code')} {said.get('reason')}"


async def writes() -> None:
    one = await made(claim(name="a", labels={"suite": "1"}))
    exactly = one.spec.devices.requests[0].exactly
    print("created:", exactly.allocationMode, exactly.count)
    print("read:", (await found("a")).metadata.uid == one.metadata.uid)
    drawn = await made(claim(generateName="drawn-"))
    print("named:", drawn.name[:6], len(drawn.name))
    body = {**one.raw, "metadata": {**one.raw["metadata"], "annotations": {"x": "y"}}}
    print("replaced:", (await sent("PUT", one, body))["metadata"]["annotations"]["x"])
    print("replaced after a change:", await reason(sent("PUT", one, body)))


async def patches() -> None:
    one = await found("a")
    await one.patch({"metadata": {"labels": {"n": "1"}}})
    print("merge patch:", one.labels["n"])
    await one.patch([{"op": "replace", "path": "/metadata/labels/n", "value": "2"}], type="json")
    print("JSON patch:", one.labels["n"])
    containers = [{"name": name, "image": "old"} for name in ("c", "d")]
    pod = await made(Pod({"metadata": {"name": "p", "namespace": "default"}, "spec": {"containers": containers}}))
    change = {"spec": {"containers": [{"name": "c", "image": "new"}]}}
    changed = await sent("PATCH", pod, change, "strategic-merge-patch+json")
    print("strategic merge patch:", *(f"{one['name']}={one['image']}" for one in changed["spec"]["containers"]))
    print("applied:", (await applied("suite", "1"))["metadata"]["labels"]["by"])
    print("applied by another:", await reason(applied("other", "2")))


async def applied(manager: str, value: str) -> Any:
    one = await Class({"metadata": {"name": "gpu.example.com"}})
    body = {"apiVersion": DEVICES, "kind": "DeviceClass", "metadata": {"name": one.name, "labels": {"by": value}}}
    return await sent("PATCH", one, body, "apply-patch+yaml", fieldManager=manager)


async def reads() -> None:
    served = {(one["version"], one["name"]) for one in await (await api()).api_resources()}
    print("discovered:", Claim.version.partition("/")[2], (Claim.version, "resourceclaims") in served)
    chosen = Claim.list(namespace="default", label_selector="suite=1", field_selector="metadata.name=a")
    print("selected:", *[one.name async for one in chosen])
    for number in range(101):
        metadata = {"name": f"page-{number}", "namespace": "default", "labels": {"pages": "1"}}
        await made(ConfigMap({"metadata": metadata}))
    pages = (await api()).get("configmaps", namespace="default", label_selector="pages=1")
    print("in pages:", len([one async for one in pages]))


async def watches() -> None:
    begin = (await found("a")).metadata.resourceVersion
    one = await made(claim(name="w"))
    await one.label({"n": "1"})
    await one.delete()
    events = (await api()).watch(Claim, namespace="default", field_selector="metadata.name=w", since=begin)
    print("watched:", *[f"{happened} {one.name}" for happened, one in [await anext(events) for _ in range(3)]])


async def statuses() -> None:
    one = await found("a")
    result = {"request": "gpu", "driver": "gpu.example.com", "pool": "node-1", "device": "gpu-0"}
    await one.patch({"status": {"allocation": {"devices": {"results": [result]}}}}, subresource="status")
    print("status:", one.status.allocation.devices.results[0].device)


async def refusals() -> None:
    missing = await claim(name="missing")
    print("missing:", await reason(sent("GET", missing, None)))
    print("there already:", await reason(made(claim(name="a"))))
    said = await refusal(made(claim("GPU", name="wrong")))
    print("refused:", said["code"], said["reason"], said["details"]["causes"][0]["field"])


async def kinds() -> None:
    device = {"name": "gpu-0", "attributes": {"model": {"string": "G80"}}}
    pool = {"name": "node-1", "generation": 1, "resourceSliceCount": 1}
    published = {"driver": "gpu.example.com", "nodeName": "node-1", "pool": pool, "devices": [device]}
    await made(Slice({"metadata": {"name": "s"}, "spec": published}))
    (one,) = [one async for one in Slice.list(field_selector="spec.driver=gpu.example.com")]
    print("slice:", one.spec.devices[0].attributes.model.string)
    policy = {"gang": {"minCount": 2}}
    group = await made(Group({"metadata": {"name": "g", "namespace": "default"}, "spec": {"schedulingPolicy": policy}}))
    print("group:", group.spec.schedulingPolicy.gang.minCount)
    high = await made(Priority({"metadata": {"name": "high"}, "value": 1000}))
    print("priority class:", high.raw.preemptionPolicy)


async def deletions() -> None:
    await sent("DELETE", await found("a"), {}, dryRun="All")
    print("deleted only in a dry run:", (await found("a")).name)
    for one in [one async for one in Claim.list(namespace="default")]:
        await one.delete()
    print("left:", len([one async for one in Claim.list(namespace="default")]))


async def main() -> None:
    for step in (writes, patches, reads, watches, statuses, refusals, kinds, deletions):
        await step()


asyncio.run(main())
