"""When two values are the same to an API server: missing and empty lists do not differ, nor do `1` and `1000m`."""

from __future__ import annotations

from typing import Any

import msgspec

from dravite.api.meta import Model
from dravite.api.quantity import Quantity


def alike(value: Any, other: Any) -> bool:
    """Whether an update from one value to the other changes nothing."""
    return bool(value == other) or _plain(value) == _plain(other)


def _plain(value: Any) -> Any:
    """The value in a form in which `==` is what a server means."""
    if isinstance(value, Model):
        return (type(value), *(_plain(getattr(value, name)) for name in value.__struct_fields__))
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()} or None
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value] or None
    if isinstance(value, Quantity):
        return value.nano
    return bytes(value) if isinstance(value, msgspec.Raw) else value
