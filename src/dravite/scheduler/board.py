"""What nodes have said to pods of one kind, kept until a node, or what is taken of its devices, changes.

Pods stamped from one template ask the same of every node, and from one to the next a single node changes. Pods whose
answer depends on more than a node by itself (neighbours, even spreading, nominated pods, claims that are allocated
already or by drivers, extended resources that classes provide) have no board. It changes no answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

import msgspec

from dravite.diagnosis.findings import NodeFinding
from dravite.scheduler.devices import DevicesFound
from dravite.scheduler.filters import Cycle
from dravite.scheduler.memory import claims_shape, memory_of
from dravite.scheduler.refusing_nodes import RefusingNodes
from dravite.snapshot.node_state import NodeState
from dravite.snapshot.snapshot import Snapshot


class FeasibleNode(msgspec.Struct, frozen=True):
    """A node that would take the pod, with the devices it would get."""

    state: NodeState
    devices: DevicesFound


Said: TypeAlias = FeasibleNode | NodeFinding

MOST_SAID: Final = 1_000_000


class Board:
    """The answers to pods of one kind, by node.

    Attributes:
        said: what holds for the snapshot that the board was brought up to last; new answers are written into it.
        refusing: what it comes to, once all nodes that may be chosen have refused such a pod.
    """

    __slots__ = ("_snapshot", "refusing", "said")

    def __init__(self, snapshot: Snapshot) -> None:
        self.said: dict[str, Said] = {}
        self.refusing: tuple[Sequence[str], RefusingNodes] | None = None
        self._snapshot = snapshot

    def bring_up_to(self, snapshot: Snapshot) -> None:
        """Take down what may no longer hold."""
        before, self._snapshot = self._snapshot, snapshot
        changed = changed_nodes(before, snapshot)
        if changed is None:
            self.said.clear()
            self.refusing = None
            return
        for name in changed:
            self.said.pop(name, None)
            self.refusing = None

    def refused_by_all(self, choices: Sequence[str]) -> RefusingNodes | None:
        """What all of these nodes say, where they refused such a pod and none has changed since."""
        return self.refusing[1] if self.refusing is not None and self.refusing[0] == choices else None


def changed_nodes(before: Snapshot, after: Snapshot) -> Iterator[str] | None:
    """The nodes that may answer otherwise, some of them more than once; None for all."""
    if after.profile is not before.profile or after.inventory.classes is not before.inventory.classes:
        return None
    return _changed_nodes(before, after)


def _changed_nodes(before: Snapshot, after: Snapshot) -> Iterator[str]:
    if after.states is not before.states:
        yield from after.states.differing(before.states)
    pools, known = after.inventory.usage.pools, before.inventory.usage.pools
    if pools is not known:
        for key in pools.differing(known):
            yield from after.inventory.memory.nodes_of(key)


def board_of(cycle: Cycle) -> Board | None:
    """The board for pods like this one, brought up to date; None where an answer depends on more than the node."""
    if not asks_nodes_alone(cycle):
        return None
    claims = b"" if cycle.devices is None else claims_shape([one.claim for one in cycle.devices.demand.fresh])
    boards = memory_of(cycle.snapshot).boards
    key = (cycle.shape, claims, None if cycle.devices is None else cycle.devices.budget, cycle.comparisons)
    board = boards.pop(key, None)
    if not isinstance(board, Board):
        _make_room(boards)
        board = Board(cycle.snapshot)
    board.bring_up_to(cycle.snapshot)
    boards[key] = board
    return board


def asks_nodes_alone(cycle: Cycle) -> bool:
    """Whether what a node says to the pod depends on nothing but the node and its devices."""
    if cycle.nominated or cycle.spread is not None or cycle.around is not None:
        return False
    demand = cycle.devices.demand if cycle.devices is not None else None
    return demand is None or not (demand.served or demand.leftover is not None or demand.allocated or demand.waiting)


def _make_room(boards: dict[object, object]) -> None:
    """Take down the boards that were looked at longest ago while too much is written on all of them."""
    total = sum(len(board.said) for board in boards.values() if isinstance(board, Board))
    for key in tuple(boards):
        if total <= MOST_SAID:
            return
        board = boards.pop(key)
        total -= len(board.said) if isinstance(board, Board) else 0
