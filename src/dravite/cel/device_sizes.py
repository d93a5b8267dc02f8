"""How large the parts of a device can be.

A path names a part: fields by their names, and `@keys`, `@values`, `@items` for the keys and elements of a map.
Source: the limits of resource.k8s.io/v1 (Device, ResourceSlice), as the API server's estimator uses them.
"""

from __future__ import annotations

from typing import Final

_DRIVER: Final = 63
_DOMAIN: Final = 63
_NAME: Final = 32
_ATTRIBUTE_VALUE: Final = 64
_ENTRIES: Final = 32


def largest_size(path: tuple[str, ...]) -> int | None:
    """The largest size of a part of the device, or None for what is no part of it or has no limit."""
    if not path or path[0] != "device":
        return None
    match path[1:]:
        case ():
            return 0
        case ("driver",):
            return _DRIVER
        case ("allowMultipleAllocations",):
            return 1
        case ("attributes", *inside):
            return _in_attributes(inside)
        case ("capacity", *inside):
            return _in_capacity(inside)
    return None


def _in_attributes(inside: list[str]) -> int | None:
    match inside:
        case [] | ["@items" | "@values"]:
            return _ENTRIES
        case ["@keys"]:
            return _DOMAIN
        case ["@items" | "@values", "@keys"]:
            return _NAME
        case ["@items" | "@values", step] if step != "@indices":
            return _ATTRIBUTE_VALUE
    return None


def _in_capacity(inside: list[str]) -> int | None:
    """Quantities have no size of their own; only by key are they known to be values at all."""
    match inside:
        case [] | ["@items" | "@values"]:
            return _ENTRIES
        case ["@keys"]:
            return _DOMAIN
        case ["@items" | "@values", "@keys"]:
            return _NAME
        case ["@items" | "@values", "@items" | "@values"]:
            return 0
    return None
