"""Pools from which nothing can be taken, as far as the claims might have used what they hold."""

from __future__ import annotations

from collections.abc import Iterator

from dravite.allocator.demands import Demand
from dravite.allocator.problem import Problem
from dravite.api.meta import DeviceID
from dravite.cel import CelError
from dravite.diagnosis.findings import PoolFinding
from dravite.snapshot.node_devices import NodeDevices
from dravite.snapshot.pools import PoolDevice
from dravite.snapshot.selector_verdicts import compiled_selector


def unusable(problem: Problem, devices: NodeDevices) -> tuple[tuple[PoolFinding, ...], int]:
    """The node's unusable pools that play a part, and how many devices they list that some request may want.

    A pool whose devices are all of other classes plays none. Obsolete pools are told only where there is nothing else.
    """
    current = tuple(finding for finding in devices.findings if finding.state != "obsolete")
    if not current:
        return (() if devices.devices else devices.findings), 0
    listed = {finding: tuple(_listed(problem, finding)) for finding in current}
    wanted = {finding: sum(_is_wanted(problem, one) for one in many) for finding, many in listed.items()}
    told = tuple(finding for finding in current if wanted[finding] or not listed[finding])
    return told, sum(wanted.values())


def _listed(problem: Problem, finding: PoolFinding) -> Iterator[PoolDevice]:
    """The devices in the slices of a pool."""
    for one in problem.inventory.index.slices:
        pool = one.spec.pool
        if (one.spec.driver, pool.name, pool.generation) == (finding.driver, finding.pool, finding.generation):
            for device in one.spec.devices or ():
                yield PoolDevice(DeviceID(one.spec.driver, pool.name, device.name), device, one.spec)


def _is_wanted(problem: Problem, device: PoolDevice) -> bool:
    """Whether the class of some request stands for the device."""
    demands = (demand for claim in problem.claims for request in claim.requests for demand in request.demands)
    return any(_is_of_class(problem, demand, device) for demand in demands)


def _is_of_class(problem: Problem, demand: Demand, device: PoolDevice) -> bool:
    for selector in demand.selectors:
        if selector.id.object.kind == "DeviceClass":
            program = compiled_selector(selector.expression)
            if isinstance(program, CelError):
                return True
            if problem.inventory.memory.verdicts.verdict(program, device) is False:
                return False
    return True
