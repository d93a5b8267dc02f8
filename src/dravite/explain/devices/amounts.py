"""Capacities and counters that are short, over all nodes: what is needed, the most there is in one place, the total."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from dravite.api.meta import DeviceID
from dravite.api.quantity import ZERO, Quantity
from dravite.diagnosis.reasons import CapacityShort, CountersExhausted, PolicyViolated, Rejection
from dravite.explain.explanation import NodeGroup
from dravite.explain.insights import AmountInsight


class _Key(msgspec.Struct, frozen=True):
    what: Literal["capacity", "counter"]
    request: str
    name: str
    needed: str


class _Left(msgspec.Struct, frozen=True):
    """What is left in one place, a device or a counter set, and what there is at all."""

    left: Quantity
    total: Quantity


class Amounts:
    """Gathers what rejections say about amounts; the order of the insights is that of the first rejections."""

    def __init__(self) -> None:
        self._places: dict[_Key, dict[object, _Left]] = {}
        self._devices: dict[_Key, set[DeviceID]] = {}

    def add(self, request: str, rejections: Iterable[Rejection]) -> None:
        """Note the rejections of one request on one node."""
        for rejection in rejections:
            match rejection:
                case CapacityShort(device=device, capacity=name, rounded=needed, available=left, value=value):
                    self._note(_Key("capacity", request, name, needed), device, device, _left(left, value))
                case CountersExhausted(
                    device=device, counter_set=counters, counter=name, needed=needed, available=left
                ):
                    place = (device.driver, device.pool, counters)
                    self._note(_Key("counter", request, f"{counters}/{name}", needed), device, place, _left(left, left))

    def all(self) -> tuple[AmountInsight, ...]:
        """One insight per request, name and needed amount."""
        return tuple(self._insight(key, list(places.values())) for key, places in self._places.items())

    def _note(self, key: _Key, device: DeviceID, place: object, left: _Left) -> None:
        self._places.setdefault(key, {})[place] = left
        self._devices.setdefault(key, set()).add(device)

    def _insight(self, key: _Key, places: list[_Left]) -> AmountInsight:
        return AmountInsight(
            what=key.what,
            request=key.request,
            name=key.name,
            needed=key.needed,
            largest=max(place.left for place in places).text,
            largest_total=max(place.total for place in places).text,
            total=sum((place.left for place in places if place.left > ZERO), ZERO).text,
            devices=len(self._devices[key]),
        )


def is_policed(amount: AmountInsight, groups: Iterable[NodeGroup]) -> bool:
    """Whether policies of devices refuse the amount, too: then the sums over the other devices tell half the story."""
    return any(
        isinstance(refusal.reason, PolicyViolated) and refusal.reason.capacity == amount.name
        for group in groups
        for request in (group.devices.requests if group.devices else ())
        for refusal in request.refusals
        if request.request == amount.request
    )


def _left(left: str, total: str) -> _Left:
    return _Left(Quantity.parse(left), Quantity.parse(total))
