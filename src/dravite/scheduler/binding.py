"""Putting a pod on a node: what becomes of the pod and its claims, and what keeps that from being written (F5)."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from dravite.api.core_v1 import Pod, PodExtendedResourceClaimStatus, PodResourceClaim
from dravite.api.resource_v1 import AllocationResult, ResourceClaim
from dravite.diagnosis import upstream
from dravite.diagnosis.verdicts import AttemptError, ClaimAllocation
from dravite.scheduler.devices import DeviceDemand, DevicesFound
from dravite.scheduler.extended_resources import BASE, IN_MEMORY_NAME, extended_claim
from dravite.scheduler.node_allocatable import claims_held, counts_node_resources, taken_of_node
from dravite.scheduler.node_choice import Chosen
from dravite.scheduler.reserve import with_allocation, with_consumer
from dravite.scheduler.unreservable import why_not_reservable
from dravite.snapshot.generated_names import drawn_name, generate_name
from dravite.snapshot.pod_claims import PodClaim, claim_name
from dravite.snapshot.snapshot import Binding, Snapshot


class NotBound(msgspec.Struct, frozen=True):
    """Why the pod stays without a node after all.

    `claims` were allocated before that was found out and stay so, unused: it is the second reservation of one of them
    that is refused, or the node serves all extended resources of the pod itself, and the scheduler has nothing to write
    down for them (observed on 1.37.2, where a pod without claims does not get that far).
    """

    error: AttemptError
    claims: tuple[ResourceClaim, ...] = ()


def bind(snapshot: Snapshot, pod: Pod, chosen: Chosen) -> Binding | NotBound:
    """The pod on its node with its claims allocated and reserved, or what the API server would refuse."""
    demand = chosen.demand
    if demand is None:
        return reserve(snapshot, pod, chosen)
    kept = tuple(one.claim for one in _allocated(demand, chosen.devices))
    wrong = why_not_reservable(snapshot, pod, demand.claims)
    if wrong is not None:
        named = wrong.claim.name if wrong.claim else ""
        return NotBound(wrong, kept if any(claim.metadata.name == named for claim in kept) else ())
    if demand.claims and demand.served and chosen.devices.extended is None:
        message = upstream.nothing_mapped(f"{pod.metadata.namespace}/{pod.metadata.name}")
        return NotBound(AttemptError(kind="extended-resource", message=message), kept)
    return reserve(snapshot, pod, chosen)


def reserve(snapshot: Snapshot, pod: Pod, chosen: Chosen) -> Binding:
    """The pod on its node with its claims allocated and reserved, whatever the API server would say (Reserve)."""
    demand, found = chosen.demand, chosen.devices
    placed = msgspec.structs.replace(pod, spec=msgspec.structs.replace(pod.spec, node_name=chosen.node))
    if demand is None:
        return Binding(placed)
    claims = [with_consumer(one, pod) for one in demand.allocated]
    claims += [with_consumer(one, pod) for one in _allocated(demand, found)]
    placed = _with_node_resources(snapshot, placed, demand, found)
    if found.extended is None:
        return Binding(placed, tuple(claims))
    namespace = pod.metadata.namespace
    name = drawn_name(
        f"{pod.metadata.name}-{BASE}-", lambda drawn: (namespace, drawn) in snapshot.claims, snapshot.seed
    )
    made = with_allocation(extended_claim(pod, found.extended.requests, name), found.results[-1])
    status = PodExtendedResourceClaimStatus(request_mappings=found.extended.mappings, resource_claim_name=name)
    placed = msgspec.structs.replace(
        placed, status=msgspec.structs.replace(placed.status, extended_resource_claim_status=status)
    )
    return Binding(placed, (*claims, with_consumer(PodClaim(IN_MEMORY_NAME, made), pod)))


def _with_node_resources(snapshot: Snapshot, placed: Pod, demand: DeviceDemand, found: DevicesFound) -> Pod:
    """The pod with what its claims take of its node's own resources (F8.3)."""
    if not counts_node_resources(snapshot):
        return placed
    held = claims_held(demand.allocated, demand.fresh, found.results)
    taken = taken_of_node(snapshot, snapshot.states[placed.spec.node_name], placed, held)
    status = msgspec.structs.replace(placed.status, node_allocatable_resource_claim_statuses=taken)
    return msgspec.structs.replace(placed, status=status)


def _allocated(demand: DeviceDemand, found: DevicesFound) -> tuple[PodClaim, ...]:
    """The fresh claims with their devices; of a claim that two entries name the first answer counts."""
    claims: dict[str, PodClaim] = {}
    for one, result in zip(demand.fresh, found.results, strict=False):
        with_devices = msgspec.structs.replace(one, claim=with_allocation(one.claim, result))
        claims.setdefault(one.claim.metadata.name, with_devices)
    return tuple(claims.values())


def claims_told(snapshot: Snapshot, pod: Pod, chosen: Chosen | None = None) -> tuple[ClaimAllocation, ...]:
    """What each entry of a pod gets, or has; entries without a claim are told too."""
    demand = chosen.demand if chosen is not None else None
    found = chosen.devices if chosen is not None else None
    fresh: dict[str, AllocationResult] = {}
    if demand is not None and found is not None:
        fresh = {one.entry: result for one, result in zip(demand.fresh, found.results, strict=False)}
    told = [_told(snapshot, pod, entry, fresh) for entry in pod.spec.resource_claims]
    if found is not None and found.extended is not None:
        base = f"{pod.metadata.name}-{BASE}-"
        told.append(ClaimAllocation(entry=IN_MEMORY_NAME, generate_name=base, allocation=found.results[-1]))
    return tuple(told)


def _told(
    snapshot: Snapshot, pod: Pod, entry: PodResourceClaim, fresh: Mapping[str, AllocationResult]
) -> ClaimAllocation:
    name = entry.resource_claim_name or claim_name(pod, entry)
    namespace = pod.metadata.namespace
    claim = snapshot.claim(namespace, name) if name is not None else None
    if claim is None:
        base = generate_name(pod.metadata.name, entry.name) if entry.resource_claim_template_name else None
        return ClaimAllocation(entry=entry.name, claim=name, generate_name=None if name else base, fresh=False)
    made = (namespace, claim.metadata.name) in snapshot.made_claims
    return ClaimAllocation(
        entry=entry.name,
        claim=None if made else name,
        generate_name=claim.metadata.generate_name if made else None,
        allocation=fresh.get(entry.name, claim.status.allocation),
        fresh=entry.name in fresh,
    )
