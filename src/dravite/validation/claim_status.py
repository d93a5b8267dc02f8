"""Rules about the status of a claim: the allocation, who reserved it, and what belongs together (2.10)."""

from __future__ import annotations

from operator import attrgetter
from typing import Final

import msgspec

from dravite.api.field import FieldError, child
from dravite.api.go_values import go_value
from dravite.api.releases import Profile
from dravite.api.resource_v1 import (
    AllocationResult,
    DeviceAllocationConfiguration,
    DeviceRequestAllocationResult,
    ResourceClaim,
    ResourceClaimConsumerReference,
)
from dravite.validation import name_rules
from dravite.validation.alike import alike
from dravite.validation.binding import binding_conditions
from dravite.validation.claims import reference, references, request_names
from dravite.validation.declarations import IMMUTABLE
from dravite.validation.device_status import device_statuses
from dravite.validation.faults import (
    Faults,
    declared,
    forbidden,
    invalid,
    is_declared,
    not_supported,
    required,
    too_many,
)
from dravite.validation.limits import limits
from dravite.validation.lists import each_once
from dravite.validation.node_selectors import node_selector
from dravite.validation.opaque import opaque
from dravite.validation.slices import skipped_operations
from dravite.validation.taints import tolerations

MAX_RESULTS: Final = 32
MAX_CONFIG: Final = 64

_SOURCES: Final = ("FromClaim", "FromClass")


class _Context(msgspec.Struct, frozen=True):
    """What a new allocation is measured against: the requests of the stored claim."""

    names: frozenset[str]
    profile: Profile


def allocated_already(allocation: AllocationResult, profile: Profile) -> FieldError:
    """That a claim may not get another allocation than it has."""
    if profile.is_at_least("1.37"):
        return invalid("status.allocation", None, "field cannot be modified once set")
    return invalid("status.allocation", go_value(allocation, profile.release), IMMUTABLE)


def claim_status(item: ResourceClaim, old: ResourceClaim, profile: Profile) -> Faults:
    """A ResourceClaim whose status is updated. Its spec and metadata are those that are stored."""
    allocation = tuple(_allocated(item, old, profile))
    yield from (error for error in allocation if is_declared(error, profile))
    yield from _reservations(item.status.reserved_for, profile, "status.reservedFor")
    yield from device_statuses(item, profile, "status.devices")
    yield from _why_not_reserved(item, old, "status.reservedFor")
    yield from (error for error in allocation if not is_declared(error, profile))


def _allocated(item: ResourceClaim, old: ResourceClaim, profile: Profile) -> Faults:
    status, before, place = item.status, old.status, "status.allocation"
    if status.allocation is None:
        return
    if before.allocation is None:
        yield from _allocation(status.allocation, _Context(request_names(item.spec.devices), profile), place)
    elif not alike(status.allocation, before.allocation):
        yield from declared((allocated_already(status.allocation, profile),))


def _reservations(items: tuple[ResourceClaimConsumerReference, ...], profile: Profile, path: str) -> Faults:
    limit = limits(profile).reservations
    if len(items) > limit:
        yield from declared((too_many(path, len(items), limit),))
        return
    yield from each_once(items, consumer, path, profile, attrgetter("uid"))


def consumer(item: ResourceClaimConsumerReference, path: str) -> Faults:
    """Who a claim is reserved for: all of it must be said."""
    for name, value in (("resource", item.resource), ("name", item.name), ("uid", item.uid)):
        if not value:
            yield required(child(path, name))


def _why_not_reserved(item: ResourceClaim, old: ResourceClaim, path: str) -> Faults:
    if not item.status.reserved_for:
        return
    if item.status.allocation is None:
        yield forbidden(path, "may not be specified when `allocated` is not set")
    elif item.metadata.deletion_timestamp and not set(item.status.reserved_for) <= set(old.status.reserved_for):
        detail = "new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set"
        yield forbidden(path, detail)


def _allocation(item: AllocationResult, context: _Context, path: str) -> Faults:
    place = child(path, "devices", "results")
    if len(item.devices.results) > MAX_RESULTS:
        yield from declared((too_many(place, len(item.devices.results), MAX_RESULTS),))
    else:
        for position, result in enumerate(item.devices.results):
            yield from _result(result, context, child(place, position))
    place = child(path, "devices", "config")
    if len(item.devices.config) > MAX_CONFIG:
        yield from declared((too_many(place, len(item.devices.config), MAX_CONFIG),))
    else:
        for position, config in enumerate(item.devices.config):
            yield from _config(config, context, child(place, position))
    if item.node_selector is not None:
        yield from node_selector(item.node_selector, child(path, "nodeSelector"))


def _result(item: DeviceRequestAllocationResult, context: _Context, path: str) -> Faults:
    yield from reference(item.request, child(path, "request"), context.names)
    yield from name_rules.driver_of_parameters(child(path, "driver"), item.driver, context.profile)
    yield from declared(name_rules.result_pool(child(path, "pool"), item.pool, context.profile))
    yield from name_rules.label(child(path, "device"), item.device, "characters")
    yield from binding_conditions(item.binding_conditions or None, item.binding_failure_conditions or None, path)
    if context.profile.is_at_least("1.37"):
        yield from tolerations(item.tolerations, context.profile, child(path, "tolerations"))
    if item.share_id is not None:
        yield from declared(name_rules.share_id(child(path, "shareID"), item.share_id, context.profile))
    yield from skipped_operations(item.skip_node_operations, child(path, "skipNodeOperations"))


def _config(item: DeviceAllocationConfiguration, context: _Context, path: str) -> Faults:
    place = child(path, "source")
    if not item.source:
        yield from declared((required(place),))
    elif item.source not in _SOURCES:
        yield from declared((not_supported(place, item.source, _SOURCES),))
    yield from references(item.requests, context.names, context.profile, child(path, "requests"))
    yield from opaque(item.opaque, context.profile, child(path, "opaque"))
