"""Rules of 1.31 about ResourceClaim and ResourceClaimTemplate (2.3 to 2.9)."""

from __future__ import annotations

from functools import partial
from typing import Final

from dravite.api.field import child
from dravite.api.names import why_not_dns_label, why_not_dns_subdomain
from dravite.api.releases import Profile
from dravite.api.resource_v1 import (
    DeviceClaimConfiguration,
    DeviceConstraint,
    DeviceSelector,
    OpaqueDeviceConfiguration,
)
from dravite.api.resource_v1alpha3 import DeviceRequest, ResourceClaim, ResourceClaimSpec, ResourceClaimTemplate
from dravite.validation.alike import alike
from dravite.validation.classic import names
from dravite.validation.classic.lists import each, each_once
from dravite.validation.declarations import IMMUTABLE
from dravite.validation.faults import Faults, invalid, invalid_each, not_supported, required
from dravite.validation.metadata import Kept, metadata, prefix_of_name
from dravite.validation.metadata_updates import metadata_update
from dravite.validation.selectors import expression
from dravite.validation.template_metadata import template_metadata

MAX_ITEMS: Final = 32

_MODES: Final = ("All", "ExactCount")


def claim(item: ResourceClaim, profile: Profile) -> Faults:
    """A ResourceClaim that is created."""
    yield from metadata(item.metadata, profile, Kept.NAMESPACED)
    yield from claim_spec(item.spec, profile, "spec")


def claim_update(item: ResourceClaim, old: ResourceClaim, profile: Profile) -> Faults:
    """A ResourceClaim that is updated: its spec may not change, and is checked like a new one."""
    yield from metadata_update(item.metadata, old.metadata, profile)
    yield from prefix_of_name(item.metadata, "metadata")
    yield from claim_spec(item.spec, profile, "spec")
    if not alike(item.spec, old.spec):
        yield invalid("spec", item.spec, IMMUTABLE)


def template(item: ResourceClaimTemplate, profile: Profile) -> Faults:
    """A ResourceClaimTemplate that is created."""
    yield from metadata(item.metadata, profile, Kept.NAMESPACED)
    yield from template_metadata(item.spec.metadata, "spec.metadata")
    yield from claim_spec(item.spec.spec, profile, "spec.spec")


def template_update(item: ResourceClaimTemplate, old: ResourceClaimTemplate, profile: Profile) -> Faults:
    """A ResourceClaimTemplate that is updated: as with claims."""
    yield from metadata_update(item.metadata, old.metadata, profile)
    yield from prefix_of_name(item.metadata, "metadata")
    yield from template_metadata(item.spec.metadata, "spec.metadata")
    yield from claim_spec(item.spec.spec, profile, "spec.spec")
    if not alike(item.spec, old.spec):
        yield invalid("spec", item.spec, IMMUTABLE)


def claim_spec(spec: ResourceClaimSpec, profile: Profile, path: str) -> Faults:
    """The spec of a claim, wherever it stands."""
    place = child(path, "devices")
    known = frozenset(request.name for request in spec.devices.requests)
    yield from each_once(
        spec.devices.requests, MAX_ITEMS, partial(_request, profile=profile), child(place, "requests"), "name"
    )
    yield from each(spec.devices.constraints, MAX_ITEMS, partial(_constraint, known=known), child(place, "constraints"))
    yield from each(spec.devices.config, MAX_ITEMS, partial(_config, known=known), child(place, "config"))
    if spec.controller:
        yield from names.driver(child(path, "controller"), spec.controller)


def _request(item: DeviceRequest, path: str, profile: Profile) -> Faults:
    yield from invalid_each(child(path, "name"), item.name, why_not_dns_label(item.name))
    place = child(path, "deviceClassName")
    if not item.device_class_name:
        yield required(place)
    else:
        yield from invalid_each(place, item.device_class_name, why_not_dns_subdomain(item.device_class_name))
    yield from each(item.selectors or (), MAX_ITEMS, partial(selector, profile=profile), child(path, "selectors"))
    if item.allocation_mode == "All":
        if item.count != 0:
            yield invalid(child(path, "count"), item.count, "must not be specified when allocationMode is 'All'")
    elif item.allocation_mode == "ExactCount":
        if item.count <= 0:
            yield invalid(child(path, "count"), item.count, "must be greater than zero")
    else:
        yield not_supported(child(path, "allocationMode"), item.allocation_mode, _MODES)


def selector(item: DeviceSelector, path: str, profile: Profile) -> Faults:
    """One selector of a class or a request."""
    place = child(path, "cel")
    if item.cel is None:
        yield required(place)
    else:
        yield from expression(item.cel.expression, profile, child(place, "expression"))


def _constraint(item: DeviceConstraint, path: str, known: frozenset[str]) -> Faults:
    yield from each_once(item.requests, MAX_ITEMS, partial(reference, known=known), child(path, "requests"))
    place = child(path, "matchAttribute")
    if item.match_attribute is None:
        yield required(place)
    else:
        yield from names.fully_qualified(place, item.match_attribute)


def _config(item: DeviceClaimConfiguration, path: str, known: frozenset[str]) -> Faults:
    yield from each_once(item.requests, MAX_ITEMS, partial(reference, known=known), child(path, "requests"))
    yield from opaque(item.opaque, child(path, "opaque"))


def reference(item: str, path: str, known: frozenset[str]) -> Faults:
    """The name of a request."""
    yield from invalid_each(path, item, why_not_dns_label(item))
    if item not in known:
        yield invalid(path, item, "must be the name of a request in the claim")


def opaque(config: OpaqueDeviceConfiguration | None, path: str) -> Faults:
    """Parameters for a driver, of any size."""
    if config is None:
        yield required(path)
        return
    yield from names.driver(child(path, "driver"), config.driver)
    place, text = child(path, "parameters"), bytes(config.parameters).strip()
    if text in (b"", b"null"):
        yield required(place)
    elif not text.startswith(b"{"):
        yield invalid(place, "<value omitted>", "parameters must be a valid JSON object")
