"""How many CPU seconds gangs take: NODES nodes with eight devices, in racks of 20, and PODS pods in GROUPS gangs.

`python -m benchmarks.groups [NODES] [PODS] [GROUPS]`; 1,000, 1,000 and 50 if nothing is said. Each pod claims a device.
Planned three times: with room for all, with a rack for each gang, and with racks that lack a device for any gang; then
one of these is explained.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

from dravite.api.meta import ObjectRef
from dravite.diagnosis.verdicts import Scheduled
from dravite.explain import explain_group
from dravite.planning.plan import Plan
from dravite.planning.planner import make_plan
from dravite.snapshot.snapshot import Snapshot
from tests.clusters import (
    cluster,
    device_class,
    devices_of,
    group,
    in_domain,
    members,
    node,
    release,
    template,
    with_claims,
)

GATES = "GenericWorkload=true,TopologyAwareWorkloadScheduling=true"
RACK = 20


def main(nodes: int = 1000, pods: int = 1000, groups: int = 50) -> None:
    size = pods // groups
    print(f"{nodes} nodes in racks of {RACK}, {groups} gangs of {size} pods")
    _planned("room for all", made(nodes, groups, size, devices=8))
    _planned("one rack each", made(nodes, groups, size, devices=8, rack="rack"))
    plan = _planned("racks too small", made(nodes, groups, max(size, RACK) + 1, devices=1, rack="rack"))
    start = time.process_time()
    told = explain_group(plan, ObjectRef("PodGroup", "default", "g0"))
    print(f"explain one gang   {time.process_time() - start:6.2f} s   {len(told.remedies)} remedies")


def _planned(what: str, snapshot: Snapshot) -> Plan:
    start = time.process_time()
    plan = make_plan(snapshot)
    took = time.process_time() - start
    placed = sum(isinstance(one.decision, Scheduled) for one in plan.decisions)
    print(f"{what:18} {took:6.2f} s   {placed} pods placed")
    return plan


def made(nodes: int, groups: int, size: int, *, devices: int, rack: str = "") -> Snapshot:
    """The cluster and its gangs, each in one domain of the label `rack` if that is given."""
    return cluster(*_objects(nodes, groups, size, devices, rack), on=release("1.37", GATES))


def _objects(nodes: int, groups: int, size: int, devices: int, rack: str) -> Iterator[object]:
    yield from (device_class(), template("gpu"))
    for number in range(nodes):
        name = f"node-{number:05}"
        yield node(name, {"rack": f"rack-{number // RACK:03}"}, cpu="64", memory="256Gi", pods="110")
        yield devices_of(name, devices)
    constraint = {"scheduling_constraints": in_domain(rack)} if rack else {}
    for number in range(groups):
        yield group(f"g{number}", size, **constraint)
        yield from (with_claims(one, gpu="@gpu") for one in members(size, of=f"g{number}"))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
