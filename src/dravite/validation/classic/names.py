"""Names, as 1.31 checks them: drivers, pools, and names of attributes with kinds of errors of their own."""

from __future__ import annotations

from typing import Final

from dravite.api.field import ErrorType, FieldError, child
from dravite.api.names import why_not_dns_subdomain, why_not_identifier
from dravite.validation.classic.lists import longer_than, more_bytes_than
from dravite.validation.faults import Faults, invalid_each, required

MAX_DRIVER: Final = 63
MAX_POOL: Final = 253
MAX_IDENTIFIER: Final = 32


def driver(path: str, name: str) -> Faults:
    """The name of a driver; upper case passes."""
    if not name:
        yield required(path)
    if len(name.encode()) > MAX_DRIVER:
        yield more_bytes_than(path, MAX_DRIVER)
    yield from invalid_each(path, name, why_not_dns_subdomain(name.lower() if name.isascii() else name))


def pool(path: str, name: str) -> Faults:
    """The name of a pool: DNS subdomains joined by slashes."""
    if not name:
        yield required(path)
        return
    if len(name.encode()) > MAX_POOL:
        yield longer_than(path, MAX_POOL)
    for segment in name.split("/"):
        yield from invalid_each(path, segment, why_not_dns_subdomain(segment))


def qualified(path: str, name: str) -> Faults:
    """The name of an attribute or a capacity. Two slashes pass unseen."""
    if not name:
        yield required(path, "name required")
        return
    domain, slash, identifier = name.partition("/")
    if not slash:
        yield from _identifier(path, name)
    elif "/" not in identifier:
        yield from driver(path, domain) if domain else (required(path, "the prefix must not be empty"),)
        yield from _identifier(path, identifier) if identifier else (required(path, "the name must not be empty"),)


def fully_qualified(path: str, name: str) -> Faults:
    """The name of an attribute with its domain."""
    yield from qualified(path, name)
    if "/" not in name:
        yield required(child(path, "domain"), "must include a prefix")


def _identifier(path: str, name: str) -> Faults:
    if len(name.encode()) > MAX_IDENTIFIER:
        yield longer_than(path, MAX_IDENTIFIER)
    for detail in why_not_identifier(name):
        yield FieldError(type=ErrorType.TYPE_INVALID, field=path, value=name, detail=detail)
