"""The finalizer that keeps a PodGroup while pods of it run or wait (E8.2)."""

from __future__ import annotations

import msgspec

from dravite.admission.plugins import PROTECTION
from dravite.api.scheduling_v1beta1 import PodGroup


def guarded(group: PodGroup, *, is_used: bool) -> PodGroup:
    """The group with the finalizer while it is used, and without it once it is being deleted and is not."""
    finalizers = group.metadata.finalizers
    is_going = group.metadata.deletion_timestamp is not None
    if is_used and not is_going and PROTECTION not in finalizers:
        return _with_finalizers(group, (*finalizers, PROTECTION))
    if is_going and not is_used and PROTECTION in finalizers:
        return _with_finalizers(group, tuple(one for one in finalizers if one != PROTECTION))
    return group


def _with_finalizers(group: PodGroup, finalizers: tuple[str, ...]) -> PodGroup:
    return msgspec.structs.replace(group, metadata=msgspec.structs.replace(group.metadata, finalizers=finalizers))
