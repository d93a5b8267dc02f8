"""How long `dravite explain --live` takes on a large cluster, from process start, and how much memory.

`python -m benchmarks.live [NODES] [CLAIMS] [PODS]`; 5000, 2000 and 20000 if nothing is said, with a slice of eight
devices for each node. The cluster is served by another process on this machine.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.live.server import ApiServer, serving

CREATED = "2026-01-01T00:00:00Z"
DEVICES = 8
SUBJECT = "wait"
ROOT = Path(__file__).parents[1]


def meta(name: str, number: int, **more: Any) -> dict[str, Any]:
    """Metadata as large as servers keep it."""
    fields = {"f:status": {f"f:part-{one}": {".": {}, "f:lastTransitionTime": {}, "f:type": {}} for one in range(30)}}
    managed = [{"manager": "kubelet", "operation": "Update", "time": CREATED, "fieldsV1": fields}]
    return {
        "name": name,
        "uid": f"{name}-uid",
        "resourceVersion": str(number),
        "creationTimestamp": CREATED,
        "managedFields": managed,
        **more,
    }


def node(number: int) -> dict[str, Any]:
    name = f"node-{number:05}"
    room = {"cpu": "64", "memory": "256Gi", "pods": "110"}
    labels = {"kubernetes.io/hostname": name, "topology.kubernetes.io/zone": f"zone-{number % 3}"}
    condition = {"type": "Ready", "status": "True", "lastHeartbeatTime": CREATED, "lastTransitionTime": CREATED}
    images = [{"names": [f"registry/image-{one}:v1"], "sizeBytes": 10**7} for one in range(20)]
    return {
        "kind": "Node",
        "metadata": meta(name, number, labels=labels),
        "spec": {},
        "status": {"capacity": room, "allocatable": room, "conditions": [condition], "images": images},
    }


def devices(number: int) -> dict[str, Any]:
    name = f"node-{number:05}"
    found = [
        {
            "name": f"gpu-{one}",
            "attributes": {"model": {"string": "G80"}, "index": {"int": one}, "uuid": {"string": f"{name}-{one}"}},
            "capacity": {"memory": {"value": "80Gi"}},
        }
        for one in range(DEVICES)
    ]
    pool = {"name": name, "generation": 1, "resourceSliceCount": 1}
    spec = {"driver": "gpu.example.com", "nodeName": name, "pool": pool, "devices": found}
    return {"kind": "ResourceSlice", "metadata": meta(f"{name}-gpus", number), "spec": spec}


def claim(number: int, nodes: int) -> dict[str, Any]:
    name, where = f"pod-{number}-gpu", f"node-{number % nodes:05}"
    request = {"name": "gpu", "exactly": {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 1}}
    device = f"gpu-{number // nodes}"
    result = {"request": "gpu", "driver": "gpu.example.com", "pool": where, "device": device}
    user = {"resource": "pods", "name": f"pod-{number}", "uid": f"pod-{number}-uid"}
    return {
        "kind": "ResourceClaim",
        "metadata": meta(name, number, namespace="ml"),
        "spec": {"devices": {"requests": [request]}},
        "status": {"allocation": {"devices": {"results": [result]}}, "reservedFor": [user]},
    }


def pod(name: str, number: int, where: str | None, claims: dict[str, str]) -> dict[str, Any]:
    container = {
        "name": "main",
        "image": "registry/image-1:v1",
        "env": [{"name": f"SETTING_{one}", "value": "v" * 30} for one in range(8)],
        "resources": {"requests": {"cpu": "1", "memory": "1Gi"}, "claims": [{"name": "gpu"}] if claims else []},
        "terminationMessagePath": "/dev/termination-log",
        "imagePullPolicy": "IfNotPresent",
    }
    spec: dict[str, Any] = {"containers": [container], "schedulerName": "default-scheduler", "priority": 0}
    if where:
        spec["nodeName"] = where
    if claims:
        spec["resourceClaims"] = [{"name": "gpu", **claims}]
    status = {"phase": "Running" if where else "Pending", "podIP": "10.0.0.1", "startTime": CREATED}
    labels = {"app": f"app-{number % 50}", "pod-template-hash": "abcdef"}
    return {
        "kind": "Pod",
        "metadata": meta(name, number, namespace="ml", labels=labels),
        "spec": spec,
        "status": status,
    }


def cluster(nodes: int, claims: int, pods: int) -> Iterator[dict[str, Any]]:
    """Nodes and devices, pods that run on them, and one that asks for more devices than any node has left."""
    selector = {"cel": {"expression": 'device.driver == "gpu.example.com"'}}
    yield {"kind": "DeviceClass", "metadata": meta("gpu", 1), "spec": {"selectors": [selector]}}
    request = {"name": "gpu", "exactly": {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": DEVICES}}
    template = {"spec": {"devices": {"requests": [request]}}}
    yield {"kind": "ResourceClaimTemplate", "metadata": meta("all", 1, namespace="ml"), "spec": template}
    yield from map(node, range(nodes))
    yield from map(devices, range(nodes))
    yield from (claim(number, nodes) for number in range(claims))
    for number in range(pods):
        used = {"resourceClaimName": f"pod-{number}-gpu"} if number < claims else {}
        yield pod(f"pod-{number}", number, f"node-{number % nodes:05}", used)
    yield pod(SUBJECT, pods, None, {"resourceClaimTemplateName": "all"})


def serve(folder: Path, *size: int) -> None:
    """Serve the cluster until the parent goes."""
    with serving(ApiServer(cluster(*size))) as api:
        api.kubeconfig(folder)
        print("ready", flush=True)
        sys.stdin.read()


def main(nodes: int = 5000, claims: int = 2000, pods: int = 20000) -> None:
    with tempfile.TemporaryDirectory() as folder:
        size = [str(one) for one in (nodes, claims, pods)]
        words = [sys.executable, "-m", "benchmarks.live", "serve", folder, *size]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as server:
            assert server.stdout is not None
            server.stdout.readline()
            ask(Path(folder), nodes, claims, pods)
            server.kill()


def ask(folder: Path, nodes: int, claims: int, pods: int) -> None:
    words = ["explain", "--kubeconfig", str(folder / "kubeconfig"), "-n", "ml", f"pod/{SUBJECT}", "-o", "json"]
    code = "import sys; from dravite.cli import main; sys.exit(main())"
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-c", code, *words], stdout=subprocess.PIPE, cwd=ROOT)
    assert process.stdout is not None
    told = process.stdout.read()
    _, _, usage = os.wait4(process.pid, 0)
    took = time.perf_counter() - start
    (answer,) = json.loads(told)["pods"]
    print(
        f"{nodes} nodes x {DEVICES} devices, {claims} claims, {pods} pods: {answer['verdict']} {answer['node'] or ''}"
    )
    busy = usage.ru_utime + usage.ru_stime
    print(f"answered in {took:.2f} s from process start ({busy:.2f} s busy), peak memory {usage.ru_maxrss // 1024} MiB")


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        serve(Path(sys.argv[2]), *map(int, sys.argv[3:]))
    else:
        main(*map(int, sys.argv[1:]))
