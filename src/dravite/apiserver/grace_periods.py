"""The time that a pod is given to end in."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from dravite.api.meta import Time
from dravite.api.plain import Plain

_ENDED: Final = ("Succeeded", "Failed")
_DEFAULT_GRACE: Final = 30


def grace(old: Plain, asked: int | None) -> int:
    """How many seconds a pod is given to end in; none where nothing of it runs."""
    spec, status = old.get("spec") or {}, old.get("status") or {}
    if not spec.get("nodeName") or status.get("phase") in _ENDED:
        return 0
    wanted = asked if asked is not None else spec.get("terminationGracePeriodSeconds", _DEFAULT_GRACE)
    left = old["metadata"].get("deletionGracePeriodSeconds")
    seconds = max(0, wanted if isinstance(wanted, int) else _DEFAULT_GRACE)
    return seconds if left is None else min(seconds, left)


def later(now: Time, seconds: int) -> Time:
    """A moment some seconds after another one."""
    moment = datetime.strptime(now, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    return (moment + timedelta(seconds=min(seconds, 10**9))).strftime("%Y-%m-%dT%H:%M:%SZ")
