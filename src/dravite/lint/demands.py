"""What claims ask for, request by request, with the selectors that a device has to pass: those of the class first."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from dravite.api.field import child
from dravite.api.meta import ObjectRef
from dravite.api.resource_v1 import (
    DeviceClass,
    DeviceSelector,
    DeviceSubRequest,
    ExactDeviceRequest,
    ResourceClaim,
    ResourceClaimTemplate,
)
from dravite.lint.claims import spec_of
from dravite.lint.world import Item, World


class Selector(msgspec.Struct, frozen=True):
    """One expression and where it stands; `item` is the class or the claim."""

    item: Item
    path: str
    expression: str


class Demand(msgspec.Struct, frozen=True, kw_only=True):
    """One way to serve one request.

    Attributes:
        name: what results call it: `req`, or `req/sub` for an alternative.
        path: where it stands in the claim or template.
        device_class: the class that it names; None where that is not here.
        siblings: how many alternatives the request has; none where it is asked for exactly.
    """

    item: Item
    name: str
    path: str
    wanted: ExactDeviceRequest | DeviceSubRequest
    device_class: Item | None
    siblings: int

    @property
    def alternative(self) -> bool:
        """Whether others may take its place."""
        return self.siblings > 0

    @property
    def selectors(self) -> tuple[Selector, ...]:
        """The selectors of the class, then those of the request."""
        own = tuple(selectors_in(self.item, self.wanted.selectors, f"{self.path}.selectors"))
        return (*(class_selectors(self.device_class) if self.device_class else ()), *own)


def demands(world: World) -> Iterator[Demand]:
    """All that is asked for in the good claims and templates that are spoken of."""
    for item in (*world.targets(ResourceClaim), *world.targets(ResourceClaimTemplate)):
        if item.good:
            yield from demands_of(world, item)


def demands_of(world: World, item: Item) -> Iterator[Demand]:
    """What one claim or template asks for."""
    spec, path = spec_of(item)
    for position, request in enumerate(spec.devices.requests):
        place = child(path, "devices", "requests", position)
        wanted: list[tuple[str, str, ExactDeviceRequest | DeviceSubRequest]] = []
        if request.exactly is not None:
            wanted.append((request.name, child(place, "exactly"), request.exactly))
        for number, sub in enumerate(request.first_available):
            wanted.append((f"{request.name}/{sub.name}", child(place, "firstAvailable", number), sub))
        for name, where, one in wanted:
            yield Demand(
                item=item,
                name=name,
                path=where,
                wanted=one,
                device_class=world.meant(ObjectRef("DeviceClass", "", one.device_class_name), item),
                siblings=len(request.first_available),
            )


def class_selectors(item: Item) -> tuple[Selector, ...]:
    """The selectors of a DeviceClass."""
    found: DeviceClass = item.object
    return tuple(selectors_in(item, found.spec.selectors, "spec.selectors"))


def selectors_in(item: Item, selectors: tuple[DeviceSelector, ...], path: str) -> Iterator[Selector]:
    """The CEL selectors of a list."""
    for position, selector in enumerate(selectors):
        if selector.cel is not None:
            yield Selector(item, f"{path}[{position}].cel.expression", selector.cel.expression)
