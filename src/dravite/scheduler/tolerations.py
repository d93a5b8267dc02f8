"""Which taints of a node a pod tolerates (F9.2, F9.4). Taints of devices have rules of their own, in the allocator."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, Literal

from dravite.api.core_v1 import Taint, Toleration

Comparisons = Literal["off", "on"]
"""Whether the operators `Lt` and `Gt` count (gate TaintTolerationComparisonOperators)."""

KEEPS_AWAY: Final = frozenset({"NoSchedule", "NoExecute"})
DISCOURAGES: Final = frozenset({"PreferNoSchedule"})
CORDONED: Final = Taint(key="node.kubernetes.io/unschedulable", effect="NoSchedule")

_INTEGER: Final = re.compile(r"(0|-?[1-9][0-9]*)\Z")


def tolerates(toleration: Toleration, taint: Taint, comparisons: Comparisons = "off") -> bool:
    """Whether one toleration covers one taint."""
    if toleration.effect and toleration.effect != taint.effect:
        return False
    if toleration.key and toleration.key != taint.key:
        return False
    match toleration.operator:
        case "" | "Equal":
            return toleration.value == taint.value
        case "Exists":
            return True
        case "Lt" | "Gt" if comparisons == "on":
            return _compares(toleration, taint)
        case _:
            return False


def untolerated(
    taints: Iterable[Taint],
    tolerations: tuple[Toleration, ...],
    effects: frozenset[str] = KEEPS_AWAY,
    comparisons: Comparisons = "off",
) -> tuple[Taint, ...]:
    """The taints with one of `effects` that no toleration covers, in order."""
    return tuple(
        taint
        for taint in taints
        if taint.effect in effects and not any(tolerates(one, taint, comparisons) for one in tolerations)
    )


def _compares(toleration: Toleration, taint: Taint) -> bool:
    if not _INTEGER.match(toleration.value) or not _INTEGER.match(taint.value):
        return False
    wanted, found = int(toleration.value), int(taint.value)
    return found < wanted if toleration.operator == "Lt" else found > wanted
