"""What lightkube has in place of free-form objects."""

from __future__ import annotations

RawExtension = dict
