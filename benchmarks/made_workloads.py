"""The workloads that are measured, made here: `python -m benchmarks.made_workloads NAME NODES [PODS] > FILE`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from typing import Any, Final

Json = dict[str, Any]

GPU, NIC = "gpu.example.com", "nic.example.com"
ROOT = "resource.kubernetes.io/pcieRoot"
MEMORY: Final = {"a100": "40Gi", "h100": "80Gi", "l40": "48Gi"}


def node_name(number: int) -> str:
    return f"node-{number:05d}"


def _pool(number: int, driver: str, count: int = 1, **more: object) -> Json:
    name = node_name(number)
    pool = {"name": name, "generation": 1, "resourceSliceCount": count}
    part = "-counters" if "sharedCounters" in more else ""
    return {
        "metadata": {"name": f"{driver}-{number:05d}{part}"},
        "spec": {"driver": driver, "pool": pool, "nodeName": name, **more},
    }


def _gpus(number: int, model: str) -> Json:
    devices = [
        {
            "name": f"gpu-{index}",
            "attributes": {
                "type": {"string": "gpu"},
                "index": {"int": index},
                "uuid": {"string": f"gpu-{number:05d}-{index}"},
                "productName": {"string": model},
                "driverVersion": {"version": "560.35.3"},
                "numaNode": {"int": index // 4},
                ROOT: {"string": f"pci0000:{index // 2}"},
            },
            "capacity": {"memory": {"value": MEMORY[model]}},
        }
        for index in range(8)
    ]
    return _pool(number, GPU, devices=devices)


def _nics(number: int) -> Json:
    devices = [
        {"name": f"nic-{index}", "attributes": {"numaNode": {"int": index}, ROOT: {"string": f"pci0000:{2 * index}"}}}
        for index in range(2)
    ]
    return _pool(number, NIC, devices=devices)


def _class(name: str, expression: str) -> Json:
    return {"metadata": {"name": name}, "spec": {"selectors": [{"cel": {"expression": expression}}]}}


def _wish(device_class: str, count: int = 1, *expressions: str, **more: object) -> Json:
    selectors = [{"cel": {"expression": one}} for one in expressions]
    wish = {"deviceClassName": device_class, "allocationMode": "ExactCount", "count": count, **more}
    return {**wish, "selectors": selectors} if selectors else wish


def _claim(constraint: Json | None = None, **requests: Json) -> Json:
    asked = [
        {"name": name, "exactly": wish} if "firstAvailable" not in wish else {"name": name, **wish}
        for name, wish in requests.items()
    ]
    devices: Json = {"requests": asked, **({"constraints": [constraint]} if constraint else {})}
    return {"metadata": {"name": "claim", "namespace": "default", "uid": "claim"}, "spec": {"devices": devices}}


def one_template(nodes: int, pods: int = 0) -> Json:
    """Eight whole GPUs per node; every pod wants one."""
    selector = f'device.driver == "{GPU}" && device.attributes["{GPU}"].type == "gpu"'
    return {
        "classes": [_class("gpu", selector)],
        "slices": [_gpus(number, "h100") for number in range(nodes)],
        "templates": {"one": [_claim(gpu=_wish("gpu"))]},
        "pods": ["one"] * (pods or 8 * nodes),
    }


def full(nodes: int, pods: int = 0) -> Json:
    """The same with nothing left: every answer is no."""
    made = one_template(nodes, pods or 20)
    results = [
        {"request": "gpu", "driver": GPU, "pool": node_name(number), "device": f"gpu-{index}"}
        for number in range(nodes)
        for index in range(8)
    ]
    status = {"allocation": {"devices": {"results": results}}}
    return {**made, "allocated": [{**_claim(gpu=_wish("gpu")), "status": status}]}


def mixed(nodes: int, pods: int = 0) -> Json:
    """Three models of GPU and two NICs per node; twenty templates in turn."""
    slices = [one for number in range(nodes) for one in (_gpus(number, sorted(MEMORY)[number % 3]), _nics(number))]
    templates = _twenty()
    names = sorted(templates)
    return {
        "classes": [_class("gpu", f'device.driver == "{GPU}"'), _class("nic", f'device.driver == "{NIC}"')],
        "slices": slices,
        "templates": templates,
        "pods": [names[number % len(names)] for number in range(pods or 5 * nodes)],
    }


def _twenty() -> dict[str, list[Json]]:
    attributes, capacity = f'device.attributes["{GPU}"]', f'device.capacity["{GPU}"]'
    model = {name: f'{attributes}.productName == "{name}"' for name in MEMORY}
    newer = f'{attributes}.driverVersion.isGreaterThan(semver("550.0.0"))'
    preferred = [
        {"name": "h100", **_wish("gpu", 1, model["h100"])},
        {"name": "a100", **_wish("gpu", 1, model["a100"])},
        {"name": "any", **_wish("gpu", 2)},
    ]
    return {
        **{f"any-{count}": [_claim(gpu=_wish("gpu", count))] for count in (1, 2, 4, 8)},
        **{f"{name}-{n}": [_claim(gpu=_wish("gpu", n, model[name]))] for name in MEMORY for n in (1, 2)},
        "memory-45": [_claim(gpu=_wish("gpu", 2, f'{capacity}.memory.isGreaterThan(quantity("45Gi"))'))],
        "memory-60": [_claim(gpu=_wish("gpu", 1, f'{capacity}.memory.compareTo(quantity("60Gi")) >= 0'))],
        "version": [_claim(gpu=_wish("gpu", 1, newer))],
        "same-numa": [_claim({"matchAttribute": f"{GPU}/numaNode"}, gpu=_wish("gpu", 2))],
        "same-root": [_claim({"matchAttribute": ROOT}, gpu=_wish("gpu"), nic=_wish("nic"))],
        "spread-roots": [_claim({"distinctAttribute": ROOT}, gpu=_wish("gpu", 2))],
        "prefer-h100": [_claim(gpu={"firstAvailable": preferred})],
        "two-claims": [_claim(gpu=_wish("gpu")), _claim(nic=_wish("nic"))],
        "two-requests": [
            _claim(a=_wish("gpu", 1, f"{attributes}.index < 4"), b=_wish("gpu", 1, f"{attributes}.index >= 4"))
        ],
        "nic": [_claim(nic=_wish("nic"))],
    }


def partitions(nodes: int, pods: int = 0) -> Json:
    """Four GPUs per node, each published whole and in nine parts over shared counters."""
    parts = [("full", 1, 80, 7), ("half", 2, 40, 3), ("small", 7, 10, 1)]
    devices = [
        {
            "name": f"gpu-{gpu}-{kind}-{index}",
            "attributes": {"profile": {"string": kind}, "parent": {"int": gpu}},
            "consumesCounters": [
                {
                    "counterSet": f"gpu-{gpu}",
                    "counters": {"memory": {"value": f"{memory}Gi"}, "cores": {"value": str(cores)}},
                }
            ],
        }
        for gpu in range(4)
        for kind, count, memory, cores in parts
        for index in range(count)
    ]
    whole = {"memory": {"value": "80Gi"}, "cores": {"value": "7"}}
    sets = [{"name": f"gpu-{gpu}", "counters": whole} for gpu in range(4)]
    slices = [
        one
        for number in range(nodes)
        for one in (_pool(number, GPU, 2, devices=devices), _pool(number, GPU, 2, sharedCounters=sets))
    ]
    profile = f'device.attributes["{GPU}"].profile'
    turn = ["small", "half", "small", "full", "small"]
    return {
        "classes": [_class("part", f'device.driver == "{GPU}"')],
        "slices": slices,
        "templates": {kind: [_claim(part=_wish("part", 1, f'{profile} == "{kind}"'))] for kind, *_ in parts},
        "pods": [turn[number % 5] for number in range(pods or 10 * nodes)],
    }


def shared(nodes: int, pods: int = 0) -> Json:
    """Four NICs per node that are shared by bandwidth."""
    policy = {"default": "1G", "validRange": {"min": "1G", "step": "1G", "max": "50G"}}
    devices = [
        {
            "name": f"nic-{index}",
            "allowMultipleAllocations": True,
            "attributes": {"index": {"int": index}},
            "capacity": {"bandwidth": {"value": "100G", "requestPolicy": policy}},
        }
        for index in range(4)
    ]
    wishes = {0: _wish("nic")} | {
        width: _wish("nic", capacity={"requests": {"bandwidth": f"{width}G"}}) for width in (10, 25, 40)
    }
    turn = [10, 25, 0, 40, 10]
    return {
        "classes": [_class("nic", f'device.driver == "{NIC}"')],
        "slices": [_pool(number, NIC, devices=devices) for number in range(nodes)],
        "templates": {f"bw-{width}": [_claim(nic=wish)] for width, wish in wishes.items()},
        "pods": [f"bw-{turn[number % 5]}" for number in range(pods or 23 * nodes)],
    }


WORKLOADS: Final[Mapping[str, Callable[[int, int], Json]]] = {
    "full": full,
    "mixed": mixed,
    "one-template": one_template,
    "partitions": partitions,
    "shared": shared,
}


def workload(name: str, nodes: int, pods: int = 0) -> Json:
    """A workload by name; without a number of pods as many as fill the cluster, or nearly."""
    made = [
        {"metadata": {"name": node_name(number), "labels": {"kubernetes.io/hostname": node_name(number)}}}
        for number in range(nodes)
    ]
    return {"name": f"{name}, {nodes} nodes", "profile": "default", "nodes": made, **WORKLOADS[name](nodes, pods)}


if __name__ == "__main__":
    json.dump(workload(sys.argv[1], *map(int, sys.argv[2:])), sys.stdout, separators=(",", ":"))
