"""How large things may be, by release (2.19)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import msgspec

from dravite.api.gates import RELEASES
from dravite.api.releases import Profile


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The limits that are not the same in every release.

    Attributes:
        reservations: entries of `status.reservedFor`.
        parameters: bytes of opaque parameters; None where nothing limits them.
        expression: bytes of a CEL expression; None where neither its length nor its cost is limited.
        taints: of one device.
        rich_devices: devices of a slice in which any has taints or consumes counters.
        list_devices: devices of a slice in which any has list attributes.
        counters: of all sets of a slice together; None where each set is limited by itself.
        values: attribute values of one device.
    """

    reservations: int
    parameters: int | None
    expression: int | None
    taints: int
    rich_devices: int
    list_devices: int
    counters: int | None
    values: int | None


_TABLE: Final[Mapping[str, tuple[int | None, ...]]] = {
    # limit:         1.31    1.32    1.33    1.34    1.35    1.36    1.37
    "reservations": (32,     256,    256,    256,    256,    256,    256),
    "parameters":   (None,   10_240, 10_240, 10_240, 10_240, 10_240, 10_240),
    "expression":   (None,   10_240, 10_240, 10_240, 10_240, 10_240, 10_240),
    "taints":       (4,      4,      4,      4,      16,     16,     16),
    "rich_devices": (128,    128,    128,    128,    64,     64,     64),
    "list_devices": (128,    128,    128,    128,    128,    64,     64),
    "counters":     (32,     32,     32,     32,     None,   None,   None),
    "values":       (None,   None,   None,   None,   None,   48,     48),
}  # fmt: skip


def limits(profile: Profile) -> Limits:
    """The limits of a release."""
    return _of(profile.release)


@lru_cache(maxsize=16)
def _of(release: str) -> Limits:
    column = RELEASES.index(release)
    return msgspec.convert({name: row[column] for name, row in _TABLE.items()}, Limits)
