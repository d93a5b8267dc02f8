"""Rules about parameters that only a driver understands (2.9)."""

from __future__ import annotations

from dravite.api.field import child
from dravite.api.releases import Profile
from dravite.api.resource_v1 import OpaqueDeviceConfiguration
from dravite.validation import name_rules
from dravite.validation.faults import Faults, invalid, required, too_long
from dravite.validation.limits import limits


def opaque(config: OpaqueDeviceConfiguration | None, profile: Profile, path: str, *, stored: bool = False) -> Faults:
    """The one kind of configuration that there is; it must be there. What is `stored` may be of any size."""
    if config is None:
        yield required(path)
        return
    yield from name_rules.driver_of_parameters(child(path, "driver"), config.driver, profile)
    limit = None if stored else limits(profile).parameters
    yield from raw_object(bytes(config.parameters), limit, child(path, "parameters"))


def raw_object(raw: bytes, limit: int | None, path: str) -> Faults:
    """Raw JSON that must be an object of limited length."""
    text = raw.strip()
    if text in (b"", b"null"):
        yield required(path)
    elif limit is not None and len(raw) > limit:
        yield too_long(path, limit)
    elif not text.startswith(b"{"):
        yield invalid(path, "<value omitted>", "must be a valid JSON object")
