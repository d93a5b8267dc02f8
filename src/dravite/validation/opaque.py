"""Rules about parameters that only a driver understands (2.9)."""

from __future__ import annotations

from typing import Final

from dravite.api.field import child
from dravite.api.releases import Profile
from dravite.api.resource_v1 import OpaqueDeviceConfiguration
from dravite.validation import name_rules
from dravite.validation.faults import Faults, declared, invalid, required, too_long

MAX_PARAMETERS: Final = 10_240


def opaque(config: OpaqueDeviceConfiguration | None, profile: Profile, path: str) -> Faults:
    """The one kind of configuration that there is; it must be there."""
    if config is None:
        yield required(path)
        return
    yield from parameters(bytes(config.parameters), profile, child(path, "parameters"))
    yield from declared(name_rules.opaque_driver(child(path, "driver"), config.driver))


def parameters(raw: bytes, profile: Profile, path: str) -> Faults:
    """Raw JSON that must be an object; 1.31 knew no limit."""
    text = raw.strip()
    if text in (b"", b"null"):
        yield required(path)
    elif len(raw) > MAX_PARAMETERS and profile.is_at_least("1.32"):
        yield too_long(path, MAX_PARAMETERS)
    elif not text.startswith(b"{"):
        yield invalid(path, "<value omitted>", "must be a valid JSON object")
