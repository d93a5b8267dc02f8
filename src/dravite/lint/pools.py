"""Slices that do not fit together: incomplete pools, mixed generations, names and counters, devices out of reach.

Slices belong together when they stand in one folder, with the surroundings behind them. A server sees one slice at a
time and accepts all of this; the scheduler then takes nothing from the pool, or not what was meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

import msgspec

from dravite.admission.cross_checks import INCOMPLETE, cross_check
from dravite.api.core_v1 import Node
from dravite.api.document import Problem
from dravite.api.field import child, keyed
from dravite.api.names import node_matches
from dravite.api.node_selector import NodeSelector
from dravite.api.resource_v1 import Device, ResourceClaim, ResourceSlice
from dravite.lint.finding import finding
from dravite.lint.world import Item, World, folders

COUNTS_DIFFER: Final = "slice-counts-differ"
MIXED: Final = "pool-generations-mixed"
DEVICE_TWICE: Final = "device-name-twice"
COUNTERS_TWICE: Final = "counter-set-twice"
TOO_SMALL: Final = "counter-too-small"
UNREACHABLE: Final = "pool-unreachable"

_Place: TypeAlias = tuple[str, str]


class Pool(msgspec.Struct, frozen=True):
    """The slices of one pool that stand together, those of the newest generation apart."""

    driver: str
    name: str
    slices: tuple[Item, ...]
    newest: tuple[Item, ...]

    @property
    def spoken_of(self) -> tuple[Item, ...]:
        """The newest slices that are asked about."""
        return tuple(item for item in self.newest if not item.around)


def of_pools(world: World) -> Iterator[Problem]:
    """Everything that is wrong with pools, folder by folder."""
    everywhere = Counter({item.ref: _generation(item) for item in world.of(ResourceSlice)}.values())
    for near in folders(world.targets(ResourceSlice)):
        slices = world.beside(ResourceSlice, near)
        for pool in pools_of(slices):
            if not all(item.around for item in pool.slices):
                yield from _of_pool(pool, everywhere[_generation(pool.newest[0])])
        yield from _unreachable(world, near, slices)
    yield from _crossing(world)


def pools_of(slices: Iterable[Item]) -> Iterator[Pool]:
    """Slices by pool, in the order of the first slice of each."""
    found: dict[_Place, list[Item]] = {}
    for item in slices:
        found.setdefault((item.object.spec.driver, item.object.spec.pool.name), []).append(item)
    for (driver, name), members in found.items():
        newest = max(item.object.spec.pool.generation for item in members)
        latest = tuple(item for item in members if item.object.spec.pool.generation == newest)
        yield Pool(driver, name, tuple(members), latest)


def _generation(item: Item) -> tuple[str, str, int]:
    spec = item.object.spec
    return (spec.driver, spec.pool.name, spec.pool.generation)


def devices_of(slices: Iterable[Item]) -> Iterator[tuple[Item, int, Device]]:
    """The devices of the newest generation of each pool, with slice and position."""
    for pool in pools_of(slices):
        for item in pool.newest:
            for position, device in enumerate(item.object.spec.devices or ()):
                yield item, position, device


def _of_pool(pool: Pool, everywhere: int) -> Iterator[Problem]:
    yield from _mixed(pool)
    yield from _counts(pool, everywhere)
    yield from _devices_twice(pool)
    yield from _counter_sets_twice(pool)
    yield from _counters_too_small(pool)


def _mixed(pool: Pool) -> Iterator[Problem]:
    newest = pool.newest[0].object.spec.pool.generation
    older = Counter(item.object.spec.pool.generation for item in pool.slices)
    del older[newest]
    if not older:
        return
    which = ", ".join(f"{count} of generation {generation}" for generation, count in sorted(older.items()))
    message = (
        f"pool {pool.name} of {pool.driver} has slices of several generations: only those of generation {newest} "
        f"count, and {which} {'is' if sum(older.values()) == 1 else 'are'} ignored"
    )
    told = next(item for item in (*pool.slices, pool.newest[0]) if not item.around)
    yield finding(told.subject, MIXED, message, "spec.pool.generation")


def _counts(pool: Pool, everywhere: int) -> Iterator[Problem]:
    """`everywhere` is how many slices the pool has over all folders: they may be kept apart."""
    said = Counter(item.object.spec.pool.resource_slice_count for item in pool.newest)
    if not pool.spoken_of:
        return
    told, here = pool.spoken_of[-1].subject, len(pool.newest)
    path = "spec.pool.resourceSliceCount"
    if len(said) > 1:
        which = ", ".join(f"{number} {'says' if number == 1 else 'say'} {count}" for count, number in said.items())
        message = (
            f"slices of pool {pool.name} of {pool.driver} disagree about how many they are: {which}; {here} are here"
        )
        yield finding(told, COUNTS_DIFFER, message, path)
        return
    wanted = next(iter(said))
    if wanted not in (here, everywhere):
        what = "is incomplete" if here < wanted else "has too many slices"
        message = (
            f"pool {pool.name} of {pool.driver} {what}, so no device of it can be taken: generation "
            f"{pool.newest[0].object.spec.pool.generation} has {wanted} by its own account, and {here} "
            f"{'is' if here == 1 else 'are'} here"
        )
        yield finding(told, INCOMPLETE, message, path)


def _devices_twice(pool: Pool) -> Iterator[Problem]:
    named = (
        (item, device.name, child("spec", "devices", position, "name"))
        for item in pool.newest
        for position, device in enumerate(item.object.spec.devices or ())
    )
    consequence = f"pool {pool.name} is invalid and none of its devices can be allocated"
    yield from _named_twice(
        named, lambda name, first: (DEVICE_TWICE, f"device {name} is in {first} too: {consequence}")
    )


def _counter_sets_twice(pool: Pool) -> Iterator[Problem]:
    named = (
        (item, counters.name, child("spec", "sharedCounters", position, "name"))
        for item in pool.newest
        for position, counters in enumerate(item.object.spec.shared_counters or ())
    )
    consequence = f"pool {pool.name} is invalid and none of its devices can be allocated"
    yield from _named_twice(
        named, lambda name, first: (COUNTERS_TWICE, f"counter set {name} is in {first} too: {consequence}")
    )


def _counters_too_small(pool: Pool) -> Iterator[Problem]:
    """Devices that no allocation can ever have, since they take more of a counter than there is."""
    sets = {one.name: one.counters for item in pool.newest for one in item.object.spec.shared_counters or ()}
    for item in pool.spoken_of:
        for position, device in enumerate(item.object.spec.devices or ()):
            for index, use in enumerate(device.consumes_counters):
                there = sets.get(use.counter_set, {})
                for name, counter in sorted(use.counters.items()):
                    if name in there and counter.value > there[name].value:
                        message = (
                            f"device {device.name} consumes {counter.value.text} of counter {name}, and counter set"
                            f" {use.counter_set} has {there[name].value.text} in all: nobody can ever have the device"
                        )
                        place = child("spec", "devices", position, "consumesCounters", index, "counters")
                        yield finding(item.subject, TOO_SMALL, message, keyed(place, name))


def _named_twice(
    named: Iterable[tuple[Item, str, str]], tell: Callable[[str, str], tuple[str, str]]
) -> Iterator[Problem]:
    """Names that two slices have; within one slice a server sees it."""
    first: dict[str, tuple[Item, str]] = {}
    for item, name, path in named:
        before, before_path = first.setdefault(name, (item, path))
        if before is item or _are_apart(before, item):
            continue
        told, place, other = (item, path, before) if not item.around else (before, before_path, item)
        if not told.around:
            code, message = tell(name, str(other.ref))
            yield finding(told.subject, code, message, place)


def _are_apart(one: Item, other: Item) -> bool:
    """Whether no node can see both slices."""
    names = {one.object.spec.node_name, other.object.spec.node_name}
    return len(names) == 2 and all(names)


def _unreachable(world: World, near: Item, slices: Sequence[Item]) -> Iterator[Problem]:
    """Slices whose nodes are not among the nodes that were given."""
    nodes = {item.ref.name: item.object.metadata.labels for item in world.beside(Node, near)}
    if not nodes:
        return
    for item in slices:
        if item.around:
            continue
        spec = item.object.spec
        if spec.per_device_node_selection:
            for position, device in enumerate(spec.devices or ()):
                yield from _out_of_reach(item, device, nodes, child("spec", "devices", position))
        else:
            yield from _out_of_reach(item, spec, nodes, "spec")


def _out_of_reach(
    item: Item, place: Device | object, nodes: Mapping[str, Mapping[str, str]], path: str
) -> Iterator[Problem]:
    name: str | None = getattr(place, "node_name", None)
    selector: NodeSelector | None = getattr(place, "node_selector", None)
    what = f"device {place.name}" if isinstance(place, Device) else "these devices"
    if name and name not in nodes:
        message = f"there is no node {name} among the nodes given: no pod can reach {what}"
        yield finding(item.subject, UNREACHABLE, message, f"{path}.nodeName")
    elif selector is not None and not any(node_matches(selector, node, labels) for node, labels in nodes.items()):
        message = f"none of the {len(nodes)} nodes given is selected: no pod can reach {what}"
        yield finding(item.subject, UNREACHABLE, message, f"{path}.nodeSelector")


def _crossing(world: World) -> Iterator[Problem]:
    """What admission finds when objects are seen together, for each folder with slices or claims."""
    for near in folders((*world.targets(ResourceSlice), *world.targets(ResourceClaim))):
        slices = world.beside(ResourceSlice, near)
        together = (*slices, *world.beside(ResourceClaim, near)) if slices else ()
        spoken_of = {(item.file, str(item.ref)) for item in together if not item.around}
        for problem in cross_check([item.taken for item in together]):
            if problem.type != INCOMPLETE and (problem.file, problem.object) in spoken_of:
                yield problem
