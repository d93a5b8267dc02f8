"""Asking nodes until enough of them would take the pod (F10.1).

Clusters below 100 nodes are searched to the end. In larger ones the search stops once enough nodes are found, and the
next one begins where it stopped, as with a single worker of kube-scheduler.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

import msgspec

from dravite.allocator.outcomes import StepsSpent
from dravite.diagnosis.findings import NodeFinding
from dravite.diagnosis.reasons import AffinityNotMatched
from dravite.diagnosis.verdicts import AttemptError
from dravite.scheduler.board import Board, FeasibleNode, Said, board_of
from dravite.scheduler.devices import DevicesFound
from dravite.scheduler.filters import Cycle, ask_node
from dravite.scheduler.refusing_nodes import NOBODY_ASKED, RefusingNodes, refusing_nodes

Breadth = Literal["as-kubernetes", "all-nodes"]

SEARCHED_TO_THE_END: Final = 100
LEAST_PERCENTAGE: Final = 5


class Search(msgspec.Struct, frozen=True, kw_only=True):
    """What a search brought.

    Attributes:
        feasible: the nodes that fit, in the order in which they were found.
        refusing: why none of them fits, where none does.
        error: what ended the search, if something did.
        spent: a node on which the step budget ran out, with the steps.
        next_start: where the next search begins.
    """

    feasible: tuple[FeasibleNode, ...] = ()
    refusing: RefusingNodes = NOBODY_ASKED
    error: AttemptError | None = None
    spent: tuple[str, int] | None = None
    next_start: int = 0


def nodes_to_find(nodes: int) -> int:
    """How many feasible nodes are enough, given how many nodes there are."""
    if nodes < SEARCHED_TO_THE_END:
        return nodes
    percentage = max(LEAST_PERCENTAGE, 50 - nodes // 125)
    return max(SEARCHED_TO_THE_END, nodes * percentage // 100)


def search_nodes(cycle: Cycle, breadth: Breadth) -> Search:
    """Ask the nodes that the pod names, or all, beginning where the last search ended.

    A node that the pod is nominated for is asked first, and taken alone if it fits (F10.2).
    """
    nominated = _nominated(cycle)
    if nominated is not None:
        return Search(feasible=(nominated,), next_start=cycle.snapshot.search_start)
    order, board = cycle.snapshot.choices, board_of(cycle)
    asked = order if cycle.named == "any" else tuple(name for name in order if name in cycle.named)
    refusing = board.refused_by_all(order) if board is not None else None
    if refusing is not None:
        return Search(refusing=refusing, next_start=(cycle.snapshot.search_start + len(asked)) % len(order))
    enough = len(asked) if breadth == "all-nodes" else nodes_to_find(len(asked))
    start = cycle.snapshot.search_start % len(asked) if asked else 0
    searching = _Searching(cycle, board)
    at = 0
    while at < len(asked) and len(searching.feasible) <= enough and searching.error is None:
        # Until one more fits than is enough, the next as many as are missing are asked in any case.
        until = min(len(asked), at + enough + 1 - len(searching.feasible))
        searching.ask(_round(asked, start + at, start + until))
        at = until
    feasible, refused = searching.feasible[:enough], searching.refused
    processed = len(feasible) + len(refused)
    if not feasible and searching.error is None and searching.spent is None:
        refusing = refusing_nodes(_all_findings(cycle, refused), cycle.snapshot.profile.release)
        if board is not None:
            board.refusing = (order, refusing)
    return Search(
        feasible=tuple(feasible),
        refusing=refusing or NOBODY_ASKED,
        error=searching.error,
        spent=searching.spent,
        next_start=(cycle.snapshot.search_start + processed) % len(order),
    )


def _round(names: Sequence[str], start: int, stop: int) -> Sequence[str]:
    """The names from one place to another, beginning again at the end."""
    size = len(names)
    if start >= size:
        return names[start - size : stop - size]
    return names[start:stop] if stop <= size else (*names[start:], *names[: stop - size])


class _Searching:
    """A search on its way. Alive only inside `search_nodes`."""

    def __init__(self, cycle: Cycle, board: Board | None) -> None:
        self.cycle = cycle
        self.feasible: list[FeasibleNode] = []
        self.refused: dict[str, NodeFinding] = {}
        self.spent: tuple[str, int] | None = None
        self.error: AttemptError | None = None
        self.said: dict[str, Said] = {} if board is None else board.said

    def ask(self, names: Sequence[str]) -> None:
        """Ask these nodes, up to one that makes an error; what is on the board is not asked again."""
        answers = list(map(self.said.get, names))
        others = [place for place, kind in enumerate(map(type, answers)) if kind is not FeasibleNode]
        for place in others:
            name = names[place]
            answer = answers[place] or _ask(self.cycle, name)
            if isinstance(answer, AttemptError):
                self.error = answer
                del answers[place:]
                break
            if isinstance(answer, StepsSpent):
                self.spent = self.spent or (name, answer.steps)
                continue
            self.said[name] = answers[place] = answer
            if type(answer) is NodeFinding:
                self.refused[name] = answer
        self.feasible += [answer for answer in answers if type(answer) is FeasibleNode]


def _ask(cycle: Cycle, name: str) -> Said | AttemptError | StepsSpent:
    state = cycle.snapshot.states[name]
    answer = ask_node(cycle, state)
    if isinstance(answer, DevicesFound):
        return FeasibleNode(state, answer)
    return NodeFinding(name, answer) if isinstance(answer, tuple) else answer


def _nominated(cycle: Cycle) -> FeasibleNode | None:
    """The node that the pod's status nominates, if it takes the pod; an error there counts as a no."""
    name = cycle.pod.pod.status.nominated_node_name
    state = cycle.snapshot.states.get(name) if name else None
    if state is None or (cycle.snapshot.placement is not None and name not in cycle.snapshot.placement):
        return None
    answer = ask_node(cycle, state)
    return FeasibleNode(state, answer) if isinstance(answer, DevicesFound) else None


def _all_findings(cycle: Cycle, refused: dict[str, NodeFinding]) -> tuple[NodeFinding, ...]:
    """The findings in the order of the cluster; nodes that the pod does not name were never asked."""
    not_named = (AffinityNotMatched(prefiltered=True),)
    return tuple(
        refused.get(name) or NodeFinding(name, not_named)
        for name in cycle.snapshot.choices
        if name in refused or (cycle.named != "any" and name not in cycle.named)
    )
