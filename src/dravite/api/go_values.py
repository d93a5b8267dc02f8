"""An object as Go prints it where it has no names for the fields but its own: in what is said of bad values.

Kubernetes' checks look at types of their own, whose fields are called as in Go; nothing is left out of such a value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from dravite.api.field_history import absent_fields
from dravite.api.meta import Condition, Model

_ACRONYMS: Final = {"cel": "CEL", "apiGroup": "APIGroup", "uid": "UID", "ips": "IPs"}


def go_value(value: Any, release: str) -> Any:
    """A value as plain data with the names of Go, with all fields that its types have in a release."""
    if isinstance(value, Condition):
        return value  # it is the same type for everybody, with the names of the API
    if isinstance(value, Model):
        absent = absent_fields(release).get(type(value), frozenset())
        names = zip(value.__struct_fields__, value.__struct_encode_fields__, strict=True)
        return {_go_name(wire): go_value(getattr(value, name), release) for name, wire in names if wire not in absent}
    if isinstance(value, Mapping):
        return {key: go_value(value[key], release) for key in sorted(value)} or None
    if isinstance(value, tuple):
        return [go_value(item, release) for item in value] or None
    return value


def _go_name(wire: str) -> str:
    return _ACRONYMS.get(wire) or wire[0].upper() + wire[1:]
