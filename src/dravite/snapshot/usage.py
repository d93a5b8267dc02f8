"""What is allocated: whole devices, shares of devices, and who holds them.

Built from the status of claims, as kube-scheduler builds it (CAP-16, R-27): admin results hold nothing, and a share
is a share only while the feature ConsumableCapacity is on. It knows no slices: an allocated device may be gone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

import msgspec

from dravite.api.meta import DeviceID, ObjectRef
from dravite.api.quantity import Quantity
from dravite.api.resource_v1 import (
    AllocationResult,
    DeviceRequestAllocationResult,
    ResourceClaim,
    ResourceClaimConsumerReference,
)
from dravite.snapshot.persistent import PersistentMap

PoolKey: TypeAlias = tuple[str, str]
"""Driver and pool name: what a pool is known by (P-7)."""

_CONSUMER_KINDS: Final[Mapping[str, str]] = {"pods": "Pod", "podgroups": "PodGroup"}


class Holding(msgspec.Struct, frozen=True):
    """One allocation of one device.

    Attributes:
        claim: the claim that holds it.
        consumers: the pods (or pod groups) for which the claim is reserved.
        share_id: which share; None where the device is held as a whole.
        consumed: capacity that the share takes.
    """

    claim: ObjectRef
    consumers: tuple[ObjectRef, ...] = ()
    share_id: str | None = None
    consumed: Mapping[str, Quantity] = {}


class PoolUsage(msgspec.Struct, frozen=True):
    """What is allocated of one pool, by device name. A device that is free has no entry anywhere.

    Attributes:
        holdings: every allocation of a device, in the order in which they were added.
        exclusive: devices held as a whole.
        shared: devices of which shares are held.
        committed: capacity taken by all shares, in nano units (CAP-7).
    """

    holdings: Mapping[str, tuple[Holding, ...]] = {}
    exclusive: frozenset[str] = frozenset()
    shared: frozenset[str] = frozenset()
    committed: Mapping[str, Mapping[str, int]] = {}


UNUSED: Final = PoolUsage()


class AllocatedState(msgspec.Struct, frozen=True):
    """All allocations of a cluster. Changed states share with this one what did not change.

    Attributes:
        shares: whether share ids count (feature ConsumableCapacity).
        pools: usage by driver and pool.
        claims: which devices each claim holds.
    """

    shares: bool = True
    pools: PersistentMap[PoolKey, PoolUsage] = msgspec.field(default_factory=PersistentMap)
    claims: PersistentMap[ObjectRef, tuple[DeviceID, ...]] = msgspec.field(default_factory=PersistentMap)

    def of_pool(self, key: PoolKey) -> PoolUsage:
        """What is allocated of one pool."""
        return self.pools.get(key) or UNUSED

    def holdings(self, device: DeviceID) -> tuple[Holding, ...]:
        """Who holds a device; empty where nobody does."""
        return self.of_pool((device.driver, device.pool)).holdings.get(device.device, ())

    def with_claim(
        self, claim: ObjectRef, allocation: AllocationResult, consumers: tuple[ObjectRef, ...] = ()
    ) -> AllocatedState:
        """This state with `claim` holding `allocation`, whatever it held before."""
        before = self.without_claim(claim)
        added: dict[PoolKey, dict[str, tuple[Holding, ...]]] = {}
        held: list[DeviceID] = []
        for result in allocation.devices.results:
            if result.admin_access:
                continue
            key = (result.driver, result.pool)
            devices = added.setdefault(key, {})
            present = devices.get(result.device) or before.of_pool(key).holdings.get(result.device, ())
            devices[result.device] = (*present, _holding(claim, consumers, result))
            held.append(DeviceID(*key, result.device))
        if not held:
            return before
        pools = {key: self._changed(before.of_pool(key), devices) for key, devices in added.items()}
        return AllocatedState(
            self.shares, before.pools.changed(pools), before.claims.changed({claim: tuple(dict.fromkeys(held))})
        )

    def without_claim(self, claim: ObjectRef) -> AllocatedState:
        """This state with nothing held by `claim`."""
        held = self.claims.get(claim)
        if held is None:
            return self
        left: dict[PoolKey, dict[str, tuple[Holding, ...]]] = {}
        for device in held:
            others = tuple(h for h in self.holdings(device) if h.claim != claim)
            left.setdefault((device.driver, device.pool), {})[device.device] = others
        pools = {key: self._changed(self.of_pool(key), devices) for key, devices in left.items()}
        changed = {key: usage if usage.holdings else None for key, usage in pools.items()}
        return AllocatedState(self.shares, self.pools.changed(changed), self.claims.changed({claim: None}))

    def _changed(self, usage: PoolUsage, devices: Mapping[str, tuple[Holding, ...]]) -> PoolUsage:
        """A pool's usage with the holdings of some devices replaced; no holdings means free."""
        holdings = {name: held for name, held in usage.holdings.items() if name not in devices}
        committed = {name: sums for name, sums in usage.committed.items() if name not in devices}
        exclusive, shared = set(usage.exclusive - devices.keys()), set(usage.shared - devices.keys())
        for name, held in devices.items():
            if not held:
                continue
            holdings[name] = held
            parts = [h for h in held if self.shares and h.share_id is not None]
            if len(parts) < len(held):
                exclusive.add(name)
            if parts:
                shared.add(name)
                committed[name] = _sums(parts)
        committed = {name: sums for name, sums in committed.items() if sums}
        return PoolUsage(holdings, frozenset(exclusive), frozenset(shared), committed)


def allocated_state(claims: Iterable[ResourceClaim], features: frozenset[str]) -> AllocatedState:
    """What the claims hold, with the pods for which they are reserved."""
    state = AllocatedState("ConsumableCapacity" in features)
    for claim in claims:
        if claim.status.allocation is not None:
            ref = ObjectRef("ResourceClaim", claim.metadata.namespace, claim.metadata.name)
            state = state.with_claim(ref, claim.status.allocation, consumers_of(claim))
    return state


def consumers_of(claim: ResourceClaim) -> tuple[ObjectRef, ...]:
    """Who has reserved a claim, in the order of `status.reservedFor`."""
    return tuple(_consumer(reference, claim.metadata.namespace) for reference in claim.status.reserved_for)


def _consumer(reference: ResourceClaimConsumerReference, namespace: str) -> ObjectRef:
    return ObjectRef(_CONSUMER_KINDS.get(reference.resource, reference.resource), namespace, reference.name)


def _holding(claim: ObjectRef, consumers: tuple[ObjectRef, ...], result: DeviceRequestAllocationResult) -> Holding:
    return Holding(claim, consumers, result.share_id, result.consumed_capacity)


def _sums(parts: list[Holding]) -> Mapping[str, int]:
    sums: dict[str, int] = {}
    for part in parts:
        for capacity, amount in part.consumed.items():
            sums[capacity] = sums.get(capacity, 0) + amount.nano
    return sums
