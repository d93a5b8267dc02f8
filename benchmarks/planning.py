"""How long a plan takes: NODES nodes with eight devices each, and PODS pods with a claim of one device from a template.

`python -m benchmarks.planning [NODES] [PODS]`; 5,000 and 500 if nothing is said. The cluster is made here.
"""

from __future__ import annotations

import resource
import sys
import time

from dravite.diagnosis.verdicts import Scheduled
from dravite.planning.planner import make_plan
from dravite.snapshot.snapshot import build
from tests.clusters import device_class, devices_of, manifests, node, pod, release, template, with_claims

DEVICES = 8


def main(nodes: int = 5000, pods: int = 500) -> None:
    names = [f"node-{number:05}" for number in range(nodes)]
    given = manifests(
        *(node(name, cpu="64", memory="256Gi", pods="110") for name in names),
        *(devices_of(name, DEVICES) for name in names),
        device_class(),
        template("gpu"),
        *(with_claims(pod(f"pod-{number}"), gpu="@gpu") for number in range(pods)),
    )
    start = time.perf_counter()
    snapshot = build(given, release())
    built = time.perf_counter()
    plan = make_plan(snapshot)
    planned = time.perf_counter()
    placed = sum(isinstance(one.decision, Scheduled) for one in plan.decisions)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{nodes} nodes x {DEVICES} devices, {pods} pods: {placed} placed")
    print(f"snapshot {built - start:.2f} s, plan {planned - built:.2f} s, peak memory {peak} MiB")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
