"""Field paths as a server shows them for a request in another version than the hub (0.1).

Hand-written rules see the hub, declared ones the version of the request.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import msgspec

from dravite.api.field import FieldError
from dravite.api.releases import Profile
from dravite.validation.faults import is_declared

_FLAT: Final = ("resource.k8s.io/v1beta1", "resource.k8s.io/v1alpha3")
_EXACTLY: Final = re.compile(r"(requests\[\d+\])\.exactly\b")
_DEVICE: Final = re.compile(r"(spec\.devices\[\d+\])\.(?!name\b|basic\b)")


def at_version(errors: Iterable[FieldError], api_version: str, profile: Profile) -> tuple[FieldError, ...]:
    """The errors with the paths that a server shows for a request in this version."""
    if api_version not in _FLAT:
        return tuple(errors)
    return tuple(
        msgspec.structs.replace(error, field=as_written(error.field, api_version))
        if is_declared(error, profile)
        else error
        for error in errors
    )


def as_written(path: str, api_version: str) -> str:
    """Where a field of the hub stands in an object of a version."""
    if api_version not in _FLAT:
        return path
    return _DEVICE.sub(r"\1.basic.", _EXACTLY.sub(r"\1", path))
