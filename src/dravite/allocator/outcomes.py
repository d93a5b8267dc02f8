"""What asking for devices on one node can end in."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from dravite.api.resource_v1 import AllocationResult
from dravite.diagnosis.verdicts import AttemptError


class Allocation(msgspec.Struct, frozen=True):
    """Devices for all claims: one result per claim, in their order. Share ids are `share-1`, `share-2` …"""

    results: tuple[AllocationResult, ...]
    steps: int = 0


class Unallocatable(msgspec.Struct, frozen=True):
    """No devices on this node. `cause` is `none`, or `invalid-pools` where one was met (P-16)."""

    cause: Literal["none", "invalid-pools"] = "none"
    steps: int = 0


class StepsSpent(msgspec.Struct, frozen=True):
    """The step budget ran out before an answer was found."""

    steps: int


Outcome: TypeAlias = Allocation | Unallocatable | AttemptError | StepsSpent
