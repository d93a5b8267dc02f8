"""How CPU time and memory grow with the cluster: read JSON, plan 1,000 pods, explain one that fits nowhere.

    python -m benchmarks.growth [NODES …]     1000 10000 if nothing is said; 100000 needs a minute and 4 GB

Every size runs in a process of its own. The input is made here: nodes with eight devices each in a slice, as `kubectl
get -o json` would print them.
"""

from __future__ import annotations

import gc
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

DEVICES: Final = 8
PODS: Final = 1_000
DRIVER: Final = "gpu.example.com"

Json = dict[str, Any]


def objects(nodes: int) -> Iterator[Json]:
    """The cluster, a class, two templates, the pods, and one that asks for more than any node has."""
    selector = [{"cel": {"expression": f'device.driver == "{DRIVER}" && device.attributes["{DRIVER}"].type == "gpu"'}}]
    for number in range(nodes):
        yield node(f"node-{number:06d}")
        yield resource_slice(f"node-{number:06d}", number)
    yield {**_head("resource.k8s.io/v1", "DeviceClass", "gpu"), "spec": {"selectors": selector}}
    for name, count in (("one", 1), ("too-many", DEVICES + 1)):
        request = {"name": "gpu", "exactly": {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": count}}
        spec = {"spec": {"devices": {"requests": [request]}}}
        yield {**_head("resource.k8s.io/v1", "ResourceClaimTemplate", name, "default"), "spec": spec}
    for number in range(PODS):
        yield pod(f"pod-{number:04d}", "one")
    yield pod("too-much", "too-many")


def _head(version: str, kind: str, name: str, namespace: str = "") -> Json:
    metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": version, "kind": kind, "metadata": metadata}


def node(name: str) -> Json:
    amounts = {"cpu": "64", "memory": "512Gi", "pods": "110"}
    made = _head("v1", "Node", name)
    made["metadata"]["labels"] = {"kubernetes.io/hostname": name, "topology.kubernetes.io/zone": "z0"}
    return {**made, "status": {"allocatable": amounts, "capacity": amounts}}


def resource_slice(name: str, number: int) -> Json:
    devices = [
        {
            "name": f"gpu-{index}",
            "attributes": {
                "type": {"string": "gpu"},
                "index": {"int": index},
                "uuid": {"string": f"gpu-{number:06d}-{index}"},
                "productName": {"string": "h100"},
                "driverVersion": {"version": "560.35.3"},
                "resource.kubernetes.io/pcieRoot": {"string": f"pci0000:{index // 2}"},
            },
            "capacity": {"memory": {"value": "80Gi"}},
        }
        for index in range(DEVICES)
    ]
    pool = {"name": name, "generation": 1, "resourceSliceCount": 1}
    spec = {"driver": DRIVER, "pool": pool, "nodeName": name, "devices": devices}
    return {**_head("resource.k8s.io/v1", "ResourceSlice", f"{name}-gpu"), "spec": spec}


def pod(name: str, template: str) -> Json:
    container = {
        "name": "main",
        "image": "example.com/job",
        "resources": {"requests": {"cpu": "1", "memory": "1Gi"}, "claims": [{"name": "gpu"}]},
    }
    claims = [{"name": "gpu", "resourceClaimTemplateName": template}]
    return {**_head("v1", "Pod", name, "default"), "spec": {"containers": [container], "resourceClaims": claims}}


def write(path: Path, nodes: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write('{"apiVersion":"v1","kind":"List","items":[')
        for index, made in enumerate(objects(nodes)):
            file.write(("," if index else "") + json.dumps(made, separators=(",", ":")))
        file.write("]}\n")


def measure(path: str) -> None:
    """Answer both questions about one file, and print how long each step took."""
    start = time.process_time()
    from dravite.admission.admit import admit
    from dravite.api.meta import ObjectRef
    from dravite.api.releases import newest_profile
    from dravite.cli.dispatch import RARELY
    from dravite.explain import explain
    from dravite.planning.planner import make_plan
    from dravite.snapshot.snapshot import build
    from dravite.sources import read

    gc.set_threshold(*RARELY)
    marks = [("import", time.process_time() - start)]

    def step(name: str, since: float) -> float:
        marks.append((name, time.process_time() - since))
        return time.process_time()

    profile = newest_profile()
    now = time.process_time()
    documents = read((path,))
    now = step("read", now)
    manifests = admit(documents, profile)
    del documents
    now = step("admit", now)
    plan = make_plan(build(manifests, profile))
    now = step("plan", now)
    found = explain(plan, ObjectRef("Pod", "default", "too-much"))
    step("explain", now)
    assert found is not None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    placed = len(plan.decisions) - len(plan.unplaced)
    total = sum(seconds for _, seconds in marks)
    steps = ", ".join(f"{name} {seconds:.2f}" for name, seconds in marks)
    print(f"{len(plan.start.nodes):>7} nodes, {placed} placed: {total:6.2f} s ({steps}), {peak} MiB", flush=True)


def main(sizes: list[int]) -> None:
    for nodes in sizes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "cluster.json"
            write(path, nodes)
            subprocess.run([sys.executable, "-m", "benchmarks.growth", str(path)], check=True)


if __name__ == "__main__":
    if len(sys.argv) == 2 and not sys.argv[1].isdigit():
        measure(sys.argv[1])
    else:
        main([int(size) for size in sys.argv[1:]] or [1_000, 10_000])
