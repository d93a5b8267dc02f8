"""A device as selectors see it: `device.driver`, `.attributes[domain][id]`, `.capacity[domain][id]`.

Everything is converted before anything is evaluated: one attribute that cannot be read breaks every selector on the
device, used or not (CEL-10).
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from dravite.api.resource_v1 import Device, DeviceAttribute
from dravite.api.semver import Semver
from dravite.cel.errors import CelError
from dravite.cel.values import EMPTY_MAP, Failure, Map


class Activation(msgspec.Struct, frozen=True, eq=False):
    """The value of `device`, for any number of evaluations."""

    device: Map


def activate(driver: str, device: Device) -> Activation | CelError:
    """What selectors may ask of a driver's device; or the first attribute, by name, that has no value.

    A name without a domain belongs to the driver's (CEL-8); where a device publishes both forms of a name, the
    qualified one counts (CEL-9). An unknown domain is looked up as an empty map, but is not a member (CEL-12, CEL-13).
    """
    attributes: dict[str, object] = {}
    for name, attribute in device.attributes.items():
        value = attribute_value(attribute)
        if isinstance(value, Failure):
            return _first_fault(device.attributes)
        attributes[name] = value
    capacity: dict[str, object] = {name: known.value for name, known in device.capacity.items()}
    fields: dict[object, object] = {
        "driver": driver,
        "allowMultipleAllocations": bool(device.allow_multiple_allocations),
        "attributes": _by_domain(attributes, driver),
        "capacity": _by_domain(capacity, driver),
    }
    return Activation(Map(fields, textual=True))


def attribute_value(attribute: DeviceAttribute) -> object:
    """The value of an attribute: the first field that is set, lists before single values."""
    value: object = attribute.int_values
    if value is None:
        value = attribute.bool_values
    if value is None:
        value = attribute.string_values
    if value is None:
        value = _versions(attribute.version_values)
    if value is None:
        value = attribute.int_value
    if value is None:
        value = attribute.bool_value
    if value is None:
        value = attribute.string_value
    if value is None:
        value = None if attribute.version_value is None else _version(attribute.version_value)
    return Failure("unsupported attribute value") if value is None else value


def _versions(texts: tuple[str, ...] | None) -> object:
    if texts is None:
        return None
    versions = [_version(text) for text in texts]
    return next((version for version in versions if isinstance(version, Failure)), tuple(versions))


def _version(text: str) -> Semver | Failure:
    version = Semver.read(text)
    return version if isinstance(version, Semver) else Failure(f"parse semantic version: {version}")


def _first_fault(attributes: Mapping[str, DeviceAttribute]) -> CelError:
    faults = {name: attribute_value(attribute) for name, attribute in attributes.items()}
    name, fault = min((name, fault) for name, fault in faults.items() if isinstance(fault, Failure))
    return CelError("runtime", f"attribute {name}: {fault.message}", "")


def _by_domain(values: Mapping[str, object], driver: str) -> Map:
    """Domain → id → value, both in alphabetical order."""
    places = []
    for name in values:
        domain, slash, identifier = name.partition("/")
        places.append((domain, identifier, True, name) if slash else (driver, name, False, name))
    places.sort()
    domains: dict[object, dict[object, object]] = {}
    for domain, identifier, _, name in places:  # the qualified name comes last and stays
        names = domains.get(domain)
        if names is None:
            names = domains[domain] = {}
        names[identifier] = values[name]
    entries: dict[object, object] = {domain: Map(names, textual=True) for domain, names in domains.items()}
    return Map(entries, textual=True, fallback=EMPTY_MAP)
