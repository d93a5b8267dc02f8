"""A solution written as AllocationResults (RES-1 to RES-14)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from dravite.allocator.attempt_errors import too_many_terms
from dravite.allocator.demands import ClaimDemand, Demand
from dravite.allocator.search import Pick, Picks
from dravite.api.node_selector import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from dravite.api.resource_v1 import (
    AllocationResult,
    DeviceAllocationConfiguration,
    DeviceAllocationResult,
    DeviceRequestAllocationResult,
)
from dravite.diagnosis.verdicts import AttemptError
from dravite.snapshot.inventory import Inventory
from dravite.snapshot.node_devices import NodeDevices
from dravite.snapshot.pools import PoolDevice
from dravite.snapshot.variants import variant

_CLASS: Final = "FromClass"
_CLAIM: Final = "FromClaim"


def allocation_results(
    claims: Sequence[ClaimDemand], picks: Picks, devices: NodeDevices, inventory: Inventory
) -> tuple[AllocationResult, ...] | AttemptError:
    """One result per claim, in order. Shares are called `share-1`, `share-2` … over all claims."""
    features = inventory.features
    results: list[AllocationResult] = []
    shares = 0
    for number, claim in enumerate(claims):
        chosen = [request.demands[picks.chosen.get((number, index), 0)] for index, request in enumerate(claim.requests)]
        own = [pick for pick in picks.picks if pick.claim == number]
        selector = _node_selector(claim, [devices.devices[p.entry.position] for p in own], devices.node, features)
        if isinstance(selector, AttemptError):
            return selector
        entries: list[DeviceRequestAllocationResult] = []
        for pick in own:
            shares += pick.entry.shared
            share_id = f"share-{shares}" if pick.entry.shared else None
            entries.append(_entry(pick, chosen[pick.request], devices.devices[pick.entry.position], features, share_id))
        config = tuple(_config_writer(inventory)(claim, chosen))
        outcome = DeviceAllocationResult(results=tuple(entries), config=config)
        results.append(AllocationResult(devices=outcome, node_selector=selector))
    return tuple(results)


def _entry(
    pick: Pick, demand: Demand, device: PoolDevice, features: frozenset[str], share_id: str | None
) -> DeviceRequestAllocationResult:
    bound = "DeviceBindingAndStatus" in features
    skips = "OptionalNodeOperations" in features
    return DeviceRequestAllocationResult(
        request=demand.name,
        driver=device.id.driver,
        pool=device.id.pool,
        device=device.id.device,
        admin_access=True if demand.admin else None,
        tolerations=demand.tolerations,
        binding_conditions=(device.device.binding_conditions or ()) if bound else (),
        binding_failure_conditions=(device.device.binding_failure_conditions or ()) if bound else (),
        share_id=share_id,
        consumed_capacity={a.name: a.taken for a in pick.entry.amounts} if pick.entry.shared else {},
        skip_node_operations=device.spec.skip_node_operations if skips else (),
    )


def _config(claim: ClaimDemand, chosen: Sequence[Demand]) -> Iterable[DeviceAllocationConfiguration]:
    """Configuration of classes in order of first use, then the claim's own (RES-5 to RES-8)."""
    for entry in _class_config(chosen):
        yield _widened(entry, chosen)
    names = {request.name for request in claim.requests} | {demand.name for demand in chosen}
    for own in claim.config:
        if not own.requests or names.intersection(own.requests):
            entry = DeviceAllocationConfiguration(source=_CLAIM, requests=own.requests, opaque=own.opaque)
            yield _widened(entry, chosen)


def _config_writer(
    inventory: Inventory,
) -> Callable[[ClaimDemand, Sequence[Demand]], Iterable[DeviceAllocationConfiguration]]:
    if inventory.is_first:
        return _first_config
    return _config if inventory.widens_config else _narrow_config


def _first_config(claim: ClaimDemand, chosen: Sequence[Demand]) -> Iterable[DeviceAllocationConfiguration]:
    """As 1.31 writes it: what the class of each request says, for any request, then all that the claim says."""
    for demand in chosen:
        for entry in demand.class_config:
            yield DeviceAllocationConfiguration(source=_CLASS, opaque=entry.opaque)
    for own in claim.config:
        yield DeviceAllocationConfiguration(source=_CLAIM, requests=own.requests, opaque=own.opaque)


def _narrow_config(claim: ClaimDemand, chosen: Sequence[Demand]) -> Iterable[DeviceAllocationConfiguration]:
    """As releases before 1.37 write it: lists stay, and an entry comes once for every request that it names."""
    yield from _class_config(chosen)
    for own in claim.config:
        entry = DeviceAllocationConfiguration(source=_CLAIM, requests=own.requests, opaque=own.opaque)
        named = [demand for demand in chosen if demand.parent in own.requests or demand.name in own.requests]
        yield from [entry] * (len(named) if own.requests else 1)


def _class_config(chosen: Sequence[Demand]) -> Iterable[DeviceAllocationConfiguration]:
    users: dict[str, list[Demand]] = {}
    for demand in chosen:
        users.setdefault(demand.class_name, []).append(demand)
    for demands in users.values():
        requests = tuple(demand.name for demand in demands)
        for entry in demands[0].class_config:
            yield DeviceAllocationConfiguration(source=_CLASS, requests=requests, opaque=entry.opaque)


def _widened(entry: DeviceAllocationConfiguration, chosen: Sequence[Demand]) -> DeviceAllocationConfiguration:
    """The entry; its list of requests is emptied where it covers the whole claim (RES-7)."""
    if all(demand.parent in entry.requests or demand.name in entry.requests for demand in chosen):
        return DeviceAllocationConfiguration(source=entry.source, opaque=entry.opaque)
    return entry


def _node_selector(
    claim: ClaimDemand, devices: Sequence[PoolDevice], node: str, features: frozenset[str]
) -> NodeSelector | AttemptError | None:
    """Where the claim can be used: the node itself, or all nodes that every device reaches (RES-9 to RES-11)."""
    fields: list[NodeSelectorRequirement] = []
    expressions: list[NodeSelectorRequirement] = []
    for device in devices:
        place = device.device if device.spec.per_device_node_selection else device.spec
        if place.node_name or device.device.binds_to_node:
            return _only(place.node_name if variant(features) == "stable" and place.node_name else node)
        if place.node_selector is None:
            continue
        terms = place.node_selector.node_selector_terms
        if len(terms) != 1:
            return too_many_terms(claim.ref.name, len(terms))
        _merge(fields, terms[0].match_fields)
        _merge(expressions, terms[0].match_expressions)
    if not fields and not expressions:
        return None
    term = NodeSelectorTerm(match_expressions=tuple(expressions), match_fields=tuple(fields))
    return NodeSelector(node_selector_terms=(term,))


def _only(node: str) -> NodeSelector:
    requirement = NodeSelectorRequirement(key="metadata.name", operator="In", values=(node,))
    return NodeSelector(node_selector_terms=(NodeSelectorTerm(match_fields=(requirement,)),))


def _merge(present: list[NodeSelectorRequirement], added: Iterable[NodeSelectorRequirement]) -> None:
    """Append what is not there yet; the order of values makes no difference (RES-10)."""
    for requirement in added:
        key = _identity(requirement)
        if all(_identity(other) != key for other in present):
            present.append(requirement)


def _identity(requirement: NodeSelectorRequirement) -> tuple[str, str, frozenset[str]]:
    return (requirement.key, requirement.operator, frozenset(requirement.values))
