"""What devices there are and what is taken of them: everything that asking for devices depends on.

An inventory never changes. One with other allocations shares everything with it that allocations do not touch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import is_
from typing import Final

import msgspec

from dravite.api.core_v1 import Node
from dravite.api.resource_v1 import DeviceClass, DeviceTaintRule, ResourceClaim, ResourceSlice
from dravite.diagnosis.verdicts import AttemptError
from dravite.snapshot.node_devices import NodeDevices, node_devices
from dravite.snapshot.node_use import NodeUse, node_use, pool_usages
from dravite.snapshot.selector_verdicts import SelectorVerdicts
from dravite.snapshot.slice_index import SliceIndex
from dravite.snapshot.tainted import apply_taint_rules
from dravite.snapshot.usage import AllocatedState, PoolKey, allocated_state

_FIRST: Final = (1, 31)


class InventoryMemory:
    """What was worked out once about slices and nodes. It changes no answer, only how fast it comes.

    Attributes:
        verdicts: of selectors on devices.
        work: free for the layers above, by a key of their own.
    """

    __slots__ = ("_devices", "_seen_by", "_uses", "verdicts", "work")

    def __init__(self) -> None:
        self.verdicts = SelectorVerdicts()
        self.work: dict[object, object] = {}
        self._devices: dict[str, tuple[Node, NodeDevices | AttemptError]] = {}
        self._uses: dict[str, NodeUse] = {}
        self._seen_by: dict[PoolKey, dict[str, None]] = {}

    def devices(self, index: SliceIndex, node: Node) -> NodeDevices | AttemptError:
        """What a node offers."""
        known = self._devices.get(node.metadata.name)
        if known is None or (known[0] is not node and not _alike(known[0], node)):
            known = (node, node_devices(index, node))
            self._devices[node.metadata.name] = known
            for key in known[1].keys if isinstance(known[1], NodeDevices) else ():
                self._seen_by.setdefault(key, {})[node.metadata.name] = None
        return known[1]

    def nodes_of(self, pool: PoolKey) -> Iterable[str]:
        """The nodes that see a pool, as far as their devices were asked for; some may no longer see it."""
        return self._seen_by.get(pool, ())

    def use(self, devices: NodeDevices, state: AllocatedState) -> NodeUse:
        """What is left of a node's devices; worked out again only if one of its pools is used differently."""
        known = self._uses.get(devices.node)
        if known is not None and known.devices is devices and _is_current(known, state):
            return known
        known = self._uses[devices.node] = node_use(devices, pool_usages(devices, state))
        return known


def _is_current(use: NodeUse, state: AllocatedState) -> bool:
    return all(map(is_, map(state.of_pool, use.devices.keys), use.usages))


class Inventory(msgspec.Struct, frozen=True):
    """Slices, classes, features and allocations.

    Attributes:
        index: all slices, with the taints of DeviceTaintRules.
        classes: by name.
        features: the allocator's features that are on.
        usage: what is allocated.
        memory: shared by all inventories over the same slices.
        widens_config: whether configuration for all requests of a claim is written as one for any (RES-7; since 1.37).
        is_first: whether the allocator is the first one that knew slices, that of 1.31 (observed on 1.31.14): All is
            all that is free, be it nothing; a pool without some of its slices can be taken from; and configuration of
            a class is written once for every request.
    """

    index: SliceIndex
    classes: Mapping[str, DeviceClass]
    features: frozenset[str]
    usage: AllocatedState
    memory: InventoryMemory
    widens_config: bool = True
    is_first: bool = False

    def devices(self, node: Node) -> NodeDevices | AttemptError:
        """The devices that a node reaches, or the error that ends every attempt on it."""
        return self.memory.devices(self.index, node)

    def use(self, node: Node) -> NodeUse | AttemptError:
        """The devices that a node reaches with what is taken of them."""
        devices = self.devices(node)
        return devices if isinstance(devices, AttemptError) else self.memory.use(devices, self.usage)

    def with_usage(self, usage: AllocatedState) -> Inventory:
        """The same devices, allocated differently."""
        return msgspec.structs.replace(self, usage=usage)

    def for_release(self, release: str) -> Inventory:
        """The same devices for the allocator of another release (`1.36`), as far as releases differ."""
        major, _, minor = release.partition(".")
        number = (int(major), int(minor))
        if number > _FIRST:
            return msgspec.structs.replace(self, widens_config=number >= (1, 37))
        index = self.index.with_incomplete_pools()
        return msgspec.structs.replace(self, index=index, memory=InventoryMemory(), widens_config=False, is_first=True)


def build_inventory(
    slices: Iterable[ResourceSlice],
    classes: Iterable[DeviceClass],
    allocated: Iterable[ResourceClaim] = (),
    taint_rules: Iterable[DeviceTaintRule] = (),
    features: frozenset[str] = frozenset(),
) -> Inventory:
    """The inventory of a cluster. Slices count in their order, claims by what their status says is allocated."""
    index = SliceIndex(apply_taint_rules(tuple(slices), taint_rules), features)
    by_name = {device_class.metadata.name: device_class for device_class in classes}
    return Inventory(index, by_name, features, allocated_state(allocated, features), InventoryMemory())


def _alike(one: Node, other: Node) -> bool:
    """Whether two versions of a node reach the same devices."""
    return (
        one.metadata.labels == other.metadata.labels and one.status.declared_features == other.status.declared_features
    )
