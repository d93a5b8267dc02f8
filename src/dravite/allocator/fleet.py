"""All nodes of a cluster asked at once, and asked again once devices were taken somewhere.

What was answered stays with the shape of the claims; when allocations change, only the nodes that see a changed pool
are asked again, and searched only if no node alike was (see `alike`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Final, TypeAlias

import msgspec

from dravite.allocator.alike import Effort, alike_in
from dravite.allocator.allocate import Found
from dravite.allocator.outcomes import Outcome, StepsSpent
from dravite.allocator.problem import Problem
from dravite.allocator.search import Picks
from dravite.allocator.signatures import shape_of
from dravite.api.core_v1 import Node
from dravite.diagnosis.verdicts import AttemptError
from dravite.snapshot.inventory import Inventory
from dravite.snapshot.node_devices import NodeDevices

NodeSet: TypeAlias = int
"""Nodes of a fleet: the bit of a node is its position."""

_MOST_SHAPES: Final = 256


class Answers(msgspec.Struct, frozen=True):
    """What became of every node.

    Attributes:
        fit: nodes on which all claims can be served.
        unsure: nodes on which the question ended in an error or was given up; `Fleet.outcome` tells.
    """

    fit: NodeSet
    unsure: NodeSet

    @property
    def first(self) -> int | None:
        """The first node that fits or is unsure: as far as Kubernetes looks if it takes the first one that fits."""
        return first_of(self.fit | self.unsure)


def first_of(nodes: NodeSet) -> int | None:
    """The first node of a set; None if there is none."""
    return (nodes & -nodes).bit_length() - 1 if nodes else None


class _Standing:
    """How things stand for claims of one shape. `seen` changes of the fleet are in it; below zero before the first."""

    __slots__ = ("fit", "seen", "unsure")

    def __init__(self) -> None:
        self.seen = -1
        self.fit: NodeSet = 0
        self.unsure: NodeSet = 0

    def start(self, found: Sequence[Found]) -> None:
        """Take the answers of all nodes."""
        self.fit = _set_of(isinstance(one, Picks) for one in found)
        self.unsure = _set_of(isinstance(one, AttemptError | StepsSpent) for one in found)

    def set(self, position: int, found: Found) -> None:
        """Take the answer of one node."""
        bit = 1 << position
        self.fit = self.fit | bit if isinstance(found, Picks) else self.fit & ~bit
        unsure = isinstance(found, AttemptError | StepsSpent)
        self.unsure = self.unsure | bit if unsure else self.unsure & ~bit


def _set_of(members: Iterable[bool]) -> NodeSet:
    """The set of the nodes that are true."""
    digits = bytes(48 + member for member in members)
    return int(digits[::-1] or b"0", 2)


class Fleet:
    """The nodes of one cluster, in the order in which they are tried.

    Attributes:
        nodes: as given.
    """

    __slots__ = ("_alike", "_by_pool", "_changes", "_inventory", "_problems", "_standings", "nodes")

    def __init__(self, nodes: Sequence[Node], inventory: Inventory) -> None:
        self.nodes = tuple(nodes)
        self._alike = alike_in(inventory)
        self._inventory = inventory
        self._by_pool: dict[tuple[str, str], list[int]] = {}
        for position, node in enumerate(self.nodes):
            devices = inventory.devices(node)
            for key in devices.keys if isinstance(devices, NodeDevices) else ():
                self._by_pool.setdefault(key, []).append(position)
        self._changes: list[int] = []
        self._standings: dict[Hashable, _Standing] = {}
        self._problems: dict[int, tuple[object, _Standing]] = {}

    @property
    def effort(self) -> Effort:
        """How much was really searched, also for others that share the slices."""
        return self._alike.effort

    def ask(self, problem: Problem) -> Answers:
        """Put the claims to every node. The inventory of the problem must be over the slices of the fleet's own."""
        self._catch_up(problem.inventory)
        standing = self._standing(problem)
        if standing.seen < 0:
            standing.start([self._ask(problem, position) for position in range(len(self.nodes))])
        elif standing.seen < len(self._changes):
            for position in dict.fromkeys(self._changes[standing.seen :]):
                standing.set(position, self._ask(problem, position))
        standing.seen = len(self._changes)
        return Answers(standing.fit, standing.unsure)

    def outcome(self, problem: Problem, position: int) -> Outcome:
        """What `allocate` says of one node."""
        use = problem.inventory.use(self.nodes[position])
        return use if isinstance(use, AttemptError) else self._alike.outcome(problem, use)

    def _ask(self, problem: Problem, position: int) -> Found:
        use = problem.inventory.use(self.nodes[position])
        return use if isinstance(use, AttemptError) else self._alike.like(problem, use)

    def _catch_up(self, inventory: Inventory) -> None:
        """Note the nodes that see a pool of which something else is allocated now."""
        before, now = self._inventory.usage.pools, inventory.usage.pools
        if now is not before:
            for key in now.differing(before):
                self._changes += self._by_pool.get(key, ())
        self._inventory = inventory

    def _standing(self, problem: Problem) -> _Standing:
        """What was answered to claims of the same shape; without a shape, to these very claims."""
        known = self._problems.get(id(problem.claims))
        if known is None or known[0] is not problem.claims:
            if len(self._problems) >= _MOST_SHAPES:
                self._problems.clear()
                self._standings.clear()
            shape = shape_of(problem)
            standing = _Standing() if shape is None else self._standings.setdefault(shape, _Standing())
            known = self._problems[id(problem.claims)] = (problem.claims, standing)
        return known[1]
