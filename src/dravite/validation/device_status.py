"""Rules about what drivers report of allocated devices: identity, conditions, data, and networks (2.10)."""

from __future__ import annotations

import ipaddress
import re
from functools import partial
from typing import Any, Final, TypeAlias

from dravite.api.field import child
from dravite.api.releases import Profile
from dravite.api.resource_v1 import (
    AllocatedDeviceStatus,
    DeviceRequestAllocationResult,
    NetworkDeviceData,
    ResourceClaim,
)
from dravite.validation import name_rules
from dravite.validation.conditions import conditions
from dravite.validation.faults import (
    Faults,
    declared,
    invalid,
    too_long,
    too_many,
)
from dravite.validation.lists import each_once
from dravite.validation.opaque import raw_object

MAX_CONDITIONS: Final = 8
MAX_INTERFACE: Final = 256
MAX_HARDWARE: Final = 128
MAX_IPS: Final = 16
MAX_DATA: Final = 10_240

SharedDevice: TypeAlias = tuple[str, str, str, str]

_CIDR: Final = re.compile(r"(.+)/([0-9]{1,9})\Z")
_NO_CIDR: Final = "must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)"


def shared_device(item: AllocatedDeviceStatus | DeviceRequestAllocationResult) -> SharedDevice:
    """Which device, or which share of one. A missing share and an empty one are the same."""
    return item.driver, item.pool, item.device, item.share_id or ""


def allocated_devices(claim: ResourceClaim) -> frozenset[SharedDevice]:
    """The devices, and shares of devices, of a claim's allocation."""
    allocation = claim.status.allocation
    return frozenset(map(shared_device, allocation.devices.results if allocation is not None else ()))


def device_statuses(item: ResourceClaim, profile: Profile, path: str) -> Faults:
    """The device statuses of a claim, each device or share once."""
    rule = partial(_status, allocated=allocated_devices(item), profile=profile)
    yield from each_once(item.status.devices, rule, path, profile, shared_device)


def _status(item: AllocatedDeviceStatus, path: str, allocated: frozenset[SharedDevice], profile: Profile) -> Faults:
    yield from name_rules.driver(child(path, "driver"), item.driver)
    yield from name_rules.pool(child(path, "pool"), item.pool)
    yield from name_rules.label(child(path, "device"), item.device, "characters")
    if item.share_id is not None:
        yield from declared(name_rules.share_id(child(path, "shareID"), item.share_id, profile))
    if shared_device(item) not in allocated:
        yield invalid(path, _shown(item), "must be an allocated device in the claim")
    place = child(path, "conditions")
    if len(item.conditions) > MAX_CONDITIONS:
        yield too_many(place, len(item.conditions), MAX_CONDITIONS)
    yield from conditions(item.conditions, profile, place)
    if bytes(item.data) not in (b"", b"null"):
        yield from raw_object(bytes(item.data), MAX_DATA, child(path, "data"))
    if item.network_data is not None:
        yield from _network(item.network_data, profile, child(path, "networkData"))


def _shown(item: AllocatedDeviceStatus) -> Any:
    driver, pool, device, share = shared_device(item)
    return {"Driver": driver, "Pool": pool, "Device": device, "ShareID": share}


def _network(item: NetworkDeviceData, profile: Profile, path: str) -> Faults:
    if len(item.interface_name.encode()) > MAX_INTERFACE:
        yield from declared((too_long(child(path, "interfaceName"), MAX_INTERFACE),))
    if len(item.hardware_address.encode()) > MAX_HARDWARE:
        yield from declared((too_long(child(path, "hardwareAddress"), MAX_HARDWARE),))
    place = child(path, "ips")
    if len(item.ips) > MAX_IPS:
        yield from declared((too_many(place, len(item.ips), MAX_IPS),))
        return
    yield from each_once(item.ips, interface_address, place, profile)


def interface_address(text: str, path: str) -> Faults:
    """The address of an interface with the length of its network, in canonical form."""
    found = _parsed(text)
    if found is None:
        yield invalid(path, text, _NO_CIDR)
    elif found != text:
        yield invalid(path, text, f'must be in canonical form ("{found}")')


def _parsed(text: str) -> str | None:
    """The canonical form of an address, read as generously as Kubernetes reads it: leading zeros are no octal."""
    match = _CIDR.fullmatch(text)
    if match is None:
        return None
    address, size = _address(match.group(1)), int(match.group(2))
    if address is None:
        return None
    limit = 32 if "." in match.group(1) and ":" not in match.group(1) else 128
    if size > limit:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    if mapped is not None:
        return f"{mapped}/{size - 96 if size > 32 else size}"
    return f"{address}/{size}"


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    if "%" in text:
        return None
    head, colon, tail = text.rpartition(":")
    if re.fullmatch(r"[0-9]+(\.[0-9]+){3}", tail):
        tail = ".".join(part.lstrip("0") or "0" for part in tail.split("."))
    try:
        return ipaddress.ip_address(head + colon + tail)
    except ValueError:
        return None
