"""What lightkube has in place of quantities."""

from __future__ import annotations

Quantity = str
