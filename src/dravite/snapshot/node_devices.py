"""The devices that one node can reach: its pools, in the order in which Kubernetes tries them.

Finds the slices that a node sees (P-1 to P-8), groups them to pools and says which pools are complete, obsolete or
broken. It knows neither claims nor allocations, so what it found for a node stays true until slices or labels change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from dravite.api.core_v1 import Node
from dravite.api.names import SelectorFault, node_matches
from dravite.api.resource_v1 import Device, ResourceSlice, ResourceSliceSpec
from dravite.diagnosis.findings import PoolFinding
from dravite.diagnosis.verdicts import AttemptError
from dravite.snapshot.pools import Pool, PoolDevice, SeenSlice, incomplete_pool, pool_order, usable_pool
from dravite.snapshot.slice_index import SliceIndex


class NodeDevices(msgspec.Struct, frozen=True, kw_only=True, weakref=True):
    """What a node offers.

    Attributes:
        node: its name.
        declared_features: what the node declares in its status.
        pools: in the order in which they are tried, with the unusable ones.
        keys: driver and name of each pool.
        devices: all devices of all usable pools in first-fit order (P-20); a position in it names a device.
        pool_of: for each device, the position of its pool.
        findings: pools from which nothing can be taken, obsolete ones included.
    """

    node: str
    declared_features: frozenset[str] = frozenset()
    pools: tuple[Pool, ...] = ()
    keys: tuple[tuple[str, str], ...] = ()
    devices: tuple[PoolDevice, ...] = ()
    pool_of: tuple[int, ...] = ()
    findings: tuple[PoolFinding, ...] = ()


_SELECTION_FAILED: Final = "gather pool information: failed to perform node selection for"
SELECTOR_UNREADABLE: Final = "failed to parse node selector"


def node_devices(index: SliceIndex, node: Node) -> NodeDevices | AttemptError:
    """The devices that `node` reaches, or the error that a selector which cannot be read is (P-2)."""
    groups: dict[tuple[str, str], list[int]] = {}
    reaches: dict[int, tuple[bool | SelectorFault, ...]] = {}
    for position in index.candidates(node):
        resource_slice = index.slices[position]
        seen = _sees(index, resource_slice, node)
        if isinstance(seen, AttemptError):
            return seen
        if seen is None:
            continue
        reaches[position] = seen
        _keep_newest(index, groups.setdefault(index.pool_key(position), []), position)
    pools: list[Pool] = []
    obsolete: list[PoolFinding] = []
    for kept in groups.values():
        pool = _pool(index, kept, reaches)
        if isinstance(pool, Pool):
            pools.append(pool)
        else:
            obsolete.append(pool)
    return _offer(node, pools, obsolete)


def _offer(node: Node, pools: list[Pool], obsolete: list[PoolFinding]) -> NodeDevices:
    ordered = sorted(pools, key=pool_order)
    return NodeDevices(
        node=node.metadata.name,
        declared_features=frozenset(node.status.declared_features),
        pools=tuple(ordered),
        keys=tuple(pool.key for pool in ordered),
        devices=tuple(device for pool in ordered for device in pool.devices),
        pool_of=tuple(number for number, pool in enumerate(ordered) for _ in pool.devices),
        findings=(*(pool.finding for pool in ordered if pool.finding is not None), *obsolete),
    )


def _keep_newest(index: SliceIndex, kept: list[int], position: int) -> None:
    """Add a slice to those of its pool; only the highest generation stays (P-7)."""
    generation = index.slices[position].spec.pool.generation
    newest = index.slices[kept[0]].spec.pool.generation if kept else generation
    if generation > newest:
        kept.clear()
    if generation >= newest:
        kept.append(position)


def _pool(
    index: SliceIndex, kept: Sequence[int], reaches: Mapping[int, tuple[bool | SelectorFault, ...]]
) -> Pool | PoolFinding:
    """The pool of the kept slices, or the finding that it is obsolete (P-9, P-10)."""
    first = index.slices[kept[0]].spec
    expected = first.pool.resource_slice_count
    if index.offers_incomplete:
        whole = usable_pool([_seen_slice(index, position, reaches[position]) for position in kept], counters=False)
        missing = incomplete_pool(first, len(kept)).finding if len(kept) != expected else None
        return msgspec.structs.replace(whole, finding=whole.finding or missing)
    elsewhere: tuple[int, ...] = ()
    if len(kept) != expected:
        newest, same = index.generations(kept[0])
        if newest > first.pool.generation:
            return PoolFinding(first.driver, first.pool.name, first.pool.generation, "obsolete")
        elsewhere = tuple(position for position in same if position not in reaches)
        if len(kept) + len(elsewhere) != expected:
            return incomplete_pool(first, len(kept) + len(elsewhere))
    seen = [_seen_slice(index, position, reaches.get(position)) for position in (*kept, *elsewhere)]
    if index.sorts_slices:
        seen.sort(key=lambda s: s.name.encode())
    return usable_pool(seen, counters=index.has_partitions)


def _seen_slice(index: SliceIndex, position: int, reach: tuple[bool | SelectorFault, ...] | None) -> SeenSlice:
    resource_slice = index.slices[position]
    return SeenSlice(
        resource_slice.metadata.name,
        resource_slice.spec,
        reach is not None,
        reach or (),
        index.taint_rules(position),
    )


def _sees(
    index: SliceIndex, resource_slice: ResourceSlice, node: Node
) -> tuple[bool | SelectorFault, ...] | AttemptError | None:
    """Whether a slice is relevant for a node (P-6): None if not, else the reach of its devices, () for all of them."""
    spec = resource_slice.spec
    if index.always_relevant(spec):
        return ()
    whole = _targets(spec, node)
    if isinstance(whole, SelectorFault):
        return _unreadable(f"slice {resource_slice.metadata.name}", whole)
    if not whole and (spec.node_name or spec.all_nodes or spec.node_selector is not None):
        return None
    if not spec.per_device_node_selection:
        return () if whole else None
    reach = tuple(_targets(device, node) for device in spec.devices or ())
    if whole:
        return reach
    for device, reached in zip(spec.devices or (), reach, strict=True):
        if isinstance(reached, SelectorFault):
            return _unreadable(f"device {device.name} in slice {resource_slice.metadata.name}", reached)
        if reached:
            return reach
    return None


def _targets(place: ResourceSliceSpec | Device, node: Node) -> bool | SelectorFault:
    """Whether a node is meant; the first field that is set decides (P-1)."""
    if place.node_name:
        return place.node_name == node.metadata.name
    if place.all_nodes:
        return True
    if place.node_selector is not None:
        return node_matches(place.node_selector, node.metadata.name, node.metadata.labels)
    return False


def _unreadable(what: str, fault: SelectorFault) -> AttemptError:
    return AttemptError(
        kind="node-selector",
        message=f"{_SELECTION_FAILED} {what}: {SELECTOR_UNREADABLE}: {describe_fault(fault)}",
    )


def describe_fault(fault: SelectorFault) -> str:
    """The fields of a selector that cannot be read, with what is wrong with them."""
    return "; ".join(f"{error.field}: {error.detail}" for error in fault.errors)
