"""Read lists of ResourceSlices into typed objects: dravite, lightkube and the official client, side by side.

    pip install -r requirements-clients.txt && python -m benchmarks.clients

The input is made here: lists of 10.5 and 33.5 MB, 16 devices a slice, 8 attributes a device. Exit code 1 where dravite
is slower than lightkube or not ten times as fast as the official client. Clients that are not installed are left out.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import msgspec

from benchmarks.decoding import resource_slice
from dravite.api.resource_v1 import ResourceSliceList

MEGABYTES = (10.5, 33.5)
RUNS = 5
FASTER_THAN_OFFICIAL = 10


def dump(megabytes: float) -> bytes:
    """A list of about so many megabytes, as an API server answers with it."""
    one = len(msgspec.json.encode(resource_slice(0))) + 1
    items = [resource_slice(number) for number in range(round(megabytes * 1e6 / one))]
    body = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSliceList", "metadata": {"resourceVersion": "1"}}
    return msgspec.json.encode(body | {"items": items})


def seconds(read: Callable[[], object], runs: int) -> float:
    """The best of some runs; what a run leaves behind is cleared between them."""
    best = float("inf")
    for _ in range(runs):
        gc.collect()
        start = time.perf_counter()
        result = read()
        best = min(best, time.perf_counter() - start)
        del result
    return best


def dravite(data: bytes) -> Iterator[tuple[str, float]]:
    yield "dravite from_json, strict", seconds(lambda: ResourceSliceList.from_json(data), RUNS)
    plain = json.loads(data)
    yield "dravite from_dict, strict", seconds(lambda: ResourceSliceList.from_dict(plain), RUNS)
    made = ResourceSliceList.from_json(data)
    yield "dravite to_json", seconds(made.to_json, RUNS)
    yield "dravite to_dict", seconds(made.to_dict, RUNS)


def lightkube(data: bytes) -> Iterator[tuple[str, float]]:
    model: Any = import_module("lightkube.models.resource_v1").ResourceSliceList
    decoder = msgspec.json.Decoder(model)
    yield "lightkube from JSON, as its client does", seconds(lambda: decoder.decode(data), RUNS)
    plain = json.loads(data)
    yield "lightkube from_dict", seconds(lambda: model.from_dict(plain), RUNS)
    made = model.from_dict(plain)
    yield "lightkube to_dict", seconds(made.to_dict, RUNS)


def official(data: bytes) -> Iterator[tuple[str, float]]:
    model: Any = import_module("kubernetes.client").V1ResourceSliceList
    text = data.decode()
    yield "kubernetes from_json", seconds(lambda: model.from_json(text), 1)
    made = model.from_json(text)
    yield "kubernetes to_dict", seconds(made.to_dict, 1)


def measured(data: bytes) -> dict[str, float]:
    found: dict[str, float] = {}
    for client in (dravite, lightkube, official):
        try:
            for name, taken in client(data):
                found[name] = taken
                print(f"  {name:<42}{taken:8.3f} s")
        except ModuleNotFoundError as error:
            print(f"  {client.__name__}: not installed ({error.name})")
    return found


def main() -> int:
    kept = True
    for megabytes in MEGABYTES:
        data = dump(megabytes)
        print(f"{len(data) / 1e6:.1f} MB")
        found = measured(data)
        ours = found["dravite from_json, strict"]
        other = found.get("lightkube from JSON, as its client does", ours)
        slow = found.get("kubernetes from_json", ours * FASTER_THAN_OFFICIAL)
        kept &= ours <= other and slow >= FASTER_THAN_OFFICIAL * ours
        print(f"  against lightkube: {other / ours:.1f} times as fast; against kubernetes: {slow / ours:.0f} times")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
