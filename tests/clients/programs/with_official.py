"""The suite with the official client: `kubernetes`, or `kubernetes.aio` if that is the argument."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from importlib import import_module
from inspect import isawaitable
from itertools import islice
from typing import Any

client, config, watch = (import_module(f"{sys.argv[1]}.{name}") for name in ("client", "config", "watch"))
LOOP = asyncio.new_event_loop()
HOME = "default"


def done(answer: Any) -> Any:
    """An answer, also where it has to be waited for."""
    return LOOP.run_until_complete(answer) if isawaitable(answer) else answer


async def connection() -> Any:
    return client.ApiClient()


done(config.load_kube_config())
API = done(connection())
CORE, DEVICES = client.CoreV1Api(API), client.ResourceV1Api(API)
GROUPS, PRIORITIES = client.SchedulingV1beta1Api(API), client.SchedulingV1Api(API)


def claim(name: str | None, **metadata: Any) -> Any:
    exactly = client.V1ExactDeviceRequest(device_class_name="gpu.example.com")
    devices = client.V1DeviceClaim(requests=[client.V1DeviceRequest(name="gpu", exactly=exactly)])
    return client.ResourceV1ResourceClaim(
        metadata=client.V1ObjectMeta(name=name, **metadata), spec=client.V1ResourceClaimSpec(devices=devices)
    )


def refusal(call: Callable[[], object]) -> dict[str, Any]:
    """The Status with which a call is refused."""
    try:
        done(call())
    except client.ApiException as error:
        return dict(json.loads(error.body))
    return {}


def reason(call: Callable[[], object]) -> str:
    said = refusal(call)
    return f"{said.get('code')} {said.get('reason')}"


def writes() -> None:
    made = done(DEVICES.create_namespaced_resource_claim(HOME, claim("a", labels={"suite": "1"})))
    exactly = made.spec.devices.requests[0].exactly
    print("created:", exactly.allocation_mode, exactly.count)
    read = done(DEVICES.read_namespaced_resource_claim("a", HOME))
    print("read:", read.metadata.uid == made.metadata.uid)
    drawn = done(DEVICES.create_namespaced_resource_claim(HOME, claim(None, generate_name="drawn-")))
    print("named:", drawn.metadata.name[:6], len(drawn.metadata.name))
    read.metadata.annotations = {"x": "y"}
    replaced = done(DEVICES.replace_namespaced_resource_claim("a", HOME, read))
    print("replaced:", replaced.metadata.annotations["x"])
    print("replaced after a change:", reason(lambda: DEVICES.replace_namespaced_resource_claim("a", HOME, read)))


def patches() -> None:
    merge = {"metadata": {"labels": {"n": "1"}}}
    operations = [{"op": "replace", "path": "/metadata/labels/n", "value": "2"}]
    print("merge patch:", patched(merge, "merge-patch+json"))
    print("JSON patch:", patched(operations, "json-patch+json"))
    containers = [client.V1Container(name=name, image="old") for name in ("c", "d")]
    pod = client.V1Pod(metadata=client.V1ObjectMeta(name="p"), spec=client.V1PodSpec(containers=containers))
    done(CORE.create_namespaced_pod(HOME, pod))
    change = {"spec": {"containers": [{"name": "c", "image": "new"}]}}
    strategic = "application/strategic-merge-patch+json"
    changed = done(CORE.patch_namespaced_pod("p", HOME, change, _content_type=strategic))
    print("strategic merge patch:", *(f"{one.name}={one.image}" for one in changed.spec.containers))
    print("applied:", done(applied("suite", "1")).metadata.labels["by"])
    print("applied by another:", reason(lambda: applied("other", "2")))


def patched(change: object, kind: str) -> str:
    made = DEVICES.patch_namespaced_resource_claim("a", HOME, change, _content_type=f"application/{kind}")
    return str(done(made).metadata.labels["n"])


def applied(manager: str, value: str) -> Any:
    name = "gpu.example.com"
    metadata = {"name": name, "labels": {"by": value}}
    body = {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": metadata}
    return DEVICES.patch_device_class(name, body, field_manager=manager, _content_type="application/apply-patch+yaml")


def reads() -> None:
    groups = {one.name: one.preferred_version.version for one in done(client.ApisApi(API).get_api_versions()).groups}
    plurals = [one.name for one in done(DEVICES.get_api_resources()).resources]
    print("discovered:", groups["resource.k8s.io"], "resourceclaims" in plurals)
    chosen = {"label_selector": "suite=1", "field_selector": "metadata.name=a"}
    print("selected:", *names(done(DEVICES.list_namespaced_resource_claim(HOME, **chosen))))
    for number in range(101):
        config_map = {"metadata": {"name": f"page-{number}", "labels": {"pages": "1"}}}
        done(CORE.create_namespaced_config_map(HOME, config_map))
    page = done(CORE.list_namespaced_config_map(HOME, label_selector="pages=1", limit=40))
    found = len(page.items)
    while token := page.metadata._continue:
        page = done(CORE.list_namespaced_config_map(HOME, label_selector="pages=1", limit=40, _continue=token))
        found += len(page.items)
    print("in pages:", found)


def names(found: Any) -> list[str]:
    return [one.metadata.name for one in found.items]


def watches() -> None:
    """Device classes: the client does not find its own class of claims when it watches them."""
    begin = done(DEVICES.list_device_class()).metadata.resource_version
    done(DEVICES.create_device_class({"metadata": {"name": "w"}, "spec": {}}))
    done(DEVICES.patch_device_class("w", {"metadata": {"labels": {"n": "1"}}}))
    done(DEVICES.delete_device_class("w"))
    stream = watch.Watch().stream(DEVICES.list_device_class, resource_version=begin, timeout_seconds=20)
    events = done(first(stream)) if hasattr(stream, "__aiter__") else list(islice(stream, 3))
    print("watched:", *(f"{event['type']} {event['object'].metadata.name}" for event in events))


async def first(stream: Any) -> list[Any]:
    return [await anext(stream) for _ in range(3)]


def statuses() -> None:
    result = {"request": "gpu", "driver": "gpu.example.com", "pool": "node-1", "device": "gpu-0"}
    change = {"status": {"allocation": {"devices": {"results": [result]}}}}
    allocated = done(DEVICES.patch_namespaced_resource_claim_status("a", HOME, change))
    print("status:", allocated.status.allocation.devices.results[0].device)


def refusals() -> None:
    print("missing:", reason(lambda: DEVICES.read_namespaced_resource_claim("missing", HOME)))
    print("there already:", reason(lambda: DEVICES.create_namespaced_resource_claim(HOME, claim("a"))))
    wrong = claim("wrong")
    wrong.spec.devices.requests[0].name = "GPU"
    said = refusal(lambda: DEVICES.create_namespaced_resource_claim(HOME, wrong))
    print("refused:", said["code"], said["reason"], said["details"]["causes"][0]["field"])


def kinds() -> None:
    pool = client.V1ResourcePool(name="node-1", generation=1, resource_slice_count=1)
    device = client.V1Device(name="gpu-0", attributes={"model": client.V1DeviceAttribute(string="G80")})
    published = client.V1ResourceSliceSpec(driver="gpu.example.com", node_name="node-1", pool=pool, devices=[device])
    done(DEVICES.create_resource_slice(client.V1ResourceSlice(metadata={"name": "s"}, spec=published)))
    (found,) = done(DEVICES.list_resource_slice(field_selector="spec.driver=gpu.example.com")).items
    print("slice:", found.spec.devices[0].attributes["model"].string)
    gang = client.V1beta1PodGroupSchedulingPolicy(gang=client.V1beta1GangSchedulingPolicy(min_count=2))
    group = client.V1beta1PodGroup(metadata={"name": "g"}, spec=client.V1beta1PodGroupSpec(scheduling_policy=gang))
    made = done(GROUPS.create_namespaced_pod_group(HOME, group))
    print("group:", made.spec.scheduling_policy.gang.min_count)
    high = client.V1PriorityClass(metadata={"name": "high"}, value=1000)
    print("priority class:", done(PRIORITIES.create_priority_class(high)).preemption_policy)


def deletions() -> None:
    done(DEVICES.delete_namespaced_resource_claim("a", HOME, dry_run="All"))
    print("deleted only in a dry run:", done(DEVICES.read_namespaced_resource_claim("a", HOME)).metadata.name)
    done(DEVICES.delete_namespaced_resource_claim("a", HOME))
    done(DEVICES.delete_collection_namespaced_resource_claim(HOME))
    print("left:", len(done(DEVICES.list_namespaced_resource_claim(HOME)).items))


for step in (writes, patches, reads, watches, statuses, refusals, kinds, deletions):
    step()
done(API.close())
