"""Rules about single names: drivers, pools, attributes. The shapes are `api.names`'; here they become errors."""

from __future__ import annotations

from dravite.api.names import (
    Unit,
    why_not_dns_label,
    why_not_dns_subdomain,
    why_not_dns_subdomain_caseless,
    why_not_identifier,
)
from dravite.validation.faults import Faults, invalid, invalid_each, required, too_long

MAX_DRIVER = 63
MAX_POOL = 253
MAX_IDENTIFIER = 32


def label(path: str, name: str, unit: Unit = "bytes") -> Faults:
    """A DNS label; an empty one is as bad as any other."""
    return invalid_each(path, name, why_not_dns_label(name, unit))


def required_label(path: str, name: str) -> Faults:
    """A DNS label that must be there."""
    if not name:
        yield required(path)
    else:
        yield from label(path, name)


def subdomain(path: str, name: str, unit: Unit = "bytes") -> Faults:
    """A DNS subdomain that must be there."""
    if not name:
        yield required(path)
    else:
        yield from invalid_each(path, name, why_not_dns_subdomain(name, unit))


def driver(path: str, name: str) -> Faults:
    """The name of a driver: a DNS subdomain of up to 63 bytes; upper case passes."""
    if not name:
        yield required(path)
        return
    if len(name.encode()) > MAX_DRIVER:
        yield too_long(path, MAX_DRIVER)
    yield from invalid_each(path, name, why_not_dns_subdomain(name.lower() if name.isascii() else name))


def opaque_driver(path: str, name: str) -> Faults:
    """The driver of opaque parameters, whose rule is declared and counts characters."""
    if not name:
        yield required(path)
    elif len(name) > MAX_DRIVER:
        yield too_long(path, MAX_DRIVER, "characters")
    else:
        yield from invalid_each(path, name, why_not_dns_subdomain_caseless(name))


def pool(path: str, name: str) -> Faults:
    """The name of a pool: DNS subdomains joined by slashes, up to 253 bytes."""
    if not name:
        yield required(path)
        return
    if len(name.encode()) > MAX_POOL:
        yield too_long(path, MAX_POOL)
    for segment in name.split("/"):
        yield from invalid_each(path, segment, why_not_dns_subdomain(segment, "characters"))


def pool_segments(path: str, name: str) -> Faults:
    """The same as a declared rule, which numbers the segments and knows no missing name."""
    if len(name.encode()) > MAX_POOL:
        yield too_long(path, MAX_POOL)
    for position, segment in enumerate(name.split("/")):
        if not segment:
            yield invalid(path, name, f"segment {position}: must not be empty")
        else:
            sentences = why_not_dns_subdomain(segment)
            yield from invalid_each(path, segment, (f"segment {position}: {text}" for text in sentences))


def qualified(path: str, name: str) -> Faults:
    """The name of an attribute or capacity: a C identifier, possibly after a domain. Two slashes pass unseen."""
    domain, slash, identifier = name.partition("/")
    if not slash:
        yield from _identifier(path, name)
    elif "/" not in identifier:
        if not domain:
            yield invalid(path, domain, "the domain must not be empty")
        else:
            yield from driver(path, domain)
        if not identifier:
            yield invalid(path, identifier, "the name must not be empty")
        else:
            yield from _identifier(path, identifier)


def fully_qualified(path: str, name: str) -> Faults:
    """The name of an attribute that a claim refers to: with its domain, in lower case."""
    domain, slash, identifier = name.partition("/")
    if not slash:
        if not name:
            yield from _identifier(path, name)
        yield invalid(path, name, "a fully qualified name must be a domain and a name separated by a slash")
    elif "/" not in identifier:
        if not domain:
            yield invalid(path, domain, "prefix must not be empty")
        elif len(domain.encode()) > MAX_DRIVER:
            yield too_long(path, MAX_DRIVER)
        else:
            yield from invalid_each(path, domain, (f"prefix: {text}" for text in why_not_dns_subdomain(domain)))
        if not identifier:
            yield invalid(path, identifier, "name must not be empty")
        else:
            yield from _identifier(path, identifier)


def _identifier(path: str, name: str) -> Faults:
    if len(name.encode()) > MAX_IDENTIFIER:
        yield too_long(path, MAX_IDENTIFIER)
    yield from invalid_each(path, name, why_not_identifier(name))
