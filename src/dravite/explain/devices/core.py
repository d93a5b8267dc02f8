"""From many demands that cannot hold together to a minimal set of them.

Deletion: leave out one demand after the other and see whether the rest still fails. What is left fails together, and
leaving out any one of it makes the rest possible. The module knows nothing about devices: whether a set of demands
fails is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, TypeAlias

import msgspec

from dravite.diagnosis.findings import Clash
from dravite.diagnosis.reasons import ConstraintID

Verdict: TypeAlias = Literal["fails", "holds", "unknown"]
Judge: TypeAlias = Callable[[frozenset[ConstraintID]], Verdict]
"""Whether demands fail together; `unknown` where the search was given up."""


class Core(msgspec.Struct, frozen=True):
    """A clash, and whether it is known to be minimal: a search that was given up may have kept a demand too many."""

    clash: Clash
    minimal: bool


def minimal_core(demands: Iterable[ConstraintID], judge: Judge) -> Core | None:
    """A minimal subset of `demands` that fails together; None where all of them together do not fail.

    The demands are left out in the order given, so earlier ones are the first to go and the answer is the same
    every time. Asks the judge once for every demand and once for all.
    """
    kept = tuple(dict.fromkeys(demands))
    if judge(frozenset(kept)) != "fails":
        return None
    minimal = True
    for demand in kept:
        rest = tuple(other for other in kept if other != demand)
        verdict = judge(frozenset(rest))
        if verdict == "fails":
            kept = rest
        minimal = minimal and verdict != "unknown"
    return Core(Clash(kept), minimal)
