"""lightkube.models.meta_v1."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Dict, List, Optional  # noqa: F401, UP035 (the types of the classes are written with them)

from dravite.compat.lightkube.model import module_names

Time = datetime
FieldsV1 = dict

_MADE = module_names("meta_v1")
globals().update(_MADE)
__all__ = sorted(_MADE)

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...
