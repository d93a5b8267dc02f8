"""What a pod's requests find on one node: every device is asked about, whatever the search had to look at.

A device that is busy and would be refused even if it were free is told by that deeper reason: who holds a network
card is of no interest to a request for GPUs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

import msgspec

from dravite.allocator.alike import alike_in
from dravite.allocator.demands import ClaimDemand, Demand
from dravite.allocator.problem import Problem
from dravite.allocator.why_not import why_not_any
from dravite.api.core_v1 import Node
from dravite.diagnosis.reasons import Rejection, SelectorFailed
from dravite.diagnosis.verdicts import AttemptError
from dravite.explain.devices.hidden import unusable
from dravite.explain.explanation import MOMENTARY, DeviceStory, RequestFinding
from dravite.explain.likeness import group_refusals
from dravite.scheduler.extended_resources import IN_MEMORY_NAME
from dravite.snapshot.node_use import NodeUse, node_use
from dravite.snapshot.usage import UNUSED

ELIGIBLE_LISTED = 8
NONE: Final[Mapping[str, str]] = MappingProxyType({})


class Scene(msgspec.Struct, frozen=True):
    """A problem on one node: the devices as they are taken now, and as if nothing were."""

    problem: Problem
    node: Node
    now: NodeUse
    idle: NodeUse

    @property
    def is_idle(self) -> bool:
        """Whether nothing is taken of the node's devices."""
        return all(usage is UNUSED for usage in self.now.usages)


def scene_of(problem: Problem, node: Node) -> Scene | AttemptError:
    """Set the scene, or say what keeps the node's devices from being read."""
    use = problem.inventory.use(node)
    if isinstance(use, AttemptError):
        return use
    return Scene(problem, node, use, node_use(use.devices, (UNUSED,) * len(use.devices.pools)))


def story(scene: Scene, entries: Sequence[str], resources: Mapping[str, str] = NONE) -> DeviceStory:
    """What each request of the problem finds on the node.

    Args:
        entries: the pod's entry of each claim.
        resources: the extended resource behind a request, for requests that stand for one.
    """
    devices = scene.now.devices
    findings = [
        msgspec.structs.replace(_finding(scene, claim, demand, entry), resource=_resource(entry, demand, resources))
        for claim, entry in zip(scene.problem.claims, entries, strict=False)
        for request in claim.requests
        for demand in request.demands
    ]
    pools, hidden = unusable(scene.problem, devices)
    return DeviceStory(
        node=devices.node,
        devices_seen=len(devices.devices),
        requests=tuple(findings),
        pools=pools,
        claims=tuple(source.object for _, source in scene.problem.asked),
        hidden=hidden,
    )


def eligible_positions(scene: Scene, claim: ClaimDemand, demand: Demand) -> tuple[int, ...]:
    """The devices that could serve a demand now, each by itself."""
    rejections = why_not_any(scene.problem, claim, demand, scene.now)
    return tuple(position for position, rejection in enumerate(rejections) if rejection is None)


def _resource(entry: str, demand: Demand, resources: Mapping[str, str]) -> str:
    return resources.get(demand.name, "") if entry == IN_MEMORY_NAME else ""


def _finding(scene: Scene, claim: ClaimDemand, demand: Demand, entry: str) -> RequestFinding:
    devices = scene.now.devices.devices
    answers = _deepest(scene, claim, demand)
    eligible = [device.id for device, rejection in zip(devices, answers, strict=True) if rejection is None]
    return RequestFinding(
        demand=demand.size_id,
        claim=demand.id.object,
        entry=entry,
        request=demand.name,
        needed=None if demand.takes_all else demand.count,
        eligible=len(eligible),
        seen=len(devices),
        refusals=group_refusals(rejection for rejection in answers if rejection is not None),
        eligible_devices=tuple(eligible[:ELIGIBLE_LISTED]),
    )


def _deepest(scene: Scene, claim: ClaimDemand, demand: Demand) -> tuple[Rejection | None, ...]:
    fit = _fit_when_idle(scene, claim, demand)
    if fit is not None and len(fit) == len(scene.now.devices.devices) and scene.is_idle:
        return (None,) * len(fit)
    now = why_not_any(scene.problem, claim, demand, scene.now)
    momentary = [position for position, rejection in enumerate(now) if isinstance(rejection, MOMENTARY)]
    if not momentary or (fit is not None and fit.issuperset(momentary)):
        return now
    idle = why_not_any(scene.problem, claim, demand, scene.idle)
    return tuple(_deeper(*pair) for pair in zip(now, idle, strict=True))


def _fit_when_idle(scene: Scene, claim: ClaimDemand, demand: Demand) -> frozenset[int] | None:
    """Devices with nothing against them once they are free, found out once for all nodes of one kind.

    None where it cannot be told from the kind: how large counters are is no part of it.
    """
    devices = scene.idle.devices
    notes = alike_in(scene.problem.inventory).notes(scene.problem, devices)
    if notes is None or any(pool.totals for pool in devices.pools):
        return None
    key = ("fit when idle", scene.problem.claims.index(claim), demand.name)
    known = notes.get(key)
    if not isinstance(known, frozenset):
        idle = why_not_any(scene.problem, claim, demand, scene.idle)
        known = notes[key] = frozenset(position for position, rejection in enumerate(idle) if rejection is None)
    return known


def _deeper(now: Rejection | None, idle: Rejection | None) -> Rejection | None:
    """An error on a device that is in use is met by nobody, so it is no reason."""
    if not isinstance(now, MOMENTARY) or idle is None or isinstance(idle, SelectorFailed):
        return now
    return idle
