"""Rules about single names: drivers, pools, attributes. The shapes are `api.names`'; here they become errors."""

from __future__ import annotations

import re
from typing import Final

from dravite.api.names import (
    Unit,
    why_not_dns_label,
    why_not_dns_subdomain,
    why_not_dns_subdomain_caseless,
    why_not_identifier,
    why_not_uuid,
)
from dravite.api.releases import Profile
from dravite.validation.faults import Faults, declared, invalid, invalid_each, required, too_long

_NO_DOMAIN: Final = "a fully qualified name must be a domain and a name separated by a slash"

_NOT_NORMAL: Final = (
    "uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal "
    "characters"
)
_UUID: Final = re.compile(r"(urn:uuid:|\{)?[0-9a-fA-F]{8}(-?)[0-9a-fA-F]{4}(-?[0-9a-fA-F]{4}){2}-?[0-9a-fA-F]{12}\}?")

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
    yield from invalid_each(path, name, why_not_dns_subdomain(name.lower() if name.isascii() else name, "characters"))


def driver_of_parameters(path: str, name: str, profile: Profile) -> Faults:
    """The driver of opaque parameters and of results: the rule is declared since 1.37, and counts characters.

    The older rule, which counts bytes, still says what the declared one does not say as well.
    """
    if not profile.is_at_least("1.37"):
        yield from driver(path, name)
    elif not name:
        yield from declared((required(path),))
    elif len(name) > MAX_DRIVER:
        yield from invalid_each(path, name, why_not_dns_subdomain_caseless(name))
        yield from declared((too_long(path, MAX_DRIVER, "characters"),))
    else:
        if len(name.encode()) > MAX_DRIVER:
            yield too_long(path, MAX_DRIVER)
        yield from declared(invalid_each(path, name, why_not_dns_subdomain_caseless(name)))


def pool(path: str, name: str) -> Faults:
    """The name of a pool: DNS subdomains joined by slashes, up to 253 bytes."""
    if not name:
        yield required(path)
        return
    if len(name.encode()) > MAX_POOL:
        yield too_long(path, MAX_POOL)
    for segment in name.split("/"):
        yield from invalid_each(path, segment, why_not_dns_subdomain(segment, "characters"))


def result_pool(path: str, name: str, profile: Profile) -> Faults:
    """The pool of an allocation result, whose rule is declared since 1.37."""
    if not name or not profile.is_at_least("1.37"):
        yield from pool(path, name)
    else:
        yield from pool_segments(path, name)


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


def share_id(path: str, text: str, profile: Profile) -> Faults:
    """The id of a share: a UUID. Before 1.37 a server told its length and its notation apart."""
    if not why_not_uuid(text):
        return
    if profile.is_at_least("1.37"):
        yield from invalid_each(path, text, why_not_uuid(text))
    elif len(text) not in (32, 36, 38, 45):
        yield invalid(path, text, f"error validating uid: invalid UUID length: {len(text.encode())}")
    elif _UUID.fullmatch(text):
        yield invalid(path, text, _NOT_NORMAL)
    else:
        yield invalid(path, text, "error validating uid: invalid UUID format")


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


def fully_qualified(path: str, name: str, profile: Profile) -> Faults:
    """The name of an attribute that a claim refers to: with its domain, since 1.37 in lower case."""
    if not profile.is_at_least("1.37"):
        yield from qualified(path, name)
        if "/" not in name:
            yield invalid(path, name, _NO_DOMAIN)
        return
    domain, slash, identifier = name.partition("/")
    if not slash:
        yield from _identifier(path, name)
        yield invalid(path, name, _NO_DOMAIN)
    elif "/" not in identifier:
        if not domain:
            yield invalid(path, domain, "prefix must not be empty")
        else:
            if len(domain.encode()) > MAX_DRIVER:
                yield too_long(path, MAX_DRIVER)
            yield from invalid_each(path, domain, (f"prefix: {text}" for text in why_not_dns_subdomain(domain)))
        if not identifier:
            yield invalid(path, identifier, "name must not be empty")
        else:
            yield from _identifier(path, identifier)


def _identifier(path: str, name: str) -> Faults:
    if len(name.encode()) > MAX_IDENTIFIER:
        yield too_long(path, MAX_IDENTIFIER)
    yield from invalid_each(path, name, why_not_identifier(name))
