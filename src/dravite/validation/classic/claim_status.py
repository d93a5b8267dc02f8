"""Rules of 1.31 about the status of a claim, with those for drivers with a controller (2.10)."""

from __future__ import annotations

from functools import partial
from typing import Final

from dravite.api.field import child
from dravite.api.names import why_not_dns_label
from dravite.api.releases import Profile
from dravite.api.resource_v1 import (
    DeviceAllocationConfiguration,
    DeviceRequestAllocationResult,
)
from dravite.api.resource_v1alpha3 import AllocationResult, ResourceClaim, ResourceClaimStatus
from dravite.validation.alike import alike
from dravite.validation.claim_status import consumer
from dravite.validation.classic import names
from dravite.validation.classic.claims import MAX_ITEMS, opaque, reference
from dravite.validation.classic.lists import each, each_once
from dravite.validation.declarations import IMMUTABLE
from dravite.validation.faults import Faults, forbidden, invalid, invalid_each, not_supported, required
from dravite.validation.limits import limits
from dravite.validation.node_selectors import node_selector

MAX_CONFIG: Final = 64

_RESERVED: Final = "status.reservedFor"
_ALLOCATION: Final = "status.allocation"
_DEALLOCATION: Final = "status.deallocationRequested"
_SOURCES: Final = ("FromClaim", "FromClass")


def claim_status(item: ResourceClaim, old: ResourceClaim, profile: Profile) -> Faults:
    """A ResourceClaim whose status is updated. An allocation is checked even if it stays."""
    status, before = item.status, old.status
    known = frozenset(request.name for request in item.spec.devices.requests)
    if status.allocation is not None:
        yield from _allocation(status.allocation, known)
    yield from each_once(status.reserved_for, limits(profile).reservations, consumer, _RESERVED, "uid")
    yield from _why_not_reserved(item, before)
    if None not in (before.allocation, status.allocation) and not alike(status.allocation, before.allocation):
        yield invalid(_ALLOCATION, status.allocation, IMMUTABLE)
    yield from _deallocation(status, before)


def _allocation(item: AllocationResult, known: frozenset[str]) -> Faults:
    place = child(_ALLOCATION, "devices", "results")
    yield from each(item.devices.results, MAX_ITEMS, partial(_result, known=known), place)
    place = child(_ALLOCATION, "devices", "config")
    yield from each(item.devices.config, MAX_CONFIG, partial(_config, known=known), place)
    if item.node_selector is not None:
        yield from node_selector(item.node_selector, child(_ALLOCATION, "nodeSelector"), reads_values=False)
    if item.controller:
        yield from names.driver(child(_ALLOCATION, "controller"), item.controller)


def _result(item: DeviceRequestAllocationResult, path: str, known: frozenset[str]) -> Faults:
    yield from reference(item.request, child(path, "request"), known)
    yield from names.driver(child(path, "driver"), item.driver)
    yield from names.pool(child(path, "pool"), item.pool)
    yield from invalid_each(child(path, "device"), item.device, why_not_dns_label(item.device))


def _config(item: DeviceAllocationConfiguration, path: str, known: frozenset[str]) -> Faults:
    place = child(path, "source")
    if not item.source:
        yield required(place)
    elif item.source not in _SOURCES:
        yield not_supported(place, item.source, _SOURCES)
    yield from each_once(item.requests, MAX_ITEMS, partial(reference, known=known), child(path, "requests"))
    yield from opaque(item.opaque, child(path, "opaque"))


def _why_not_reserved(item: ResourceClaim, before: ResourceClaimStatus) -> Faults:
    status = item.status
    if not status.reserved_for:
        return
    ends = item.metadata.deletion_timestamp is not None or status.deallocation_requested
    if status.allocation is None:
        yield forbidden(_RESERVED, "may not be specified when `allocated` is not set")
    elif ends and not set(status.reserved_for) <= set(before.reserved_for):
        detail = "new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set"
        yield forbidden(_RESERVED, detail)


def _deallocation(status: ResourceClaimStatus, before: ResourceClaimStatus) -> Faults:
    """The request to take an allocation back: not while somebody uses it, and not withdrawn."""
    asks, asked = status.deallocation_requested, before.deallocation_requested
    if asks and not asked and status.reserved_for:
        yield forbidden(_DEALLOCATION, "deallocation cannot be requested while `reservedFor` is set")
    if asks and status.allocation is None:
        yield forbidden("status", "`allocation` must be set when `deallocationRequested` is set")
    if asked and not asks and status.allocation is not None:
        yield forbidden(_DEALLOCATION, "may not be cleared when `allocation` is set")
