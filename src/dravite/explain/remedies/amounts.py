"""Asking for less of a capacity: what one device has left, as its request policy takes it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

from dravite.allocator.capacity import most_allowed
from dravite.api.meta import DeviceID
from dravite.api.quantity import ZERO, Quantity
from dravite.api.resource_v1 import CapacityRequirements, Device
from dravite.diagnosis.reasons import CapacityShort, ConstraintID, PolicyViolated
from dravite.explain.case import Case
from dravite.explain.diagnose import Diagnosis
from dravite.explain.explanation import RequestFinding
from dravite.explain.remedies import advice as a
from dravite.explain.remedies.proposals import Proposal, edit_at, value
from dravite.explain.selectors.failure import cluster_devices
from dravite.explain.selectors.unpublished import capacity_id
from dravite.snapshot.changes import Change

_TooMuch: TypeAlias = CapacityShort | PolicyViolated


class _Less(NamedTuple):
    """The most that a device could give in place of what was asked (or implied), and the nodes that see it."""

    capacity: str
    asked: str
    possible: Quantity
    implied: bool
    nodes: tuple[str, ...]


def lower_amounts(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """As much of a capacity as the best device can give."""
    devices: Mapping[DeviceID, Device] = {}
    best: dict[ConstraintID, _Less] = {}
    for group in found.evidence.groups:
        for request in group.devices.requests if group.devices is not None else ():
            for one in _refused(request):
                devices = devices or {seen.id: seen.device for seen in cluster_devices(case)}
                less = _less(one, devices, group.nodes)
                demand = capacity_id(request, one.capacity)
                if less is not None and (demand not in best or less.possible > best[demand].possible):
                    best[demand] = less
    for demand, less in best.items():
        advice = a.LowerCapacity(demand, less.capacity, less.asked, less.possible.text, less.implied)
        changes = _asking(case, demand, less)
        yield Proposal(("amount", demand), advice, changes, nodes=less.nodes)


def _asking(case: Case, demand: ConstraintID, less: _Less) -> tuple[Change, ...]:
    """The edit of the amount, in a request that may not have asked for any."""
    place = ConstraintID(demand.object, demand.path.rpartition(".requests[")[0])
    amounts = CapacityRequirements(requests={less.capacity: less.possible})
    return edit_at(case.snapshot, demand, value(less.possible)) or edit_at(case.snapshot, place, value(amounts))


def _refused(request: RequestFinding) -> Iterator[_TooMuch]:
    rejections = (one for refusal in request.refusals for one in refusal.rejections)
    yield from (one for one in rejections if isinstance(one, CapacityShort | PolicyViolated))


def _less(one: _TooMuch, devices: Mapping[DeviceID, Device], nodes: tuple[str, ...]) -> _Less | None:
    """What the device that refused could give; None where that is nothing."""
    device = devices.get(one.device)
    if device is None:
        return None
    capacity = device.capacity[one.capacity]
    match one:
        case CapacityShort():
            asked, left = one.requested or one.rounded, Quantity.parse(one.available)
            implied = one.requested is None
        case PolicyViolated():
            asked, left, implied = one.requested, capacity.value, False
    possible = most_allowed(capacity, left)
    return None if possible is None or possible <= ZERO else _Less(one.capacity, asked, possible, implied, nodes)
