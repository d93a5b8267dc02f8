"""Decode 33 MB of ResourceSlices into types: seconds, and how much memory the objects take.

Run `python -m benchmarks.decoding`. The input is made here.
"""

from __future__ import annotations

import gc
import resource
import time

import msgspec

from dravite.api.codec import Decoded, decode
from dravite.api.documents import split

SLICES = 5_000
DEVICES = 16
MAX_SECONDS = 0.6
MAX_MEGABYTES = 200


def device(node: int, index: int) -> dict[str, object]:
    texts = {
        "type": "gpu",
        "uuid": f"GPU-{node:08x}-{index:04x}-4c1b-9f3a-0123456789ab",
        "productName": "Example A-100 80GB",
        "brand": "Example",
        "architecture": "Ample",
        "resource.kubernetes.io/pcieRoot": f"pci0000:{index:02x}",
    }
    attributes: dict[str, object] = {name: {"string": text} for name, text in texts.items()}
    attributes |= {"driverVersion": {"version": "550.54.15"}, "index": {"int": index}}
    capacity = {"memory": {"value": "80Gi"}, "multiprocessors": {"value": str(98 + index)}}
    return {"name": f"gpu-{index}", "attributes": attributes, "capacity": capacity}


def resource_slice(number: int) -> dict[str, object]:
    node = f"node-{number:05d}"
    pool = {"name": node, "generation": 1, "resourceSliceCount": 1}
    devices = [device(number, index) for index in range(DEVICES)]
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": f"{node}-gpu", "uid": f"uid-{number}", "creationTimestamp": "2026-01-01T00:00:00Z"},
        "spec": {"driver": "gpu.example.com", "nodeName": node, "pool": pool, "devices": devices},
    }


def dump() -> bytes:
    return msgspec.json.encode(
        {"apiVersion": "v1", "kind": "List", "items": [resource_slice(number) for number in range(SLICES)]}
    )


def peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def resident_megabytes() -> float:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 2**20


def main() -> None:
    data = dump()
    gc.collect()
    before = resident_megabytes()
    start = time.perf_counter()
    objects = [decode(document) for document in split("dump.json", data)]
    seconds = time.perf_counter() - start
    megabytes = resident_megabytes() - before
    assert all(isinstance(found, Decoded) for found in objects)
    print(f"{len(data) / 1e6:.1f} MB, {len(objects)} slices: {seconds:.2f} s, {megabytes:.0f} MB")
    print(f"limits: {MAX_SECONDS} s, {MAX_MEGABYTES} MB; peak of the process {peak_megabytes():.0f} MB")


if __name__ == "__main__":
    main()
