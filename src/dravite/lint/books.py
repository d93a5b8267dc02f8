"""Hardware that is in two books: one device published under two names, or a device plugin beside a driver.

The scheduler knows devices by driver, pool and name only, so what is published twice is given away twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from dravite.api.core_v1 import Node
from dravite.api.document import Problem
from dravite.api.field import child, keyed
from dravite.api.meta import DeviceID
from dravite.api.resource_v1 import Device, DeviceClass, ResourceSlice
from dravite.lint.finding import did_you_mean, finding
from dravite.lint.pools import devices_of
from dravite.lint.world import Item, PodItem, World, folders
from dravite.snapshot.requests import IMPLICIT_PREFIX

TWO_NAMES: Final = "device-under-two-names"
TWO_BOOKS: Final = "two-books"
NOT_OFFERED: Final = "resource-not-offered"

_SERIALS: Final = ("uuid", "serial", "serialnumber")
"""Attributes, without their domain and in lower case, whose value one piece of hardware has and no other."""

_BUS_ADDRESS: Final = "resource.kubernetes.io/pciBusID"


def of_books(world: World) -> Iterator[Problem]:
    """Everything that is booked twice."""
    for near in folders(world.targets(ResourceSlice)):
        yield from _two_names(world.beside(ResourceSlice, near))
    for item in world.targets(Node):
        yield from _two_books(item, world.beside(ResourceSlice, item))


def of_resources(world: World) -> Iterator[Problem]:
    """Extended resources that pods ask for and neither a node offers nor a class serves."""
    for item in world.pods:
        if not item.around and world.complete:
            yield from _not_offered(world, item)


def _not_offered(world: World, item: PodItem) -> Iterator[Problem]:
    nodes = world.beside(Node, item)
    classes = [one.object for one in world.beside(DeviceClass, item)]
    offered = {name for node in nodes for name, amount in node.object.status.allocatable.items() if amount.nano > 0}
    offered |= {one.spec.extended_resource_name for one in classes if one.spec.extended_resource_name}
    for position, container in enumerate(item.pod.spec.containers if nodes else ()):
        for name in sorted(container.resources.limits):
            if _is_extended(name) and name not in offered and not name.startswith(IMPLICIT_PREFIX):
                message = f"no node given offers {name}, and no DeviceClass has it as its extendedResourceName"
                path = keyed(child("spec", "containers", position, "resources", "limits"), name)
                hint = _could_serve(name, classes) or did_you_mean(name, offered)
                yield finding(item.subject, NOT_OFFERED, message, path, hint)


def _could_serve(resource: str, classes: Sequence[DeviceClass]) -> str | None:
    """The first class of the resource's domain that serves no resource yet."""
    domain = resource.partition("/")[0]
    names = (one.metadata.name for one in classes if not one.spec.extended_resource_name)
    alike = sorted(name for name in names if f".{name}".endswith(f".{domain}"))
    if not alike:
        return None
    return f"set extendedResourceName: {resource} in DeviceClass {alike[0]}, or ask for {IMPLICIT_PREFIX}{alike[0]}"


def _is_extended(name: str) -> bool:
    domain, slash, _ = name.partition("/")
    return bool(slash) and not f".{domain}".endswith(".kubernetes.io")


def _two_names(slices: Sequence[Item]) -> Iterator[Problem]:
    """Devices of one node with one serial number, or one bus address under two drivers."""
    first: dict[tuple[str, str, str], tuple[DeviceID, Device]] = {}
    for item, position, device in devices_of(slices):
        spec = item.object.spec
        mine = DeviceID(spec.driver, spec.pool.name, device.name)
        for what, value in _identities(spec.driver, device):
            other, published = first.setdefault((spec.node_name or "", what, value), (mine, device))
            apart = other == mine or (what == _BUS_ADDRESS and other.driver == mine.driver)
            if apart or item.around or _share_counters(published, device):
                continue
            message = (
                f"{mine} and {other} have the same {what}, {value}: they are one piece of hardware under two names, "
                "and both can be allocated"
            )
            yield finding(item.subject, TWO_NAMES, message, child("spec", "devices", position))
            break


def _identities(driver: str, device: Device) -> Iterator[tuple[str, str]]:
    for name, value in device.attributes.items():
        if value.string_value and name.rpartition("/")[2].lower() in _SERIALS:
            yield name.rpartition("/")[2], value.string_value
        elif value.string_value and _BUS_ADDRESS in (name, f"{driver}/{name}"):
            yield _BUS_ADDRESS, value.string_value


def _share_counters(one: Device, other: Device) -> bool:
    """Whether shared counters keep the two from being allocated together."""
    return bool(
        {use.counter_set for use in one.consumes_counters} & {use.counter_set for use in other.consumes_counters}
    )


def _two_books(item: Item, slices: Sequence[Item]) -> Iterator[Problem]:
    """A device plugin's resource on a node where a driver of the same domain publishes devices (F7.3)."""
    node: Node = item.object
    published: dict[str, int] = {}
    for one, _, device in devices_of(slices):
        if node.metadata.name in (one.object.spec.node_name, device.node_name):
            published[one.object.spec.driver] = published.get(one.object.spec.driver, 0) + 1
    for resource, amount in sorted(node.status.allocatable.items()):
        domain, slash, _ = resource.partition("/")
        for driver, count in published.items() if slash and amount.nano > 0 else ():
            if f".{driver}".endswith(f".{domain}"):
                message = (
                    f"node {node.metadata.name} offers {amount.text} {resource} of a device plugin and "
                    f"{count} device{'' if count == 1 else 's'} of driver {driver}: the scheduler keeps two books, and "
                    "if it is the same hardware it is given away twice"
                )
                hint = "run only one of the two on a node; extendedResourceName of a class serves pods of the old kind"
                yield finding(item.subject, TWO_BOOKS, message, f"status.allocatable[{resource}]", hint)
