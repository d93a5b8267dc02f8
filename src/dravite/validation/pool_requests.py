"""Rules about ResourcePoolStatusRequest (2.17)."""

from __future__ import annotations

from operator import attrgetter
from typing import Final

from dravite.api.go_values import go_value
from dravite.api.names import why_not_dns_subdomain_caseless
from dravite.api.releases import Profile, newest_profile
from dravite.api.resource_v1alpha3 import ResourcePoolStatusRequest
from dravite.validation import name_rules
from dravite.validation.alike import alike
from dravite.validation.conditions import conditions
from dravite.validation.declarations import IMMUTABLE, Rule, Table, broken
from dravite.validation.faults import Faults, declared, invalid, invalid_each, repeated, too_long
from dravite.validation.group_tables import at_least, dns_subdomain
from dravite.validation.metadata import Kept, metadata
from dravite.validation.metadata_updates import metadata_update

MAX_LIMIT: Final = 1_000
MAX_POOLS: Final = 1_000
MAX_CONDITIONS: Final = 10
MAX_ERROR: Final = 256
MAX_SUMMARY: Final = 32


def pool_request(item: ResourcePoolStatusRequest, profile: Profile) -> Faults:
    """A ResourcePoolStatusRequest that is created."""
    yield from metadata(item.metadata, profile, Kept.UNCOUNTED)
    yield from declared(broken(_REQUEST, item, None, "", profile))


def pool_request_update(item: ResourcePoolStatusRequest, old: ResourcePoolStatusRequest, profile: Profile) -> Faults:
    """A ResourcePoolStatusRequest that is updated: only its metadata may change."""
    yield from metadata_update(item.metadata, old.metadata, profile)
    yield from declared(broken(_REQUEST, item, old, "", profile))


def pool_request_status(item: ResourcePoolStatusRequest, old: ResourcePoolStatusRequest, profile: Profile) -> Faults:
    """A ResourcePoolStatusRequest that is answered, which happens once."""
    if old.status is not None and not alike(item.status, old.status):
        yield invalid("status", go_value(item.status, profile.release), IMMUTABLE)
    elif old.status is None and item.status is not None:
        place = "status.conditions"
        yield from conditions(item.status.conditions, profile, place)
        if not profile.is_at_least("1.37") and len(item.status.conditions) <= MAX_CONDITIONS:
            yield from repeated(place, item.status.conditions, attrgetter("type"))
    yield from declared(broken(_REQUEST, item, old, "", profile))


def _driver(path: str, text: str) -> Faults:
    return invalid_each(path, text, why_not_dns_subdomain_caseless(text))


def _attribute(path: str, text: str) -> Faults:
    return name_rules.fully_qualified(path, text, newest_profile())


def _limit(path: str, number: int) -> Faults:
    yield from at_least(path, number, 1)
    if number > MAX_LIMIT:
        yield invalid(path, number, f"must be less than or equal to {MAX_LIMIT}")


def _some(path: str, number: int) -> Faults:
    return at_least(path, number, 1)


def _count(path: str, number: int) -> Faults:
    return at_least(path, number, 0)


def _error(path: str, text: str) -> Faults:
    if len(text.encode()) > MAX_ERROR:
        yield too_long(path, MAX_ERROR)


_SPEC: Final = Table(
    (
        Rule(name="driver", required=True, check=_driver),
        Rule(name="pool_name", check=name_rules.pool_segments),
        Rule(name="limit", check=_limit),
        Rule(
            name="default_partition_type_attribute",
            gate="DRAPartitionableDevicesType",
            check=_attribute,
        ),
    )
)
_PARTITION: Final = Table(
    (
        Rule(name="attribute", required=True),
        Rule(name="type", required=True),
        Rule(name="total", required=True, check=_count),
        Rule(name="allocatable", required=True, check=_count),
    )
)
_CAPACITY: Final = Table(tuple(Rule(name=name, required=True) for name in ("name", "total", "consumed", "available")))
_SHAREABLE: Final = Table(
    (
        Rule(name="fully_available_devices", required=True, check=_count),
        Rule(name="partially_available_devices", required=True, check=_count),
        Rule(name="capacity", most=MAX_SUMMARY, inner=_CAPACITY),
    )
)
_POOL: Final = Table(
    (
        Rule(name="driver", required=True, check=_driver),
        Rule(name="pool_name", required=True, check=name_rules.pool_segments),
        Rule(name="generation", required=True, check=_count),
        Rule(name="resource_slice_count", check=_some),
        Rule(name="total_devices", check=_count),
        Rule(name="allocated_devices", check=_count),
        Rule(name="available_devices", check=_count),
        Rule(name="unavailable_devices", check=_count),
        Rule(name="node_name", check=dns_subdomain),
        Rule(name="validation_error", check=_error),
        Rule(name="partition_summary", most=MAX_SUMMARY, keys=("attribute", "type"), inner=_PARTITION),
        Rule(name="shareable_summary", inner=_SHAREABLE),
    )
)
_STATUS: Final = Table(
    (
        Rule(name="pool_count", required=True, check=_count),
        Rule(name="pools", most=MAX_POOLS, inner=_POOL),
        Rule(name="conditions", most=MAX_CONDITIONS),
    )
)
_REQUEST: Final = Table((Rule(name="spec", immutable=True, inner=_SPEC), Rule(name="status", inner=_STATUS)))
