"""Devices that stand for resources of their node, such as cores: what a pod's claims take of it (F8).

What is taken counts beside the requests of the pod's containers. It stands in the pod's status from then on, and that
is what the node counts of a pod that runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from dravite.api.core_v1 import MappedAmount, NodeAllocatableResourceClaimStatus, OverheadAmount, Pod
from dravite.api.meta import ObjectRef
from dravite.api.quantity import NANO, Quantity
from dravite.api.resource_v1 import (
    AllocationResult,
    Device,
    DeviceRequestAllocationResult,
    NodeAllocatableMapping,
    NodeAllocatableOverhead,
    ResourceClaim,
)
from dravite.diagnosis.reasons import MappedClaimTaken, PodLevelShort, ResourceShort
from dravite.diagnosis.verdicts import AttemptError
from dravite.scheduler.fit import short_of
from dravite.snapshot.node_state import NodePod, NodeState
from dravite.snapshot.pod_claims import PodClaim
from dravite.snapshot.requests import beyond_pod_level, claimed_amounts, rounded
from dravite.snapshot.snapshot import Snapshot, key_of

GATE: Final = "DRANodeAllocatableResources"

_ONE: Final = Quantity.of(1)


class Held(msgspec.Struct, frozen=True):
    """A claim of a pod, by which entry it has it, and the devices of the claim, or those that it would have."""

    entry: str
    claim: ResourceClaim
    allocation: AllocationResult


def counts_node_resources(snapshot: Snapshot) -> bool:
    """Whether devices may stand for resources of nodes at all."""
    return snapshot.profile.enabled(GATE)


def claims_held(
    allocated: Sequence[PodClaim], fresh: Sequence[PodClaim], results: Sequence[AllocationResult]
) -> tuple[Held, ...]:
    """The claims of a pod with their devices, those that are found for it included."""
    had = ((one, one.claim.status.allocation) for one in allocated if one.claim.status.allocation is not None)
    pairs = (*had, *zip(fresh, results, strict=False))
    return tuple(Held(one.entry, one.claim, allocation) for one, allocation in pairs)


def taken_of_node(
    snapshot: Snapshot, state: NodeState, pod: Pod, held: Iterable[Held]
) -> tuple[NodeAllocatableResourceClaimStatus, ...]:
    """What each claim takes of the node; claims that take nothing are left out."""
    devices = _devices(snapshot, state)
    found = (_taken(snapshot, devices, pod, one) for one in held)
    return tuple(one for one in found if one.mapping or one.overhead or one.resources)


def why_not_shared(
    snapshot: Snapshot, state: NodeState, pod: Pod, held: Iterable[Held]
) -> tuple[MappedClaimTaken, ...]:
    """The claims that stand for resources of the node and that somebody else has."""
    devices = _devices(snapshot, state)
    told = "1.37" if snapshot.profile.is_at_least("1.37") else "1.36"
    return tuple(
        MappedClaimTaken(ObjectRef("ResourceClaim", *key_of(one.claim.metadata)), told)
        for one in held
        if any(entry.uid != pod.metadata.uid for entry in one.claim.status.reserved_for)
        and any(True for result in one.allocation.devices.results for _ in _mapped(snapshot, devices, result))
    )


def why_not_measured(snapshot: Snapshot, state: NodeState, held: Iterable[Held]) -> AttemptError | None:
    """The error of a device that stands for as much as is taken of a capacity of which nothing is (observed on 1.37.2).

    A device that one claim has as a whole takes no part of a capacity.
    """
    devices = _devices(snapshot, state)
    for one in held:
        for result in one.allocation.devices.results:
            device = devices.get((result.driver, result.pool, result.device))
            for resource, key in _capacities(device) if device is not None else ():
                if key not in result.consumed_capacity:
                    return _not_measured(one.claim, result, key, resource)
    return None


def _capacities(device: Device) -> Iterator[tuple[str, str]]:
    """The resources that depend on a capacity of the device, with that capacity."""
    for resource, one in device.node_allocatable_resources.items():
        if one.mapping is not None and one.mapping.capacity_key is not None:
            yield resource, one.mapping.capacity_key


def _not_measured(claim: ResourceClaim, result: DeviceRequestAllocationResult, key: str, resource: str) -> AttemptError:
    ref = ObjectRef("ResourceClaim", *key_of(claim.metadata))
    message = (
        f"claim {ref.namespace}/{ref.name}, device {result.device}: ConsumedCapacity is nil, but Capacity key '{key}'"
        f" is set in NodeAllocatableResources for resource {resource}"
    )
    device = f"{result.driver}/{result.pool}/{result.device}"
    return AttemptError(kind="capacity", message=message, claim=ref, request=result.request, device=device)


def why_not_enough_beside(
    pod: NodePod, state: NodeState, taken: Sequence[NodeAllocatableResourceClaimStatus]
) -> tuple[ResourceShort | PodLevelShort, ...]:
    """What is short once the pod's claims take their part: of the node, or of what the pod asks for as a whole."""
    beyond = beyond_pod_level(pod.pod, taken)
    if beyond:
        return tuple(map(PodLevelShort, beyond))
    if state.unlimited:
        return ()
    whole = pod.pod.spec.resources.requests if pod.pod.spec.resources is not None else {}
    extra = {name: rounded(name, nano) for name, nano in claimed_amounts(taken).items() if name not in whole}
    wanted = {name: pod.request.amounts.get(name, 0) + units for name, units in extra.items()}
    return short_of(state, wanted)


def _taken(
    snapshot: Snapshot, devices: Mapping[tuple[str, str, str], Device], pod: Pod, held: Held
) -> NodeAllocatableResourceClaimStatus:
    mapped: dict[str, Quantity] = {}
    beside: dict[str, NodeAllocatableOverhead] = {}
    for result in held.allocation.devices.results:
        for name, quantity in _mapped(snapshot, devices, result):
            mapped[name] = mapped[name] + quantity if name in mapped else quantity
        device = devices.get((result.driver, result.pool, result.device))
        for name, resource in device.node_allocatable_resources.items() if device is not None else ():
            if resource.overhead is not None:
                beside[name] = _together(beside.get(name), resource.overhead)
    status = NodeAllocatableResourceClaimStatus(
        resource_claim_name=held.claim.metadata.name,
        containers=tuple(_containers(pod, held.entry)),
    )
    if not snapshot.profile.is_at_least("1.37"):
        return msgspec.structs.replace(status, resources=dict(sorted(mapped.items())))
    return msgspec.structs.replace(
        status,
        mapping=tuple(MappedAmount(name=name, quantity=mapped[name]) for name in sorted(mapped)),
        overhead=tuple(
            OverheadAmount(name=name, per_pod=beside[name].per_pod, per_container=beside[name].per_container)
            for name in sorted(beside)
        ),
    )


def _mapped(
    snapshot: Snapshot, devices: Mapping[tuple[str, str, str], Device], result: DeviceRequestAllocationResult
) -> Iterator[tuple[str, Quantity]]:
    """The resources for which a device stands, and how much of each was allocated with it."""
    device = devices.get((result.driver, result.pool, result.device))
    if device is None:
        return
    if snapshot.profile.is_at_least("1.37"):
        for name, resource in device.node_allocatable_resources.items():
            if resource.mapping is not None:
                yield name, _amount(resource.mapping, device, result)
        return
    for name, old in device.node_allocatable_resource_mappings.items():
        multiplier = old.allocation_multiplier or _ONE
        by_capacity = NodeAllocatableMapping(capacity_key=old.capacity_key, capacity_multiplier=multiplier)
        mapping = by_capacity if old.capacity_key else NodeAllocatableMapping(device_multiplier=multiplier)
        yield name, _amount(mapping, device, result)


def _amount(mapping: NodeAllocatableMapping, device: Device, result: DeviceRequestAllocationResult) -> Quantity:
    if mapping.capacity_key is None:
        return mapping.device_multiplier or _ONE
    consumed = result.consumed_capacity.get(mapping.capacity_key)
    if consumed is None:
        capacity = device.capacity.get(mapping.capacity_key)
        consumed = capacity.value if capacity is not None else Quantity.of(0)
    multiplier = mapping.capacity_multiplier or _ONE
    notation = consumed.notation if multiplier == _ONE else multiplier.notation
    return Quantity(consumed.nano * multiplier.nano // NANO, notation)


def _together(before: NodeAllocatableOverhead | None, more: NodeAllocatableOverhead) -> NodeAllocatableOverhead:
    if before is None:
        return more
    return NodeAllocatableOverhead(
        per_pod=_sum(before.per_pod, more.per_pod), per_container=_sum(before.per_container, more.per_container)
    )


def _sum(one: Quantity | None, other: Quantity | None) -> Quantity | None:
    return one + other if one is not None and other is not None else one or other


def _containers(pod: Pod, entry: str) -> Iterator[str]:
    """The containers that use the claim of an entry."""
    for container in (*pod.spec.init_containers, *pod.spec.containers):
        if any(claim.name == entry for claim in container.resources.claims):
            yield container.name


def _devices(snapshot: Snapshot, state: NodeState) -> Mapping[tuple[str, str, str], Device]:
    """The devices of a node that say something of its resources."""
    offered = snapshot.inventory.devices(state.node)
    if isinstance(offered, AttemptError):
        return {}
    return {
        (seen.id.driver, seen.id.pool, seen.id.device): seen.device
        for seen in offered.devices
        if seen.device.node_allocatable_resources or seen.device.node_allocatable_resource_mappings
    }
