"""What nodes have said to pods of one kind, kept until a node, or what is taken of its devices, changes.

Pods stamped from one template ask the same of every node, and from one to the next a single node changes. Pods whose
answer depends on more than a node by itself (neighbours, even spreading, nominated pods, claims that are allocated
already, extended resources that classes provide) have no board. It changes no answer.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import msgspec

from dravite.diagnosis.findings import NodeFinding
from dravite.scheduler.devices import DevicesFound
from dravite.scheduler.filters import Cycle
from dravite.scheduler.memory import claims_shape, memory_of
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
    """

    __slots__ = ("_snapshot", "said")

    def __init__(self, snapshot: Snapshot) -> None:
        self.said: dict[str, Said] = {}
        self._snapshot = snapshot

    def bring_up_to(self, snapshot: Snapshot) -> None:
        """Take down what may no longer hold."""
        before, self._snapshot = self._snapshot, snapshot
        said, inventory = self.said, snapshot.inventory
        if snapshot.profile is not before.profile or inventory.classes is not before.inventory.classes:
            said.clear()
            return
        if snapshot.states is not before.states:
            for name in snapshot.states.differing(before.states):
                said.pop(name, None)
        if inventory.usage.pools is not before.inventory.usage.pools:
            for key in inventory.usage.pools.differing(before.inventory.usage.pools):
                for name in inventory.memory.nodes_of(key):
                    said.pop(name, None)


def board_of(cycle: Cycle) -> Board | None:
    """The board for pods like this one, brought up to date; None where an answer depends on more than the node."""
    if cycle.nominated or cycle.spread is not None or cycle.around is not None:
        return None
    claims = b""
    if cycle.devices is not None:
        demand = cycle.devices.demand
        if demand.served or demand.leftover is not None or demand.allocated:
            return None
        claims = claims_shape([one.claim for one in demand.fresh])
    boards = memory_of(cycle.snapshot).boards
    key = (cycle.shape, claims, None if cycle.devices is None else cycle.devices.budget, cycle.comparisons)
    board = boards.pop(key, None)
    if not isinstance(board, Board):
        _make_room(boards)
        board = Board(cycle.snapshot)
    board.bring_up_to(cycle.snapshot)
    boards[key] = board
    return board


def _make_room(boards: dict[object, object]) -> None:
    """Take down the boards that were looked at longest ago while too much is written on all of them."""
    total = sum(len(board.said) for board in boards.values() if isinstance(board, Board))
    for key in tuple(boards):
        if total <= MOST_SAID:
            return
        board = boards.pop(key)
        total -= len(board.said) if isinstance(board, Board) else 0
