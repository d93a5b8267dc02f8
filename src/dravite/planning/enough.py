"""How many nodes like one that is there are enough for pods without a place: the least number that was planned.

More nodes do not always help, and Kubernetes does not look for the best: what is told is what was tried, a number that
is enough and that one less is not.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

import msgspec

from dravite.api.meta import ObjectRef
from dravite.diagnosis.verdicts import PodDecision, Scheduled, Waiting
from dravite.planning.supposed import MOST_NODES
from dravite.planning.whatif import Supposition, WhatIf
from dravite.snapshot.changes import AddNodes, copied_names, with_changes


class Enough(msgspec.Struct, frozen=True, kw_only=True):
    """How many nodes are enough.

    Attributes:
        like: the node that they are like.
        nodes: their names; none where none is needed, or none helps.
        asked: how many pods were to get a place.
        short: those that have none with one node less.
        left: those that have none with `tried` nodes either.
    """

    like: str
    nodes: tuple[str, ...]
    asked: int
    short: tuple[ObjectRef, ...] = ()
    left: tuple[ObjectRef, ...] = ()
    tried: int = 0


class Answered(msgspec.Struct, frozen=True):
    """What is supposed, with the nodes that are enough, and what becomes of whom then."""

    supposed: Supposition
    found: WhatIf
    enough: Enough


def enough_nodes(
    supposed: Supposition,
    like: str,
    found: WhatIf,
    asked: Collection[ObjectRef] | None,
    ask: Callable[[Supposition], WhatIf],
) -> Answered:
    """As few nodes as are enough for the pods that are asked about, or for all that wait for a node.

    `found` is the answer without more nodes, and `ask` plans another supposition.
    """
    search = _Search(supposed, like, asked, ask)
    search.answers[0] = found
    missing = search.missing(0)
    most = min(MOST_NODES, sum(not isinstance(one.decision, Scheduled) for one in _decided(found)))
    few, tried = search.enough_or_most(most) if missing else (0, 0)
    left = search.missing(tried)
    number = search.least(0 if left else few, tried, left) if left != missing else 0
    names = copied_names(like, number, {node.metadata.name for node in supposed.after.nodes})
    short = search.missing(number - 1) - left if number else frozenset[ObjectRef]()
    enough = Enough(
        like=like,
        nodes=names,
        asked=len(search.meant(found)),
        short=_in_order(short, found),
        left=_in_order(left, found),
        tried=tried,
    )
    return Answered(search.supposed(number), search.answer(number), enough)


class _Search:
    """A search on its way. Alive only inside `enough_nodes`.

    Attributes:
        answers: what becomes of whom with how many nodes more. Those that cannot be told are let go: plans are large.
    """

    def __init__(
        self,
        start: Supposition,
        like: str,
        asked: Collection[ObjectRef] | None,
        ask: Callable[[Supposition], WhatIf],
    ) -> None:
        self._start, self._like, self._asked, self._ask = start, like, asked, ask
        self._missing: dict[int, frozenset[ObjectRef]] = {}
        self.answers: dict[int, WhatIf] = {}

    def supposed(self, number: int) -> Supposition:
        if not number:
            return self._start
        after = with_changes(self._start.after, (AddNodes(self._like, number),))
        return msgspec.structs.replace(self._start, after=after)

    def answer(self, number: int) -> WhatIf:
        """What becomes of whom with so many nodes more."""
        if number not in self.answers:
            self.answers[number] = self._ask(self.supposed(number))
        return self.answers[number]

    def meant(self, found: WhatIf) -> list[PodDecision]:
        """What was decided of the pods that are to get a place."""
        if self._asked is None:
            return [one for one in _decided(found) if not isinstance(one.decision, Waiting)]
        return [one for one in _decided(found) if one.pod in self._asked]

    def missing(self, number: int) -> frozenset[ObjectRef]:
        """Those of them that have none."""
        if number not in self._missing:
            meant = self.meant(self.answer(number))
            self._missing[number] = frozenset(one.pod for one in meant if not isinstance(one.decision, Scheduled))
        return self._missing[number]

    def enough_or_most(self, most: int) -> tuple[int, int]:
        """A number that is enough for all, or the greatest that can be of use; before it one that is not enough.

        So many are tried as it would take if each node helped as many pods as those before; or twice as many.
        """
        few, number = 0, 1
        while number < most and self.missing(number):
            left = len(self.missing(number))
            helped = len(self.missing(0)) - left
            self.answers.pop(number, None)
            few, number = number, number + (-(-left * number // helped) if helped > 0 else number)
            number = min(number, most)
        return few, number

    def least(self, few: int, enough: int, left: frozenset[ObjectRef]) -> int:
        """The least number that is as good as one that is enough; one less than that is tried first."""
        middle = enough - 1
        while enough - few > 1:
            if self.missing(middle) <= left:
                self.answers.pop(enough, None)
                enough = middle
            else:
                self.answers.pop(middle, None)
                few = middle
            middle = (few + enough) // 2
        return enough


def _decided(found: WhatIf) -> list[PodDecision]:
    """The last decision on each pod that waited with the change."""
    return list({one.pod: one for wave in found.waves for one in wave.plan.decisions}.values())


def _in_order(pods: Collection[ObjectRef], found: WhatIf) -> tuple[ObjectRef, ...]:
    return tuple(one.pod for one in _decided(found) if one.pod in pods)
