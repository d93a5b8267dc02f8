"""What an API server would refuse: create rules of every kind that planning relies on.

Pure functions, one per kind and group of fields. Each gives every `FieldError`, in the server's order and words.
"""

from __future__ import annotations

from dravite.api.field import FieldError
from dravite.api.meta import Model
from dravite.api.releases import Profile

__all__ = ["why_not_create"]


def why_not_create(obj: Model, profile: Profile) -> tuple[FieldError, ...]:
    """Every reason why an API server of this profile would refuse to create the object (hub version, defaulted)."""
    return ()
