"""Objects as JSON has them, of kinds that no type of ours stands for or before one is made of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

Plain: TypeAlias = dict[str, Any]
"""An object that may be changed."""

PlainView: TypeAlias = Mapping[str, Any]
"""An object that is only read."""
