"""All nodes of a cluster asked at once, and asked again once devices were taken somewhere.

A node is searched only if no node like it was searched before for claims of the same shape (see `signatures`). What
was answered stays with the shape; when allocations change, only the nodes that see a changed pool are looked at again.
Nothing is decided here: every answer is the allocator's own.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Final, TypeAlias

import msgspec

from dravite.allocator.allocate import Found, conclude, find_picks
from dravite.allocator.outcomes import Outcome, StepsSpent
from dravite.allocator.problem import Problem
from dravite.allocator.search import Picks
from dravite.allocator.signatures import kind_of, shape_of, wear_of
from dravite.api.core_v1 import Node
from dravite.diagnosis.verdicts import AttemptError
from dravite.snapshot.inventory import Inventory
from dravite.snapshot.node_devices import NodeDevices
from dravite.snapshot.node_use import NodeUse
from dravite.snapshot.usage import AllocatedState

NodeSet: TypeAlias = int
"""Nodes of a fleet: the bit of a node is its position."""

_MOST_SHAPES: Final = 64
_MOST_PROBLEMS: Final = 256
_UNSEEN: Final = -1
"""The kind and wear of a node whose devices cannot be told."""


class Answers(msgspec.Struct, frozen=True):
    """What became of every node.

    Attributes:
        fit: nodes on which all claims can be served, as far as picks go.
        unsure: nodes on which the question ended in an error or was given up; `Fleet.outcome` tells.
    """

    fit: NodeSet
    unsure: NodeSet

    @property
    def first(self) -> int | None:
        """The first node that fits or is unsure, which is as far as Kubernetes looks if it takes the first one."""
        found = self.fit | self.unsure
        return (found & -found).bit_length() - 1 if found else None


class Effort(msgspec.Struct):
    """What was done so far: `asked` answers were wanted, `searched` needed a search, `alone` of them for want of a
    signature; the others were known from a node alike."""

    asked: int = 0
    searched: int = 0
    alone: int = 0


class _Shape:
    """What is known of claims of one shape.

    Attributes:
        seen: how many of the fleet's changes are in `fit` and `unsure`; below zero before the first question.
        kinds: by node.
        answers: by kind and wear.
    """

    __slots__ = ("answers", "fit", "kind_numbers", "kinds", "seen", "unsure")

    def __init__(self) -> None:
        self.seen = -1
        self.kinds: list[int] = []
        self.kind_numbers: dict[Hashable, int] = {}
        self.answers: dict[tuple[int, int], Found] = {}
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
        effort: how much was really searched.
    """

    __slots__ = (
        "_by_pool",
        "_changes",
        "_shapes",
        "_shapes_of",
        "_state",
        "_uses",
        "_wears",
        "_worn",
        "effort",
        "nodes",
    )

    def __init__(self, nodes: Sequence[Node], inventory: Inventory) -> None:
        self.nodes = tuple(nodes)
        self.effort = Effort()
        self._by_pool: dict[tuple[str, str], list[int]] = {}
        for position, node in enumerate(self.nodes):
            devices = inventory.devices(node)
            if isinstance(devices, NodeDevices):
                for key in devices.keys:
                    self._by_pool.setdefault(key, []).append(position)
        self._state: AllocatedState = inventory.usage
        self._uses: list[NodeUse | AttemptError] = [inventory.use(node) for node in self.nodes]
        self._wears: dict[Hashable, int] = {}
        self._worn: list[int] = [self._wear(use) for use in self._uses]
        self._changes: list[int] = []
        self._shapes: dict[Hashable, _Shape] = {}
        self._shapes_of: dict[int, tuple[object, _Shape | None]] = {}

    def ask(self, problem: Problem) -> Answers:
        """Put the claims to every node. The inventory of the problem must be over the slices of the fleet's own."""
        self._catch_up(problem.inventory)
        shape = self._shape(problem)
        if shape is None:
            alone = _Shape()
            alone.start([self._search(problem, position) for position in range(len(self.nodes))])
            self.effort.asked += len(self.nodes)
            self.effort.alone += len(self.nodes)
            return Answers(alone.fit, alone.unsure)
        if shape.seen < 0:
            shape.kinds = [self._kind(problem, shape, position) for position in range(len(self.nodes))]
            shape.start([self._answer(problem, shape, position) for position in range(len(self.nodes))])
        elif shape.seen < len(self._changes):
            for position in dict.fromkeys(self._changes[shape.seen :]):
                shape.set(position, self._answer(problem, shape, position))
        shape.seen = len(self._changes)
        return Answers(shape.fit, shape.unsure)

    def outcome(self, problem: Problem, position: int) -> Outcome:
        """What `allocate` says of one node. Nothing must have been allocated since the fleet was asked."""
        use = self._uses[position]
        if isinstance(use, AttemptError):
            return use
        shape = self._shape(problem)
        found = None if shape is None else shape.answers.get((shape.kinds[position], self._worn[position]))
        if found is None or isinstance(found, AttemptError):
            found = find_picks(problem, use)
        return conclude(problem, use, found)

    def _answer(self, problem: Problem, shape: _Shape, position: int) -> Found:
        """What was found on a node; errors are those of some node alike."""
        key = (shape.kinds[position], self._worn[position])
        self.effort.asked += 1
        found = shape.answers.get(key)
        if found is None:
            found = shape.answers[key] = self._search(problem, position)
        return found

    def _search(self, problem: Problem, position: int) -> Found:
        use = self._uses[position]
        if isinstance(use, AttemptError):
            return use
        self.effort.searched += 1
        found = find_picks(problem, use)
        outcome = conclude(problem, use, found)
        return outcome if isinstance(outcome, AttemptError) else found

    def _kind(self, problem: Problem, shape: _Shape, position: int) -> int:
        use = self._uses[position]
        if isinstance(use, AttemptError):
            return _UNSEEN
        return shape.kind_numbers.setdefault(kind_of(problem, use.devices), len(shape.kind_numbers))

    def _catch_up(self, inventory: Inventory) -> None:
        """Look again at the nodes that see a pool of which something else is allocated now."""
        state = inventory.usage
        if state.pools is self._state.pools:
            return
        for key in state.pools.differing(self._state.pools):
            for position in self._by_pool.get(key, ()):
                use = self._uses[position] = inventory.use(self.nodes[position])
                self._worn[position] = self._wear(use)
                self._changes.append(position)
        self._state = state

    def _wear(self, use: NodeUse | AttemptError) -> int:
        if isinstance(use, AttemptError):
            return _UNSEEN
        return self._wears.setdefault(wear_of(use), len(self._wears))

    def _shape(self, problem: Problem) -> _Shape | None:
        """What is known of the shape of the claims; None if they have none."""
        known = self._shapes_of.get(id(problem.claims))
        if known is None or known[0] is not problem.claims:
            key = shape_of(problem)
            known = (problem.claims, None if key is None else self._shapes.setdefault(key, _Shape()))
            if len(self._shapes) > _MOST_SHAPES:
                self._shapes.pop(next(iter(self._shapes)))
            if len(self._shapes_of) >= _MOST_PROBLEMS:
                self._shapes_of.clear()
            self._shapes_of[id(problem.claims)] = known
        return known[1]
