"""Asking nodes until enough of them would take the pod (F10.1).

Clusters below 100 nodes are searched to the end. In larger ones the search stops once enough nodes are found, and the
next one begins where it stopped, as with a single worker of kube-scheduler.
"""

from __future__ import annotations

from itertools import chain
from typing import Final, Literal

import msgspec

from dravite.allocator.outcomes import StepsSpent
from dravite.diagnosis.findings import NodeFinding
from dravite.diagnosis.reasons import AffinityNotMatched
from dravite.diagnosis.verdicts import AttemptError
from dravite.scheduler.board import FeasibleNode, Said, board_of
from dravite.scheduler.devices import DevicesFound
from dravite.scheduler.filters import Cycle, ask_node

Breadth = Literal["as-kubernetes", "all-nodes"]

SEARCHED_TO_THE_END: Final = 100
LEAST_PERCENTAGE: Final = 5


class Search(msgspec.Struct, frozen=True, kw_only=True):
    """What a search brought.

    Attributes:
        feasible: the nodes that fit, in the order in which they were found.
        findings: why the others do not, in the order of the cluster.
        error: what ended the search, if something did.
        spent: a node on which the step budget ran out, with the steps.
        next_start: where the next search begins.
    """

    feasible: tuple[FeasibleNode, ...] = ()
    findings: tuple[NodeFinding, ...] = ()
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
    order = cycle.snapshot.choices
    asked = order if cycle.named == "any" else tuple(name for name in order if name in cycle.named)
    enough = len(asked) if breadth == "all-nodes" else nodes_to_find(len(asked))
    start = cycle.snapshot.search_start % len(asked) if asked else 0
    feasible: list[FeasibleNode] = []
    refused: dict[str, NodeFinding] = {}
    spent: tuple[str, int] | None = None
    error: AttemptError | None = None
    board = board_of(cycle)
    said: dict[str, Said] = {} if board is None else board.said
    for index in chain(range(start, len(asked)), range(start)):
        name = asked[index]
        answer = said.get(name) or _ask(cycle, name)
        if type(answer) is FeasibleNode:
            if len(feasible) == enough:
                break
            feasible.append(answer)
        elif type(answer) is NodeFinding:
            refused[name] = answer
        elif isinstance(answer, StepsSpent):
            spent = spent or (name, answer.steps)
            continue
        elif isinstance(answer, AttemptError):
            error = answer
            break
        said[name] = answer
    processed = len(feasible) + len(refused)
    return Search(
        feasible=tuple(feasible),
        findings=_all_findings(cycle, refused) if not feasible and error is None else (),
        error=error,
        spent=spent,
        next_start=(cycle.snapshot.search_start + processed) % len(order),
    )


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
