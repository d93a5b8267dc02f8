"""Rules about ResourceClaim and ResourceClaimTemplate: requests, constraints and configuration (2.3 to 2.7)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from operator import attrgetter
from typing import Final, TypeAlias

from dravite.api.field import FieldError, child
from dravite.api.names import why_not_dns_label
from dravite.api.releases import Profile
from dravite.api.resource_v1 import (
    DeviceClaim,
    DeviceClaimConfiguration,
    DeviceConstraint,
    DeviceDerivedAttribute,
    DeviceRequest,
    DeviceSubRequest,
    ExactDeviceRequest,
    ResourceClaim,
    ResourceClaimSpec,
    ResourceClaimTemplate,
)
from dravite.validation import name_rules
from dravite.validation.alike import alike
from dravite.validation.declarations import IMMUTABLE
from dravite.validation.faults import (
    Faults,
    declared,
    forbidden,
    invalid,
    invalid_each,
    is_declared,
    not_supported,
    required,
    too_many,
)
from dravite.validation.lists import each_once
from dravite.validation.metadata import Kept, metadata, prefix_of_name
from dravite.validation.metadata_updates import metadata_update
from dravite.validation.opaque import opaque
from dravite.validation.selectors import MAX_COST, constrained, derived_attributes, derived_cost, selectors
from dravite.validation.taints import tolerations
from dravite.validation.template_metadata import template_metadata

MAX_REQUESTS: Final = 32
MAX_ALTERNATIVES: Final = 8
MAX_CONSTRAINTS: Final = 32
MAX_CONFIG: Final = 32

_ALL: Final = "All"
_EXACT: Final = "ExactCount"
_UNION: Final = "exactly one of `exactly` or `firstAvailable` is required"
_Wanted: TypeAlias = ExactDeviceRequest | DeviceSubRequest


def claim(item: ResourceClaim, profile: Profile) -> Faults:
    """A ResourceClaim that is created; its status is not looked at."""
    yield from metadata(item.metadata, profile, Kept.NAMESPACED)
    yield from claim_spec(item.spec, profile, "spec")


def template(item: ResourceClaimTemplate, profile: Profile) -> Faults:
    """A ResourceClaimTemplate that is created."""
    yield from metadata(item.metadata, profile, Kept.NAMESPACED)
    yield from template_metadata(item.spec.metadata, "spec.metadata")
    yield from claim_spec(item.spec.spec, profile, "spec.spec")


def claim_update(item: ResourceClaim, old: ResourceClaim, profile: Profile) -> Faults:
    """A ResourceClaim that is updated. Its spec may not change, and no other fault of a changed spec is told."""
    yield from metadata_update(item.metadata, old.metadata, profile)
    yield from prefix_of_name(item.metadata, "metadata")
    if not alike(item.spec, old.spec):
        yield from declared((invalid("spec", None if profile.is_at_least("1.37") else item.spec, IMMUTABLE),))


def template_update(item: ResourceClaimTemplate, old: ResourceClaimTemplate, profile: Profile) -> Faults:
    """A ResourceClaimTemplate that is updated. Its spec may not change; all faults of a changed one are told too."""
    yield from metadata_update(item.metadata, old.metadata, profile)
    yield from prefix_of_name(item.metadata, "metadata")
    yield from template_metadata(item.spec.metadata, "spec.metadata")
    yield from claim_spec(item.spec.spec, profile, "spec.spec")
    if not alike(item.spec, old.spec):
        yield invalid("spec", item.spec, IMMUTABLE)


def claim_spec(spec: ResourceClaimSpec, profile: Profile, path: str) -> Faults:
    """The spec of a claim, wherever it stands."""
    devices = spec.devices
    place = child(path, "devices")
    yield from _requests(devices, profile, child(place, "requests"))
    names = request_names(devices)
    yield from _constraints(devices.constraints, names, profile, child(place, "constraints"))
    yield from _configs(devices.config, names, profile, child(place, "config"))
    cost = derived_cost(_derived(devices), profile)
    if cost is None or cost > MAX_COST:
        detail = "too complex, total cost of derived attribute CEL expressions in the claim exceeds cost limit"
        yield forbidden(place, detail)


def request_names(devices: DeviceClaim) -> frozenset[str]:
    """What constraints, configuration and results may refer to: `req` and `req/sub`. Of equal names the last counts."""
    requests = {request.name: request for request in devices.requests}
    subs = (f"{name}/{sub.name}" for name, request in requests.items() for sub in request.first_available)
    return frozenset((*requests, *subs))


def _derived(devices: DeviceClaim) -> Iterator[DeviceDerivedAttribute]:
    """The derived attributes whose cost counts: those of requests that are looked at."""
    if len(devices.requests) > MAX_REQUESTS:
        return
    for request in devices.requests:
        alternatives = request.first_available
        if request.exactly is not None and not alternatives:
            yield from request.exactly.derived_attributes
        elif request.exactly is None and len(alternatives) <= MAX_ALTERNATIVES:
            for sub in alternatives:
                yield from sub.derived_attributes


def _requests(devices: DeviceClaim, profile: Profile, path: str) -> Faults:
    if len(devices.requests) > MAX_REQUESTS:
        yield from declared((too_many(path, len(devices.requests), MAX_REQUESTS),))
        return
    rule = partial(_request, devices=devices, profile=profile)
    yield from each_once(devices.requests, rule, path, profile, attrgetter("name"))


def _request(item: DeviceRequest, path: str, devices: DeviceClaim, profile: Profile) -> Faults:
    yield from name_rules.label(child(path, "name"), item.name, "characters")
    contents = (
        *_exactly(item, devices, profile, child(path, "exactly")),
        *_alternatives(item, devices, profile, child(path, "firstAvailable")),
    )
    if item.exactly is None and not item.first_available:
        yield required(path, _UNION)
    elif item.exactly is not None and item.first_available:
        yield invalid(path, None, f"{_UNION}, but multiple fields are set")
        contents = tuple(error for error in contents if is_declared(error, profile))
    yield from contents


def _exactly(item: DeviceRequest, devices: DeviceClaim, profile: Profile, path: str) -> Faults:
    if item.exactly is not None:
        wanted = item.exactly
        yield from name_rules.subdomain(child(path, "deviceClassName"), wanted.device_class_name, "characters")
        yield from _wanted(wanted, constrained(devices.constraints, item.name), profile, path)


def _alternatives(item: DeviceRequest, devices: DeviceClaim, profile: Profile, path: str) -> Faults:
    if len(item.first_available) > MAX_ALTERNATIVES:
        yield from declared((too_many(path, len(item.first_available), MAX_ALTERNATIVES),))
        return
    rule = partial(_alternative, of=item.name, devices=devices, profile=profile)
    yield from each_once(item.first_available, rule, path, profile, attrgetter("name"))


def _alternative(item: DeviceSubRequest, path: str, of: str, devices: DeviceClaim, profile: Profile) -> Faults:
    yield from name_rules.label(child(path, "name"), item.name, "characters")
    yield from declared(name_rules.subdomain(child(path, "deviceClassName"), item.device_class_name))
    yield from _wanted(item, constrained(devices.constraints, f"{of}/{item.name}"), profile, path)


def _wanted(item: _Wanted, named: frozenset[str], profile: Profile, path: str) -> Faults:
    """What a request and an alternative have in common, but for their class."""
    derived = tuple(derived_attributes(item.derived_attributes, named, profile, child(path, "derivedAttributes")))
    yield from selectors(item.selectors, profile, child(path, "selectors"))
    yield from (error for error in derived if not is_declared(error, profile))
    yield from _amount(item, path)
    yield from tolerations(item.tolerations, profile, child(path, "tolerations"))
    yield from (error for error in derived if is_declared(error, profile))


def _amount(item: _Wanted, path: str) -> Faults:
    if item.allocation_mode == _ALL:
        if item.count != 0:
            yield invalid(child(path, "count"), item.count, "must not be specified when allocationMode is 'All'")
    elif item.allocation_mode == _EXACT:
        if item.count <= 0:
            yield invalid(child(path, "count"), item.count, "must be greater than zero")
    else:
        error = not_supported(child(path, "allocationMode"), item.allocation_mode, (_ALL, _EXACT))
        yield from declared((error,)) if item.allocation_mode else (error,)


def _constraints(items: tuple[DeviceConstraint, ...], names: frozenset[str], profile: Profile, path: str) -> Faults:
    if len(items) > MAX_CONSTRAINTS:
        yield from declared((too_many(path, len(items), MAX_CONSTRAINTS),))
        return
    for position, item in enumerate(items):
        place = child(path, position)
        yield from references(item.requests, names, profile, child(place, "requests"))
        for name, attribute in (
            ("matchAttribute", item.match_attribute),
            ("distinctAttribute", item.distinct_attribute),
        ):
            if attribute is not None and (name == "matchAttribute" or _looks_at_both(item, profile)):
                yield from declared(name_rules.fully_qualified(child(place, name), attribute, profile))
        if item.match_attribute is None and item.distinct_attribute is None:
            yield _unconstrained(profile, place)


def _looks_at_both(item: DeviceConstraint, profile: Profile) -> bool:
    """Before 1.37 the second of two attributes was not looked at."""
    return item.match_attribute is None or profile.is_at_least("1.37")


def _unconstrained(profile: Profile, path: str) -> FieldError:
    if not profile.enabled("DRAConsumableCapacity"):
        return required(child(path, "matchAttribute"))
    detail = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set'
    return required(path, detail)


def references(items: tuple[str, ...], names: frozenset[str], profile: Profile, path: str) -> Faults:
    """Names of requests, or of requests and alternatives, each once."""
    if len(items) > MAX_REQUESTS:
        yield from declared((too_many(path, len(items), MAX_REQUESTS),))
        return
    yield from each_once(items, partial(reference, names=names), path, profile)


def reference(item: str, path: str, names: frozenset[str]) -> Faults:
    """The name of a request, or of a request and an alternative."""
    detail = "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'"
    segments = item.split("/")
    if len(segments) > 2:
        yield invalid(path, item, detail)
        return
    for segment in segments:
        yield from invalid_each(path, segment, why_not_dns_label(segment, "characters"))
    if item not in names:
        yield invalid(path, item, detail)


def _configs(items: tuple[DeviceClaimConfiguration, ...], names: frozenset[str], profile: Profile, path: str) -> Faults:
    if len(items) > MAX_CONFIG:
        yield from declared((too_many(path, len(items), MAX_CONFIG),))
        return
    for position, item in enumerate(items):
        place = child(path, position)
        yield from references(item.requests, names, profile, child(place, "requests"))
        yield from opaque(item.opaque, profile, child(place, "opaque"))
