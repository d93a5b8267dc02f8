"""lightkube.models.resource_v1alpha3."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Optional  # noqa: F401, UP035 (the types of the classes are written with them)

from dravite.compat.lightkube.model import module_names
from dravite.compat.lightkube.models import core_v1, meta_v1, resource, runtime  # noqa: F401

_MADE = module_names("resource_v1alpha3")
globals().update(_MADE)
__all__ = sorted(_MADE)

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...
