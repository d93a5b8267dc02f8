"""What a toleration of a device taint means to evictions, which read it in their own way."""

from __future__ import annotations

from dravite.api.resource_v1 import DeviceTaint, DeviceToleration


def tolerates(toleration: DeviceToleration, taint: DeviceTaint) -> bool:
    """Key and value of a toleration, as an eviction reads them (R-30); the effect is the caller's business."""
    if toleration.key not in ("", taint.key):
        return False
    return toleration.operator == "Exists" or toleration.value == taint.value
